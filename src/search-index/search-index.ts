import type { AspectStore } from '../aspect/aspect-store.ts';
import type { JsonObject } from '../aspect/json.ts';
import type { SearchEntry } from '../aspect/search-entry.ts';
import type { Urn } from '../urn/urn.ts';

/** What is stored of an entry beside its terms, which can be asked for and not be read back. */
export type StoredSearchEntry = Pick<SearchEntry, 'fields'> & { readonly aspect: string };

/** Everything stored of one entity that exists. */
export type IndexedEntity = {
  /** The store's number of the entity: small, stable, never used twice, in the order in which entities were first named. */
  readonly number: number;
  readonly urn: Urn;
  readonly entries: readonly StoredSearchEntry[];
};

/** Which fields of the entries of an aspect somebody wants to read. */
export type WantedFields = (aspect: string) => readonly string[];

/** A term, or with `isPrefix` every term that begins with it. */
export type TermQuery = { readonly term: string; readonly isPrefix: boolean };

/** What `searchEntryOf` is to a store that makes entries anew. */
export type EntryOf = (urn: Urn, aspect: string, body: JsonObject) => SearchEntry | undefined;

/** How far the entries are those that `searchEntryOf` makes today. */
export type IndexProgress = {
  /** The `entriesVersion` of which they are, or are becoming; 0: none was ever made. */
  readonly version: number;
  /** Entities up to this number have been made anew; `undefined`: all of them. */
  readonly done: number | undefined;
};

/** What one transaction of a rebuild did. */
export type RebuiltPart = {
  readonly entities: number;
  readonly entries: number;
  /** Entities of which an aspect is damaged; their entries stay as they are. */
  readonly unreadable: readonly Urn[];
  /** The largest number that is done; `undefined` when nothing is left above it. */
  readonly last: number | undefined;
};

/**
 * The port to the search index, written by `WriteTransaction.apply` in the transaction of the aspects. It answers what bears a term
 * and what an entity's entries say; filters, ranks, facets and completion are made of that in one place (`src/search`), so that
 * both stores find the same in the same order. Reads see committed state. One contract suite (src/storage/search-index.contract.ts).
 */
export interface SearchIndex {
  /**
   * Numbers of the entities of which an entry bears the term: ascending, each once. With `among`, only of those. A long list may be
   * read in parts, between which others commit: it is exact once entities that changed meanwhile were asked about again.
   */
  bearers(query: TermQuery, among?: readonly number[]): Promise<Uint32Array>;
  /** The terms that each of the entities bears, a blank between two of them; those that bear none are left out. */
  termsOf(numbers: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Entities with their entries, by number; those that are unknown, do not exist or have no entries are left out. */
  indexed(numbers: readonly number[]): Promise<ReadonlyMap<number, IndexedEntity>>;
  /**
   * The dictionary (decision 29): each word of names that somebody may mistype (`correctableWordsOf`) of every stored entry, once, in
   * pages. Words of entries that are gone may be there until it is cleared. Each page is of a committed state of its own.
   */
  nameWords(): AsyncIterable<readonly string[]>;
  /**
   * All entities that exist and have entries, ascending by number, in pages of at most `count` that are not empty. Entries have the wanted
   * fields, and perhaps others; those that have none of them may be left out. Each page is of a committed state of its own: what others
   * commit meanwhile may be in it or not.
   */
  scan(count: number, wanted: WantedFields): AsyncIterable<readonly IndexedEntity[]>;
  /** The largest number that an entity has; 0 when there is none. */
  largestNumber(): Promise<number>;
  /** Unknown URNs are left out. */
  numbersOf(urns: readonly Urn[]): Promise<ReadonlyMap<Urn, number>>;
  urnsOf(numbers: readonly number[]): Promise<ReadonlyMap<number, Urn>>;
  /**
   * Makes the entries of entities above `after` anew from their aspects, ascending, in one durable transaction, alone among all
   * writers; whatever else lies under their numbers is taken out. It ends with all entities that fit in about
   * `milliseconds`, at least one, and with `count` of them at the most. Adds nothing to the change log.
   */
  rebuild(query: {
    readonly after: number;
    readonly count?: number;
    readonly milliseconds: number;
    readonly entryOf: EntryOf;
  }): Promise<RebuiltPart>;
  /** Takes everything out of the index and the dictionary, in one durable transaction; until it is made anew, nothing is found. */
  clear(): Promise<void>;
  progress(): Promise<IndexProgress>;
  setProgress(progress: IndexProgress): Promise<void>;
  /** How often entries were made anew since there is a store: whoever keeps some of them in memory reads them again when it grows. */
  rebuilds(): Promise<number>;
  /** To be called when entries were made anew: the change log does not tell of it, and other processes may have read them before. */
  countRebuild(): Promise<void>;
  /** For the proof of `postil check`: how many entries are stored. */
  countEntries(): Promise<number>;
}

/** An aspect store that also keeps the search index. */
export type SearchableStore = AspectStore & { readonly search: SearchIndex };
