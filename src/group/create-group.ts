import type { Demand } from '../auth/caller.ts';
import type { Command } from '../command/command.ts';
import { checkName } from '../entity/entity-name.ts';
import { urnFromKey } from '../entity/entity-registry.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';

export type CreateGroupInput = {
  /** Becomes the key of the URN; absent or empty: a random one. */
  readonly id?: string | null;
  readonly name: string;
  readonly description?: string | null;
};

/** What making and deleting groups demands (contract section 12). */
export const manageGroups: readonly Demand[] = [{ anyOf: ['MANAGE_USERS_AND_GROUPS'] }];

/** Makes a group that is native here; never overwrites one. Answers its URN. */
export const createGroup: Command<CreateGroupInput, Urn> = {
  name: 'createGroup',
  demands: () => manageGroups,
  async decide(view, { id, name, description }, { caller, now, newId }) {
    checkName(name);
    const urn = urnFromKey('corpGroup', {
      name: id === null || id === undefined || id === '' ? newId() : id,
    });
    if ((await view.existing([urn])).has(urn)) {
      throw new PostilError('ALREADY_EXISTS', `This Group already exists! (${urn})`);
    }
    return {
      writes: [
        {
          urn,
          aspect: 'corpGroupInfo',
          body: {
            displayName: name,
            ...(description === null || description === undefined ? {} : { description }),
            admins: [],
            members: [],
            groups: [],
            created: { time: now, actor: caller.actor },
          },
        },
        { urn, aspect: 'origin', body: { type: 'NATIVE' } },
      ],
      result: urn,
    };
  },
};
