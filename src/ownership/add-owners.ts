import type { Command } from '../command/command.ts';
import { addOwnersTo, ownersDemands, type OwnerInput } from './owner-changes.ts';

export type AddOwnersInput = { readonly owners: readonly OwnerInput[]; readonly resourceUrn: string };

/** Adds owners to one entity; one that is there in the same way is replaced (contract section 7.15). */
export const addOwners: Command<AddOwnersInput, true> = {
  name: 'addOwners',
  demands: (input) => ownersDemands([{ resourceUrn: input.resourceUrn }]),
  decide: (view, { owners, resourceUrn }, context) => addOwnersTo(view, owners, [{ resourceUrn }], context),
};
