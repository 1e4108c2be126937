import type { Caller } from '../auth/caller.ts';
import { pageCountMax } from '../entity/page.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { RequestContext } from '../graphql/request-context.ts';
import type { Urn } from '../urn/urn.ts';
import { formOf, shownOf, sortedBy } from './paged-search.ts';
import { pageValueOf } from './search-answer.ts';
import type { SearchEngine, SearchHit, SearchPage, SearchQuery } from './search-engine.ts';
import { engineOf, type ScopeInput, scopeOf, type SortInput } from './search-request.ts';

/** GraphQL's `ScrollAcrossEntitiesInput`. */
export type ScrolledInput = ScopeInput & {
  readonly scrollId?: string | null;
  readonly count?: number | null;
  readonly sortInput?: SortInput | null;
};

/** Clients ask for pages of up to this size (wire 6.4) and go on from wherever a page ends, so more is not refused. */
const scrolledCountMax = 5_000;

/** GraphQL's `ScrollResults`. With `among`, only of these entities. Throws as `scopeOf` and the engine do. */
export async function scrolledSearch(
  input: ScrolledInput,
  context: RequestContext,
  among?: readonly Urn[],
): Promise<object> {
  const query = {
    ...scopeOf(input),
    ...(among === undefined ? {} : { among }),
    ...shownOf(input.searchFlags),
    ...sortedBy(input.sortInput),
  };
  const page = await scrolledPage(engineOf(context), query, input, context.caller);
  return { nextScrollId: page.nextCursor ?? null, ...pageValueOf(page, formOf(input.searchFlags)) };
}

/**
 * One page of a scroll: entries after the cursor, as many as asked for but at most 5000, put together from pages of the engine.
 * The facets and the total are those of the first of them. Throws BAD_REQUEST for a negative count and a bad cursor.
 */
async function scrolledPage(
  engine: Pick<SearchEngine, 'search'>,
  query: Omit<SearchQuery, 'start' | 'count' | 'cursor'>,
  input: Pick<ScrolledInput, 'scrollId' | 'count'>,
  caller: Caller,
): Promise<SearchPage> {
  const asked = input.count ?? 10;
  if (asked < 0) throw new PostilError('BAD_REQUEST', `count must not be negative, but is ${asked}.`);
  const count = Math.min(asked, scrolledCountMax);
  const hits: SearchHit[] = [];
  let first: SearchPage | undefined;
  let cursor = input.scrollId ?? undefined;
  do {
    const page: SearchPage = await engine.search(
      {
        ...query,
        start: 0,
        count: Math.min(count - hits.length, pageCountMax),
        ...(cursor === undefined ? {} : { cursor }),
        ...(first === undefined ? {} : { facets: [] }),
      },
      caller,
    );
    first ??= page;
    hits.push(...page.hits);
    cursor = page.nextCursor;
  } while (cursor !== undefined && hits.length < count);
  return { ...first, hits, nextCursor: cursor };
}
