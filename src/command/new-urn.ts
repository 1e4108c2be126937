import { formatUrn, type Urn } from '../urn/urn.ts';
import type { DecisionContext } from './command.ts';

/**
 * The URN of an entity to be created, with the id that was sent; without one, or an empty one, with a random one. Throws
 * INVALID_URN for an id that cannot stand in a URN: too long, or with control characters.
 */
export function newUrn(
  entityType: string,
  id: string | null | undefined,
  context: Pick<DecisionContext, 'newId'>,
): Urn {
  return formatUrn(entityType, [id === null || id === undefined || id === '' ? context.newId() : id]);
}
