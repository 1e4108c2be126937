import { hash } from 'node:crypto';
import { isUnspaced, wordsAskedFor, wordsWithin } from './unspaced-scripts.ts';

/*
 * Texts become terms here and nowhere else, so that both stores are given the same terms and find the same. A plain term is a word;
 * a mark in front says what else a term is. The marks are not part of any word.
 */

/** A word of a name: `.orders`. */
const nameWordMark = '.';
/** A whole name without what stands between its words: `^orderdetails`. */
const wholeNameMark = '^';
/** The value of a field, as it is written: `#` and a digest. */
const valueMark = '#';

/** Longer words are cut, in what is stored as in what is asked for. Letters. */
const wordLettersMax = 40;
/** Of a whole name, so much counts. Letters. */
const wholeNameLettersMax = 120;

const correctableLettersMin = 3;
const withDigits = /\p{N}/u;

const separators = /[^\p{L}\p{N}]+/u;
/** Most texts are ASCII, where the same goes several times as fast. */
const beyondAscii = /[^\0-\x7f]/;
const asciiSeparators = /[^A-Za-z0-9]+/;
const noAsciiLetters = /[^a-z0-9]+/g;
const asciiCamelCase = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]/;
const longAsciiWord = /[a-z0-9]{41}/;
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
  const words: string[] = [];
  const isPlain = !beyondAscii.test(text) && text === text.toLowerCase();
  if (isPlain) {
    for (const word of text.split(asciiSeparators)) if (word !== '') words.push(cut(word));
    return words;
  }
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
  if (!beyondAscii.test(text) && !asciiCamelCase.test(text)) {
    const words = text.toLowerCase().replaceAll(noAsciiLetters, ' ').trim();
    if (words.length <= wordLettersMax || !longAsciiWord.test(words)) return words;
  }
  return wordsOf(text).join(' ');
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

/** As a prefix, it asks for names that begin so. */
export function wholeNameTerm(name: string): string {
  return wholeNameMark + wholeName(comparableName(name));
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

function partsOf(text: string): string[] {
  return text.split(beyondAscii.test(text) ? separators : asciiSeparators);
}

function cut(word: string): string {
  return word.length <= wordLettersMax ? word : firstLetters(word, wordLettersMax);
}

/** Never half a character. A letter takes two units of the text at most. */
function firstLetters(text: string, count: number): string {
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('');
}
