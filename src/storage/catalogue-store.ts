import type { SearchableStore } from '../search-index/search-index.ts';
import type { VerdictKeepingStore } from '../verdict/verdict-store.ts';

/** All that a store keeps; what every adapter is. */
export type CatalogueStore = VerdictKeepingStore & SearchableStore;
