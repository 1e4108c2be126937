import type { SearchIndex } from '../search-index/search-index.ts';

/** So often the store is asked. Milliseconds. */
const askedEveryMs = 1_000;

/** Notices that entries were made anew by another process, which the change log does not tell of. */
export type RebuildNotice = {
  /** Calls `onRebuilt` when they were since the last call; what happened in the last second may be noticed by the next one. */
  look(): Promise<void>;
  /** What is read from now on is new whatever happened before. */
  forget(): void;
};

export function createRebuildNotice(
  index: Pick<SearchIndex, 'rebuilds'>,
  onRebuilt: () => void,
  everyMs: number = askedEveryMs,
): RebuildNotice {
  let known: number | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    const asked = performance.now();
    const rebuilds = await index.rebuilds();
    if (known !== undefined && rebuilds !== known) onRebuilt();
    known = rebuilds;
    askedAt = asked;
  }

  return {
    look() {
      if (performance.now() - askedAt < everyMs) return Promise.resolve();
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
    forget() {
      known = undefined;
      askedAt = Number.NEGATIVE_INFINITY;
    },
  };
}
