import type { Urn } from '../urn/urn.ts';
import {
  type Alternative,
  type Caller,
  type ConditionalPolicy,
  type Demand,
  forbidden,
  isAllowed,
} from './caller.ts';
import { firstUnmet, isForOwner, type Policy, type Standing } from './policy.ts';
import type { Privilege } from './privilege.ts';
import { attributesOf, type ResourceAttributes, type ResourceReader } from './resource-attributes.ts';

/** Whether a policy grants something, and if not, the first thing that is lacking. */
export type Outcome =
  | { readonly isGranted: true }
  | {
      readonly isGranted: false;
      readonly lacks: 'privilege' | 'resource' | 'criterion' | 'ownership' | 'constraint';
    };

/**
 * Whether every demand is met, policies on single resources included. What roles and unconditional policies decide costs
 * nothing; the rest reads what the resources are as `reader` sees them, inside the transaction of a write.
 */
export async function isAllowedOn(
  reader: ResourceReader,
  caller: Caller,
  demands: readonly Demand[],
): Promise<boolean> {
  const open = demands.filter((demand) => !isAllowed(caller, [demand]));
  if (open.some((demand) => !mayBeMet(caller, demand))) return false;
  return open.length === 0 || (await eachAllowedOn(reader, caller, open)).every(Boolean);
}

/** The same for each demand by itself, in their order. */
export async function eachAllowedOn(
  reader: ResourceReader,
  caller: Caller,
  demands: readonly Demand[],
): Promise<readonly boolean[]> {
  const open = demands.filter((demand) => !isAllowed(caller, [demand]) && mayBeMet(caller, demand));
  const urns = new Set(open.flatMap((demand) => resourcesOf(demand)));
  const attributes = await attributesWithNodesAbove(reader, [...urns]);
  return demands.map((demand) => isAllowed(caller, [demand]) || isMet(caller, demand, attributes));
}

/** The attributes of these resources and of the glossary nodes above them. */
export async function attributesWithNodesAbove(
  reader: ResourceReader,
  urns: readonly Urn[],
): Promise<ReadonlyMap<Urn, ResourceAttributes>> {
  if (urns.length === 0) return new Map();
  const attributes = new Map(await attributesOf(reader, urns));
  const above = [...attributes.values()].flatMap(({ nodesAbove }) => nodesAbove);
  if (above.length === 0) return attributes;
  for (const [urn, found] of await attributesOf(reader, above)) attributes.set(urn, found);
  return attributes;
}

/** Throws FORBIDDEN unless `isAllowedOn`. */
export async function authorizeOn(
  reader: ResourceReader,
  caller: Caller,
  demands: readonly Demand[],
): Promise<void> {
  if (!(await isAllowedOn(reader, caller, demands))) throw forbidden();
}

/** Whether a look at the resources can be of use: there are policies on some, or a privilege that is asked for elsewhere. */
function mayBeMet({ privileges, conditional }: Caller, { or }: Demand): boolean {
  if (conditional !== undefined) return true;
  return or?.some(({ anyOf }) => anyOf.some((privilege) => privileges.has(privilege))) ?? false;
}

function resourcesOf({ on, or }: Demand): readonly Urn[] {
  return [...(on === undefined ? [] : [on]), ...(or ?? []).map((alternative) => alternative.on)];
}

function isMet(
  caller: Caller,
  { anyOf, on, or, about }: Demand,
  attributes: ReadonlyMap<Urn, ResourceAttributes>,
): boolean {
  const resource = on === undefined ? undefined : attributes.get(on);
  return (
    anyOf.some((privilege) => holds(caller, privilege, resource, about)) ||
    (or ?? []).some((alternative) =>
      placesOf(alternative, attributes).some((place) =>
        alternative.anyOf.some((privilege) => holds(caller, privilege, place, about)),
      ),
    )
  );
}

/** The entities on any of which the alternative may be held. */
export function placesOf(
  { on, where }: Alternative,
  attributes: ReadonlyMap<Urn, ResourceAttributes>,
): readonly ResourceAttributes[] {
  if (where === undefined) return [attributes.get(on) ?? []].flat();
  const above = attributes.get(on)?.nodesAbove ?? [];
  const places = where === 'nodeAbove' ? above.slice(0, 1) : above;
  return places.flatMap((node) => attributes.get(node) ?? []);
}

/** Whether the caller has a privilege on one resource; without one, everywhere. */
export function holds(
  caller: Caller,
  privilege: Privilege,
  resource: ResourceAttributes | undefined,
  about?: readonly Urn[],
): boolean {
  if (caller.privileges.has(privilege)) return true;
  const { conditional } = caller;
  return (
    conditional?.policies.some(
      (each) => outcomeOf(each, conditional.standing, privilege, resource, about).isGranted,
    ) ?? false
  );
}

/** Whether a policy grants a privilege to an actor whom it may concern, and if not, the first thing that is lacking. */
export function outcomeOf(
  { policy, namesActor }: ConditionalPolicy,
  standing: Standing,
  privilege: string,
  resource: ResourceAttributes | undefined,
  about?: readonly Urn[],
): Outcome {
  if (!policy.privileges.has(privilege)) return { isGranted: false, lacks: 'privilege' };
  if (policy.resources === undefined) return { isGranted: false, lacks: 'criterion' };
  if (resource === undefined) {
    if (policy.resources.length > 0 || !namesActor) return { isGranted: false, lacks: 'resource' };
  } else {
    if (!namesActor && !isForOwner(policy, standing, resource.owners)) {
      return { isGranted: false, lacks: 'ownership' };
    }
    if (firstUnmet(policy.resources, resource.valuesOf) !== undefined) {
      return { isGranted: false, lacks: 'criterion' };
    }
  }
  return isWithinConstraints(policy, about) ? { isGranted: true } : { isGranted: false, lacks: 'constraint' };
}

/** A policy with constraints grants only what says what it is about, and only where all of that holds them. */
function isWithinConstraints({ constraints }: Policy, about: readonly Urn[] | undefined): boolean {
  if (constraints === undefined) return true;
  const { filter } = constraints;
  if (filter === undefined || about === undefined || about.length === 0) return false;
  // Of what is put on, only the URN is looked at; a constraint that asks for more holds for nothing.
  if (filter.some(({ field }) => field !== 'URN')) return false;
  return about.every((urn) => firstUnmet(filter, () => [urn]) === undefined);
}
