import { setImmediate as nextTurn } from 'node:timers/promises';
import { comparedLettersMax, typedLetters, typingErrors } from './edit-distance.ts';

/** Words beyond these are not kept: a catalogue has some ten thousand, unless its names are made by machines. */
const wordsUsualMax = 1_000_000;
/** So many words are looked through in one turn of the event loop (some milliseconds). */
const wordsInTurn = 100_000;
/** Letters are kept in two bytes; 0 is a letter that no word has. */
const alphabetMax = 65_535;
/** Of so many letters at the beginning of a word it is kept which ones they are. */
const markedLetters = 10;

export type Correction = { readonly word: string; readonly errors: number };

/** Words in memory, in which one that was mistyped is looked up. */
export type WordDictionary = {
  readonly size: number;
  /** A word that is added again takes its place again, and is offered once. Is the dictionary full, it stays without it. */
  add(word: string): void;
  /**
   * The words that were meant by one that differs from them by one to `errorsMax` errors; with `isBeginning`, by its beginning. At most
   * `count`: fewest errors first, then the shorter word, then by letters.
   */
  corrections(
    typed: string,
    query: { readonly errorsMax: number; readonly isBeginning: boolean; readonly count: number },
  ): Promise<readonly Correction[]>;
};

/** Words of one length, one behind the other. */
type Group = {
  readonly length: number;
  count: number;
  letters: Uint16Array;
  /** Of each word, which letters stand at its beginning: a bit for all letters whose numbers leave one rest. */
  marks: Int32Array;
};

type Question = { readonly errorsMax: number; readonly isBeginning: boolean };

export function createWordDictionary(wordsMax = wordsUsualMax): WordDictionary {
  const alphabet: string[] = [''];
  const numbers = new Map<string, number>();
  const groups: (Group | undefined)[] = [];
  let size = 0;

  function numberOf(letter: string): number | undefined {
    const known = numbers.get(letter);
    if (known !== undefined || alphabet.length > alphabetMax) return known;
    numbers.set(letter, alphabet.length);
    return alphabet.push(letter) - 1;
  }

  function groupOf(length: number): Group {
    return (groups[length] ??= {
      length,
      count: 0,
      letters: new Uint16Array(length * 16),
      marks: new Int32Array(16),
    });
  }

  function add(word: string): void {
    if (size >= wordsMax) return;
    const letters: number[] = [];
    for (const letter of word) {
      const number = numberOf(letter);
      if (number === undefined) return;
      letters.push(number);
    }
    const group = groupOf(letters.length);
    if (group.count === group.marks.length) grow(group);
    group.letters.set(letters, group.count * group.length);
    group.marks[group.count] = marksOf(letters.slice(0, markedLetters));
    group.count += 1;
    size += 1;
  }

  function wordAt({ letters, length }: Group, place: number): string {
    let word = '';
    for (let at = place * length; at < (place + 1) * length; at += 1) word += alphabet[letters[at] ?? 0];
    return word;
  }

  /** The corrections in a group, by their number of errors. */
  function correctionsIn(group: Group, from: number, to: number, search: Search): (readonly string[])[] {
    const { typed, begins, all, errorsMax, isBeginning } = search;
    const { letters, marks, length } = group;
    const found: string[][] = Array.from({ length: errorsMax + 1 }, () => []);
    for (let place = from; place < to; place += 1) {
      // Each letter that only one of the two has is an error; most words have too many of them.
      const mark = marks[place] ?? 0;
      if (hasMoreBits(begins & ~mark, errorsMax)) continue;
      if (!isBeginning && hasMoreBits(mark & ~all, errorsMax)) continue;
      const start = place * length;
      const errors = typingErrors(typed, letters, start, start + length, errorsMax, isBeginning);
      if (errors > 0 && errors <= errorsMax) found[errors]?.push(wordAt(group, place));
    }
    return found;
  }

  return {
    get size() {
      return size;
    },
    add,
    async corrections(typedWord, { errorsMax, isBeginning, count }) {
      const letters = Array.from(typedWord, (letter) => numbers.get(letter) ?? 0);
      if (letters.length === 0) return [];
      const typed = typedLetters(letters, alphabet.length);
      const search = {
        typed,
        begins: marksOf(letters.slice(0, markedLetters - errorsMax)),
        all: marksOf(letters),
        // What lies beyond the letters that are compared is not looked at.
        isBeginning: isBeginning || letters.length > comparedLettersMax,
      };
      const chosen: Correction[][] = Array.from({ length: errorsMax + 1 }, () => []);
      const longest = search.isBeginning ? groups.length - 1 : letters.length + errorsMax;
      let looked = 0;
      for (let length = Math.max(0, typed.length - errorsMax); length <= longest; length += 1) {
        const group = groups[length];
        if (group === undefined) continue;
        const words: string[][] = Array.from({ length: errorsMax + 1 }, () => []);
        for (let from = 0; from < group.count;) {
          const to = Math.min(group.count, from + wordsInTurn - looked);
          const some = correctionsIn(group, from, to, { ...search, errorsMax: neededErrors(chosen, count) });
          for (const [errors, those] of some.entries()) words[errors]?.push(...those);
          looked += to - from;
          from = to;
          if (looked < wordsInTurn) continue;
          looked = 0;
          await nextTurn();
        }
        for (const [errors, those] of words.entries()) {
          chosen[errors]?.push(...[...new Set(those)].sort(byUnits).map((word) => ({ word, errors })));
        }
        if (neededErrors(chosen, count) === 0) break;
      }
      return chosen.flat().slice(0, count);
    },
  };
}

type Search = Question & {
  readonly typed: Parameters<typeof typingErrors>[0];
  /** Of the letters that stand among the marked ones of a word, whatever errors there are. */
  readonly begins: number;
  readonly all: number;
};

/** Words with more errors would not be among those that are chosen: there are enough with fewer, in shorter words. */
function neededErrors(chosen: readonly (readonly Correction[])[], count: number): number {
  let [errors, enough] = [0, 0];
  for (const [level, those] of chosen.entries()) {
    enough += those.length;
    if (enough < count) errors = level;
  }
  return errors;
}

function marksOf(letters: readonly number[]): number {
  let marks = 0;
  for (const letter of letters) marks |= 1 << (letter & 31);
  return marks;
}

function hasMoreBits(bits: number, max: number): boolean {
  let rest = bits;
  for (let taken = 0; taken < max; taken += 1) rest &= rest - 1;
  return rest !== 0;
}

function byUnits(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function grow(group: Group): void {
  const room = Math.ceil(group.count * 1.5);
  const letters = new Uint16Array(room * group.length);
  letters.set(group.letters);
  const marks = new Int32Array(room);
  marks.set(group.marks);
  group.letters = letters;
  group.marks = marks;
}
