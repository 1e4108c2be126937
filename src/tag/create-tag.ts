import { ownedByCreator } from '../association/owner.ts';
import type { Command } from '../command/command.ts';
import { newUrn } from '../command/new-urn.ts';
import { checkName } from '../entity/entity-name.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';

export type CreateTagInput = {
  /** Becomes the key of the URN; absent or empty: a random one. */
  readonly id?: string | null;
  readonly name: string;
  readonly description?: string | null;
};

/** Creates a tag; never overwrites one (contract section 7.14). Who creates it owns it. Answers its URN. */
export const createTag: Command<CreateTagInput, Urn> = {
  name: 'createTag',
  demands: () => [{ anyOf: ['CREATE_TAGS', 'MANAGE_TAGS'] }],
  async decide(view, { id, name, description }, context) {
    checkName(name);
    const urn = newUrn('tag', id, context);
    if ((await view.existing([urn])).has(urn)) {
      throw new PostilError('ALREADY_EXISTS', 'This Tag already exists!');
    }
    const { caller, now } = context;
    const body = { name, description: description ?? undefined };
    return {
      writes: [
        { urn, aspect: 'tagProperties', body },
        { urn, aspect: 'ownership', body: ownedByCreator({ time: now, actor: caller.actor }) },
      ],
      result: urn,
    };
  },
};
