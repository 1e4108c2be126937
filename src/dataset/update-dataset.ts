import type { Command } from '../command/command.ts';
import type { Urn } from '../urn/urn.ts';
import { decideUpdates } from './update-dataset-decision.ts';
import { requireDatasetUrn, updateDemands, type DatasetUpdate } from './update-dataset-input.ts';

/** Changes what is sent of one dataset and keeps the rest; links are added (contract section 7.8). Answers its URN. */
export const updateDataset: Command<DatasetUpdate, Urn> = {
  name: 'updateDataset',
  demands: updateDemands,
  async decide(view, input, context) {
    const { writes } = await decideUpdates(view, [input], context);
    return { writes, result: requireDatasetUrn(input.urn) };
  },
};
