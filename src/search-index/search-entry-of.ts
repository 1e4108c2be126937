import type { JsonObject } from '../aspect/json.ts';
import type { SearchEntry } from '../aspect/search-entry.ts';
import { requireEntityType } from '../entity/entity-registry.ts';
import { type Urn, urnType } from '../urn/urn.ts';

/**
 * The entry of an aspect; `undefined` for aspects that contribute nothing. Every key aspect has one: it says that the entity exists.
 * Pure: the write engine computes it in the transaction, `postil check` and `postil reindex` compute it again.
 */
export function searchEntryOf(urn: Urn, aspect: string, _body: JsonObject): SearchEntry | undefined {
  if (requireEntityType(urnType(urn)).keyAspect !== aspect) return undefined;
  return { fields: {}, words: [], terms: [] };
}
