import type { Command } from '../command/command.ts';
import { deletionOf } from '../relationship/deletion.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType } from '../urn/urn.ts';
import { manageGroups } from './create-group.ts';

/** Deletes a group with everything that refers to it: memberships, ownerships. */
export const removeGroup: Command<{ readonly urn: string }, true> = {
  name: 'removeGroup',
  demands(input) {
    parseUrn(input.urn);
    return manageGroups;
  },
  async decide(view, input) {
    const urn = parseUrn(input.urn);
    if (urnType(urn) !== 'corpGroup' || !(await view.existing([urn])).has(urn)) {
      throw new PostilError('MISSING_FOR_DELETE', `This group does not exist: ${urn}`);
    }
    return { writes: await deletionOf(view, urn), result: true };
  },
};
