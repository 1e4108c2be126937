import { blockStringValue, ordinaryStringValue } from './string-literal.ts';

/**
 * What one pass over the characters of a document finds. String literals in argument positions are lifted out of `key`,
 * so `dataset(urn: "a")` and `dataset(urn: "b")` are one document; everything else, white space and comments included,
 * stays. Equal literals share a slot, because whether two fields can be merged depends on the equality of their arguments.
 */
export type ScannedDocument = {
  readonly text: string;
  /** The document with `\0slot\0` in place of every lifted literal. */
  readonly key: string;
  /** The values of the lifted literals, by slot. */
  readonly literals: readonly string[];
  /** Where literals were lifted, in order: start, end (exclusive) and slot, three numbers each. */
  readonly spans: readonly number[];
  /** Where raw line breaks stand inside ordinary strings, and how many characters each has: two numbers each. */
  readonly rawLineBreaks: readonly number[];
  readonly tokens: number;
  /** The deepest nesting of `{`, `[` and `(`. */
  readonly nesting: number;
  /** False when something lexically wrong or unusual was met; such a document is neither looked up nor kept. */
  readonly isRegular: boolean;
};

const ignored = 0;
const punctuator = 1;
const word = 2;
const quote = 3;
const comment = 4;
const opening = 5;
const closing = 6;
const dot = 7;
const irregular = 8;

/** The class of every ASCII character. Digits and signs count as parts of words. */
const classes = new Uint8Array(128).fill(irregular);
function classify(characters: string, characterClass: number): void {
  for (const character of characters) classes[character.charCodeAt(0)] = characterClass;
}
classify('\t\n\r ,', ignored);
classify('!$&:=@|', punctuator);
classify('_-+0123456789', word);
classify('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ', word);
classify('"', quote);
classify('#', comment);
classify('{[(', opening);
classify('}])', closing);
classify('.', dot);

const openingBrace = 123;
const closingBrace = 125;
const openingParenthesis = 40;
const closingParenthesis = 41;
const quotationMark = 34;
const backslash = 92;
const lineFeed = 10;
const carriageReturn = 13;
const tab = 9;
const space = 32;
const byteOrderMark = 0xfe_ff;

const placeholders = Array.from({ length: 16 }, (_, slot) => `\0${slot}\0`);

/** What stands in the key for a lifted literal; a raw `\0` outside strings makes a document irregular. */
function placeholder(slot: number): string {
  return placeholders[slot] ?? `\0${slot}\0`;
}

const nothing: readonly never[] = [];

/**
 * Scans a document in one pass, whatever is wrong with it; never throws. Strings outside selection sets (default values,
 * directives of the operation, descriptions) stay in the key.
 */
export function scanDocument(text: string): ScannedDocument {
  const length = text.length;
  let key = '';
  let keyed = 0;
  let spans: number[] | undefined;
  let rawLineBreaks: number[] | undefined;
  let slots: Slots | undefined;
  let tokens = 0;
  let nesting = 0;
  let deepest = 0;
  let parentheses = 0;
  let selections = 0;
  let isRegular = text.isWellFormed();
  let at = 0;
  while (at < length) {
    const code = text.charCodeAt(at);
    const characterClass = code < 128 ? classes[code] : code === byteOrderMark ? ignored : irregular;
    switch (characterClass) {
      case ignored:
        at += 1;
        continue;
      case word: {
        tokens += 1;
        const isNumber = code < 58;
        at += 1;
        while (at < length) {
          const next = classes[text.charCodeAt(at)];
          if (next !== word && !(next === dot && isNumber)) break;
          at += 1;
        }
        continue;
      }
      case punctuator:
        tokens += 1;
        at += 1;
        continue;
      case opening:
        tokens += 1;
        nesting += 1;
        if (nesting > deepest) deepest = nesting;
        if (code === openingParenthesis) parentheses += 1;
        else if (code === openingBrace && parentheses === 0) selections += 1;
        at += 1;
        continue;
      case closing:
        tokens += 1;
        nesting -= 1;
        if (code === closingParenthesis) parentheses -= 1;
        else if (code === closingBrace && parentheses === 0) selections -= 1;
        at += 1;
        continue;
      case dot:
        tokens += 1;
        at += text.startsWith('...', at) ? 3 : 1;
        continue;
      case comment: {
        at += 1;
        for (let next = text.charCodeAt(at); at < length; next = text.charCodeAt(at)) {
          if (next === lineFeed || next === carriageReturn) break;
          if (next < space && next !== tab) isRegular = false;
          at += 1;
        }
        continue;
      }
      case quote: {
        tokens += 1;
        const isBlock = text.startsWith('""', at + 1);
        const end = isBlock ? endOfBlockString(text, at + 3) : endOfOrdinaryString(text, at + 1);
        if (end === -1) {
          isRegular = false;
          at = length;
          continue;
        }
        const raw = isBlock ? text.slice(at + 3, end - 3) : text.slice(at + 1, end - 1);
        if (!isBlock) rawLineBreaks = addRawLineBreaks(rawLineBreaks, raw, at + 1);
        if (selections > 0 && parentheses > 0) {
          const value = isBlock ? blockStringValue(raw) : ordinaryStringValue(raw);
          if (value === undefined) {
            isRegular = false;
          } else {
            slots ??= { literals: [], known: undefined };
            spans ??= [];
            const slot = slotOf(slots, value);
            spans.push(at, end, slot);
            key += text.slice(keyed, at) + placeholder(slot);
            keyed = end;
          }
        }
        at = end;
        continue;
      }
      default:
        isRegular = false;
        tokens += 1;
        at += 1;
    }
  }
  return {
    text,
    key: keyed === 0 ? text : key + text.slice(keyed),
    literals: slots?.literals ?? nothing,
    spans: spans ?? nothing,
    rawLineBreaks: rawLineBreaks ?? nothing,
    tokens,
    nesting: deepest,
    isRegular,
  };
}

