import type { Demand } from '../auth/caller.ts';
import type { Command } from '../command/command.ts';
import { newUrn } from '../command/new-urn.ts';
import { checkName } from '../entity/entity-name.ts';
import type { Urn } from '../urn/urn.ts';

export type CreateOwnershipTypeInput = { readonly name: string; readonly description?: string | null };

/** What ownership types demand of who changes them. */
export const manageOwnershipTypes: readonly Demand[] = [{ anyOf: ['MANAGE_GLOBAL_OWNERSHIP_TYPES'] }];

/** Creates a way of owning under a random id, as DataHub does. Answers its URN. */
export const createOwnershipType: Command<CreateOwnershipTypeInput, Urn> = {
  name: 'createOwnershipType',
  demands: () => manageOwnershipTypes,
  async decide(_view, { name, description }, context) {
    checkName(name);
    const urn = newUrn('ownershipType', undefined, context);
    const stamp = { time: context.now, actor: context.caller.actor };
    const body = { name, description: description ?? undefined, created: stamp, lastModified: stamp };
    return { writes: [{ urn, aspect: 'ownershipTypeInfo', body }], result: urn };
  },
};
