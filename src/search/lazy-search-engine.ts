import type { SearchEngine } from './search-engine.ts';

export type LazySearchEngine = SearchEngine & {
  /** To be called when the search index was made anew: that is no change that the log tells of. */
  forget(): void;
};

/** A search engine that is loaded and built when it is first asked, so that the start of the process does not wait for it. */
export function lazySearchEngine(create: () => Promise<LazySearchEngine>): LazySearchEngine {
  let created: Promise<LazySearchEngine> | undefined;
  const engine = (): Promise<LazySearchEngine> =>
    (created ??= create().catch((error: unknown) => {
      created = undefined;
      throw error;
    }));
  return {
    search: async (query, caller) => (await engine()).search(query, caller),
    complete: async (query, caller) => (await engine()).complete(query, caller),
    facets: async (scope, fields, valuesMax, caller) =>
      (await engine()).facets(scope, fields, valuesMax, caller),
    forget() {
      created?.then(
        (made) => made.forget(),
        () => undefined,
      );
    },
    counts: async (types, caller) => (await engine()).counts(types, caller),
  };
}
