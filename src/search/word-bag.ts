import type { IndexedEntity } from '../search-index/search-index.ts';
import { wordTextOfEntry } from '../search-index/entry-words.ts';
import { wordText } from '../search-index/search-terms.ts';
import type { Urn } from '../urn/urn.ts';

/**
 * The words of an entity by group: of names, of labels and columns, of running text. As texts with a blank around each word,
 * because a search in a text is fast and an entity takes little more than its letters.
 */
export type WordBag = {
  readonly urn: Urn;
  readonly texts: readonly [string, string, string];
  /** Words in each group, repetitions included. */
  readonly lengths: readonly [number, number, number];
  /** As they are written; the first is what the entity is called. */
  readonly names: readonly string[];
};

export type WordGrouping = {
  readonly nameFields: readonly string[];
  /** Whether the words of an aspect's entry are labels, and not running text. */
  isLabelled(aspect: string): boolean;
};

/** The words of all entries of an entity; those of names stand in the group of their aspect as well. */
export function wordBagOf(entity: IndexedEntity, grouping: WordGrouping): WordBag {
  const names = namesOf(entity, grouping.nameFields);
  let [labels, others] = ['', ''];
  for (const { aspect, fields } of entity.entries) {
    const words = wordTextOfEntry(fields);
    if (grouping.isLabelled(aspect)) labels = withWords(labels, words);
    else others = withWords(others, words);
  }
  const texts = [names.map(wordText).reduce(withWords, ''), labels, others] as const;
  // A text of its own: as a part of the page that it was read in, it would keep all of that.
  const urn = Buffer.from(entity.urn).toString() as Urn;
  return { urn, texts, lengths: [wordsIn(texts[0]), wordsIn(texts[1]), wordsIn(texts[2])], names };
}

/** Names that somebody gave before those that were ingested: in the order of `nameFields`, each once. */
function namesOf(entity: IndexedEntity, nameFields: readonly string[]): readonly string[] {
  const names: string[] = [];
  for (const field of nameFields) {
    for (const { fields } of entity.entries) {
      for (const name of fields[field] ?? []) if (!names.includes(name)) names.push(name);
    }
  }
  return names;
}

/** So many bytes, about. */
export function sizeOfWordBag({ urn, texts }: WordBag): number {
  // Names are as long as the words that they are made of.
  return 300 + urn.length + texts[0].length * 2 + texts[1].length + texts[2].length;
}

/** How often the word, or with `isPrefix` every word that begins so, stands in each group. */
export function countsIn(bag: WordBag, word: string, isPrefix: boolean): readonly [number, number, number] {
  const wanted = isPrefix ? ` ${word}` : ` ${word} `;
  const [name, label, text] = bag.texts;
  return [occurrences(name, wanted), occurrences(label, wanted), occurrences(text, wanted)];
}

/** Both stay in blanks: ` one ` and `two three` are ` one two three `. */
function withWords(text: string, words: string): string {
  if (words === '') return text;
  return text === '' ? ` ${words} ` : `${text}${words} `;
}

function wordsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(' ', 1); at !== -1; at = text.indexOf(' ', at + 1)) count += 1;
  return count;
}

function occurrences(text: string, wanted: string): number {
  let count = 0;
  // The blank at the end of one word begins the next one.
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length - 1))
    count += 1;
  return count;
}
