/** A record of a file as it stands there: its text, where it starts, and which one it is, counted from 1. */
export type JsonRecord = {
  readonly number: number;
  /** Of the first byte, in the uncompressed file. */
  readonly offset: number;
  readonly text: string;
};

/** A place where the file is no list of records; reading goes on behind it. */
export type BrokenRecord = {
  readonly number: number;
  readonly offset: number;
  readonly problem: string;
};

export type RecordItem = JsonRecord | BrokenRecord;

/** Longest record in bytes; what is longer is told and passed over, so memory stays bounded. */
const recordBytesMax = 64 * 1024 * 1024;

/** Open brackets that are told apart. Nothing nested deeper is a record; how it ends is found by counting. */
const openMax = 1_000;

const quote = 0x22;
const backslash = 0x5c;
const newline = 0x0a;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * Reads a list of JSON records, a single record, or records one after another (newline-delimited), in bounded memory
 * whatever the size. The text of a record is balanced, not yet parsed: what is wrong inside one stays inside one. After
 * broken JSON it goes on with the next record where one can be made out.
 */
export async function* readJsonRecords(
  chunks: AsyncIterable<Uint8Array>,
  options: { readonly recordBytesMax?: number } = {},
): AsyncGenerator<RecordItem> {
  const splitter = new RecordSplitter(options.recordBytesMax ?? recordBytesMax);
  for await (const chunk of chunks) yield* splitter.push(chunk);
  yield* splitter.end();
}

/** What may stand at the top of the file: a value, or what separates values. */
type Expectation = 'start' | 'first value or end' | 'value' | 'comma or end' | 'records' | 'nothing';

class RecordSplitter {
  readonly #bytesMax: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #expected: Expectation = 'start';
  /** Bytes that came before the chunk in hand. */
  #before = 0;
  #number = 0;
  /** Open brackets and braces of the record in hand, innermost last; as long as it is empty, none is in hand. */
  #open: number[] = [];
  /** How many more are open beyond `openMax`. */
  #openBeyond = 0;
  #isTooDeep = false;
  #inString = false;
  #escaped = false;
  /** A value that is no object and no list: everything up to the next separator. */
  #inScalar = false;
  #start = 0;
  #pieces: Uint8Array[] = [];
  #length = 0;
  #items: RecordItem[] = [];

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  push(chunk: Uint8Array): readonly RecordItem[] {
    this.#items = [];
    let from = 0;
    let index = 0;
    while (index < chunk.length) {
      if (this.#open.length > 0) {
        index = this.#scanRecord(chunk, index);
        if (this.#open.length === 0) {
          this.#keep(chunk.subarray(from, index));
          this.#finish();
        }
      } else if (this.#inScalar) {
        index = this.#scanScalar(chunk, index);
        if (!this.#inScalar) {
          this.#keep(chunk.subarray(from, index));
          this.#finish();
        }
      } else {
        from = index;
        this.#between(chunk[index] ?? 0, this.#before + index);
        index += this.#inScalar ? 0 : 1;
      }
    }
    if (this.#open.length > 0 || this.#inScalar) this.#keep(chunk.subarray(from));
    this.#before += chunk.length;
    return this.#items;
  }

  end(): readonly RecordItem[] {
    this.#items = [];
    if (this.#open.length > 0) {
      this.#report(this.#start, 'the record is not complete: the file ends within it', this.#number + 1);
    } else {
      if (this.#inScalar) this.#finish();
      if (this.#expected !== 'start' && this.#expected !== 'records' && this.#expected !== 'nothing') {
        this.#report(this.#before, 'the list is not closed: the file ends before its "]"', this.#number + 1);
      }
    }
    return this.#items;
  }

  /** From a byte inside a record to behind its last one, or to the end of the chunk. */
  #scanRecord(chunk: Uint8Array, from: number): number {
    const open = this.#open;
    const length = chunk.length;
    let index = from;
    while (index < length && open.length > 0) {
      if (this.#inString) {
        index = this.#scanString(chunk, index);
        continue;
      }
      const byte = chunk[index];
      if (byte === quote) this.#inString = true;
      else if (byte === openBrace || byte === openBracket) {
        if (open.length < openMax) open.push(byte);
        else {
          this.#openBeyond += 1;
          this.#isTooDeep = true;
        }
      } else if (this.#openBeyond > 0 && (byte === closeBrace || byte === closeBracket))
        this.#openBeyond -= 1;
      else if (byte === closeBrace) closeUpTo(open, openBrace);
      else if (byte === closeBracket && !closeUpTo(open, openBracket) && this.#expected === 'value') {
        // The list ends although its last record does not.
        open.length = 0;
        return index;
      }
      index += 1;
    }
    return index;
  }

  /** From a byte inside a string to behind its closing quotation mark, or to the end of the chunk. */
  #scanString(chunk: Uint8Array, from: number): number {
    const length = chunk.length;
    let index = from;
    if (this.#escaped && index < length) {
      this.#escaped = false;
      index += 1;
    }
    for (; index < length; index += 1) {
      const byte = chunk[index];
      if (byte === backslash) {
        index += 1;
        if (index === length) this.#escaped = true;
      } else if (byte === quote || byte === newline) {
        // JSON strings hold no line ends, so a quotation mark that was forgotten costs one line, not the whole file.
        this.#inString = false;
        return index + 1;
      }
    }
    return length;
  }

  #scanScalar(chunk: Uint8Array, from: number): number {
    let index = from;
    while (index < chunk.length) {
      if (this.#inString) {
        index = this.#scanString(chunk, index);
        continue;
      }
      const byte = chunk[index] ?? 0;
      if (byte === quote) this.#inString = true;
      else if (isSpace(byte) || isStructural(byte)) {
        this.#inScalar = false;
        return index;
      }
      index += 1;
    }
    return chunk.length;
  }

