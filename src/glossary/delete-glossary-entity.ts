import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { deletionOf } from '../relationship/deletion.ts';
import { parseUrn } from '../urn/urn.ts';
import { demandToChange, glossaryKindOf } from './glossary-entity.ts';

export type DeleteGlossaryEntityInput = { readonly urn: string };

/**
 * Deletes a term or node with everything that refers to it, columns and other terms included, at once (decision 25). What
 * stood below a node stands at the root from then on.
 */
export const deleteGlossaryEntity: Command<DeleteGlossaryEntityInput, true> = {
  name: 'deleteGlossaryEntity',
  demands(input) {
    return [demandToChange(parseUrn(input.urn))];
  },
  async decide(view, input) {
    const urn = parseUrn(input.urn);
    if (!(await view.existing([urn])).has(urn)) {
      throw new PostilError('MISSING_FOR_DELETE', `This urn does not exist: ${urn}`);
    }
    if (glossaryKindOf(urn) === undefined) {
      throw new PostilError(
        'UNSUPPORTED_RESOURCE_TYPE',
        `Failed to delete ${urn}. Only glossary terms and glossary nodes can be deleted here.`,
      );
    }
    return { writes: await deletionOf(view, urn), result: true };
  },
};
