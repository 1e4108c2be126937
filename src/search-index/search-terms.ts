import { hash } from 'node:crypto';
import { termSeparator } from '../aspect/search-entry.ts';
import type { TermQuery } from './search-index.ts';
import { isUnspaced, wordsAskedFor, wordsWithin } from './unspaced-scripts.ts';

/*
 * Texts become terms here and nowhere else, so that both stores are given the same terms and find the same. A plain term is a word;
 * a mark in front says what else a term is. The marks are not part of any word.
 */

/** A word of a name: `.orders`. */
const nameWordMark = '.';
/** A whole name without what stands between its words: `^orderdetails`. */
const wholeNameMark = '^';
/** How a word of a name begins: `,o` and `,or`. */
const nameWordBeginningMark = ',';
/** How a whole name begins: `<o` and `<or`. */
const wholeNameBeginningMark = '<';
/** The value of a field, as it is written: `#` and a digest. */
const valueMark = '#';

/** Longer words are cut, in what is stored as in what is asked for. Letters. */
const wordLettersMax = 40;
/** Of a whole name, so much counts. Letters. */
const wholeNameLettersMax = 120;

/**
 * Beginnings of up to so many letters are terms of their own. Very many names begin so, with very many different words: their
 * lists would have to be read one after the other.
 */
const beginningLettersMax = 2;

const correctableLettersMin = 3;
const withDigits = /\p{N}/u;

const separators = /[^\p{L}\p{N}]+/u;
/** Most texts are ASCII, where the same goes several times as fast. */
const beyondAscii = /[^\0-\x7f]/;
const asciiSeparators = /[^A-Za-z0-9]+/;
const noAsciiLetters = /[^a-z0-9]+/g;
/** What a character of ASCII is, as far as it matters where words begin and end. */
const kinds = { none: 0, lower: 1, upper: 2, digit: 3 } as const;
const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)));
const blank = 0x20;
const fromUpperToLower = 0x20;
/** Where a text is written into before it becomes one again; grows with the longest. */
let letters = Buffer.alloc(16_384);
const combiningMarks = /\p{M}+/gu;
const camelCaseBorder = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** Letters without case and accents: what two texts are compared by. */
export function folded(text: string): string {
  return lowerCase(unaccented(text));
}

/**
 * The words of a text in its order. A word in camel case is followed by its parts: `OrderDetails` is three words. Of
 * scripts without blanks every letter and every two in a row are words.
 */
export function wordsOf(text: string): string[] {
  const plain = plainWords(text);
  if (plain !== undefined) return plain === '' ? [] : plain.split(' ');
  const words: string[] = [];
  for (const whole of partsOf(unaccented(text))) {
    if (whole === '') continue;
    const word = lowerCase(whole);
    if (isUnspaced(word)) {
      for (const piece of wordsWithin(word)) words.push(cut(piece));
      continue;
    }
    words.push(cut(word));
    if (word === whole) continue;
    const parts = whole.split(camelCaseBorder);
    if (parts.length > 1) for (const part of parts) words.push(cut(lowerCase(part)));
  }
  return words;
}

/** The words of a text as `wordsOf` tells them, with blanks between them. */
export function wordText(text: string): string {
  return plainWords(text) ?? wordsOf(text).join(' ');
}

/**
 * The same for most texts, several times as fast, in one way through their letters; `undefined` where more has to be done: beyond ASCII,
 * and for words in camel case.
 */
function plainWords(text: string): string | undefined {
  if (letters.length < 2 * text.length) letters = Buffer.alloc(4 * text.length);
  let [length, lengthOfWord] = [0, 0];
  let [before, last]: number[] = [kinds.none, kinds.none];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const kind = asciiKinds[code];
    if (kind === undefined) return undefined;
    if (kind === kinds.upper && (last === kinds.lower || last === kinds.digit)) return undefined;
    if (kind === kinds.lower && last === kinds.upper && before === kinds.upper) return undefined;
    before = last;
    last = kind;
    if (kind === kinds.none) {
      lengthOfWord = 0;
      continue;
    }
    if (lengthOfWord === 0 && length > 0) letters[length++] = blank;
    lengthOfWord += 1;
    if (lengthOfWord > wordLettersMax) continue;
    letters[length++] = kind === kinds.upper ? code + fromUpperToLower : code;
  }
  return letters.toString('latin1', 0, length);
}

/** The words that somebody searches for, each once: literally what was typed, nothing in it is syntax. */
export function queryWordsOf(text: string): string[] {
  return [
    ...new Set(
      partsOf(folded(text))
        .filter((word) => word !== '')
        .flatMap((word) => (isUnspaced(word) ? wordsAskedFor(word) : [word]))
        .map(cut),
    ),
  ];
}

/** Whether typing errors in a word of a name are worth looking for: people mistype words, and not numbers or keys. */
export function isCorrectable(word: string): boolean {
  return word.length >= correctableLettersMin && word.length < wordLettersMax && !withDigits.test(word);
}

