import type { JsonObject } from '../aspect/json.ts';
import { objectsIn } from '../entity/stored-member.ts';

/**
 * The member `domainAssociations` for these domains, in their order: what is said about a membership stays with a domain that
 * stays, and of a new one nothing is said but itself (wire 5.2).
 */
export function domainAssociations(
  domains: readonly string[],
  before: JsonObject | undefined,
): readonly JsonObject[] {
  const known = objectsIn(before, 'domainAssociations');
  return domains.flatMap((domain) => {
    const kept = known.filter((each) => each['domain'] === domain);
    return kept.length === 0 ? [{ domain }] : kept;
  });
}
