import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { deletionOf } from '../relationship/deletion.ts';
import { tagUrn } from './tag-entity.ts';

export type DeleteTagInput = { readonly urn: string };

/** Deletes a tag and takes it off everything that bears it, columns included, at once (decision 25). */
export const deleteTag: Command<DeleteTagInput, true> = {
  name: 'deleteTag',
  demands: ({ urn }) => [{ anyOf: ['MANAGE_TAGS', 'DELETE_ENTITY'], on: tagUrn(urn) }],
  async decide(view, { urn: text }) {
    const urn = tagUrn(text);
    if (!(await view.existing([urn])).has(urn)) {
      throw new PostilError('MISSING_FOR_DELETE', `This urn does not exist: ${urn}`);
    }
    return { writes: await deletionOf(view, urn), result: true };
  },
};
