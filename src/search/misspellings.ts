import { comparableName, trigramsOf, trigramTerm, wordsOf } from '../search-index/search-terms.ts';
import { editDistance } from './edit-distance.ts';
import type { NumberSet } from './number-set.ts';
import type { TermSets } from './term-sets.ts';
import type { WordBags } from './word-bags.ts';

/** Shorter texts have nothing that could be told from another word. */
const lettersMin = 3;
/** Up to so many letters one error is forgiven, above it two. */
const shortLetters = 5;
/** One error spoils at most so many trigrams: two letters that changed places stand in four. */
const spoiledByError = 4;
const candidatesMax = 200;

/** Names that are like a text that somebody mistyped. */
export type Misspellings = {
  /** Of these entities those with such a name: with one error, then with two. */
  of(text: string, among: NumberSet): Promise<readonly (readonly number[])[]>;
};

export function createMisspellings(sources: {
  readonly terms: TermSets;
  readonly bags: WordBags;
}): Misspellings {
  const { terms, bags } = sources;

  /** Those that share most trigrams with the text, as many as shall be looked at. */
  async function candidates(typed: string, errors: number, among: NumberSet): Promise<readonly number[]> {
    // The end of what is being typed is not the end of a name.
    const trigrams = trigramsOf(typed).slice(0, -1);
    const shared = new Uint8Array(among.length * 32);
    const sets = await Promise.all(
      trigrams.map((trigram) => terms.bearers({ term: trigramTerm(trigram), isPrefix: false })),
    );
    for (const bearers of sets) {
      const length = Math.min(bearers.length, among.length);
      for (let word = 0; word < length; word += 1) {
        let bits = (bearers[word] ?? 0) & (among[word] ?? 0);
        while (bits !== 0) {
          const number = word * 32 + 31 - Math.clz32(bits & -bits);
          bits &= bits - 1;
          shared[number] = (shared[number] ?? 0) + 1;
        }
      }
    }
    const least = Math.max(1, trigrams.length - errors * spoiledByError);
    const found: number[] = [];
    for (let count = trigrams.length; count >= least && found.length < candidatesMax; count -= 1) {
      for (let number = shared.indexOf(count); number !== -1; number = shared.indexOf(count, number + 1)) {
        found.push(number);
        if (found.length >= candidatesMax) break;
      }
    }
    return found;
  }

  return {
    async of(text, among) {
      const typed = comparableName(text);
      const letters = Array.from(typed).length;
      if (letters < lettersMin) return [];
      const errorsMax = letters <= shortLetters ? 1 : 2;
      const byErrors: number[][] = Array.from({ length: errorsMax + 1 }, () => []);
      const known = await bags.of(await candidates(typed, errorsMax, among));
      for (const [number, { names }] of known) {
        const written = names.flatMap((name) => [comparableName(name), ...wordsOf(name)]);
        const errors = Math.min(...written.map((name) => editDistance(typed, name, errorsMax, true)));
        byErrors[errors]?.push(number);
      }
      return byErrors;
    },
  };
}
