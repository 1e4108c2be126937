import type { SearchEngine } from './search-engine.ts';

export type LazySearchEngine = SearchEngine & {
  /** To be called when the search index was made anew: that is no change that the log tells of. */
  forget(): void;
  /** Reads what searches need of the whole store into memory, unless it is there; whoever searches meanwhile waits for the same reading. */
  prepare(): Promise<void>;
  /** Ends such a reading. Resolves when none asks the store for anything any more; searches that need one are refused from then on. */
  stop(): Promise<void>;
};

/** A search engine that is loaded and built when it is first asked, so that the start of the process does not wait for it. */
export function lazySearchEngine(create: () => Promise<LazySearchEngine>): LazySearchEngine {
  let created: Promise<LazySearchEngine> | undefined;
  let isStopped = false;
  const engine = (): Promise<LazySearchEngine> =>
    (created ??= create().then(
      async (made) => {
        if (isStopped) await made.stop();
        return made;
      },
      (error: unknown) => {
        created = undefined;
        throw error;
      },
    ));
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
    prepare: async () => (await engine()).prepare(),
    async stop() {
      isStopped = true;
      const made = await created?.catch(() => undefined);
      await made?.stop();
    },
    counts: async (types, caller) => (await engine()).counts(types, caller),
  };
}
