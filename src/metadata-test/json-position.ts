/** A place in a text for people: lines and columns count from 1, columns in UTF-16 code units as editors do. */
export type Position = { readonly line: number; readonly column: number };

/** JSON pointers as a tree of their tokens, and where in the text their values start. */
type Wanted = { offset: number | undefined; readonly members: Map<string, Wanted> };

type Scan = { readonly text: string; at: number };

/**
 * Where the values of JSON pointers start in a JSON text; of a pointer that leads nowhere, where its nearest holder starts.
 * The text may nest as deep as the stack allows; whoever calls has checked that.
 */
export function positionsOf(text: string, pointers: Iterable<string>): ReadonlyMap<string, Position> {
  const root = wantedFrom(pointers);
  scanValue({ text, at: 0 }, root);
  const lines = lineStarts(text);
  const positions = new Map<string, Position>();
  for (const pointer of pointers) positions.set(pointer, positionAt(lines, offsetOf(root, pointer)));
  return positions;
}

/** Where a text stops being JSON; `undefined` when it is JSON. */
export function syntaxErrorPosition(text: string): Position | undefined {
  const scan: Scan = { text, at: 0 };
  if (scanValue(scan, undefined)) {
    skipSpace(scan);
    if (scan.at === text.length) return undefined;
  }
  return positionAt(lineStarts(text), scan.at);
}

function wantedFrom(pointers: Iterable<string>): Wanted {
  const root: Wanted = { offset: undefined, members: new Map() };
  for (const pointer of pointers) {
    let node = root;
    for (const token of tokensOf(pointer)) {
      let member = node.members.get(token);
      if (member === undefined) {
        member = { offset: undefined, members: new Map() };
        node.members.set(token, member);
      }
      node = member;
    }
  }
  return root;
}

function tokensOf(pointer: string): readonly string[] {
  const tokens = pointer.split('/').slice(1);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function offsetOf(root: Wanted, pointer: string): number {
  let offset = root.offset ?? 0;
  let node: Wanted | undefined = root;
  for (const token of tokensOf(pointer)) {
    node = node?.members.get(token);
    offset = node?.offset ?? offset;
  }
  return offset;
}

/** Scans one value and notes where it and its wanted members start; false where the text is no JSON. */
function scanValue(scan: Scan, wanted: Wanted | undefined): boolean {
  skipSpace(scan);
  if (wanted !== undefined) wanted.offset = scan.at;
  const character = scan.text[scan.at];
  if (character === '{') return scanMembers(scan, wanted);
  if (character === '[') return scanElements(scan, wanted);
  if (character === '"') return scanString(scan);
  return take(scan, scalarPattern);
}

const scalarPattern = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const spacePattern = /[ \t\r\n]*/y;

/** Leaves `at` at the opening quotation mark of a string that is none. */
function scanString(scan: Scan): boolean {
  const { text, at } = scan;
  if (text[at] !== '"') return false;
  for (let index = at + 1; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === 34) {
      scan.at = index + 1;
      return true;
    }
    if (unit < 32) return false;
    if (unit !== 92) continue;
    escapePattern.lastIndex = index;
    if (!escapePattern.test(text)) return false;
    index = escapePattern.lastIndex - 1;
  }
  return false;
}

const escapePattern = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function take(scan: Scan, pattern: RegExp): boolean {
  pattern.lastIndex = scan.at;
  if (!pattern.test(scan.text)) return false;
  scan.at = pattern.lastIndex;
  return true;
}

function skipSpace(scan: Scan): void {
  take(scan, spacePattern);
}

/** Skips to the next character that is not blank; whether it is this one, which is then taken. */
function takeMark(scan: Scan, mark: string): boolean {
  skipSpace(scan);
  if (scan.text[scan.at] !== mark) return false;
  scan.at += 1;
  return true;
}

function scanMembers(scan: Scan, wanted: Wanted | undefined): boolean {
  scan.at += 1;
  if (takeMark(scan, '}')) return true;
  do {
    skipSpace(scan);
    const start = scan.at;
    if (!scanString(scan)) return false;
    const end = scan.at;
    if (!takeMark(scan, ':')) return false;
    const member = wanted?.members.get(String(JSON.parse(scan.text.slice(start, end))));
    if (!scanValue(scan, member)) return false;
  } while (takeMark(scan, ','));
  return takeMark(scan, '}');
}

function scanElements(scan: Scan, wanted: Wanted | undefined): boolean {
  scan.at += 1;
  if (takeMark(scan, ']')) return true;
  let index = 0;
  do {
    if (!scanValue(scan, wanted?.members.get(String(index)))) return false;
    index += 1;
  } while (takeMark(scan, ','));
  return takeMark(scan, ']');
}

/** Offsets at which lines start. */
function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function positionAt(starts: readonly number[], offset: number): Position {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
