import type { Aspect } from '../../aspect/aspect.ts';
import { createRecentlyUsed } from './recently-used.ts';

/** Wide schemas stay outside: they would push out the many small aspects, such as terms, that whole catalogues refer to. */
const charactersPerAspectMax = 4_096;
const charactersMax = 8 * 1024 * 1024;
/** What an entry costs besides its text, in the same unit. */
const entryCharacters = 300;
/** A power of two. Large enough to see a term again among the datasets that are read in between. */
const placesOfSeen = 32_768;

/**
 * Committed aspects that are read again and again, kept as they were read, parsed bodies included. Exact only as long as
 * every committed change is told through `forget`, before anything else is read; so it is for the one process that writes.
 */
export type AspectMemory = {
  get(key: number): Aspect | undefined;
  /** Takes what was just read. Kept is what is read for the second time, so that a scan of everything displaces nothing. */
  note(key: number, aspect: Aspect): void;
  forget(key: number): void;
  clear(): void;
};

export function createAspectMemory(): AspectMemory {
  const kept = createRecentlyUsed<Aspect>(charactersMax);
  /** The key that was read last of those that share a place. */
  const seen = new Float64Array(placesOfSeen);

  return {
    get: kept.get,
    note(key, aspect) {
      if (aspect.text.length > charactersPerAspectMax) return;
      const place = Math.imul(key % 0x7fff_ffff, 0x9e37_79b1) >>> 17;
      if (seen[place] === key) kept.set(key, aspect, aspect.text.length + entryCharacters);
      else seen[place] = key;
    },
    forget: kept.delete,
    clear: kept.clear,
  };
}
