import type { AspectReader } from '../aspect/aspect-store.ts';
import type { Caller, ConditionalPolicies, Demand } from '../auth/caller.ts';
import { attributesWithNodesAbove, outcomeOf, placesOf } from '../auth/authorize.ts';
import { isBarred } from '../auth/authenticator.ts';
import { firstUnmet, namesActor, type Policy } from '../auth/policy.ts';
import { isRole, type Privilege, rolePrivileges } from '../auth/privilege.ts';
import type { ResourceAttributes } from '../auth/resource-attributes.ts';
import { callerWith, readPolicies, standingAspects, standingOf } from '../auth/standing.ts';
import { formatUrn, type Urn, urnKey } from '../urn/urn.ts';

/** A role or a policy that grants a privilege. */
export type AccessSource = {
  readonly kind: 'ROLE' | 'POLICY';
  readonly urn: Urn;
  readonly name: string;
};

/** A policy in force that grants the privilege, but not here or not to this actor. */
export type NearPolicy = {
  readonly urn: Urn;
  readonly name: string;
  /** What is lacking. */
  readonly reason: string;
  /** Whether it is for the actor, as a user, by a group or a role, or as somebody who owns things. */
  readonly concernsActor: boolean;
};

export type PrivilegeExplanation = {
  readonly privilege: string;
  readonly isAllowed: boolean;
  readonly grantedBy: readonly AccessSource[];
  readonly near: readonly NearPolicy[];
};

/** An actor and all policies in force, to ask what the actor may do. */
export type Access = {
  /** As the actor would call; without any privilege when it may not call at all. */
  readonly caller: Caller;
  /** Why the actor may not call at all. */
  readonly barred: string | undefined;
  readonly every: ConditionalPolicies;
};

/** What somebody may do, by what is stored now. */
export async function accessOf(reader: AspectReader, actor: Urn): Promise<Access> {
  const user = await reader.read(actor, ['corpUserKey', 'corpUserStatus', 'status', ...standingAspects]);
  const standing = await standingOf(reader, actor, user);
  const policies = await readPolicies(reader);
  const every = {
    standing,
    policies: policies.map((policy) => ({ policy, namesActor: namesActor(policy, standing) })),
  };
  const barred = !user.has('corpUserKey')
    ? `There is no user ${actor}`
    : isBarred(user)
      ? `${actor} was suspended or removed`
      : undefined;
  const caller = callerWith(standing, policies, undefined);
  return barred === undefined
    ? { caller, barred, every }
    : { caller: { actor, privileges: new Set(), tokenId: undefined }, barred, every };
}

/** Which roles and policies grant a privilege on a resource, or without one everywhere, and which come near to it. */
export function explainPrivilege(
  { barred, every }: Access,
  privilege: string,
  resource: ResourceAttributes | undefined,
  about?: readonly Urn[],
): PrivilegeExplanation {
  if (barred !== undefined) return { privilege, isAllowed: false, grantedBy: [], near: [] };
  const grantedBy: AccessSource[] = rolesGranting(every.standing.roles, privilege);
  const near: NearPolicy[] = [];
  for (const each of every.policies) {
    const { policy, namesActor: isNamed } = each;
    const { urn, name } = policy;
    const outcome = outcomeOf(each, every.standing, privilege, resource, about);
    if (outcome.isGranted) grantedBy.push({ kind: 'POLICY', urn, name });
    else if (outcome.lacks !== 'privilege') {
      const concernsActor = isNamed || policy.actors.resourceOwners;
      near.push({
        urn,
        name,
        reason: reasonOf(policy, isNamed, resource, every.standing.actor),
        concernsActor,
      });
    }
  }
  return { privilege, isAllowed: grantedBy.length > 0, grantedBy, near };
}

/** What a policy lacks to grant a privilege that it names. */
export function reasonOf(
  policy: Policy,
  isNamed: boolean,
  resource: ResourceAttributes | undefined,
  actor: Urn,
): string {
  if (!isNamed && !policy.actors.resourceOwners) return `it is not for ${actor}`;
  if (policy.resources === undefined) return 'what it says of resources cannot be understood';
  if (resource === undefined) return 'it is for single resources, and none is asked for';
  const unmet = firstUnmet(policy.resources, resource.valuesOf);
  if (unmet !== undefined) {
    const found = resource.valuesOf(unmet.field);
    const has = found.length === 0 ? 'has none' : `has ${found.join(', ')}`;
    return `it asks for ${unmet.field} ${unmet.condition} ${unmet.values.join(', ')}, and the resource ${has}`;
  }
  if (!isNamed) {
    const kind =
      policy.actors.ownerTypes.length === 0 ? '' : ` of the type ${policy.actors.ownerTypes.join(', ')}`;
    return `it is for owners${kind} of the resource, and ${actor} is none`;
  }
  return 'it holds only for what its constraints name';
}

function rolesGranting(roles: readonly Urn[], privilege: string): AccessSource[] {
  const known = roles.filter((role) => isRole(urnKey(role)));
  // Whoever has no role may read.
  const counted = known.length === 0 ? [formatUrn('dataHubRole', ['Reader'])] : known;
  return counted.flatMap((urn) => {
    const name = urnKey(urn);
    const granted: ReadonlySet<string> = isRole(name) ? rolePrivileges[name] : new Set();
    return granted.has(privilege) ? [{ kind: 'ROLE' as const, urn, name }] : [];
  });
}

/** One demand of a command: it is met when one of its privileges is held where it has to be. */
export type DemandExplanation = {
  readonly isAllowed: boolean;
  readonly anyOf: readonly PrivilegeExplanation[];
};

/** The same for what commands demand, with the privileges on other entities that meet it, too. */
export async function explainDemands(
  reader: AspectReader,
  access: Access,
  demands: readonly Demand[],
): Promise<readonly DemandExplanation[]> {
  const urns = demands.flatMap(({ on, or }) => [
    ...(on === undefined ? [] : [on]),
    ...(or ?? []).map((alternative) => alternative.on),
  ]);
  const attributes = await attributesWithNodesAbove(reader, [...new Set(urns)]);
  return demands.map(({ anyOf, on, or, about }) => {
    const resource = on === undefined ? undefined : attributes.get(on);
    const explained = [
      ...anyOf.map((privilege) => explainPrivilege(access, privilege, resource, about)),
      ...(or ?? []).flatMap((alternative) =>
        placesOf(alternative, attributes).flatMap((place) =>
          alternative.anyOf.map((privilege) => explainPrivilege(access, privilege, place, about)),
        ),
      ),
    ];
    return { isAllowed: explained.some(({ isAllowed }) => isAllowed), anyOf: explained };
  });
}

/** In a sentence, what has to be had and is not; `undefined` when all is. */
export function missingText(
  access: Access,
  demands: readonly Demand[],
  explained: readonly DemandExplanation[],
): string | undefined {
  if (access.barred !== undefined) return access.barred;
  const missing = demands.filter((_demand, index) => explained[index]?.isAllowed === false);
  if (missing.length === 0) return undefined;
  return missing.map((demand) => `${access.caller.actor} lacks ${wordsOf(demand)}`).join('; ');
}

function wordsOf({ anyOf, on, or }: Demand): string {
  const place = on === undefined ? '' : ` on ${on}`;
  const elsewhere = new Set<Privilege>((or ?? []).flatMap((alternative) => alternative.anyOf));
  const also = elsewhere.size === 0 ? '' : `, or ${[...elsewhere].join(' or ')} on the glossary node above`;
  return `${anyOf.join(' or ')}${place}${also}`;
}
