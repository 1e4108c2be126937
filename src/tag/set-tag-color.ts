import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { tagProperties, tagUrn } from './tag-entity.ts';

export type SetTagColorInput = { readonly urn: string; readonly colorHex: string };

/** Gives a tag another colour; what it means is up to whoever shows it, as in DataHub. */
export const setTagColor: Command<SetTagColorInput, true> = {
  name: 'setTagColor',
  demands: ({ urn }) => [{ anyOf: ['EDIT_ENTITY', 'EDIT_TAG_COLOR'], on: tagUrn(urn) }],
  async decide(view, { urn: text, colorHex }) {
    const urn = tagUrn(text);
    if (!(await view.existing([urn])).has(urn)) {
      throw new PostilError('ENTITY_NOT_FOUND', `Failed to set Tag ${urn} color. Tag does not exist.`);
    }
    if (colorHex.trim() === '') {
      throw new PostilError('BAD_REQUEST', `Failed to set Tag ${urn} color. Send a colour such as #e02020.`);
    }
    const body = { ...(await tagProperties(view, urn)), colorHex };
    return { writes: [{ urn, aspect: 'tagProperties', body }], result: true };
  },
};
