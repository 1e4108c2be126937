import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Lexer, Source, TokenKind } from 'graphql';
import {
  locationOf,
  offsetFromKey,
  offsetInDocument,
  offsetInKey,
  parseableText,
  scanDocument,
} from './literal-lifting.ts';

test('documents that differ in their string literals have one key, and the values are the literals', () => {
  const first = scanDocument('{ dataset(urn: "a", in: {b: ["c", """\n  d\n"""]}) { urn } }');
  const second = scanDocument('{ dataset(urn: """x""", in: {b: ["\\u0079", "z"]}) { urn } }');
  assert.equal(first.key, second.key);
  assert.deepEqual(first.literals, ['a', 'c', 'd']);
  assert.deepEqual(second.literals, ['x', 'y', 'z']);
});

test('equal literals share a slot, so documents that differ in equality have different keys', () => {
  const equal = scanDocument('{ a: f(x: "1") a: f(x: "1") }');
  const different = scanDocument('{ a: f(x: "1") a: f(x: "2") }');
  assert.deepEqual(equal.literals, ['1']);
  assert.notEqual(equal.key, different.key);
  const many = Array.from({ length: 40 }, (_, index) => `"${index % 20}"`).join(' ');
  assert.equal(scanDocument(`{ f(x: [${many}]) }`).literals.length, 20);
});

test('literals outside selection sets stay in the key', () => {
  const text = '"what it does" query q($a: S = "x", $b: In = {c: "y"}) @d(e: "z") { f(g: $a) }';
  const scanned = scanDocument(text);
  assert.equal(scanned.key, text);
  assert.deepEqual(scanned.literals, []);
});

test('numbers, enum values, booleans, comments and white space stay in the key', () => {
  const key = (text: string): string => scanDocument(text).key;
  assert.notEqual(key('{ f(x: 1) }'), key('{ f(x: 2) }'));
  assert.notEqual(key('{ f(x: A) }'), key('{ f(x: B) }'));
  assert.notEqual(key('{ f(x: true) }'), key('{ f(x: false) }'));
  assert.notEqual(key('{ f }'), key('{  f }'));
  assert.equal(key('{ f # "not a literal"\n(x: "a") }').includes('"not a literal"'), true);
});

test('what is lexically wrong or could be mistaken for a placeholder makes a document irregular', () => {
  const texts = [
    '{ f(x: "a }',
    '{ f(x: """a }',
    '{ f(x: "\\q") }',
    '{ f(x: \u00000\u0000) }',
    '{ f % }',
    '{ f # \u0000\n }',
  ];
  for (const text of [...texts, '{ f(x: "\ud800") }'])
    assert.equal(scanDocument(text).isRegular, false, text);
  for (const text of ['{ f }', '\ufeff{ f(x: "\u0000") }'])
    assert.equal(scanDocument(text).isRegular, true, text);
});

test('tokens and nesting are counted as the library lexes them', () => {
  const texts = [
    'name',
    '1',
    '-1.5e+3',
    '"text"',
    '""',
    '"""block"""',
    '...',
    '$',
    '!',
    ':',
    '@',
    '|',
    '&',
    '=',
  ];
  const token = fc.constantFrom(...texts, '{ ', '}', '[', ']', '(', ')');
  const space = fc.constantFrom(' ', '\n', ',', '\t', '\r\n', ' # comment "\n');
  fc.assert(
    fc.property(fc.array(fc.tuple(token, space), { maxLength: 60 }), (parts) => {
      const text = parts.flat().join('');
      const lexer = new Lexer(new Source(text));
      let tokens = 0;
      let nesting = 0;
      let deepest = 0;
      for (let next = lexer.advance(); next.kind !== TokenKind.EOF; next = lexer.advance()) {
        tokens += 1;
        if (['{', '[', '('].includes(next.kind)) deepest = Math.max(deepest, (nesting += 1));
        if (['}', ']', ')'].includes(next.kind)) nesting -= 1;
      }
      const scanned = scanDocument(text);
      assert.deepEqual([scanned.tokens, scanned.nesting, scanned.isRegular], [tokens, deepest, true]);
    }),
  );
});

test('any text can be scanned', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const scanned = scanDocument(text);
      assert.equal(typeof scanned.key, 'string');
    }),
  );
});

const literal = fc.constantFrom(
  '""',
  '"a"',
  '"a longer one"',
  '"b\\n"',
  '"raw\nline"',
  '"raw\r\nline"',
  '"""block\n  text"""',
);

test('a place in one document is found again in every document with the same key', () => {
  const pair = fc.array(fc.tuple(literal, literal, fc.constantFrom(' ', '\n', '\r\n ')), { maxLength: 12 });
  fc.assert(
    fc.property(pair, (arguments_) => {
      const write = (side: 0 | 1): string =>
        `{ ${arguments_.map((part, index) => `f${index}(x: ${part[side]} y${index}: 1)${part[2]}`).join('')}end }`;
      const [first, second] = [scanDocument(write(0)), scanDocument(write(1))];
      fc.pre(first.key === second.key);
      const places = ['end', ...arguments_.flatMap((_, index) => [`f${index}(`, `y${index}:`])];
      for (const place of places) {
        const parsed = parseableText(first).indexOf(place);
        const offset = offsetInDocument(first, parsed);
        assert.equal(offset, first.text.indexOf(place));
        const found = offsetFromKey(second, offsetInKey(first, offset));
        assert.equal(found, second.text.indexOf(place));
      }
    }),
    { numRuns: 500 },
  );
});

test('the library reads a document with raw line breaks in strings once they are written as escapes', () => {
  const scanned = scanDocument('{ f(x: "a\nb\r\nc") }');
  const lexer = new Lexer(new Source(parseableText(scanned)));
  let value = '';
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    if (token.kind === TokenKind.STRING) value = token.value;
  }
  assert.equal(value, 'a\nb\nc');
  assert.deepEqual(scanned.literals, ['a\nb\nc']);
});

test('lines and columns count from 1, and every line break counts once', () => {
  assert.deepEqual(locationOf('ab\ncd', 3), { line: 2, column: 1 });
  assert.deepEqual(locationOf('ab\r\ncd\re', 5), { line: 2, column: 2 });
  assert.deepEqual(locationOf('ab', 2), { line: 1, column: 3 });
});
