import { requestedEntityOf } from '../entity/graphql-types.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import { addOwners, type AddOwnersInput } from './add-owners.ts';
import { batchAddOwners, type BatchAddOwnersInput } from './batch-add-owners.ts';
import { batchRemoveOwners, type BatchRemoveOwnersInput } from './batch-remove-owners.ts';
import { createOwnershipType, type CreateOwnershipTypeInput } from './create-ownership-type.ts';
import { deleteOwnershipType, type DeleteOwnershipTypeInput } from './delete-ownership-type.ts';
import type { OwnerInput } from './owner-changes.ts';
import { removeOwner, type RemoveOwnerInput } from './remove-owner.ts';
import { updateOwnershipType, type UpdateOwnershipTypeInput } from './update-ownership-type.ts';

type Args<Input> = { readonly input: Input };

export const changeOwnersResolvers: Resolvers = {
  Mutation: {
    addOwner: (_source, { input }: Args<OwnerInput & { readonly resourceUrn: string }>, context) => {
      const { resourceUrn, ...owner } = input;
      return context.execute(addOwners, { owners: [owner], resourceUrn });
    },
    addOwners: (_source, { input }: Args<AddOwnersInput>, context) => context.execute(addOwners, input),
    batchAddOwners: (_source, { input }: Args<BatchAddOwnersInput>, context) =>
      context.execute(batchAddOwners, input),
    removeOwner: (_source, { input }: Args<RemoveOwnerInput>, context) => context.execute(removeOwner, input),
    batchRemoveOwners: (_source, { input }: Args<BatchRemoveOwnersInput>, context) =>
      context.execute(batchRemoveOwners, input),
    createOwnershipType: async (_source, { input }: Args<CreateOwnershipTypeInput>, context) =>
      requestedEntityOf(await context.execute(createOwnershipType, input), 'ownershipType'),
    updateOwnershipType: async (_source, args: UpdateOwnershipTypeInput, context) =>
      requestedEntityOf(await context.execute(updateOwnershipType, args), 'ownershipType'),
    deleteOwnershipType: (_source, args: DeleteOwnershipTypeInput, context) =>
      context.execute(deleteOwnershipType, args),
  },
};
