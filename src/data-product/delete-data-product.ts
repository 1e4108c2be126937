import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { deletionOf } from '../relationship/deletion.ts';
import { parseUrn, urnType } from '../urn/urn.ts';
import { productDemands } from './update-data-product.ts';

/** Deletes a data product; its assets stay. */
export const deleteDataProduct: Command<{ readonly urn: string }, true> = {
  name: 'deleteDataProduct',
  demands: ({ urn }) => productDemands(urn),
  async decide(view, input) {
    const urn = parseUrn(input.urn);
    if (urnType(urn) !== 'dataProduct' || !(await view.existing([urn])).has(urn)) {
      throw new PostilError('MISSING_FOR_DELETE', `This data product does not exist: ${urn}`);
    }
    return { writes: await deletionOf(view, urn), result: true };
  },
};
