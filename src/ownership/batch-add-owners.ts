import type { ResourceRef } from '../association/resource.ts';
import type { Command } from '../command/command.ts';
import { addOwnersTo, ownersDemands, type OwnerInput } from './owner-changes.ts';

export type BatchAddOwnersInput = {
  readonly owners: readonly OwnerInput[];
  /** Of those owners that name no type of their own. */
  readonly ownershipTypeUrn?: string | null;
  readonly resources: readonly (ResourceRef | null)[];
};

/** Adds owners to several entities, all or nothing (contract section 7.15). */
export const batchAddOwners: Command<BatchAddOwnersInput, true> = {
  name: 'batchAddOwners',
  demands: ({ resources }) => ownersDemands(resources),
  decide: (view, { owners, ownershipTypeUrn, resources }, context) =>
    addOwnersTo(
      view,
      owners.map((owner) =>
        isTyped(owner) ? owner : { ...owner, ownershipTypeUrn: ownershipTypeUrn ?? null },
      ),
      resources,
      context,
    ),
};

function isTyped({ type, ownershipTypeUrn }: OwnerInput): boolean {
  return (type ?? undefined) !== undefined || (ownershipTypeUrn ?? undefined) !== undefined;
}
