import type { CatalogueStore } from '../catalogue-store.ts';

/** A new, empty store with all that a test may do to it. */
export type OpenedStore = {
  readonly store: CatalogueStore;
  /** Closes the store and opens the same data again, as after a restart. */
  reopen(): Promise<CatalogueStore>;
  /** Runs a statement behind the store's back; both backends have the same tables and columns, but for the search index. */
  sql(statement: string): Promise<void>;
  /** The column of search_entry with the fields of entries. */
  readonly fieldsColumn: string;
  destroy(): Promise<void>;
};

/** How a test of the contract gets at the store that was opened for it. */
export type Subject = () => OpenedStore;
