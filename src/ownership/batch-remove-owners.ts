import type { ResourceRef } from '../association/resource.ts';
import type { Command } from '../command/command.ts';
import { ownersDemands, removeOwnersFrom } from './owner-changes.ts';

export type BatchRemoveOwnersInput = {
  readonly ownerUrns: readonly string[];
  /** Absent: in whatever way they own. */
  readonly ownershipTypeUrn?: string | null;
  readonly resources: readonly (ResourceRef | null)[];
};

/** Takes owners off several entities, all or nothing (contract section 7.15). */
export const batchRemoveOwners: Command<BatchRemoveOwnersInput, true> = {
  name: 'batchRemoveOwners',
  demands: ({ resources }) => ownersDemands(resources),
  decide: (view, { ownerUrns, ownershipTypeUrn, resources }, context) =>
    removeOwnersFrom(view, { ownerUrns, type: ownershipTypeUrn }, resources, context),
};
