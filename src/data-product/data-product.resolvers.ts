import { fromAspect } from '../entity/aspect-field.ts';
import { customPropertiesField } from '../entity/custom-properties.ts';
import { entityId } from '../entity/entity-id.ts';
import { requestedEntityOf, type EntityValue } from '../entity/graphql-types.ts';
import { listIn, textIn } from '../entity/stored-member.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import {
  batchAddToDataProducts,
  batchRemoveFromDataProducts,
  batchSetDataProduct,
  type BatchSetDataProductInput,
  type BatchSetDataProductsInput,
} from './change-assets.ts';
import { createDataProduct, type CreateDataProductInput } from './create-data-product.ts';
import { deleteDataProduct } from './delete-data-product.ts';
import { updateDataProduct, type UpdateDataProductInput } from './update-data-product.ts';

type Args<Input> = { readonly input: Input };
type UpdateArgs = { readonly urn: string } & Args<Omit<UpdateDataProductInput, 'urn'>>;

const product = (urn: string): EntityValue => requestedEntityOf(urn, 'dataProduct');

export const dataProductResolvers: Resolvers = {
  Query: {
    dataProduct: (_source, { urn }: { readonly urn: string }) => product(urn),
  },
  Mutation: {
    createDataProduct: async (_source, { input }: Args<CreateDataProductInput>, context) =>
      product(await context.execute(createDataProduct, input)),
    updateDataProduct: async (_source, { urn, input }: UpdateArgs, context) =>
      product(await context.execute(updateDataProduct, { ...input, urn })),
    deleteDataProduct: (_source, { urn }: { readonly urn: string }, context) =>
      context.execute(deleteDataProduct, { urn }),
    batchSetDataProduct: (_source, { input }: Args<BatchSetDataProductInput>, context) =>
      context.execute(batchSetDataProduct, input),
    batchAddToDataProducts: (_source, { input }: Args<BatchSetDataProductsInput>, context) =>
      context.execute(batchAddToDataProducts, input),
    batchRemoveFromDataProducts: (_source, { input }: Args<BatchSetDataProductsInput>, context) =>
      context.execute(batchRemoveFromDataProducts, input),
  },
  DataProduct: {
    exists: ({ urn }: EntityValue, _args: unknown, context) => context.exists(urn),
    properties: fromAspect('dataProductProperties', (body, urn) => ({
      urn,
      body,
      name: textIn(body, 'name') ?? entityId(urn),
      description: textIn(body, 'description'),
      externalUrl: textIn(body, 'externalUrl'),
      numAssets: listIn(body, 'assets').length,
    })),
  },
  DataProductProperties: { customProperties: customPropertiesField },
};