  /** One byte that is outside of every record. */
  #between(byte: number, offset: number): void {
    if (isSpace(byte) || (offset < 3 && isByteOrderMark(byte, offset))) return;
    if (this.#expected === 'start') {
      this.#expected = byte === openBracket ? 'first value or end' : 'records';
      if (byte === openBracket) return;
    }
    if (byte === closeBracket || byte === comma) this.#separate(byte, offset);
    else if (byte === closeBrace) this.#report(offset, 'a "}" that closes nothing');
    else this.#begin(byte, offset);
  }

  #separate(byte: number, offset: number): void {
    const isInList = this.#expected !== 'records' && this.#expected !== 'nothing';
    if (byte === closeBracket) {
      if (!isInList) this.#report(offset, 'a "]" that closes nothing');
      else {
        if (this.#expected === 'value') this.#report(offset, 'a comma without a record behind it');
        this.#expected = 'nothing';
      }
    } else if (this.#expected === 'comma or end') this.#expected = 'value';
    else this.#report(offset, 'a comma without a record before it');
  }

  #begin(byte: number, offset: number): void {
    if (this.#expected === 'comma or end') {
      this.#report(offset, 'a comma is missing before this record', this.#number + 1);
    }
    if (this.#expected === 'nothing') {
      this.#report(offset, 'text behind the end of the list', this.#number + 1);
      this.#expected = 'records';
    }
    if (this.#expected !== 'records') this.#expected = 'value';
    this.#start = offset;
    this.#pieces = [];
    this.#length = 0;
    this.#openBeyond = 0;
    this.#isTooDeep = false;
    this.#inString = false;
    this.#escaped = false;
    if (byte === openBrace || byte === openBracket) this.#open.push(byte);
    else this.#inScalar = true;
  }

  #keep(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length <= this.#bytesMax && !this.#isTooDeep) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  #finish(): void {
    this.#inScalar = false;
    if (this.#expected === 'value') this.#expected = 'comma or end';
    this.#number += 1;
    if (this.#length > this.#bytesMax) {
      this.#report(this.#start, `the record has ${this.#length} bytes, ${this.#bytesMax} are the limit`);
      return;
    }
    if (this.#isTooDeep) {
      this.#report(this.#start, `the record is nested more than ${openMax} levels deep`);
      return;
    }
    const bytes = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    this.#pieces = [];
    let text: string;
    try {
      text = this.#decoder.decode(bytes);
    } catch {
      this.#report(this.#start, 'the record is not valid UTF-8');
      return;
    }
    this.#items.push({ number: this.#number, offset: this.#start, text });
  }

  #report(offset: number, problem: string, number: number = Math.max(this.#number, 1)): void {
    this.#items.push({ number, offset, problem });
  }
}

/** Closes the innermost bracket of that kind and what was left open inside it; false when there is none. */
function closeUpTo(open: number[], kind: number): boolean {
  if (open.at(-1) === kind) {
    open.pop();
    return true;
  }
  const at = open.lastIndexOf(kind);
  if (at < 0) return false;
  open.length = at;
  return true;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === newline || byte === 0x0d || byte === 0x09;
}

function isStructural(byte: number): boolean {
  return (
    byte === comma ||
    byte === openBrace ||
    byte === closeBrace ||
    byte === openBracket ||
    byte === closeBracket
  );
}

function isByteOrderMark(byte: number, offset: number): boolean {
  return byte === [0xef, 0xbb, 0xbf][offset];
}
