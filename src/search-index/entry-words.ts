import { entryWordsMax, type SearchEntry } from '../aspect/search-entry.ts';
import { simpleFieldPath } from '../urn/field-path.ts';
import { isUrn, type Urn, urnKey, urnParts } from '../urn/urn.ts';
import { searchFieldNamed } from './search-fields.ts';
import type { FieldTerms, SearchField } from './search-fields.ts';
import { wordText } from './search-terms.ts';

/** How the values of a field are read as words. */
export type WordsKind = Exclude<FieldTerms, 'exact'>;

/** By the name of a field; asked for every value that is ranked. */
const wordsKinds = new Map<string, WordsKind | undefined>();
const namesKeptMax = 1_000;

/** The words by which an entry is found and ranked, blanks between them, repetitions included; at most `entryWordsMax`. */
export function wordTextOfEntry(fields: SearchEntry['fields']): string {
  const texts: string[] = [];
  for (const [name, values] of Object.entries(fields)) {
    const kind = wordsKindNamed(name);
    if (kind === undefined) continue;
    for (const value of values) texts.push(wordedText(kind, value));
  }
  // One text is read faster than many; no word goes on behind a line end.
  const words = wordText(texts.join('\n'));
  // Each word but the last takes two letters at least.
  return words.length < 2 * entryWordsMax ? words : firstWords(words, entryWordsMax);
}

function firstWords(words: string, count: number): string {
  let end = -1;
  for (let passed = 0; passed < count; passed += 1) {
    end = words.indexOf(' ', end + 1);
    if (end === -1) return words;
  }
  return words.slice(0, end);
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
