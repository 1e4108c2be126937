import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SearchIndex } from '../search-index/search-index.ts';
import type { ChangeFollower } from './follow-changes.ts';
import { createWordDictionary, type WordDictionary } from './word-dictionary.ts';

/** While the words are read, requests are answered in between: every few milliseconds. */
const readAtOnce = 5_000;

/** The words of names, kept in memory from when they are first asked for. */
export type NameWords = {
  /** Contains the words of every change that was seen when it is called. */
  current(): Promise<WordDictionary>;
  /** The next call reads all words anew: the index may have been made anew. */
  forget(): void;
};

type State = {
  readonly dictionary: WordDictionary;
  /** The number of the last word that was read. */
  last: number;
  /** All words are there that changes up to this one brought; before the first reading none. */
  upTo: number;
  reading: Promise<void> | undefined;
};

export function createNameWords(parts: {
  readonly index: Pick<SearchIndex, 'nameWordsAfter'>;
  readonly follower: Pick<ChangeFollower, 'seen'>;
}): NameWords {
  const { index, follower } = parts;
  const newState = (): State => ({
    dictionary: createWordDictionary(),
    last: 0,
    upTo: -1,
    reading: undefined,
  });
  let state = newState();

  /** Words are numbered in the order of the commits that brought them, so those that are new are behind the last one. */
  async function readOn(into: State): Promise<void> {
    const { seen } = follower;
    for (;;) {
      const words = await index.nameWordsAfter(into.last, readAtOnce);
      for (const { number, word } of words) {
        into.dictionary.add(word);
        into.last = number;
      }
      if (words.length < readAtOnce) break;
      await nextTurn();
    }
    into.upTo = seen;
  }

  return {
    async current() {
      const { seen } = follower;
      const own = state;
      // A reading that is going on may have begun before what is asked for.
      while (own.upTo < seen) {
        own.reading ??= readOn(own).finally(() => {
          own.reading = undefined;
        });
        await own.reading;
      }
      return own.dictionary;
    },
    forget() {
      state = newState();
    },
  };
}
