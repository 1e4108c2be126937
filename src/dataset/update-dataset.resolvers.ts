import { referredEntities, requestedEntityOf } from '../entity/graphql-types.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import type { DatasetUpdate, DatasetUpdateInput } from './update-dataset-input.ts';
import { updateDataset } from './update-dataset.ts';
import { updateDatasets } from './update-datasets.ts';

type UpdateArgs = { readonly urn: string; readonly input: DatasetUpdateInput };

export const updateDatasetResolvers: Resolvers = {
  Mutation: {
    updateDataset: async (_source, { urn, input }: UpdateArgs, context) =>
      requestedEntityOf(await context.execute(updateDataset, { urn, update: input }), 'dataset'),
    updateDatasets: async (_source, { input }: { readonly input: readonly DatasetUpdate[] }, context) =>
      referredEntities(await context.execute(updateDatasets, input), 'dataset'),
  },
};
