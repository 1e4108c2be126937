import { referredEntity } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import type { Facet, MatchedField, SearchHit, SearchPage } from './search-engine.ts';
import { facetValueOf } from './search-request.ts';

/** GraphQL's `SearchResult`; the rest is made when it is asked for. */
export type ResultValue = {
  readonly entity: EntityValue;
  readonly matchedFields: readonly MatchedField[];
  /** Of which fields the values are told. */
  readonly extraFields: readonly string[];
};

/** GraphQL's `FacetMetadata`. */
export type FacetValue = {
  readonly field: string;
  readonly displayName: string;
  readonly aggregations: readonly { readonly value: string; readonly count: number }[];
};

/** What of hits is shown beside their entities. */
export type ResultForm = { readonly withoutMatches: boolean; readonly extraFields: readonly string[] };

/** Results in the order of the hits; entities that GraphQL cannot show are left out. */
export function resultsOf(hits: readonly SearchHit[], form: ResultForm): readonly ResultValue[] {
  return hits.flatMap(({ urn, matched }) => {
    const entity = referredEntity(urn);
    if (entity === undefined) return [];
    return { entity, matchedFields: form.withoutMatches ? [] : matched, extraFields: form.extraFields };
  });
}

export function facetsOf(facets: readonly Facet[]): readonly FacetValue[] {
  return facets.map(({ field, displayName, counts }) => ({
    field,
    displayName,
    aggregations: counts.map(({ value, count }) => ({ value: facetValueOf(field, value), count })),
  }));
}

/** A page of results as several types of GraphQL have it. */
export function pageValueOf(
  page: SearchPage,
  form: ResultForm,
): {
  readonly count: number;
  readonly total: number;
  readonly searchResults: readonly ResultValue[];
  readonly facets: readonly FacetValue[];
} {
  const searchResults = resultsOf(page.hits, form);
  return { count: searchResults.length, total: page.total, searchResults, facets: facetsOf(page.facets) };
}
