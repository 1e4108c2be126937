import type { AspectReader } from '../aspect/aspect-store.ts';
import type { EntityAspects } from '../aspect/aspect.ts';
import type { JsonObject } from '../aspect/json.ts';
import { listIn } from '../entity/stored-member.ts';
import { type Urn, urnKey } from '../urn/urn.ts';
import type { Caller, ConditionalPolicy } from './caller.ts';
import { isUnconditional, namesActor, type Policy, policyOf, type Standing, urnsIn } from './policy.ts';
import { isRole, type Privilege, privilegeNamed, rolePrivileges } from './privilege.ts';

/** Aspects of a user that decide what they may do; of a group, `roleMembership`, `status` and its existence do. */
export const standingAspects = ['roleMembership', 'groupMembership', 'nativeGroupMembership'] as const;

const pageSize = 1_000;

/** Every policy in force. Policies are few, so they are read, not searched. */
export async function readPolicies(
  reader: Pick<AspectReader, 'entities' | 'readMany'>,
): Promise<readonly Policy[]> {
  const policies: Policy[] = [];
  for (let start = 0; ; start += pageSize) {
    const page = await reader.entities({ type: 'dataHubPolicy', start, count: pageSize });
    for (const [urn, aspects] of await reader.readMany(page.items, ['dataHubPolicyInfo', 'status'])) {
      const info = aspects.get('dataHubPolicyInfo');
      const policy = info === undefined || isRemoved(aspects) ? undefined : policyOf(urn, info.body);
      if (policy !== undefined) policies.push(policy);
    }
    if (page.items.length === 0 || start + page.items.length >= page.total) return policies;
  }
}

/** The groups and roles of a user whose `standingAspects` were read. A group that is gone gives nothing. */
export async function standingOf(
  reader: Pick<AspectReader, 'existing' | 'readMany'>,
  actor: Urn,
  user: EntityAspects,
): Promise<Standing> {
  const named = [...new Set(groupsNamedBy(user))];
  if (named.length === 0) return { actor, groups: [], roles: rolesIn(user) };
  const existing = await reader.existing(named);
  const stored = await reader.readMany(
    named.filter((group) => existing.has(group)),
    ['roleMembership', 'status'],
  );
  const groups = [...stored].filter(([, aspects]) => !isRemoved(aspects));
  const roles = groups.flatMap(([, aspects]) => rolesIn(aspects));
  return { actor, groups: groups.map(([group]) => group), roles: [...new Set([...rolesIn(user), ...roles])] };
}

/** The groups that `groupMembership` and `nativeGroupMembership` name. */
export function groupsNamedBy(user: ReadonlyMap<string, { readonly body: JsonObject }>): readonly Urn[] {
  return [
    ...urnsIn(listIn(user.get('groupMembership')?.body, 'groups')),
    ...urnsIn(listIn(user.get('nativeGroupMembership')?.body, 'nativeGroups')),
  ];
}

export function rolesIn(aspects: EntityAspects): readonly Urn[] {
  return urnsIn(listIn(aspects.get('roleMembership')?.body, 'roles'));
}

export function isRemoved(aspects: EntityAspects): boolean {
  return aspects.get('status')?.body['removed'] === true;
}

/** An actor with all that its roles and these policies let it do. */
export function callerWith(
  standing: Standing,
  policies: readonly Policy[],
  tokenId: string | undefined,
): Caller {
  const byRole = privilegesOfRoles(standing.roles);
  const everywhere = new Set<Privilege>();
  const conditional: ConditionalPolicy[] = [];
  for (const policy of policies) {
    const isNamed = namesActor(policy, standing);
    if (isNamed && isUnconditional(policy)) {
      for (const name of policy.privileges) {
        const privilege = privilegeNamed(name);
        if (privilege !== undefined) everywhere.add(privilege);
      }
    } else if (isNamed || (policy.actors.resourceOwners && !policy.isPlatform)) {
      conditional.push({ policy, namesActor: isNamed });
    }
  }
  // Sets of roles are shared by all who have no more than that.
  const privileges = everywhere.isSubsetOf(byRole) ? byRole : byRole.union(everywhere);
  return {
    actor: standing.actor,
    privileges,
    ...(conditional.length === 0 ? {} : { conditional: { standing, policies: conditional } }),
    tokenId,
  };
}

/** The union of the privileges of roles; whoever has none of those that are built in may read. */
export function privilegesOfRoles(roles: readonly Urn[]): ReadonlySet<Privilege> {
  const known = roles.map(urnKey).filter(isRole);
  const [only] = known;
  if (known.length <= 1) return rolePrivileges[only ?? 'Reader'];
  return new Set(known.flatMap((role) => [...rolePrivileges[role]]));
}
