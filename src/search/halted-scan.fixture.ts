import type { SearchIndex } from '../search-index/search-index.ts';

/** A real store that halts each time after the first page of its index, until it is let go on. */
export type HaltedScan<Store> = {
  readonly store: Store;
  /** Resolves when the first page was read. */
  readonly isHalted: Promise<void>;
  /** How often somebody began to go through the index. */
  readonly scans: () => number;
  goOn(): void;
};

const entitiesInPage = 7;

/** `failFirst` is thrown at the end of the first scan. */
export function haltedScan<Store extends { readonly search: SearchIndex }>(
  store: Store,
  failFirst?: Error,
): HaltedScan<Store> {
  const halted = Promise.withResolvers<void>();
  const going = Promise.withResolvers<void>();
  let scans = 0;
  const search: SearchIndex = {
    ...store.search,
    async *scan(_count, wanted) {
      scans += 1;
      const failure = scans === 1 ? failFirst : undefined;
      for await (const page of store.search.scan(entitiesInPage, wanted)) {
        yield page;
        halted.resolve();
        await going.promise;
      }
      if (failure !== undefined) throw failure;
    },
  };
  return {
    store: { ...store, search },
    isHalted: halted.promise,
    scans: () => scans,
    goOn: () => going.resolve(),
  };
}
