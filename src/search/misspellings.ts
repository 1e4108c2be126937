import { comparableName, isCorrectable, nameWordQuery, queryWordsOf } from '../search-index/search-terms.ts';
import type { NameWords } from './name-words.ts';
import { bitsIn, bothOf, emptyNumberSet, type NumberSet, putNumbers, takeNumbers } from './number-set.ts';
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

/** Names that are like a text that somebody mistyped. */
export type Misspellings = {
  /**
   * Of these entities those with such a name: with no error, with one, then with two. When `enough` are found, no further
   * corrections of the last word are looked at.
   */
  of(text: string, among: NumberSet, enough: number): Promise<readonly NumberSet[]>;
};

/** Sets of entities by the number of errors. */
type ByErrors = readonly NumberSet[];

/** Looks up each word that was typed among the words of names (decision 29). */
export function createMisspellings(sources: {
  readonly terms: TermSets;
  readonly nameWords: NameWords;
}): Misspellings {
  const { terms, nameWords } = sources;

  /** Of these entities those whose names bear one of the corrections, by errors; until there are enough. */
  async function bearersOf(
    corrections: readonly Correction[],
    among: NumberSet,
    enough: number,
  ): Promise<ByErrors> {
    const found = [0, 1, 2].map(() => emptyNumberSet(among.length * 32));
    const count = { passed: 0, found: 0 };
    for (let from = 0; from < corrections.length; from += askedAtOnce) {
      const some = corrections.slice(from, from + askedAtOnce);
      const sets = await Promise.all(some.map(({ word }) => terms.bearers(nameWordQuery(word, false))));
      for (const [at, { errors }] of some.entries()) {
        const bearers = sets[at];
        const those = found[errors];
        if (bearers !== undefined && those !== undefined) putBoth(those, among, bearers, count);
      }
      if (count.found >= enough || count.passed > bearersMax) break;
    }
    return found;
  }

  return {
    async of(text, among, enough) {
      const errorsMax = errorsIn(comparableName(text));
      const words = queryWordsOf(text);
      const mistyped = words.filter(isCorrectable).filter((word) => errorsIn(word) > 0);
      if (errorsMax === 0 || mistyped.length === 0 || words.length > wordsMax) return [];
      const dictionary = await nameWords.current();
      let reached: ByErrors = [among];
      for (const [place, word] of words.entries()) {
        const isLast = place === words.length - 1;
        const corrections = mistyped.includes(word)
          ? await dictionary.corrections(word, {
              errorsMax: Math.min(errorsMax, errorsIn(word)),
              isBeginning: isLast,
              count: correctionsMax,
            })
          : [];
        const possible = unionOf(reached, among.length);
        const asTyped = await terms.bearersAmong(nameWordQuery(word, isLast), possible);
        // Of the words before, all bearers have to be known, because few of them may have the last word as well.
        const corrected = await bearersOf(corrections, possible, isLast ? enough : Number.POSITIVE_INFINITY);
        reached = added(reached, [asTyped, ...corrected.slice(1)], errorsMax);
      }
      return reached;
    },
  };
}

/** How many errors are forgiven in a text of these letters. */
function errorsIn(text: string): number {
  const letters = Array.from(text).length;
  if (letters < lettersMin) return 0;
  return letters <= shortLetters ? 1 : 2;
}

/** Puts into the set what both others have, and counts what was passed and what was found. One way through, because sets are long. */
function putBoth(
  set: NumberSet,
  among: NumberSet,
  bearers: NumberSet,
  count: { passed: number; found: number },
): void {
  const length = Math.min(among.length, bearers.length);
  for (let word = 0; word < length; word += 1) {
    const borne = bearers[word] ?? 0;
    if (borne === 0) continue;
    count.passed += bitsIn(borne);
    const before = set[word] ?? 0;
    const added = borne & (among[word] ?? 0) & ~before;
    if (added === 0) continue;
    count.found += bitsIn(added);
    set[word] = before | added;
  }
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
