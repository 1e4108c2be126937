import type { JsonValue } from '../aspect/json.ts';
import { entryWordsMax } from '../aspect/search-entry.ts';
import type { SearchEntry } from '../aspect/search-entry.ts';
import { simpleFieldPath } from '../urn/field-path.ts';
import { isUrn, urnKey, urnParts } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import { searchFieldNamed } from './search-fields.ts';
import type { FieldTerms, SearchField } from './search-fields.ts';
import { nameTerms, valueTerm, wordsOf } from './search-terms.ts';

/** So much of one text is looked at for words. Letters. */
const textLettersMax = 200_000;
/** So much of a name is looked at for what only names have. Letters. */
const nameLettersMax = 1000;
/** So much of a value is kept to be shown and compared; its exact term is of the whole value. Letters. */
const valueLettersMax = 4000;
/** So much of all texts of one field is kept. Letters. */
const fieldLettersMax = 400_000;
const wordTermsMax = 20_000;
/** Exact values of one entry that are terms. */
const valueTermsMax = 20_000;
/**
 * PostgreSQL holds at most 1 MiB of lexemes in a `tsvector`, without refusing more in every case. Bytes, with two for each term
 * that are lost to alignment.
 */
const termBytesMax = 800_000;

/** Fields whose values say that another field is true. */
const impliedFlags: ReadonlyMap<string, string> = new Map([
  ['description', 'hasDescription'],
  ['editedDescription', 'hasDescription'],
  ['definition', 'hasDescription'],
  ['documentation', 'hasDescription'],
  ['tags', 'hasTags'],
  ['glossaryTerms', 'hasGlossaryTerms'],
  ['owners', 'hasOwners'],
  ['domains', 'hasDomain'],
  ['container', 'hasContainer'],
  ['upstreams', 'hasUpstreams'],
  ['parentNode', 'hasParentNode'],
  ['parentDomain', 'hasParentDomain'],
]);

/** Gathers what one aspect contributes, value by value, in the order of the aspect. */
export type EntryDraft = {
  /** `field` by any of its names. Values that are no text, number or boolean, blank texts, and texts that are no URN where one is due, are left out. */
  add(field: string, value: JsonValue | undefined): void;
  /** `undefined` when nothing was added. */
  entry(): SearchEntry | undefined;
};

type KnownField = {
  readonly field: SearchField;
  readonly seen: Set<string>;
  readonly values: string[];
  letters: number;
};

export function newEntryDraft(): EntryDraft {
  const known = new Map<string, KnownField>();
  const words: string[] = [];
  const wordTerms = new Set<string>();
  const nameAndValueTerms = new Set<string>();
  let valueTerms = 0;

  function addWords(text: string): void {
    for (const word of wordsOf(text.length > textLettersMax ? text.slice(0, textLettersMax) : text)) {
      if (words.length < entryWordsMax) words.push(word);
      if (wordTerms.size < wordTermsMax) wordTerms.add(word);
    }
  }

  function addTerms(kind: FieldTerms, field: SearchField, value: string): void {
    if (kind === 'exact') {
      if (valueTerms < valueTermsMax) nameAndValueTerms.add(valueTerm(field.name, value));
      valueTerms += 1;
      return;
    }
    if (kind === 'name') {
      for (const term of nameTerms(value.slice(0, nameLettersMax))) nameAndValueTerms.add(term);
    }
    if (kind === 'wordsOfPath') addWords(simpleFieldPath(value));
    else if (kind === 'wordsOfId') addWords(isUrn(value) ? readableId(value) : value);
    else addWords(value);
  }

  function keep(known: KnownField, value: string): void {
    const { field } = known;
    const shown = value.length > valueLettersMax ? value.slice(0, valueLettersMax).toWellFormed() : value;
    known.letters += shown.length;
    const isText = field.kind === 'text' && field.kept === 'entry';
    if (!isText || known.letters <= fieldLettersMax) known.values.push(shown);
  }

  function knownField(name: string): KnownField {
    const before = known.get(name);
    if (before !== undefined) return before;
    const field = searchFieldNamed(name);
    if (field === undefined) throw new Error(`There is no search field ${JSON.stringify(name)}.`);
    const one = { field, seen: new Set<string>(), values: [], letters: 0 };
    known.set(name, one);
    return one;
  }

  function add(name: string, value: JsonValue | undefined): void {
    const text = textOf(value);
    if (text === undefined) return;
    const one = knownField(name);
    if (one.seen.has(text)) return;
    one.seen.add(text);
    if (one.field.kind === 'urn' && !isUrn(text)) return;
    keep(one, text);
    for (const kind of one.field.terms) addTerms(kind, one.field, text);
    const flag = impliedFlags.get(name);
    if (flag !== undefined) add(flag, true);
  }

  return {
    add,
    entry() {
      const filled = [...known.values()].filter(({ values }) => values.length > 0);
      if (filled.length === 0) return undefined;
      return {
        fields: Object.fromEntries(filled.map(({ field, values }) => [field.name, distinct(values)])),
        words,
        terms: withinBytes([...nameAndValueTerms.union(wordTerms)]),
      };
    },
  };
}

/** A store keeps text in UTF-8, which has no half characters, and PostgreSQL has no U+0000 in texts. */
function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  const text = (value.includes('\u0000') ? value.replaceAll('\u0000', '') : value).toWellFormed();
  return text.trim() === '' ? undefined : text;
}

/** What people call the entity, as far as its URN says: the parts of the key that are no URNs. */
function readableId(urn: Urn): string {
  const key = urnKey(urn);
  if (!key.startsWith('(')) return key;
  return urnParts(urn)
    .filter((part) => !isUrn(part))
    .join(' ');
}

/** Values that were cut may have become equal. */
function distinct(values: readonly string[]): readonly string[] {
  return values.length < 2 ? values : [...new Set(values)];
}

function withinBytes(terms: readonly string[]): readonly string[] {
  let letters = 0;
  for (const term of terms) letters += term.length;
  // No letter takes more than three bytes, so most need not be counted.
  if (letters * 3 + terms.length * 2 <= termBytesMax) return terms;
  const kept: string[] = [];
  let bytes = 0;
  for (const term of terms) {
    bytes += Buffer.byteLength(term) + 2;
    if (bytes > termBytesMax) break;
    kept.push(term);
  }
  return kept;
}
