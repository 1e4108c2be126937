import type { Command } from '../command/command.ts';
import { ownersDemands, removeOwnersFrom } from './owner-changes.ts';

export type RemoveOwnerInput = {
  readonly ownerUrn: string;
  /** Absent: in whatever way it owns. */
  readonly ownershipTypeUrn?: string | null;
  readonly resourceUrn: string;
};

/** Takes an owner off an entity; true when it is none (contract section 7.15, decision 18). */
export const removeOwner: Command<RemoveOwnerInput, true> = {
  name: 'removeOwner',
  demands: ({ resourceUrn }) => ownersDemands([{ resourceUrn }]),
  decide: (view, { ownerUrn, ownershipTypeUrn, resourceUrn }, context) =>
    removeOwnersFrom(view, { ownerUrns: [ownerUrn], type: ownershipTypeUrn }, [{ resourceUrn }], context),
};
