import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Kind, parseValue } from 'graphql';
import { blockStringValue, ordinaryStringValue } from './string-literal.ts';

/** What the library reads; `undefined` where it refuses. */
function libraryValue(literal: string): string | undefined {
  try {
    const node = parseValue(literal);
    return node.kind === Kind.STRING ? node.value : undefined;
  } catch {
    return undefined;
  }
}

const pieces = fc.oneof(
  fc.constantFrom('\\n', '\\"', '\\\\', '\\/', '\\t', '\\b', '\\f', '\\r', '\\q', '\\', '\\u0041', '\\u00e9'),
  fc.constantFrom(
    '\\uD83D\\uDE00',
    '\\uD83D',
    '\\uDE00',
    '\\uD83Dx',
    '\\u{1F600}',
    '\\u{D800}',
    '\\u{110000}',
  ),
  fc.constantFrom(
    '\\u{}',
    '\\u{41',
    '\\u12',
    '\\u12g4',
    '\\u{00000041}',
    '\\u{000000041}',
    ' ',
    'ä',
    '😀',
    '#',
    '{',
  ),
  fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed() && !/["\n\r\\]/.test(text)),
);

test('an ordinary string has the value that the library reads, and is refused where the library refuses it', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const raw = parts.join('');
      // An escape cut short may take the closing quote along, or let one of its own close too early.
      fc.pre(!/["\\]$/.test(raw.replaceAll(/\\./gs, '')) && !raw.replaceAll(/\\./gs, '').includes('"'));
      const literal = `"${raw}"`;
      assert.equal(ordinaryStringValue(raw), libraryValue(literal));
    }),
    { numRuns: 2000 },
  );
});

test('a raw line break inside an ordinary string is read as \\n, whichever line break it is', () => {
  assert.equal(ordinaryStringValue('a\nb\r\nc\rd\\te\nf'), 'a\nb\nc\nd\te\nf');
  assert.equal(ordinaryStringValue('a\r\nb'), 'a\nb');
});

test('a block string has the value that the library reads', () => {
  const lines = fc.array(
    fc.oneof(
      fc.constantFrom(
        '\n',
        '\r\n',
        '\r',
        ' ',
        '  ',
        '\t',
        '\\"""',
        '"',
        '\\n',
        '\\',
        'word',
        'ä',
        '😀',
        '',
        '\\\\',
      ),
      fc.string({ maxLength: 3 }).filter((text) => !text.includes('"')),
    ),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(lines, (parts) => {
      const raw = parts.join('');
      const closed = raw.replaceAll('\\"""', '');
      fc.pre(!closed.includes('"""') && !closed.endsWith('"') && !raw.endsWith('"') && !raw.endsWith('\\'));
      assert.equal(blockStringValue(raw), libraryValue(`"""${raw}"""`));
    }),
    { numRuns: 2000 },
  );
});
