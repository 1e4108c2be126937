import { jsonEqual, type JsonObject } from '../aspect/json.ts';
import type { AuditStamp } from '../aspect/aspect.ts';
import { ownerEntry, ownershipOf, ownershipTypeIn } from '../association/owner.ts';
import {
  requireWholeEntities,
  resourcesOf,
  type Resource,
  type ResourceRef,
} from '../association/resource.ts';
import type { Demand } from '../auth/caller.ts';
import { draftAspects } from '../command/aspect-draft.ts';
import type { Decision, DecisionContext, DecisionView } from '../command/command.ts';
import { requireAspect } from '../entity/entity-registry.ts';
import { objectsIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';
import { isSystemType, ownershipTypeUrn } from './ownership-type.ts';

/** An owner that is to be added; without a type of either sort it owns in the way `NONE` (contract section 7.15). */
export type OwnerInput = {
  readonly ownerUrn: string;
  readonly ownerEntityType: 'CORP_USER' | 'CORP_GROUP';
  readonly type?: string | null;
  readonly ownershipTypeUrn?: string | null;
};

type Resources = readonly (ResourceRef | null)[];

/** What becomes of the owners of one entity; the same list when nothing changes. */
type OwnersChange = (owners: readonly JsonObject[]) => readonly JsonObject[];

const ownerKinds = {
  CORP_USER: { entityType: 'corpuser', title: 'corp user' },
  CORP_GROUP: { entityType: 'corpGroup', title: 'corp group' },
} as const;

/** Throws BAD_REQUEST for a null among the resources, or a column, and INVALID_URN. */
export function ownersDemands(resources: Resources): readonly Demand[] {
  return entitiesOf(resources).map(({ urn }) => ({ anyOf: ['EDIT_ENTITY', 'EDIT_ENTITY_OWNERS'], on: urn }));
}

/**
 * Adds owners to entities, all or nothing. An owner has one entry for each way of owning: adding it again replaces the
 * entry. Throws ENTITY_NOT_FOUND for owners, types and entities that do not exist, BAD_REQUEST for an owner of the wrong
 * kind, UNKNOWN_ASPECT for entities that have no owners.
 */
export async function addOwnersTo(
  view: DecisionView,
  owners: readonly OwnerInput[],
  resources: Resources,
  context: DecisionContext,
): Promise<Decision<true>> {
  const urns = owners.flatMap((owner) => [parseUrn(owner.ownerUrn), ...typeOf(owner)]);
  const existing = await view.existing([...new Set(urns)]);
  for (const owner of owners) checkOwner(owner, existing);
  const entries = owners.map((owner) => ownerEntry(parseUrn(owner.ownerUrn), owner));
  return changeOwners(view, resources, context, (before) => entries.reduce(withEntry, before));
}

/** Takes owners off entities, all or nothing: all their entries, or those with one type. They need not exist. */
export async function removeOwnersFrom(
  view: DecisionView,
  { ownerUrns, type }: { readonly ownerUrns: readonly string[]; readonly type: string | null | undefined },
  resources: Resources,
  context: DecisionContext,
): Promise<Decision<true>> {
  const removed: ReadonlySet<unknown> = new Set(ownerUrns.map(parseUrn));
  const meant = type === null || type === undefined ? undefined : ownershipTypeUrn(type);
  return changeOwners(view, resources, context, (owners) => {
    const kept = owners.filter(
      (owner) => !removed.has(owner['owner']) || (meant !== undefined && ownershipTypeIn(owner) !== meant),
    );
    return kept.length === owners.length ? owners : kept;
  });
}

async function changeOwners(
  view: DecisionView,
  references: Resources,
  { caller, now }: DecisionContext,
  change: OwnersChange,
): Promise<Decision<true>> {
  const urns = entitiesOf(references).map(({ urn }) => urn);
  const existing = await view.existing([...new Set(urns)]);
  const draft = await draftAspects(view, urns, ['ownership']);
  const stamp: AuditStamp = { time: now, actor: caller.actor };
  for (const urn of urns) {
    if (!existing.has(urn)) {
      throw new PostilError(
        'ENTITY_NOT_FOUND',
        `Failed to change ownership for resource ${urn}. Resource does not exist.`,
      );
    }
    requireAspect(urnType(urn), 'ownership');
    const body = draft.body(urn, 'ownership');
    const before = objectsIn(body, 'owners');
    const after = change(before);
    if (after !== before) draft.put(urn, 'ownership', { ...body, ...ownershipOf(after, stamp) });
  }
  return { writes: draft.writes(), result: true };
}

function withEntry(owners: readonly JsonObject[], entry: JsonObject): readonly JsonObject[] {
  const type = ownershipTypeIn(entry);
  const isSame = (owner: JsonObject): boolean =>
    owner['owner'] === entry['owner'] && ownershipTypeIn(owner) === type;
  const at = owners.findIndex(isSame);
  const known = owners[at];
  if (known === undefined) return [...owners, entry];
  if (jsonEqual(known, entry)) return owners;
  return owners.flatMap((owner, index): JsonObject[] => {
    if (index === at) return [entry];
    return isSame(owner) ? [] : [owner];
  });
}

function entitiesOf(references: Resources): readonly Resource[] {
  const resources = resourcesOf(references);
  requireWholeEntities(resources, 'owners');
  return resources;
}

function checkOwner(owner: OwnerInput, existing: ReadonlySet<Urn>): void {
  const start = 'Failed to change ownership for resource(s).';
  const urn = parseUrn(owner.ownerUrn);
  const { entityType, title } = ownerKinds[owner.ownerEntityType];
  if (urnType(urn) !== entityType) {
    throw new PostilError('BAD_REQUEST', `${start} Expected a ${title} urn, found ${urn}.`);
  }
  if (!existing.has(urn)) {
    throw new PostilError('ENTITY_NOT_FOUND', `${start} Owner with urn ${urn} does not exist.`);
  }
  for (const type of typeOf(owner)) {
    if (existing.has(type) || isSystemType(type)) continue;
    throw new PostilError(
      'ENTITY_NOT_FOUND',
      `${start} Custom Ownership type with urn ${type} does not exist.`,
    );
  }
}

function typeOf({ ownershipTypeUrn: type }: OwnerInput): readonly Urn[] {
  return type === null || type === undefined ? [] : [ownershipTypeUrn(type)];
}