type Slots = { readonly literals: string[]; known: Map<string, number> | undefined };

/** The slot of a literal: that of an equal one before it, or the next. Few are compared one by one, many by a map. */
function slotOf(slots: Slots, value: string): number {
  const { literals } = slots;
  if (literals.length >= 8) slots.known ??= new Map(literals.map((literal, slot) => [literal, slot]));
  const known = slots.known === undefined ? literals.indexOf(value) : slots.known.get(value);
  if (known !== undefined && known !== -1) return known;
  const slot = literals.push(value) - 1;
  slots.known?.set(value, slot);
  return slot;
}

/** The offset after the closing quote of the string that begins before `from`; -1 when it never ends. */
function endOfOrdinaryString(text: string, from: number): number {
  const first = text.indexOf('"', from);
  if (first === -1) return -1;
  if (text.charCodeAt(first - 1) !== backslash) return first + 1;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quotationMark) return at + 1;
    if (code === backslash) at += 1;
  }
  return -1;
}

/** The offset after the closing triple quotes; `\"""` does not close. -1 when the string never ends. */
function endOfBlockString(text: string, from: number): number {
  let at = text.indexOf('"""', from);
  while (at > from && text.charCodeAt(at - 1) === backslash) at = text.indexOf('"""', at + 3);
  return at === -1 ? -1 : at + 3;
}

function addRawLineBreaks(known: number[] | undefined, raw: string, offset: number): number[] | undefined {
  if (!raw.includes('\n') && !raw.includes('\r')) return known;
  const found = known ?? [];
  for (const match of raw.matchAll(/\r\n|[\n\r]/g)) found.push(offset + match.index, match[0].length);
  return found;
}

/** The document as the library can parse it: raw line breaks in ordinary strings are written as `\n`. */
export function parseableText(scanned: ScannedDocument): string {
  const { text, rawLineBreaks } = scanned;
  if (rawLineBreaks.length === 0) return text;
  let result = '';
  let from = 0;
  for (let index = 0; index < rawLineBreaks.length; index += 2) {
    const at = rawLineBreaks[index] ?? 0;
    result += `${text.slice(from, at)}\\n`;
    from = at + (rawLineBreaks[index + 1] ?? 0);
  }
  return result + text.slice(from);
}

/** Where in the document something is that stands at `offset` of `parseableText`. */
export function offsetInDocument(scanned: ScannedDocument, offset: number): number {
  let result = offset;
  for (let index = 0; index < scanned.rawLineBreaks.length; index += 2) {
    if ((scanned.rawLineBreaks[index] ?? 0) >= result) break;
    result += (scanned.rawLineBreaks[index + 1] ?? 0) - 2;
  }
  return result;
}

/** Where in the key something is that stands at `offset` of the document, outside every lifted literal. */
export function offsetInKey(scanned: ScannedDocument, offset: number): number {
  const { spans } = scanned;
  let result = offset;
  for (let index = 0; index < spans.length; index += 3) {
    const start = spans[index] ?? 0;
    if (start >= offset) break;
    result += placeholder(spans[index + 2] ?? 0).length - ((spans[index + 1] ?? 0) - start);
  }
  return result;
}

/** The reverse of `offsetInKey`, for any document with the same key: where the token at `offset` of the key stands. */
export function offsetFromKey(scanned: ScannedDocument, offset: number): number {
  const { spans } = scanned;
  let result = offset;
  for (let index = 0; index < spans.length; index += 3) {
    if ((spans[index] ?? 0) >= result) break;
    result += (spans[index + 1] ?? 0) - (spans[index] ?? 0) - placeholder(spans[index + 2] ?? 0).length;
  }
  return result;
}

export type SourceLocation = { readonly line: number; readonly column: number };

/** Line and column, counted from 1, of an offset in a text; `\r\n` is one line break. */
export function locationOf(text: string, offset: number): SourceLocation {
  let line = 1;
  let lineStart = 0;
  for (const match of text.matchAll(/\r\n|[\n\r]/g)) {
    if (match.index >= offset) break;
    line += 1;
    lineStart = match.index + match[0].length;
  }
  return { line, column: offset + 1 - lineStart };
}
