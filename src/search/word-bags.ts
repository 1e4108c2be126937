import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IndexedEntity, SearchIndex } from '../search-index/search-index.ts';
import type { ChangeFollower } from './follow-changes.ts';
import { createRecent } from './recent.ts';
import { sizeOfWordBag, type WordBag, wordBagOf, type WordGrouping } from './word-bag.ts';

const rememberedBytesMax = 64 * 1024 * 1024;
const readAtOnce = 200;
/** So many are on their way at once. */
const readingsMax = 2;

type Reading = { readonly seen: number; readonly entities: ReadonlyMap<number, IndexedEntity> };

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

  /** Entities, with how far the change log was followed when they were asked for. */
  function reading(numbers: readonly number[]): Promise<Reading> {
    const { seen } = follower();
    const answer = index.indexed(numbers).then((entities) => ({ seen, entities }));
    // Nobody may be waiting for it yet when it fails.
    answer.catch(() => undefined);
    return answer;
  }

  return {
    async of(numbers) {
      const found = new Map<number, WordBag>();
      const unknown: number[] = [];
      for (const number of numbers) {
        const bag = remembered.get(number);
        if (bag === undefined) unknown.push(number);
        else found.set(number, bag);
      }
      const pieces = Array.from({ length: Math.ceil(unknown.length / readAtOnce) }, (_, place) =>
        unknown.slice(place * readAtOnce, (place + 1) * readAtOnce),
      );
      const readings = pieces.slice(0, readingsMax).map(reading);
      for (let place = 0; ; place += 1) {
        const read = await readings[place];
        if (read === undefined) break;
        const { seen, entities } = read;
        // A server reads them while words are made of these.
        readings.push(...pieces.slice(place + readingsMax, place + readingsMax + 1).map(reading));
        for (const [number, entity] of entities) {
          const bag = wordBagOf(entity, grouping);
          found.set(number, bag);
          // What was read before a change that is known by now is not what shall be remembered.
          if (follower().seen === seen) remembered.set(number, bag, sizeOfWordBag(bag));
        }
        if (place + 1 < readings.length) await nextTurn();
      }
      return found;
    },
    forget: (number) => remembered.delete(number),
    forgetAll: () => remembered.clear(),
  };
}
