import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import { formOf, shownOf, sortedBy } from './paged-search.ts';
import { pageValueOf } from './search-answer.ts';
import type { SearchQuery } from './search-engine.ts';
import { engineOf, type ScopeInput, scopeOf, type SearchContext, type SortInput } from './search-request.ts';

/** GraphQL's `ScrollAcrossEntitiesInput`. */
export type ScrolledInput = ScopeInput & {
  readonly scrollId?: string | null;
  readonly count?: number | null;
  readonly sortInput?: SortInput | null;
};

/** Clients ask for pages of up to this size (wire 6.4) and go on from wherever a page ends, so more is not refused. */
export const scrolledCountMax = 5_000;

/**
 * GraphQL's `ScrollResults`. With `among`, only of these entities. Throws BAD_REQUEST for a negative count, and what `scopeOf` and
 * the engine throw.
 */
export async function scrolledSearch(
  input: ScrolledInput,
  context: SearchContext,
  among?: readonly Urn[],
): Promise<object> {
  const asked = input.count ?? 10;
  if (asked < 0) throw new PostilError('BAD_REQUEST', `count must not be negative, but is ${asked}.`);
  const query: SearchQuery = {
    ...scopeOf(input),
    ...(among === undefined ? {} : { among }),
    ...shownOf(input.searchFlags),
    ...sortedBy(input.sortInput),
    ...(isPresent(input.scrollId) ? { cursor: input.scrollId } : {}),
    start: 0,
    count: Math.min(asked, scrolledCountMax),
  };
  const page = await engineOf(context).search(query, context.caller);
  return { nextScrollId: page.nextCursor ?? null, ...pageValueOf(page, formOf(input.searchFlags)) };
}

function isPresent(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text !== '';
}
