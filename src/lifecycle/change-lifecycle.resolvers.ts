import type { Resolvers } from '../graphql/resolver.ts';
import { batchUpdateDeprecation, type BatchUpdateDeprecationInput } from './batch-update-deprecation.ts';
import { batchUpdateSoftDeleted, type BatchUpdateSoftDeletedInput } from './batch-update-soft-deleted.ts';
import { updateDeprecation, type UpdateDeprecationInput } from './update-deprecation.ts';

type Args<Input> = { readonly input: Input };

export const changeLifecycleResolvers: Resolvers = {
  Mutation: {
    updateDeprecation: (_source, { input }: Args<UpdateDeprecationInput>, context) =>
      context.execute(updateDeprecation, input),
    batchUpdateDeprecation: (_source, { input }: Args<BatchUpdateDeprecationInput>, context) =>
      context.execute(batchUpdateDeprecation, input),
    batchUpdateSoftDeleted: (_source, { input }: Args<BatchUpdateSoftDeletedInput>, context) =>
      context.execute(batchUpdateSoftDeleted, input),
  },
};