export function nameWordTerm(word: string): string {
  return nameWordMark + word;
}

/** All terms of words of names are above the first, and not above the last. */
export const nameWordTerms = { first: nameWordMark, last: `${nameWordMark}\u{10ffff}` } as const;

/** Words of names that somebody may mistype, each once, of the terms of names among these. */
export function correctableWordsOf(terms: Iterable<string>): ReadonlySet<string> {
  const words = new Set<string>();
  for (const term of terms) {
    if (!term.startsWith(nameWordMark)) continue;
    const word = term.slice(nameWordMark.length);
    if (isCorrectable(word)) words.add(word);
  }
  return words;
}

/** The same of terms in one text, of which most are other ones. */
export function correctableWordsIn(terms: string): ReadonlySet<string> {
  const ofNames: string[] = [];
  const text = termSeparator + terms + termSeparator;
  const begin = termSeparator + nameWordMark;
  for (let at = text.indexOf(begin); at !== -1; at = text.indexOf(begin, at + 1)) {
    ofNames.push(text.slice(at + termSeparator.length, text.indexOf(termSeparator, at + begin.length)));
  }
  return correctableWordsOf(ofNames);
}

/** Asks for names with this word, or with one that begins so. */
export function nameWordQuery(word: string, isBeginning: boolean): TermQuery {
  return isBeginning
    ? beginning(word, nameWordMark, nameWordBeginningMark)
    : { term: nameWordTerm(word), isPrefix: false };
}

export function wholeNameTerm(name: string): string {
  return wholeNameMark + wholeName(comparableName(name));
}

/** Asks for names that begin so. */
export function wholeNameBeginning(text: string): TermQuery {
  return beginning(wholeName(comparableName(text)), wholeNameMark, wholeNameBeginningMark);
}

/** All terms that only names have; several times the same, where words begin alike. */
export function termsOfName(name: string): string[] {
  const terms: string[] = [];
  for (const word of wordsOf(name)) {
    terms.push(nameWordMark + word);
    addBeginnings(word, nameWordBeginningMark, terms);
  }
  const whole = wholeName(comparableName(name));
  terms.push(wholeNameMark + whole);
  addBeginnings(whole, wholeNameBeginningMark, terms);
  return terms;
}

/** Whether the beginning of a word is too short to tell words apart. */
export function isShortBeginning(word: string): boolean {
  return lettersIn(word) <= beginningLettersMax;
}

function addBeginnings(letters: string, mark: string, terms: string[]): void {
  const length = Math.min(beginningLettersMax, lettersIn(letters));
  for (let count = 1; count <= length; count += 1) terms.push(mark + firstLetters(letters, count));
}

function beginning(letters: string, mark: string, beginningMark: string): TermQuery {
  const count = lettersIn(letters);
  return count > 0 && count <= beginningLettersMax
    ? { term: beginningMark + letters, isPrefix: false }
    : { term: mark + letters, isPrefix: true };
}

/** As far as it matters how many they are. */
function lettersIn(text: string): number {
  return beyondAscii.test(text) ? Array.from(text.slice(0, 2 * beginningLettersMax + 1)).length : text.length;
}

function wholeName(letters: string): string {
  return letters.length <= wholeNameLettersMax ? letters : firstLetters(letters, wholeNameLettersMax);
}

/** What two names are compared by: letters and digits alone. */
export function comparableName(name: string): string {
  return beyondAscii.test(name)
    ? partsOf(folded(name)).join('')
    : name.toLowerCase().replaceAll(noAsciiLetters, '');
}

/** The term of exactly this value of a field; two values share one with a chance of 1 in 2^60. */
export function valueTerm(field: string, value: string): string {
  return valueMark + hash('sha1', `${field}\u0000${value}`, 'hex').slice(0, 15);
}

/** Borne by the entities that are marked as removed. */
export const removedTerm: string = valueTerm('removed', 'true');

function unaccented(text: string): string {
  return beyondAscii.test(text) ? text.normalize('NFKD').replaceAll(combiningMarks, '') : text;
}

/** Which sigma a text gets depends on what stands behind it, so that a word alone would differ from the same word in a text. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return beyondAscii.test(lower) ? lower.replaceAll('ς', 'σ') : lower;
}

function kindOf(character: string): number {
  if (/[a-z]/.test(character)) return kinds.lower;
  if (/[A-Z]/.test(character)) return kinds.upper;
  return /[0-9]/.test(character) ? kinds.digit : kinds.none;
}

function partsOf(text: string): string[] {
  return text.split(beyondAscii.test(text) ? separators : asciiSeparators);
}

function cut(word: string): string {
  return word.length <= wordLettersMax ? word : firstLetters(word, wordLettersMax);
}

/** Never half a character. A letter takes two units of the text at most. */
function firstLetters(text: string, count: number): string {
  if (!beyondAscii.test(text)) return text.slice(0, count);
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('');
}
