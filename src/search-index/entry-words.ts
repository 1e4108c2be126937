import { entryWordsMax, type SearchEntry } from '../aspect/search-entry.ts';
import { simpleFieldPath } from '../urn/field-path.ts';
import { isUrn, type Urn, urnKey, urnParts } from '../urn/urn.ts';
import { searchFieldNamed } from './search-fields.ts';
import type { FieldTerms, SearchField } from './search-fields.ts';
import { wordsOf } from './search-terms.ts';

/** How the values of a field are read as words. */
export type WordsKind = Exclude<FieldTerms, 'exact'>;

/** By the name of a field; asked for every value that is ranked. */
const wordsKinds = new Map<string, WordsKind | undefined>();
const namesKeptMax = 1_000;

/** The words by which an entry is found and ranked, repetitions included; at most `entryWordsMax`. */
export function wordsOfEntry(fields: SearchEntry['fields']): readonly string[] {
  const words: string[] = [];
  for (const [name, values] of Object.entries(fields)) {
    const kind = wordsKindNamed(name);
    if (kind === undefined) continue;
    for (const value of values) {
      for (const word of wordsOf(wordedText(kind, value))) words.push(word);
      if (words.length >= entryWordsMax) return words.slice(0, entryWordsMax);
    }
  }
  return words;
}

/** What of a value is read as words. */
export function wordedText(kind: WordsKind, value: string): string {
  if (kind === 'wordsOfPath') return simpleFieldPath(value);
  return kind === 'wordsOfId' && isUrn(value) ? readableId(value) : value;
}

/** What people call an entity, as far as its URN says: the parts of the key that are no URNs. */
function readableId(urn: Urn): string {
  const key = urnKey(urn);
  if (!key.startsWith('(')) return key;
  return urnParts(urn)
    .filter((part) => !isUrn(part))
    .join(' ');
}

/** By which words values of a field are found, if by any. */
export function wordsKindOf(field: SearchField): WordsKind | undefined {
  return field.terms.find((kind) => kind !== 'exact');
}

function wordsKindNamed(name: string): WordsKind | undefined {
  if (wordsKinds.has(name)) return wordsKinds.get(name);
  const field = searchFieldNamed(name);
  const kind = field === undefined ? undefined : wordsKindOf(field);
  // Structured properties are as many as somebody defines.
  if (wordsKinds.size < namesKeptMax) wordsKinds.set(name, kind);
  return kind;
}
