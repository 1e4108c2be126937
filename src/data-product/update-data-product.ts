import type { Demand } from '../auth/caller.ts';
import { draftAspects } from '../command/aspect-draft.ts';
import type { Command } from '../command/command.ts';
import { checkName } from '../entity/entity-name.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';

export type UpdateDataProductInput = {
  readonly urn: string;
  readonly name?: string | null;
  readonly description?: string | null;
};

/** What changing a data product itself demands. */
export function productDemands(urn: string): readonly Demand[] {
  return [{ anyOf: ['EDIT_ENTITY', 'MANAGE_DATA_PRODUCTS'], on: parseUrn(urn) }];
}

/** Changes the name or the description of a data product; what is absent stays. Answers its URN. */
export const updateDataProduct: Command<UpdateDataProductInput, Urn> = {
  name: 'updateDataProduct',
  demands: ({ urn }) => productDemands(urn),
  async decide(view, input) {
    const urn = parseUrn(input.urn);
    const { name, description } = input;
    if (urnType(urn) !== 'dataProduct' || !(await view.existing([urn])).has(urn)) {
      throw new PostilError('ENTITY_NOT_FOUND', `Failed to update ${urn}. The data product does not exist.`);
    }
    const isNamed = name !== null && name !== undefined;
    if (isNamed) checkName(name);
    const draft = await draftAspects(view, [urn], ['dataProductProperties']);
    draft.put(urn, 'dataProductProperties', {
      ...draft.body(urn, 'dataProductProperties'),
      ...(isNamed ? { name } : {}),
      ...(description === null || description === undefined ? {} : { description }),
    });
    return { writes: draft.writes(), result: urn };
  },
};
