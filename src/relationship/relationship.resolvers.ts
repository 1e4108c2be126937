import type { RelatedEntity } from '../aspect/aspect-store.ts';
import { entityObjects, referredEntity } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { checkPage } from '../entity/page.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { RequestContext } from '../graphql/request-context.ts';
import type { FieldResolver, ResolverRecord, Resolvers } from '../graphql/resolver.ts';
import { urnType } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import { questionsAbout } from './column-kinds.ts';
import { relationshipsOfColumn } from './column-relationships.ts';
import { relatedTo } from './related-to.ts';
import { kindsVisibleTo } from './visible-kinds.ts';

type RelationshipsInput = {
  readonly types: readonly string[];
  readonly direction: 'INCOMING' | 'OUTGOING';
  readonly start?: number | null;
  readonly count?: number | null;
  readonly includeSoftDelete?: boolean | null;
};

/** More kinds than there are, so nobody needs more; every number of kinds is a statement of its own in the store. */
const kindsMax = 100;

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
  const source = sourceOf(urn, context);
  const found: RelatedEntity[] = [];
  let total = 0;
  for (const { name, ...asked } of questionsAbout(kindsVisibleTo(context.caller, kinds))) {
    const page = await relatedTo(
      {
        ...asked,
        urn,
        direction: input.direction,
        start: Math.max(0, start - total),
        count: count - found.length,
        distinct: true,
      },
      input.includeSoftDelete !== false,
      source,
    );
    for (const item of page.items) found.push(name === undefined ? item : { ...item, kind: name });
    total += page.total;
  }
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

function sourceOf(urn: Urn, context: RequestContext): Parameters<typeof relatedTo>[2] {
  if (urnType(urn) !== 'schemaField') return context;
  return {
    reader: { relationships: (query) => relationshipsOfColumn(context.reader, query) },
    load: context.load,
  };
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
