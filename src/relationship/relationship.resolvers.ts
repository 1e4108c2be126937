import { entityObjects, referredEntity } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import type { FieldResolver, ResolverRecord, Resolvers } from '../graphql/resolver.ts';
import { namedRelationships } from './named-relationships.ts';

type RelationshipsInput = {
  readonly types: readonly string[];
  readonly direction: 'INCOMING' | 'OUTGOING';
  readonly start?: number | null;
  readonly count?: number | null;
  readonly includeSoftDelete?: boolean | null;
};

const relationships: FieldResolver<EntityValue, { readonly input: RelationshipsInput }> = async (
  { urn },
  { input },
  context,
) => {
  const start = input.start ?? 0;
  const { items: found, total } = await namedRelationships(
    {
      urn,
      kinds: input.types,
      direction: input.direction,
      start,
      count: input.count ?? 10,
      withRemoved: input.includeSoftDelete !== false,
    },
    context,
  );
  return {
    start,
    count: found.length,
    total,
    relationships: found.map((item) => ({
      type: item.kind,
      direction: input.direction,
      entity: referredEntity(item.urn) ?? null,
    })),
  };
};

const record: ResolverRecord<EntityValue, { readonly input: RelationshipsInput }> = {
  resolve: relationships,
  isVolatile: true,
};

/** Every entity has relationships, the ones whose types other slices define included. */
export const relationshipResolvers: Resolvers = Object.fromEntries(
  // Access tokens are entities that only their own operations read.
  [...entityObjects, 'AccessTokenMetadata'].map((object) => [object, { relationships: record }]),
);
