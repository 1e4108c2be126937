/**
 * The values of GraphQL string literals (specification, section 2.9.4), read without the library, so that a document
 * that is already known need not be lexed by it.
 */

/** What stands after a backslash, for the escapes of one character. */
const simpleEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/**
 * The value of an ordinary string, given what stands between its quotes. A raw line break, which the specification
 * forbids and a documented client sends, is read as `\n`. `undefined` when an escape is not valid.
 */
export function ordinaryStringValue(raw: string): string | undefined {
  if (!raw.includes('\\')) return raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw;
  let value = '';
  let from = 0;
  for (let at = raw.indexOf('\\'); at !== -1; at = raw.indexOf('\\', from)) {
    value += raw.slice(from, at).replace(/\r\n?/g, '\n');
    const letter = raw[at + 1];
    if (letter === 'u') {
      const escape = unicodeEscape(raw, at);
      if (escape === undefined) return undefined;
      value += escape.value;
      from = escape.end;
      continue;
    }
    const simple = letter === undefined ? undefined : simpleEscapes[letter];
    if (simple === undefined) return undefined;
    value += simple;
    from = at + 2;
  }
  return value + raw.slice(from).replace(/\r\n?/g, '\n');
}

/** `\uXXXX` (a surrogate only as half of a pair) or `\u{X...}`, at `at`. */
function unicodeEscape(
  raw: string,
  at: number,
): { readonly value: string; readonly end: number } | undefined {
  if (raw[at + 2] === '{') {
    const close = raw.indexOf('}', at + 3);
    const digits = close === -1 ? '' : raw.slice(at + 3, close);
    if (!/^[0-9a-fA-F]{1,8}$/.test(digits)) return undefined;
    const code = Number.parseInt(digits, 16);
    if (code > 0x10_ff_ff || (code >= 0xd8_00 && code <= 0xdf_ff)) return undefined;
    return { value: String.fromCodePoint(code), end: close + 1 };
  }
  const first = fourDigits(raw, at + 2);
  if (first === undefined) return undefined;
  if (first < 0xd8_00 || first > 0xdf_ff) return { value: String.fromCharCode(first), end: at + 6 };
  if (first > 0xdb_ff || raw[at + 6] !== '\\' || raw[at + 7] !== 'u') return undefined;
  const second = fourDigits(raw, at + 8);
  if (second === undefined || second < 0xdc_00 || second > 0xdf_ff) return undefined;
  return { value: String.fromCharCode(first, second), end: at + 12 };
}

function fourDigits(raw: string, at: number): number | undefined {
  const digits = raw.slice(at, at + 4);
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : undefined;
}

/** The value of a block string, given what stands between its triple quotes: common indentation and blank ends go. */
export function blockStringValue(raw: string): string {
  const lines = raw.replaceAll('\\"""', '"""').split(/\r\n|[\n\r]/);
  let indentation = Number.MAX_SAFE_INTEGER;
  let first = -1;
  let last = -1;
  lines.forEach((line, index) => {
    const indent = indentationOf(line);
    if (indent === line.length) return;
    if (first === -1) first = index;
    last = index;
    if (index !== 0 && indent < indentation) indentation = indent;
  });
  if (first === -1) return '';
  return lines
    .map((line, index) => (index === 0 ? line : line.slice(indentation)))
    .slice(first, last + 1)
    .join('\n');
}

/** How many tabs and spaces a line begins with. */
function indentationOf(line: string): number {
  let count = 0;
  while (line[count] === ' ' || line[count] === '\t') count += 1;
  return count;
}
