import type { Command } from '../command/command.ts';
import type { Urn } from '../urn/urn.ts';
import { decideUpdates } from './update-dataset-decision.ts';
import { updateDemands, type DatasetUpdate } from './update-dataset-input.ts';

/** The same for several datasets, all or nothing (contract section 7.8, decision 17). Answers their URNs in order. */
export const updateDatasets: Command<readonly DatasetUpdate[], readonly Urn[]> = {
  name: 'updateDatasets',
  demands: (updates) => updates.flatMap(updateDemands),
  decide: decideUpdates,
};
