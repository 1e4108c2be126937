import { graphqlEntityType, readableTypes, referredEntity } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import type { RequestContext } from '../graphql/request-context.ts';
import type { FieldResolver, ResolverRecord, Resolvers } from '../graphql/resolver.ts';
import { displayNameOf } from './display-name.ts';
import { extraPropertiesOf } from './extra-properties.ts';
import { insightsOf } from './insights.ts';
import {
  facetsOf,
  type FacetValue,
  pageValueOf,
  type ResultForm,
  type ResultValue,
} from './search-answer.ts';
import type { MatchedField, SearchQuery } from './search-engine.ts';
import {
  engineOf,
  facetValuesOf,
  pageOf,
  refuseView,
  type ScopeInput,
  scopeOf,
  type SearchFlagsInput,
  type SortInput,
  sortOf,
} from './search-request.ts';
import { scrolledPage } from './scrolled-page.ts';
import { searchedTypes } from './searched-types.ts';
import { suggestionsFor } from './suggestions.ts';

type PagedInput = ScopeInput & {
  readonly start?: number | null;
  readonly count?: number | null;
  readonly sortInput?: SortInput | null;
};
type SearchInput = Omit<PagedInput, 'types'> & { readonly type: string };
type ScrollInput = ScopeInput & {
  readonly scrollId?: string | null;
  readonly count?: number | null;
  readonly sortInput?: SortInput | null;
};
type AggregateInput = ScopeInput & { readonly facets?: readonly (string | null)[] | null };
type CountInput = { readonly types?: readonly string[] | null; readonly viewUrn?: string | null };
type With<Input> = { readonly input: Input };

async function searched(input: PagedInput, context: RequestContext): Promise<object> {
  const scope = scopeOf(input);
  const { start, count } = pageOf(input);
  const engine = engineOf(context);
  const query = { ...scope, ...shownOf(input.searchFlags), ...sortedBy(input.sortInput), start, count };
  const page = await engine.search(query, context.caller);
  const suggests = input.searchFlags?.getSuggestions === true && page.total === 0;
  return {
    start,
    ...pageValueOf(page, formOf(input.searchFlags)),
    suggestions: suggests ? await suggestionsFor(scope, engine, context.caller) : [],
  };
}

const scroll: FieldResolver<unknown, With<ScrollInput>> = async (_source, { input }, context) => {
  const query = { ...scopeOf(input), ...shownOf(input.searchFlags), ...sortedBy(input.sortInput) };
  const page = await scrolledPage(engineOf(context), query, input, context.caller);
  return { nextScrollId: page.nextCursor ?? null, ...pageValueOf(page, formOf(input.searchFlags)) };
};

const aggregate: FieldResolver<unknown, With<AggregateInput>> = async (_source, { input }, context) => {
  const fields = input.facets?.filter((field) => field !== null);
  const facets = await engineOf(context).facets(
    scopeOf(input),
    fields,
    facetValuesOf(input.searchFlags),
    context.caller,
  );
  return { facets: facetsOf(facets) };
};

const entityCounts: FieldResolver<unknown, { readonly input?: CountInput | null }> = async (
  _source,
  { input },
  context,
) => {
  refuseView(input?.viewUrn);
  const types = searchedTypes(input?.types, readableTypes());
  const counted = await engineOf(context).counts(types, context.caller);
  return {
    counts: types.map((type) => ({ entityType: graphqlEntityType(type), count: counted.get(type) ?? 0 })),
  };
};

/** What of the results is not worth finding out, because nobody wants it. */
function shownOf(
  flags: SearchFlagsInput | null | undefined,
): Pick<SearchQuery, 'facets' | 'facetValuesMax' | 'withoutMatches'> {
  return {
    ...(flags?.skipAggregates === true ? { facets: [] } : { facetValuesMax: facetValuesOf(flags) }),
    withoutMatches: flags?.skipHighlighting === true,
  };
}

function formOf(flags: SearchFlagsInput | null | undefined): ResultForm {
  return {
    withoutMatches: flags?.skipHighlighting === true,
    extraFields: flags?.fetchExtraFields ?? [],
  };
}

function sortedBy(input: SortInput | null | undefined): Pick<SearchQuery, 'sort'> {
  const sort = sortOf(input);
  return sort === undefined ? {} : { sort };
}

const valueEntity = ({ value }: { readonly value: string }): EntityValue | null =>
  referredEntity(value) ?? null;

const valueName: FieldResolver<FacetValue['aggregations'][number]> = ({ value }, _args, context) => {
  const entity = referredEntity(value);
  return entity === undefined ? null : displayNameOf(entity.urn, context);
};

const propertyPrefix = 'structuredProperties.';

const facetEntity = ({ field }: FacetValue): EntityValue | null =>
  field.startsWith(propertyPrefix)
    ? (referredEntity(`urn:li:structuredProperty:${field.slice(propertyPrefix.length)}`) ?? null)
    : null;

function volatile<Source, Args>(resolve: FieldResolver<Source, Args>): ResolverRecord<Source, Args> {
  return { resolve, isVolatile: true };
}

export const searchResolvers: Resolvers = {
  Query: {
    search: volatile<unknown, With<SearchInput>>((_source, { input: { type, ...input } }, context) =>
      searched({ ...input, types: [type] }, context),
    ),
    searchAcrossEntities: volatile<unknown, With<PagedInput>>((_source, { input }, context) =>
      searched(input, context),
    ),
    scrollAcrossEntities: volatile(scroll),
    aggregateAcrossEntities: volatile(aggregate),
    getEntityCounts: volatile(entityCounts),
  },
  SearchResult: {
    insights: insightsOf,
    extraProperties: ({ entity, extraFields }: ResultValue, _args, context) =>
      extraPropertiesOf(entity.urn, extraFields, context),
  },
  MatchedField: { entity: (matched: MatchedField) => valueEntity(matched) },
  FacetMetadata: { entity: facetEntity },
  AggregationMetadata: { entity: valueEntity, displayName: valueName },
};
