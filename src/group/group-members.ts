import type { AspectReader } from '../aspect/aspect-store.ts';
import type { JsonObject } from '../aspect/json.ts';
import type { Demand } from '../auth/caller.ts';
import { draftAspects, type AspectDraft } from '../command/aspect-draft.ts';
import type { Command } from '../command/command.ts';
import { listIn, textIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';

export type GroupMembersInput = { readonly groupUrn: string; readonly userUrns: readonly string[] };

/** Who is a member is said by the users: what was made here, and what another system said (wire 8.5). */
const native = { aspect: 'nativeGroupMembership', member: 'nativeGroups' } as const;
const ingested = { aspect: 'groupMembership', member: 'groups' } as const;
const aspects = [native.aspect, ingested.aspect];

/** Also the right of whoever may manage all groups. */
export function groupDemands(groupUrn: string): readonly Demand[] {
  return [{ anyOf: ['MANAGE_USERS_AND_GROUPS', 'EDIT_GROUP_MEMBERS'], on: parseUrn(groupUrn) }];
}

/**
 * Makes users members of a group, all or nothing. Who is one already stays one. A group of another system is refused, since
 * that says who its members are. That nobody gains rights this way is seen to by the write engine.
 */
export const addGroupMembers: Command<GroupMembersInput, true> = {
  name: 'addGroupMembers',
  demands(input) {
    for (const user of input.userUrns) parseUrn(user);
    return groupDemands(input.groupUrn);
  },
  async decide(view, input) {
    const group = parseUrn(input.groupUrn);
    const users = [...new Set(input.userUrns.map(parseUrn))];
    await requireGroup(view, group);
    const origin = (await view.read(group, ['origin'])).get('origin')?.body;
    if (textIn(origin, 'type') === 'EXTERNAL') {
      throw new PostilError(
        'BAD_REQUEST',
        `${group} comes from an external system, which says who its members are. Add them there.`,
      );
    }
    await requireUsers(view, users);
    const draft = await draftAspects(view, users, aspects);
    for (const user of users) {
      const body = draft.body(user, native.aspect);
      const groups = listIn(body, native.member);
      const isMember =
        groups.includes(group) || listIn(draft.body(user, ingested.aspect), ingested.member).includes(group);
      if (!isMember) draft.put(user, native.aspect, { ...body, [native.member]: [...groups, group] });
    }
    return { writes: draft.writes(), result: true };
  },
};

/** Takes users out of a group, also those whom another system put into it. Who is no member is nobody to take out. */
export const removeGroupMembers: Command<GroupMembersInput, true> = {
  name: 'removeGroupMembers',
  demands(input) {
    for (const user of input.userUrns) parseUrn(user);
    return groupDemands(input.groupUrn);
  },
  async decide(view, input) {
    const group = parseUrn(input.groupUrn);
    const users = [...new Set(input.userUrns.map(parseUrn))];
    await requireGroup(view, group);
    await requireUsers(view, users);
    const draft = await draftAspects(view, users, aspects);
    for (const user of users) {
      for (const membership of [native, ingested]) leave(draft, user, group, membership);
    }
    return { writes: draft.writes(), result: true };
  },
};

function leave(
  draft: AspectDraft,
  user: Urn,
  group: Urn,
  { aspect, member }: { readonly aspect: string; readonly member: string },
): void {
  const body: JsonObject | undefined = draft.body(user, aspect);
  const groups = listIn(body, member);
  const kept = groups.filter((each) => each !== group);
  if (kept.length < groups.length) draft.put(user, aspect, { ...body, [member]: kept });
}

/** Throws ENTITY_NOT_FOUND unless the URN is that of a stored group. */
export async function requireGroup(view: Pick<AspectReader, 'existing'>, group: Urn): Promise<void> {
  if (urnType(group) === 'corpGroup' && (await view.existing([group])).has(group)) return;
  throw new PostilError('ENTITY_NOT_FOUND', `The group ${group} does not exist.`);
}

async function requireUsers(view: Pick<AspectReader, 'existing'>, users: readonly Urn[]): Promise<void> {
  const existing = await view.existing(users);
  for (const user of users) {
    if (urnType(user) === 'corpuser' && existing.has(user)) continue;
    throw new PostilError(
      'ENTITY_NOT_FOUND',
      `Failed to change group members. The user ${user} does not exist.`,
    );
  }
}
