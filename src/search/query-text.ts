import { PostilError } from '../errors/postil-error.ts';
import { folded, queryWordsOf } from '../search-index/search-terms.ts';

/** Letters of a query text. */
const textLettersMax = 4_096;
const wordsMax = 32;
/** A last word that is still being typed is asked for as a beginning, from so many letters on. */
const prefixLettersMin = 2;

const isEnded = /[\s"]$/;
const withoutLetters = /[^\p{L}\p{N}]+$/u;

/** What a text asks for: everything, or what bears all of its words; without words nothing. */
export type TextQuestion =
  | { readonly kind: 'everything' }
  | {
      readonly kind: 'words';
      /** As it was typed, without what stands around it. */
      readonly text: string;
      readonly words: readonly string[];
      /** The last word may be the beginning of a longer one. */
      readonly isLastPrefix: boolean;
    };

/**
 * Reads the text of a search: nothing in it is syntax. '' and '*' ask for everything, a text without a letter or digit for
 * nothing. A word that was ended by a blank or stands in quotation marks is not taken for a beginning. Throws BAD_REQUEST for
 * texts that are too long.
 */
export function readQueryText(text: string): TextQuestion {
  if (text.length > textLettersMax) {
    throw new PostilError(
      'BAD_REQUEST',
      `The search text has ${text.length} letters; at most ${textLettersMax} can be searched for.`,
    );
  }
  const typed = text.trim();
  if (typed === '' || typed === '*') return { kind: 'everything' };
  const words = queryWordsOf(text);
  if (words.length > wordsMax) {
    throw new PostilError(
      'BAD_REQUEST',
      `The search text has ${words.length} different words; at most ${wordsMax} can be searched for.`,
    );
  }
  const last = words.at(-1) ?? '';
  const isLastPrefix = last.length >= prefixLettersMin && !isEnded.test(text) && isTypedLast(last, text);
  return { kind: 'words', text: typed, words, isLastPrefix };
}

/** Not so where the last word repeats an earlier one: that one is asked for as a whole. */
function isTypedLast(word: string, text: string): boolean {
  return folded(text).replace(withoutLetters, '').endsWith(word);
}
