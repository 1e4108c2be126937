import type { JsonValue } from '../aspect/json.ts';
import { type SearchEntry, termSeparator } from '../aspect/search-entry.ts';
import { isUrn } from '../urn/urn.ts';
import { wordedText, type WordsKind, wordsKindOf } from './entry-words.ts';
import { searchFieldNamed } from './search-fields.ts';
import type { SearchField } from './search-fields.ts';
import { termsOfName, valueTerm, wordText } from './search-terms.ts';

/** So much of one text is looked at for words. Letters. */
const textLettersMax = 200_000;
/** So much of a name is looked at for what only names have. Letters. */
export const nameLettersMax = 1000;
/** So much of a value is kept to be shown and compared; its exact term is of the whole value. Letters. */
const valueLettersMax = 4000;
/** So much of all texts of one field is kept. Letters. */
const fieldLettersMax = 400_000;
const wordTermsMax = 20_000;
/** Up to so many letters of terms nothing has to be counted, and they may repeat themselves. */
const shortTermLetters = 100_000;
/** Exact values of one entry that are terms. */
const valueTermsMax = 20_000;
/**
 * PostgreSQL holds at most 1 MiB of lexemes in a `tsvector`, without refusing more in every case. Bytes, with two for each term
 * that are lost to alignment.
 */
const termBytesMax = 800_000;

/** Fields whose values say that another field is true. */
export const impliedFlags: ReadonlyMap<string, string> = new Map([
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

/** What is the same whenever a field is given a value. */
type FieldTraits = {
  readonly field: SearchField;
  readonly isExact: boolean;
  readonly words: WordsKind | undefined;
};

/** By the name that a source uses; every write looks up several. */
const traitsByName = new Map<string, FieldTraits>();
/** Structured properties are as many as somebody defines. */
const traitsMax = 1_000;

function traitsOf(name: string): FieldTraits {
  const known = traitsByName.get(name);
  if (known !== undefined) return known;
  const field = searchFieldNamed(name);
  if (field === undefined) throw new Error(`There is no search field ${JSON.stringify(name)}.`);
  const traits = { field, isExact: field.terms.includes('exact'), words: wordsKindOf(field) };
  if (traitsByName.size < traitsMax) traitsByName.set(name, traits);
  return traits;
}

type KnownField = {
  readonly traits: FieldTraits;
  /** Every write makes entries, and most fields have one value: lists are looked through until they are long. */
  seen: Set<string> | undefined;
  readonly given: string[];
  readonly values: string[];
  letters: number;
  /** Values that were cut may have become equal. */
  isCut: boolean;
};

const seenFrom = 8;

export function newEntryDraft(): EntryDraft {
  const known = new Map<string, KnownField>();
  /** Texts of words with blanks between them. */
  const words: string[] = [];
  /** Of exact values and names; none is a word. */
  const marked: string[] = [];
  let valueTerms = 0;

  function addWords(text: string): void {
    const found = wordText(text.length > textLettersMax ? text.slice(0, textLettersMax) : text);
    if (found !== '') words.push(found);
  }

  function addTerms({ field, isExact, words: kind }: FieldTraits, value: string): void {
    if (kind !== undefined) addWords(wordedText(kind, value));
    if (kind === 'name') {
      const name = value.length > nameLettersMax ? value.slice(0, nameLettersMax) : value;
      for (const term of termsOfName(name)) marked.push(term);
    }
    if (isExact) {
      if (valueTerms < valueTermsMax) marked.push(valueTerm(field.name, value));
      valueTerms += 1;
    }
  }

  function keep(one: KnownField, value: string): void {
    const { field } = one.traits;
    const shown = value.length > valueLettersMax ? value.slice(0, valueLettersMax).toWellFormed() : value;
    if (shown !== value) one.isCut = true;
    one.letters += shown.length;
    const isText = field.kind === 'text' && field.kept === 'entry';
    if (!isText || one.letters <= fieldLettersMax) one.values.push(shown);
  }

  function knownField(name: string): KnownField {
    const before = known.get(name);
    if (before !== undefined) return before;
    const traits = traitsOf(name);
    const one = { traits, seen: undefined, given: [], values: [], letters: 0, isCut: false };
    known.set(name, one);
    return one;
  }

  function add(name: string, value: JsonValue | undefined): void {
    const text = textOf(value);
    if (text === undefined) return;
    const one = knownField(name);
    if (isSeen(one, text)) return;
    if (one.traits.field.kind === 'urn' && !isUrn(text)) return;
    keep(one, text);
    addTerms(one.traits, text);
    const flag = impliedFlags.get(name);
    if (flag !== undefined) add(flag, true);
  }

  return {
    add,
    entry() {
      let fields: Record<string, readonly string[]> | undefined;
      for (const { traits, values, isCut } of known.values()) {
        if (values.length > 0) (fields ??= {})[traits.field.name] = isCut ? [...new Set(values)] : values;
      }
      if (fields === undefined) return undefined;
      return { fields, terms: withinBounds(marked, words) };
    },
  };
}

/** Whether the field was given this text before; from now on it was. */
function isSeen(one: KnownField, text: string): boolean {
  const { given } = one;
  if (one.seen === undefined) {
    if (given.includes(text)) return true;
    given.push(text);
    if (given.length >= seenFrom) one.seen = new Set(given);
    return false;
  }
  if (one.seen.has(text)) return true;
  one.seen.add(text);
  return false;
}

/** A store keeps text in UTF-8, which has no half characters, and PostgreSQL has no U+0000 in texts. */
function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  const text = (value.includes('\u0000') ? value.replaceAll('\u0000', '') : value).toWellFormed();
  return text.trim() === '' ? undefined : text;
}

/** Terms of values and names before words: these are what is left out of an entry that has too many. */
function withinBounds(marked: readonly string[], words: readonly string[]): string {
  const terms = marked.concat(words).join(termSeparator);
  if (terms.length <= shortTermLetters) return terms;
  const distinctWords = new Set<string>();
  for (const text of words) {
    for (const word of text.split(termSeparator)) {
      if (distinctWords.size < wordTermsMax) distinctWords.add(word);
    }
  }
  const kept: string[] = [];
  let bytes = 0;
  for (const term of new Set([...marked, ...distinctWords])) {
    bytes += Buffer.byteLength(term) + 2;
    if (bytes > termBytesMax) break;
    kept.push(term);
  }
  return kept.join(termSeparator);
}
