import type { ResourceRef } from '../association/resource.ts';
import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn } from '../urn/urn.ts';
import { changeDeprecations, deprecationDemands, type DeprecationValue } from './deprecation-change.ts';

export type UpdateDeprecationInput = DeprecationValue &
  Omit<ResourceRef, 'resourceUrn'> & { readonly urn: string };

/** Says whether an entity or a column should still be used (contract section 7.15). */
export const updateDeprecation: Command<UpdateDeprecationInput, true> = {
  name: 'updateDeprecation',
  demands: (input) => deprecationDemands([resourceOf(input)], input),
  async decide(view, input, context) {
    const urn = parseUrn(input.urn);
    if (!(await view.existing([urn])).has(urn)) {
      throw new PostilError(
        'ENTITY_NOT_FOUND',
        `Failed to update deprecation for Entity ${urn}. Entity does not exist.`,
      );
    }
    return changeDeprecations(view, [resourceOf(input)], input, context);
  },
};

function resourceOf({ urn, ...rest }: UpdateDeprecationInput): ResourceRef {
  return { ...rest, resourceUrn: urn };
}
