import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SearchIndex } from '../search-index/search-index.ts';
import type { ChangeFollower } from './follow-changes.ts';
import { createRecent } from './recent.ts';
import { sizeOfWordBag, type WordBag, wordBagOf, type WordGrouping } from './word-bag.ts';

const rememberedBytesMax = 64 * 1024 * 1024;
const readAtOnce = 250;

/** The words of entities, remembered until they change. */
export type WordBags = {
  /** Those that do not exist any more are left out. */
  of(numbers: readonly number[]): Promise<ReadonlyMap<number, WordBag>>;
  forget(number: number): void;
  forgetAll(): void;
};

export function createWordBags(parts: {
  readonly index: Pick<SearchIndex, 'indexed'>;
  readonly follower: () => Pick<ChangeFollower, 'seen'>;
  readonly grouping: WordGrouping;
}): WordBags {
  const { index, follower } = parts;
  const labelled = new Map<string, boolean>();
  const grouping = {
    ...parts.grouping,
    isLabelled(aspect: string): boolean {
      const known = labelled.get(aspect) ?? parts.grouping.isLabelled(aspect);
      labelled.set(aspect, known);
      return known;
    },
  };
  const remembered = createRecent<number, WordBag>(rememberedBytesMax);
  return {
    async of(numbers) {
      const found = new Map<number, WordBag>();
      const unknown: number[] = [];
      for (const number of numbers) {
        const bag = remembered.get(number);
        if (bag === undefined) unknown.push(number);
        else found.set(number, bag);
      }
      for (let from = 0; from < unknown.length; from += readAtOnce) {
        if (from > 0) await nextTurn();
        const { seen } = follower();
        const entities = await index.indexed(unknown.slice(from, from + readAtOnce));
        for (const [number, entity] of entities) {
          const bag = wordBagOf(entity, grouping);
          found.set(number, bag);
          // What was read before a change that is known by now is not what shall be remembered.
          if (follower().seen === seen) remembered.set(number, bag, sizeOfWordBag(bag));
        }
      }
      return found;
    },
    forget: (number) => remembered.delete(number),
    forgetAll: () => remembered.clear(),
  };
}
