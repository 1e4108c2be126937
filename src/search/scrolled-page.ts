import type { Caller } from '../auth/caller.ts';
import { pageCountMax } from '../entity/page.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { SearchEngine, SearchHit, SearchPage, SearchQuery } from './search-engine.ts';

/** Clients ask for pages of up to this size (wire 6.4) and go on from wherever a page ends, so more is not refused. */
const scrolledCountMax = 5_000;

/**
 * One page of a scroll: entries after the cursor, as many as asked for but at most 5000, put together from pages of the engine.
 * The facets and the total are those of the first of them. Throws BAD_REQUEST for a negative count and a bad cursor.
 */
export async function scrolledPage(
  engine: Pick<SearchEngine, 'search'>,
  query: Omit<SearchQuery, 'start' | 'count' | 'cursor'>,
  input: { readonly scrollId?: string | null; readonly count?: number | null },
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
