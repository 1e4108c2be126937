import type { AspectReader } from '../aspect/aspect-store.ts';
import { PostilError } from '../errors/postil-error.ts';
import { urnType, type Urn } from '../urn/urn.ts';

/** Throws ENTITY_NOT_FOUND unless the URN is that of a stored user. */
export async function requireUser(view: Pick<AspectReader, 'existing'>, user: Urn): Promise<void> {
  if (urnType(user) === 'corpuser' && (await view.existing([user])).has(user)) return;
  throw new PostilError('ENTITY_NOT_FOUND', `The user ${user} does not exist.`);
}
