import { requestedEntityOf } from '../../entity/graphql-types.ts';
import type { EntityValue } from '../../entity/graphql-types.ts';
import { listIn, objectsIn } from '../../entity/stored-member.ts';
import type { RequestContext } from '../../graphql/request-context.ts';
import type { FieldResolver, ResolverRecord, Resolvers } from '../../graphql/resolver.ts';
import { isUrn, type Urn } from '../../urn/urn.ts';
import { type PagedInput, pagedSearch } from '../paged-search.ts';
import { scrolledSearch, type ScrolledInput } from '../scrolled-search.ts';

type MembersInput = Pick<PagedInput, 'query' | 'start' | 'count' | 'filters'>;

const usualCount = 20;

/** Entities that name another one in a field. */
function named(field: string): ResolverRecord<EntityValue, { readonly input?: MembersInput | null }> {
  return {
    isVolatile: true,
    resolve: ({ urn }, { input }, context) =>
      pagedSearch({ ...input, filters: [...(input?.filters ?? []), { field, values: [urn] }] }, context, {
        usualCount,
      }),
  };
}

async function assetsOf(urn: Urn, context: RequestContext): Promise<readonly Urn[]> {
  const stored = await context.load(urn, 'dataProductProperties');
  return objectsIn(stored?.body, 'assets')
    .map((asset) => asset['destinationUrn'])
    .filter(isUrn);
}

const assets: FieldResolver<EntityValue, { readonly input?: PagedInput | null }> = async (
  { urn },
  { input },
  context,
) => pagedSearch(input ?? {}, context, { usualCount, among: await assetsOf(urn, context) });

const siblings: FieldResolver<EntityValue, { readonly input: ScrolledInput }> = async (
  { urn },
  { input },
  context,
) => {
  const stored = await context.load(urn, 'siblings');
  return scrolledSearch(input, context, listIn(stored?.body, 'siblings').filter(isUrn));
};

export const memberResolvers: Resolvers = {
  Query: {
    listDataProductAssets: {
      isVolatile: true,
      resolve: async (
        _source,
        { urn, input }: { readonly urn: string; readonly input: PagedInput },
        context,
      ) => {
        const product = requestedEntityOf(urn, 'dataProduct');
        return pagedSearch(input, context, { among: await assetsOf(product.urn, context) });
      },
    },
  },
  Domain: { entities: named('domains') },
  Container: { entities: named('container') },
  DataProduct: { entities: { resolve: assets, isVolatile: true } },
  Dataset: { siblingsSearch: { resolve: siblings, isVolatile: true } },
};
