import { nameLettersMax } from '../search-index/entry-draft.ts';
import { wholeNameTerm, wordsOf } from '../search-index/search-terms.ts';
import type { TextQuestion } from './query-text.ts';

type WordsAsked = TextQuestion & { readonly kind: 'words' };

/** The classes of what a text finds (decision 26), the best first. */
export const nameClasses = { exact: 0, begins: 1, holdsAllWords: 2, others: 3 } as const;

export type NameClass = (typeof nameClasses)[keyof typeof nameClasses];

/** In which class an entity with these names is: the same as by the terms that its entries have of them. */
export function nameClassOf(names: readonly string[], { text, words, isLastPrefix }: WordsAsked): NameClass {
  const wanted = wholeNameTerm(text);
  const named = names.map((name) => name.slice(0, nameLettersMax));
  const wholes = named.map(wholeNameTerm);
  if (wholes.includes(wanted)) return nameClasses.exact;
  if (wholes.some((whole) => whole.startsWith(wanted))) return nameClasses.begins;
  const inNames = new Set(named.flatMap(wordsOf));
  const last = words.length - 1;
  const holds = (word: string, place: number): boolean =>
    inNames.has(word) ||
    (isLastPrefix && place === last && [...inNames].some((each) => each.startsWith(word)));
  return words.every(holds) ? nameClasses.holdsAllWords : nameClasses.others;
}
