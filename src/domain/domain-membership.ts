import type { JsonObject } from '../aspect/json.ts';
import { domainAssociations } from '../association/domain-associations.ts';
import type { Demand } from '../auth/caller.ts';
import { draftAspects } from '../command/aspect-draft.ts';
import type { DecisionView } from '../command/command.ts';
import type { AspectWrite } from '../aspect/aspect.ts';
import { requireAspect } from '../entity/entity-registry.ts';
import { listIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import { urnType, type Urn } from '../urn/urn.ts';

/** What changing the domain of an entity demands (contract section 7.15). */
export function membershipDemand(on: Urn): Demand {
  return { anyOf: ['EDIT_ENTITY', 'EDIT_DOMAINS_PRIVILEGE'], on };
}

/**
 * The writes by which entities belong to this domain and no other, or to none; those that do already are left alone.
 * Throws ENTITY_NOT_FOUND with the text that `missing` gives, and UNKNOWN_ASPECT for what can belong to no domain.
 */
export async function membershipWrites(
  view: DecisionView,
  entities: readonly Urn[],
  domain: Urn | undefined,
  missing: (entity: Urn) => string,
): Promise<readonly AspectWrite[]> {
  const existing = await view.existing([...new Set(entities)]);
  const draft = await draftAspects(view, entities, ['domains']);
  for (const urn of entities) {
    if (!existing.has(urn)) throw new PostilError('ENTITY_NOT_FOUND', missing(urn));
    requireAspect(urnType(urn), 'domains');
    draft.put(urn, 'domains', withDomain(draft.body(urn, 'domains'), domain));
  }
  return draft.writes();
}

function withDomain(body: JsonObject | undefined, domain: Urn | undefined): JsonObject | undefined {
  const before = listIn(body, 'domains');
  const after = domain === undefined ? [] : [domain];
  if (before.length === after.length && before.every((each, index) => each === after[index])) return body;
  if (after.length === 0 && body?.['domainAssociations'] === undefined) return { ...body, domains: after };
  return { ...body, domains: after, domainAssociations: domainAssociations(after, body) };
}
