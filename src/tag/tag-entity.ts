import type { JsonObject } from '../aspect/json.ts';
import type { DecisionView } from '../command/command.ts';
import { entityId } from '../entity/entity-id.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';

/** The URN of a tag, stored or not. Throws INVALID_URN, and BAD_REQUEST for the URN of anything else. */
export function tagUrn(text: string): Urn {
  const urn = parseUrn(text);
  if (urnType(urn) === 'tag') return urn;
  throw new PostilError('BAD_REQUEST', `${urn} is no tag. Send a urn that starts with urn:li:tag:.`);
}

/** What is said of a tag; of one that nothing is said of, its id as its name. */
export async function tagProperties(view: DecisionView, tag: Urn): Promise<JsonObject> {
  const stored = (await view.read(tag, ['tagProperties'])).get('tagProperties');
  return stored?.body ?? { name: entityId(tag) };
}
