import type { Page, RelatedEntity, RelationshipQuery } from '../aspect/aspect-store.ts';
import { entityObjects, referredEntity } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { checkPage, pageCountMax } from '../entity/page.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { RequestContext } from '../graphql/request-context.ts';
import type { FieldResolver, ResolverRecord, Resolvers } from '../graphql/resolver.ts';

type RelationshipsInput = {
  readonly types: readonly string[];
  readonly direction: 'INCOMING' | 'OUTGOING';
  readonly start?: number | null;
  readonly count?: number | null;
  readonly includeSoftDelete?: boolean | null;
};

/** More kinds than there are, so nobody needs more; every number of kinds is a statement of its own in the store. */
const kindsMax = 100;

const nothing: Page<RelatedEntity> = { items: [], total: 0 };

const relationships: FieldResolver<EntityValue, { readonly input: RelationshipsInput }> = async (
  { urn },
  { input },
  context,
) => {
  const start = input.start ?? 0;
  const count = input.count ?? 10;
  checkPage({ start, count });
  const kinds = [...new Set(input.types)];
  if (kinds.length > kindsMax) {
    throw new PostilError('LIMIT_EXCEEDED', `There are ${kinds.length} types; ask for at most ${kindsMax}.`);
  }
  const query: RelationshipQuery = {
    urn,
    direction: input.direction,
    kinds,
    start,
    count,
    distinct: true,
  };
  const page = await related(query, input.includeSoftDelete !== false, context);
  return {
    start,
    count: page.items.length,
    total: page.total,
    relationships: page.items.map((item) => ({
      type: item.kind,
      direction: input.direction,
      entity: referredEntity(item.urn) ?? null,
    })),
  };
};

async function related(
  query: RelationshipQuery,
  withRemoved: boolean,
  context: RequestContext,
): Promise<Page<RelatedEntity>> {
  if (query.kinds?.length === 0) return nothing;
  if (withRemoved) return context.reader.relationships(query);
  // Edges say nothing of their ends, so whoever wants only what is not removed has all of them looked at.
  const kept: RelatedEntity[] = [];
  for (let start = 0; ; start += pageCountMax) {
    const page = await context.reader.relationships({ ...query, start, count: pageCountMax });
    const removed = await Promise.all(page.items.map((item) => isRemoved(item, context)));
    kept.push(...page.items.filter((_, index) => removed[index] !== true));
    if (start + pageCountMax >= page.total) break;
  }
  return { items: kept.slice(query.start, query.start + query.count), total: kept.length };
}

async function isRemoved({ urn }: RelatedEntity, context: RequestContext): Promise<boolean> {
  const status = await context.load(urn, 'status');
  return status?.body['removed'] === true;
}

const record: ResolverRecord<EntityValue, { readonly input: RelationshipsInput }> = {
  resolve: relationships,
  isVolatile: true,
};

/** Every entity has relationships, the ones whose types other slices define included. */
export const relationshipResolvers: Resolvers = Object.fromEntries(
  // Access tokens are entities that only their own operations read.
  [...entityObjects, 'AccessTokenMetadata'].map((object) => [object, { relationships: record }]),
);
