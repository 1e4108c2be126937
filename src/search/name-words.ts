import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SearchIndex } from '../search-index/search-index.ts';
import { correctableWordsIn } from '../search-index/search-terms.ts';
import type { ChangeFollower } from './follow-changes.ts';
import { createWordDictionary, type WordDictionary } from './word-dictionary.ts';

/** Where more entities changed, or brought more words since all were read, all are read anew. */
const changedMax = 500;
const addedMax = 20_000;

/** The words of names, kept in memory from when they are first asked for. */
export type NameWords = {
  /** Contains the words of every change that was seen when it is called. */
  current(): Promise<WordDictionary>;
  /** The next call reads all words anew: the index may have been made anew. */
  forget(): void;
};

type Read = {
  readonly dictionary: WordDictionary;
  /** What was added since all words were read. */
  readonly added: Set<string>;
  /** All words are there that changes up to this one brought. */
  readonly upTo: number;
};

export function createNameWords(parts: {
  readonly index: Pick<SearchIndex, 'nameWords' | 'termsOf'>;
  readonly follower: Pick<ChangeFollower, 'seen' | 'changedSince'>;
}): NameWords {
  const { index, follower } = parts;
  let known: Read | undefined;
  let reading: Promise<void> | undefined;
  let timesForgotten = 0;

  async function readAll(upTo: number): Promise<Read> {
    const dictionary = createWordDictionary();
    for await (const words of index.nameWords()) {
      for (const word of words) dictionary.add(word);
      // Requests are answered in between.
      await nextTurn();
    }
    return { dictionary, added: new Set(), upTo };
  }

  /** Most words of entities that changed are there already, which is dear to find out; some more do no harm. */
  async function withWordsOf(changed: readonly number[], read: Read, upTo: number): Promise<Read> {
    const { dictionary, added } = read;
    for (const terms of (await index.termsOf(changed)).values()) {
      for (const word of correctableWordsIn(terms)) {
        if (added.has(word)) continue;
        added.add(word);
        dictionary.add(word);
      }
    }
    return { ...read, upTo };
  }

  async function readOn(): Promise<void> {
    const [{ seen }, times] = [follower, timesForgotten];
    const changed = known === undefined ? undefined : follower.changedSince(known.upTo);
    const isFew = changed !== undefined && changed.length <= changedMax;
    const read =
      known !== undefined && isFew && known.added.size <= addedMax
        ? await withWordsOf(changed, known, seen)
        : await readAll(seen);
    // What was read before everything was forgotten is not what shall be known.
    if (times === timesForgotten) known = read;
  }

  return {
    async current() {
      const { seen } = follower;
      // A reading that is going on may have begun before what is asked for.
      while (known === undefined || known.upTo < seen) {
        reading ??= readOn().finally(() => {
          reading = undefined;
        });
        await reading;
      }
      return known.dictionary;
    },
    forget() {
      timesForgotten += 1;
      known = undefined;
    },
  };
}
