import { graphqlEntityType, readableTypes, referredEntity } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import type { FieldResolver, ResolverRecord, Resolvers } from '../graphql/resolver.ts';
import { displayNameOf } from './display-name.ts';
import { extraPropertiesOf } from './extra-properties.ts';
import { insightsOf } from './insights.ts';
import { type PagedInput, pagedSearch } from './paged-search.ts';
import { type ScrolledInput, scrolledSearch } from './scrolled-search.ts';
import { facetsOf, type FacetValue, type ResultValue } from './search-answer.ts';
import type { MatchedField } from './search-engine.ts';
import { engineOf, facetValuesOf, refuseView, type ScopeInput, scopeOf } from './search-request.ts';
import { searchedTypes } from './searched-types.ts';

type SearchInput = Omit<PagedInput, 'types'> & { readonly type: string };
type AggregateInput = ScopeInput & { readonly facets?: readonly (string | null)[] | null };
type CountInput = { readonly types?: readonly string[] | null; readonly viewUrn?: string | null };
type With<Input> = { readonly input: Input };

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
      pagedSearch({ ...input, types: [type] }, context),
    ),
    searchAcrossEntities: volatile<unknown, With<PagedInput>>((_source, { input }, context) =>
      pagedSearch(input, context),
    ),
    scrollAcrossEntities: volatile<unknown, With<ScrolledInput>>((_source, { input }, context) =>
      scrolledSearch(input, context),
    ),
    aggregateAcrossEntities: volatile(aggregate),
    getEntityCounts: volatile(entityCounts),
  },
  SearchResult: {
    insights: ({ entity }: ResultValue, _args, context) => insightsOf(entity.urn, context),
    extraProperties: ({ entity, extraFields }: ResultValue, _args, context) =>
      extraPropertiesOf(entity.urn, extraFields, context),
  },
  MatchedField: { entity: (matched: MatchedField) => valueEntity(matched) },
  FacetMetadata: { entity: facetEntity },
  AggregationMetadata: { entity: valueEntity, displayName: valueName },
};
