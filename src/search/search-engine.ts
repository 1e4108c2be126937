import type { Caller } from '../auth/caller.ts';
import type { Urn } from '../urn/urn.ts';

/** How a criterion compares; the names of DataHub's enum `FilterOperator`. */
export type FilterCondition =
  | 'EQUAL'
  | 'IEQUAL'
  | 'IN'
  | 'CONTAIN'
  | 'EXISTS'
  | 'START_WITH'
  | 'END_WITH'
  | 'GREATER_THAN'
  | 'GREATER_THAN_OR_EQUAL_TO'
  | 'LESS_THAN'
  | 'LESS_THAN_OR_EQUAL_TO'
  | 'DESCENDANTS_INCL'
  | 'ANCESTORS_INCL'
  | 'RELATED_INCL';

/** Values are alternatives; none of them: nothing matches, unless EXISTS is asked for. */
export type SearchCriterion = {
  readonly field: string;
  readonly condition: FilterCondition;
  readonly values: readonly string[];
  readonly negated: boolean;
};

/** Alternatives of criteria that all have to hold (contract 7.17); no alternative: everything. */
export type SearchFilter = readonly (readonly SearchCriterion[])[];

export type SearchScope = {
  /** As it was typed; '' and '*' are everything. */
  readonly text: string;
  /** Entity types of the registry; absent: all that can be found without being named. */
  readonly types?: readonly string[];
  readonly filter?: SearchFilter;
  /** Only these; for searches across lineage. */
  readonly among?: readonly Urn[];
  readonly includeSoftDeleted?: boolean;
};

export type SearchSort = { readonly field: string; readonly descending: boolean };

export type SearchQuery = SearchScope & {
  readonly start: number;
  readonly count: number;
  /** Instead of relevance; entities without a value come last. */
  readonly sort?: readonly SearchSort[];
  /** From an earlier answer to the same query; takes the place of `start`. */
  readonly cursor?: string;
  /** Fields to be counted; absent: the usual ones; empty: none. */
  readonly facets?: readonly string[];
  readonly facetValuesMax?: number;
  readonly withoutMatches?: boolean;
};

export type MatchedField = { readonly name: string; readonly value: string };

export type SearchHit = {
  readonly urn: Urn;
  readonly score: number;
  readonly matched: readonly MatchedField[];
};

export type FacetCount = { readonly value: string; readonly count: number };

export type Facet = {
  readonly field: string;
  readonly displayName: string;
  /** Most frequent first, then by value. Exact. */
  readonly counts: readonly FacetCount[];
};

export type SearchPage = {
  readonly hits: readonly SearchHit[];
  /** Exact. */
  readonly total: number;
  /** Where the next page begins; absent at the end. */
  readonly nextCursor: string | undefined;
  readonly facets: readonly Facet[];
};

export type CompletionQuery = Omit<SearchScope, 'among'> & {
  /** A field to complete; absent: names. */
  readonly field?: string;
  readonly limit: number;
};

export type Completion = {
  /** Best first, each once. */
  readonly suggestions: readonly string[];
  readonly entities: readonly Urn[];
  /** In how many places each of the entities is used; 0 for what cannot be attached. */
  readonly usage: readonly number[];
};

/**
 * Finds entities. Every answer contains what was written before the question was asked. Throws BAD_REQUEST for unknown fields, bad
 * cursors, pages and query texts that are too long.
 */
export type SearchEngine = {
  search(query: SearchQuery, caller: Caller): Promise<SearchPage>;
  complete(query: CompletionQuery, caller: Caller): Promise<Completion>;
  facets(
    scope: SearchScope,
    fields: readonly string[] | undefined,
    valuesMax: number,
    caller: Caller,
  ): Promise<readonly Facet[]>;
  /** How many entities of each type there are that are not soft-deleted. */
  counts(types: readonly string[], caller: Caller): Promise<ReadonlyMap<string, number>>;
};

declare module '../graphql/request-context.ts' {
  interface RequestServices {
    /** Absent only where GraphQL runs without a server, as in tests of the engine itself. */
    readonly search?: SearchEngine;
  }
}
