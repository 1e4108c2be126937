import { comparableName, isCorrectable, nameWordTerm, queryWordsOf } from '../search-index/search-terms.ts';
import type { NameWords } from './name-words.ts';
import {
  bothOf,
  emptyNumberSet,
  type NumberSet,
  numbersIn,
  putNumbers,
  sizeOfNumbers,
  takeNumbers,
} from './number-set.ts';
import type { TermSets } from './term-sets.ts';
import type { Correction } from './word-dictionary.ts';

/** Shorter texts have nothing that could be told from another word. */
const lettersMin = 3;
/** Up to so many letters one error is forgiven, above it two: in a text, as in each of its words. */
const shortLetters = 5;
/** In longer texts nothing is looked for: each word is compared with all words of names. */
const wordsMax = 6;
const correctionsMax = 50;
const askedAtOnce = 4;
/** When so many bearers of corrections were gone through, no further corrections are looked at. */
const bearersMax = 100_000;
/** When so many entities are found, no further corrections are looked at. */
const foundMax = 200;

/** Names that are like a text that somebody mistyped. */
export type Misspellings = {
  /** Of these entities those with such a name: with no error, with one, then with two; some hundred at most. */
  of(text: string, among: NumberSet): Promise<readonly (readonly number[])[]>;
};

/** Sets of entities by the number of errors. */
type ByErrors = readonly NumberSet[];

/** Looks up each word that was typed among the words of names (decision 29). */
export function createMisspellings(sources: {
  readonly terms: TermSets;
  readonly nameWords: NameWords;
}): Misspellings {
  const { terms, nameWords } = sources;

  /** Of these entities those whose names bear one of the corrections, by errors. */
  async function bearersOf(
    corrections: readonly Correction[],
    among: NumberSet,
    isEnough: (found: ByErrors, passed: number) => boolean,
  ): Promise<ByErrors> {
    const found = [0, 1, 2].map(() => emptyNumberSet(among.length * 32));
    let passed = 0;
    for (let from = 0; from < corrections.length; from += askedAtOnce) {
      const some = corrections.slice(from, from + askedAtOnce);
      const sets = await Promise.all(
        some.map(({ word }) => terms.bearers({ term: nameWordTerm(word), isPrefix: false })),
      );
      for (const [at, { errors }] of some.entries()) {
        const bearers = sets[at];
        const those = found[errors];
        if (bearers === undefined || those === undefined) continue;
        passed += sizeOfNumbers(bearers);
        putNumbers(those, bothOf(among, bearers));
      }
      if (isEnough(found, passed)) break;
    }
    return found;
  }

  return {
    async of(text, among) {
      const errorsMax = errorsIn(comparableName(text));
      const words = queryWordsOf(text);
      const mistyped = words.filter(isCorrectable).filter((word) => errorsIn(word) > 0);
      if (errorsMax === 0 || mistyped.length === 0 || words.length > wordsMax) return [];
      const dictionary = await nameWords.current();
      let reached: ByErrors = [among];
      for (const [place, word] of words.entries()) {
        const isLast = place === words.length - 1;
        const asTyped = await terms.bearers({ term: nameWordTerm(word), isPrefix: isLast });
        const corrections = mistyped.includes(word)
          ? await dictionary.corrections(word, {
              errorsMax: Math.min(errorsMax, errorsIn(word)),
              isBeginning: isLast,
              count: correctionsMax,
            })
          : [];
        const possible = unionOf(reached, among.length);
        const corrected = await bearersOf(
          corrections,
          possible,
          (found, passed) =>
            passed > bearersMax || (isLast && sizeOfNumbers(unionOf(found, among.length)) >= foundMax),
        );
        reached = added(reached, [bothOf(possible, asTyped), ...corrected.slice(1)], errorsMax);
      }
      return reached.map((set) => [...numbersIn(set, -1, foundMax)]);
    },
  };
}

/** How many errors are forgiven in a text of these letters. */
function errorsIn(text: string): number {
  const letters = Array.from(text).length;
  if (letters < lettersMin) return 0;
  return letters <= shortLetters ? 1 : 2;
}

/** What both have, by the errors of both together; each entity once, with the fewest errors. */
function added(before: ByErrors, word: ByErrors, errorsMax: number): ByErrors {
  const sums: NumberSet[] = [];
  const length = before[0]?.length ?? 0;
  for (let errors = 0; errors <= errorsMax; errors += 1) {
    const sum = emptyNumberSet(length * 32);
    for (let own = 0; own <= errors; own += 1) {
      const [left, right] = [before[errors - own], word[own]];
      if (left !== undefined && right !== undefined) putNumbers(sum, bothOf(left, right));
    }
    for (const fewer of sums) takeNumbers(sum, fewer);
    sums.push(sum);
  }
  return sums;
}

function unionOf(sets: ByErrors, length: number): NumberSet {
  const union = emptyNumberSet(length * 32);
  for (const set of sets) putNumbers(union, set);
  return union;
}
