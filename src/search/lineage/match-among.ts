import type { Caller } from '../../auth/caller.ts';
import { searchFieldNamed } from '../../search-index/search-fields.ts';
import { type Urn, urnType } from '../../urn/urn.ts';
import type { MatchedField, SearchCriterion, SearchEngine, SearchScope } from '../search-engine.ts';
import { parentOf } from '../../relationship/column-edges.ts';

/** What fits a search, and where its text was found. */
export type Matches = ReadonlyMap<Urn, readonly MatchedField[]>;

/** How to ask which of some entities fit a search. */
export type Matcher = {
  readonly engine: SearchEngine;
  readonly caller: Caller;
  /** Without filter: criteria are asked for one alternative at a time. */
  readonly scope: Omit<SearchScope, 'filter' | 'among'>;
};

const matchedAtOnce = 5_000;

/** Which of the entities fit. */
export async function matchAmong(
  { engine, caller, scope }: Matcher,
  among: readonly Urn[],
  criteria: readonly SearchCriterion[],
): Promise<Matches> {
  const matches = new Map<Urn, readonly MatchedField[]>();
  if (among.length === 0) return matches;
  const query = {
    ...scope,
    among,
    ...(criteria.length === 0 ? {} : { filter: [criteria] }),
    start: 0,
    count: matchedAtOnce,
    facets: [],
  };
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page = await engine.search({ ...query, ...(cursor === undefined ? {} : { cursor }) }, caller);
    for (const { urn, matched } of page.hits) matches.set(urn, matched);
    cursor = page.nextCursor;
  }
  return matches;
}

/**
 * Which of the columns fit: those that are part of an entity that does. Columns themselves are found only where something was
 * stored about them, so types are those of what they are part of; asking for columns is asking for all of them.
 */
export async function matchColumns(
  matcher: Matcher,
  columns: readonly Urn[],
  criteria: readonly SearchCriterion[],
): Promise<Matches> {
  const parents = new Set(columns.flatMap((column) => parentOf(column) ?? []));
  const named = (matcher.scope.types ?? []).filter((type) => type !== 'schemaField');
  const types = named.length === 0 ? [...new Set([...parents].map(urnType))] : named;
  const matches = await matchAmong(
    { ...matcher, scope: { ...matcher.scope, types } },
    [...parents],
    criteria.filter((criterion) => !asksForColumns(criterion)),
  );
  return new Map(
    columns.flatMap((column) => {
      const parent = parentOf(column);
      const matched = parent === undefined ? undefined : matches.get(parent);
      return matched === undefined ? [] : [[column, matched] as const];
    }),
  );
}

function asksForColumns({ field, values, negated }: SearchCriterion): boolean {
  return searchFieldNamed(field)?.name === '_entityType' && !negated && values.includes('schemaField');
}
