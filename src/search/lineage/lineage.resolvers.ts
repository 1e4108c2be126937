import { readableTypes, referredEntity, requestedUrn } from '../../entity/graphql-types.ts';
import type { EntityValue } from '../../entity/graphql-types.ts';
import { PostilError } from '../../errors/postil-error.ts';
import type { RequestContext } from '../../graphql/request-context.ts';
import type { FieldResolver, Resolvers } from '../../graphql/resolver.ts';
import type { Urn } from '../../urn/urn.ts';
import { extraPropertiesOf } from '../extra-properties.ts';
import { insightsOf } from '../insights.ts';
import { facetsOf, type FacetValue } from '../search-answer.ts';
import type { MatchedField } from '../search-engine.ts';
import { engineOf, facetValuesOf, pageOf, type ScopeInput, scopeOf } from '../search-request.ts';
import { type Exploration, shortestPaths } from './explore-lineage.ts';
import type { LineageDirection } from '../../relationship/lineage-edges.ts';
import { lineagePage } from './lineage-page.ts';
import { type FoundLineage, lineageFacets, type LineageHit, searchLineage } from './search-lineage.ts';

type LineageSearchInput = Omit<ScopeInput, 'viewUrn'> & {
  readonly urn?: string | null;
  readonly direction: LineageDirection;
};
type PagedInput = LineageSearchInput & { readonly start?: number | null; readonly count?: number | null };
type ScrolledInput = LineageSearchInput & {
  readonly scrollId?: string | null;
  readonly count?: number | null;
};

/** GraphQL's `SearchAcrossLineageResult`; the rest is made when it is asked for. */
type LineageResultValue = {
  readonly entity: EntityValue;
  readonly degree: number;
  readonly matchedFields: readonly MatchedField[];
  readonly extraFields: readonly string[];
  readonly start: Urn;
  readonly exploration: Exploration;
};

const searchAcrossLineage: FieldResolver<unknown, { readonly input: PagedInput }> = async (
  _source,
  { input },
  context,
) => {
  const { start, count } = pageOf(input);
  const { found, facets } = await searched(input, context);
  const searchResults = resultsOf(found.hits.slice(start, start + count), found, input);
  return { start, count: searchResults.length, ...totalOf(found), searchResults, facets };
};

const scrollAcrossLineage: FieldResolver<unknown, { readonly input: ScrolledInput }> = async (
  _source,
  { input },
  context,
) => {
  const { found, facets } = await searched(input, context);
  const page = lineagePage(found.hits, input);
  const searchResults = resultsOf(page.hits, found, input);
  return {
    nextScrollId: page.nextCursor ?? null,
    count: searchResults.length,
    ...totalOf(found),
    searchResults,
    facets,
  };
};

async function searched(
  input: LineageSearchInput,
  context: RequestContext,
): Promise<{ readonly found: FoundLineage; readonly facets: readonly FacetValue[] }> {
  const start = startOf(input);
  const { filter, ...scope } = scopeOf(input, readableTypes());
  const valuesMax = facetValuesOf(input.searchFlags);
  const matcher = { engine: engineOf(context), caller: context.caller, scope };
  const query = { start, direction: input.direction, filter };
  const found = await searchLineage(query, context.reader, matcher);
  const isWanted = input.searchFlags?.skipAggregates !== true;
  return {
    found,
    facets: isWanted ? facetsOf(await lineageFacets(found.hits, query, matcher, valuesMax)) : [],
  };
}

function startOf({ urn }: LineageSearchInput): Urn {
  if (urn !== null && urn !== undefined) return requestedUrn(urn);
  throw new PostilError('BAD_REQUEST', 'The lineage of what? Send the urn of an entity or of a column.');
}

function totalOf({ hits, exploration }: FoundLineage): {
  readonly total: number;
  readonly isTruncated: boolean;
} {
  return { total: hits.length, isTruncated: exploration.isTruncated };
}

function resultsOf(
  hits: readonly LineageHit[],
  { exploration }: FoundLineage,
  input: LineageSearchInput,
): readonly LineageResultValue[] {
  const start = startOf(input);
  const { searchFlags } = input;
  const extraFields = searchFlags?.fetchExtraFields ?? [];
  return hits.flatMap((hit) => {
    const entity = referredEntity(hit.urn);
    if (entity === undefined) return [];
    const matchedFields = searchFlags?.skipHighlighting === true ? [] : hit.matched;
    return { entity, degree: hit.degree, matchedFields, extraFields, start, exploration };
  });
}

const paths: FieldResolver<LineageResultValue> = ({ entity, start, exploration }) =>
  shortestPaths(exploration, start, entity.urn).map((path) => ({
    path: path.map((urn) => referredEntity(urn) ?? null),
  }));

export const lineageSearchResolvers: Resolvers = {
  Query: {
    searchAcrossLineage: { resolve: searchAcrossLineage, isVolatile: true },
    scrollAcrossLineage: { resolve: scrollAcrossLineage, isVolatile: true },
  },
  SearchAcrossLineageResult: {
    paths,
    insights: ({ entity }: LineageResultValue, _args, context) => insightsOf(entity.urn, context),
    extraProperties: ({ entity, extraFields }: LineageResultValue, _args, context) =>
      extraPropertiesOf(entity.urn, extraFields, context),
  },
};
