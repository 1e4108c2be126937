import { isRole } from '../auth/privilege.ts';
import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { formatUrn, parseUrn, urnType } from '../urn/urn.ts';

/** Gives a user one of DataHub's built-in roles, in the place of any it had; makes the user if it is new. */
export const assignRole: Command<{ readonly actor: string; readonly role: string }, void> = {
  name: 'assignRole',
  demands: () => [{ anyOf: ['MANAGE_POLICIES'] }],
  async decide(_view, { actor, role }) {
    const urn = parseUrn(actor);
    if (urnType(urn) !== 'corpuser')
      throw new PostilError('BAD_REQUEST', `${actor} is not a urn:li:corpuser URN`);
    if (!isRole(role))
      throw new PostilError('BAD_REQUEST', `There is no role ${role}; choose Admin, Editor or Reader`);
    const roles = [formatUrn('dataHubRole', [role])];
    return { writes: [{ urn, aspect: 'roleMembership', body: { roles } }], result: undefined };
  },
};
