import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { deletionOf } from '../relationship/deletion.ts';
import { parseUrn } from '../urn/urn.ts';
import { manageStructuredProperties } from './create-structured-property.ts';
import { requirePropertyUrn } from './property-definition.ts';

export type DeleteStructuredPropertyInput = { readonly urn: string };

/** Deletes a structured property with every value of it, at once. */
export const deleteStructuredProperty: Command<DeleteStructuredPropertyInput, true> = {
  name: 'deleteStructuredProperty',
  demands(input) {
    parseUrn(input.urn);
    return manageStructuredProperties;
  },
  async decide(view, input) {
    const urn = parseUrn(input.urn);
    requirePropertyUrn(urn);
    if (!(await view.existing([urn])).has(urn)) {
      throw new PostilError('MISSING_FOR_DELETE', `This urn does not exist: ${urn}`);
    }
    return { writes: await deletionOf(view, urn), result: true };
  },
};
