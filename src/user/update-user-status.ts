import { draftAspects } from '../command/aspect-draft.ts';
import type { Command } from '../command/command.ts';
import { parseUrn } from '../urn/urn.ts';
import { requireUser } from './require-user.ts';

type Status = 'ACTIVE' | 'SUSPENDED';

export type UpdateUserStatusInput = { readonly urn: string; readonly status: Status };

/** Lets a user in or suspends them; a suspended user's tokens are dead at once. Answers the status. */
export const updateUserStatus: Command<UpdateUserStatusInput, Status> = {
  name: 'updateUserStatus',
  demands(input) {
    parseUrn(input.urn);
    return [{ anyOf: ['MANAGE_USERS_AND_GROUPS'] }];
  },
  async decide(view, { urn: text, status }, { caller, now }) {
    const urn = parseUrn(text);
    await requireUser(view, urn);
    const draft = await draftAspects(view, [urn], ['corpUserStatus']);
    if (draft.body(urn, 'corpUserStatus')?.['status'] !== status) {
      const lastModified = { time: now, actor: caller.actor };
      draft.put(urn, 'corpUserStatus', { ...draft.body(urn, 'corpUserStatus'), status, lastModified });
    }
    return { writes: draft.writes(), result: status };
  },
};
