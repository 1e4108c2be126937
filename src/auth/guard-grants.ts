import { isDeepStrictEqual } from 'node:util';
import type { AspectReader } from '../aspect/aspect-store.ts';
import type { AspectWrite } from '../aspect/aspect.ts';
import type { JsonObject } from '../aspect/json.ts';
import { listIn, objectIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import { type Urn, urnType } from '../urn/urn.ts';
import { type Caller, isAllowed } from './caller.ts';
import { isUnconditional, namesActor, type Policy } from './policy.ts';
import { privilegeNamed } from './privilege.ts';
import { groupsNamedBy, isRemoved, privilegesOfRoles, readPolicies, rolesIn } from './standing.ts';

/** Aspects that give rights by what they say; whoever writes them can give themselves every right. */
const grantingAspects: ReadonlySet<string> = new Set([
  'dataHubPolicyInfo',
  'dataHubRoleInfo',
  'roleMembership',
]);
const membershipAspects: ReadonlySet<string> = new Set(['groupMembership', 'nativeGroupMembership']);

type GrantReader = Pick<AspectReader, 'read' | 'readMany' | 'entities'>;

/**
 * Refuses writes by which somebody would give rights that they do not have themselves, whichever command wants them and
 * whatever it demanded. MANAGE_POLICIES is the right to give any right. Others may make members of a group whose rights they
 * have themselves, and with MANAGE_USERS_AND_GROUPS take users and groups out and back.
 * Throws FORBIDDEN, naming what would be given.
 */
export async function guardGrants(
  reader: GrantReader,
  caller: Caller,
  writes: readonly AspectWrite[],
): Promise<void> {
  const giving = writes.filter(
    ({ aspect, body }) => (body !== undefined && isGuarded(aspect)) || aspect === 'status',
  );
  if (giving.length === 0 || isAllowed(caller, [{ anyOf: ['MANAGE_POLICIES'] }])) return;
  let policies: readonly Policy[] | undefined;
  for (const { urn, aspect, body } of giving) {
    if (grantingAspects.has(aspect)) {
      const before = (await reader.read(urn, [aspect])).get(aspect)?.body;
      if (onlyTakesActorsOut(before, body)) continue;
      throw refusal(`Writing ${aspect} of ${urn} needs MANAGE_POLICIES`);
    }
    const type = urnType(urn);
    if (aspect === 'status') {
      if (type === 'corpuser' || type === 'corpGroup' || type === 'dataHubPolicy') {
        await guardStatus(reader, caller, urn, body?.['removed'] === true);
      }
    } else if (type === 'corpuser' && body !== undefined) {
      const before = new Set(groupsNamedBy(await reader.read(urn, [aspect])));
      const after = groupsNamedBy(new Map([[aspect, { body }]]));
      const joined = after.filter((group) => !before.has(group));
      if (joined.length === 0) continue;
      policies ??= await readPolicies(reader);
      await guardJoining(reader, caller, joined, policies);
    }
  }
}

function isGuarded(aspect: string): boolean {
  return aspect === 'status' || grantingAspects.has(aspect) || membershipAspects.has(aspect);
}

/** Whether a policy stays what it is, for fewer users, groups and roles: so it becomes when one of them is deleted. */
function onlyTakesActorsOut(before: JsonObject | undefined, after: JsonObject | undefined): boolean {
  const [actorsBefore, actorsAfter] = [objectIn(before, 'actors'), objectIn(after, 'actors')];
  if (actorsBefore === undefined || actorsAfter === undefined) return false;
  const withoutLists = (actors: JsonObject): JsonObject => ({ ...actors, users: [], groups: [], roles: [] });
  const rest = (body: JsonObject | undefined, actors: JsonObject): JsonObject => ({
    ...body,
    actors: withoutLists(actors),
  });
  return (
    isDeepStrictEqual(rest(before, actorsBefore), rest(after, actorsAfter)) &&
    ['users', 'groups', 'roles'].every((member) => {
      const had = new Set(listIn(actorsBefore, member));
      return listIn(actorsAfter, member).every((each) => had.has(each));
    })
  );
}

/** Rights end when their owner is taken out and live again when it comes back, so neither is a matter of metadata. */
async function guardStatus(reader: GrantReader, caller: Caller, urn: Urn, isOut: boolean): Promise<void> {
  const wasOut = isRemoved(await reader.read(urn, ['status']));
  if (wasOut === isOut) return;
  const isPolicy = urnType(urn) === 'dataHubPolicy';
  if (!isPolicy && isAllowed(caller, [{ anyOf: ['MANAGE_USERS_AND_GROUPS'] }])) return;
  const needed = isPolicy ? 'MANAGE_POLICIES' : 'MANAGE_USERS_AND_GROUPS or MANAGE_POLICIES';
  throw refusal(`${isOut ? 'Removing' : 'Restoring'} ${urn} needs ${needed}, as rights depend on it`);
}

async function guardJoining(
  reader: GrantReader,
  caller: Caller,
  groups: readonly Urn[],
  policies: readonly Policy[],
): Promise<void> {
  for (const [group, aspects] of await reader.readMany(groups, ['roleMembership'])) {
    const roles = rolesIn(aspects);
    const ownRights = privilegesOfRoles(roles);
    const standing = { actor: group, groups: [group], roles };
    const given = policies.find((policy) => namesActor(policy, standing) && !hasAllOf(caller, policy));
    if (given !== undefined) {
      throw refusal(`Members of ${group} have what the policy "${given.name}" grants, and you do not`);
    }
    if (roles.length > 0 && !ownRights.isSubsetOf(caller.privileges)) {
      throw refusal(`Members of ${group} have its role ${roles.join(', ')}, and you do not`);
    }
  }
}

/** Whether a caller has all that a policy grants: it names them too, or they may do all of it everywhere. */
function hasAllOf(caller: Caller, policy: Policy): boolean {
  const isNamed = caller.conditional?.policies.some(
    (each) => each.policy.urn === policy.urn && each.namesActor,
  );
  if (isNamed === true && !isUnconditional(policy)) return true;
  return [...policy.privileges].every((name) => {
    const privilege = privilegeNamed(name);
    return privilege === undefined || caller.privileges.has(privilege);
  });
}

function refusal(message: string): PostilError {
  return new PostilError('FORBIDDEN', message);
}
