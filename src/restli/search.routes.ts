import type { JsonObject } from '../aspect/json.ts';
import type { Caller } from '../auth/caller.ts';
import type { Route } from '../http/route.ts';
import type { SearchEngine, SearchPage, SearchQuery } from '../search/search-engine.ts';
import { requireCaller } from './require-caller.ts';
import { restliErrorAnswer } from './restli-error.ts';
import {
  flagsIn,
  pageIn,
  parametersOf,
  scopeIn,
  sortIn,
  textIn,
  typeIn,
  typesIn,
} from './search-parameters.ts';

const bodyBytesMax = 1024 * 1024;

type Asked = Pick<SearchQuery, 'text' | 'types'> & { readonly facets?: readonly string[] };
type SearchAction = Pick<Route, 'path'> & {
  readonly action: string;
  asked(parameters: JsonObject): Asked;
  value(page: SearchPage, asked: { readonly start: number; readonly count: number }): object;
};

/** Searches as rest.li clients ask for them (wire 3.6); counting what nobody reads is left out where DataHub has no facets. */
const searchActions: readonly SearchAction[] = [
  {
    path: '/entities',
    action: 'search',
    asked: (parameters) => ({ text: textIn(parameters), types: [typeIn(parameters)] }),
    value: searchResult,
  },
  {
    path: '/entities',
    action: 'searchAcrossEntities',
    asked: (parameters) => ({ text: textIn(parameters), types: typesIn(parameters) }),
    value: searchResult,
  },
  {
    path: '/entities',
    action: 'filter',
    asked: (parameters) => ({ text: '', types: [typeIn(parameters)], facets: [] }),
    value: searchResult,
  },
  {
    path: '/entities',
    action: 'list',
    asked: (parameters) => ({ text: '', types: [typeIn(parameters)], facets: [] }),
    value: ({ hits, total }, { start }) => ({
      entities: hits.map(({ urn }) => urn),
      start,
      count: hits.length,
      total,
    }),
  },
];

/**
 * Searches through rest.li, of the types that GraphQL searches and with what it leaves out. Answers `{"value": ...}`: DataHub's
 * `SearchResult`, or `ListResult` for `list`.
 */
export function searchRoutes(engine: SearchEngine): readonly Route[] {
  return searchActions.map((one) => ({
    method: 'POST',
    path: one.path,
    action: one.action,
    bodyBytesMax,
    answerError: restliErrorAnswer,
    async handle({ body, caller }) {
      const value = await answerOf(one, parametersOf(body), engine, requireCaller(caller));
      return { status: 200, body: JSON.stringify({ value }) };
    },
  }));
}

async function answerOf(
  { asked, value }: SearchAction,
  parameters: JsonObject,
  engine: SearchEngine,
  caller: Caller,
): Promise<object> {
  const query: SearchQuery = {
    ...flagsIn(parameters),
    ...asked(parameters),
    ...scopeIn(parameters),
    ...sortIn(parameters),
    ...pageIn(parameters),
  };
  return value(await engine.search(query, caller), query);
}

function searchResult(
  { hits, total, facets }: SearchPage,
  { start, count }: { readonly start: number; readonly count: number },
): object {
  return {
    from: start,
    pageSize: count,
    numEntities: total,
    entities: hits.map(({ urn, matched }) => ({ entity: urn, matchedFields: matched })),
    metadata: {
      aggregations: facets.map(({ field, displayName, counts }) => ({
        name: field,
        displayName,
        aggregations: Object.fromEntries(counts.map((each) => [each.value, each.count])),
        filterValues: counts.map((each) => ({ value: each.value, facetCount: each.count })),
      })),
    },
  };
}
