import type { AspectStore } from '../aspect/aspect-store.ts';
import type { SearchEntry } from '../aspect/search-entry.ts';
import type { Urn } from '../urn/urn.ts';

/** What is stored of an entry beside its terms, which can be asked for and not be read back. */
export type StoredSearchEntry = Pick<SearchEntry, 'fields' | 'words'> & { readonly aspect: string };

/** Everything stored of one entity that exists. */
export type IndexedEntity = {
  /** The store's number of the entity: small, stable, never used twice, in the order in which entities were first named. */
  readonly number: number;
  readonly urn: Urn;
  readonly entries: readonly StoredSearchEntry[];
};

/** A term, or with `isPrefix` every term that begins with it. */
export type TermQuery = { readonly term: string; readonly isPrefix: boolean };

/**
 * The port to the search index, written by `WriteTransaction.apply` in the transaction of the aspects. It answers what bears a term
 * and what an entity's entries say; filters, ranks, facets and completion are made of that in one place (`src/search`), so that
 * both stores find the same in the same order. Reads see committed state. One contract suite (src/storage/search-index.contract.ts).
 */
export interface SearchIndex {
  /** Numbers of the entities of which an entry bears the term: ascending, each once. With `among`, only of those. */
  bearers(query: TermQuery, among?: readonly number[]): Promise<Uint32Array>;
  /** Entities with their entries, by number; those that are unknown or do not exist are left out. */
  indexed(numbers: readonly number[]): Promise<ReadonlyMap<number, IndexedEntity>>;
  /**
   * All entities that have entries, ascending by number, those above `after`, at most `count`. With `fields`, entries are reduced
   * to these fields and have no words.
   */
  indexedAfter(after: number, count: number, fields?: readonly string[]): Promise<readonly IndexedEntity[]>;
  /** Unknown URNs are left out. */
  numbersOf(urns: readonly Urn[]): Promise<ReadonlyMap<Urn, number>>;
  urnsOf(numbers: readonly number[]): Promise<ReadonlyMap<number, Urn>>;
  /** For the proof of `postil check`: how many pairs of an entry and a term are stored. */
  statistics(): Promise<{ readonly entries: number; readonly terms: number }>;
}

/** An aspect store that also keeps the search index. */
export type SearchableStore = AspectStore & { readonly search: SearchIndex };
