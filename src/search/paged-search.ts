import type { Urn } from '../urn/urn.ts';
import { pageValueOf, type ResultForm } from './search-answer.ts';
import type { SearchQuery } from './search-engine.ts';
import {
  engineOf,
  facetValuesOf,
  pageOf,
  type ScopeInput,
  scopeOf,
  type SearchContext,
  type SearchFlagsInput,
  type SortInput,
  sortOf,
} from './search-request.ts';
import { suggestionsFor } from './suggestions.ts';

/** What the inputs of searches by page have in common. */
export type PagedInput = ScopeInput & {
  readonly start?: number | null;
  readonly count?: number | null;
  readonly sortInput?: SortInput | null;
};

/** GraphQL's `SearchResults`. With `among`, only of these entities. Throws as `scopeOf`, `pageOf` and the engine do. */
export async function pagedSearch(
  input: PagedInput,
  context: SearchContext,
  { usualCount = 10, among }: { readonly usualCount?: number; readonly among?: readonly Urn[] } = {},
): Promise<object> {
  const scope = { ...scopeOf(input), ...(among === undefined ? {} : { among }) };
  const { start, count } = pageOf(input, usualCount);
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

/** What of the results is not worth finding out, because nobody wants it. */
export function shownOf(
  flags: SearchFlagsInput | null | undefined,
): Pick<SearchQuery, 'facets' | 'facetValuesMax' | 'withoutMatches'> {
  return {
    ...(flags?.skipAggregates === true ? { facets: [] } : { facetValuesMax: facetValuesOf(flags) }),
    withoutMatches: flags?.skipHighlighting === true,
  };
}

/** How results are shown. */
export function formOf(flags: SearchFlagsInput | null | undefined): ResultForm {
  return {
    withoutMatches: flags?.skipHighlighting === true,
    extraFields: flags?.fetchExtraFields ?? [],
  };
}

/** How results are sorted; nothing for relevance. */
export function sortedBy(input: SortInput | null | undefined): Pick<SearchQuery, 'sort'> {
  const sort = sortOf(input);
  return sort === undefined ? {} : { sort };
}
