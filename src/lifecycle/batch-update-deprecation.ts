import type { ResourceRef } from '../association/resource.ts';
import type { Command } from '../command/command.ts';
import { changeDeprecations, deprecationDemands, type DeprecationValue } from './deprecation-change.ts';

export type BatchUpdateDeprecationInput = DeprecationValue & {
  readonly resources: readonly (ResourceRef | null)[];
};

/** Says of several entities and columns whether they should still be used, all or nothing (contract section 7.15). */
export const batchUpdateDeprecation: Command<BatchUpdateDeprecationInput, true> = {
  name: 'batchUpdateDeprecation',
  demands: (input) => deprecationDemands(input.resources, input),
  decide: (view, input, context) => changeDeprecations(view, input.resources, input, context),
};
