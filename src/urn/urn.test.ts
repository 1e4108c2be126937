import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { PostilError } from '../errors/postil-error.ts';
import { formatUrn, isUrn, parseUrn, urnKey, urnParts, urnType } from './urn.ts';

test('a dataset urn is split at its outermost commas, platform first, environment last', () => {
  const urn = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)');
  assert.equal(urnType(urn), 'dataset');
  assert.equal(urnKey(urn), '(urn:li:dataPlatform:hive,shop.orders,PROD)');
  assert.deepEqual(urnParts(urn), ['urn:li:dataPlatform:hive', 'shop.orders', 'PROD']);
});

test('a dataset name may hold dots, slashes, spaces, balanced parentheses and commas', () => {
  for (const name of ['/a/b c.d', 'f(x,y)', 'a,b', 'a,b(c,d),e', 'x()']) {
    const urn = parseUrn(`urn:li:dataset:(urn:li:dataPlatform:s3,${name},DEV)`);
    assert.deepEqual(urnParts(urn), ['urn:li:dataPlatform:s3', name, 'DEV']);
  }
});

test('a column urn keeps its dataset whole, and a comma in its field path belongs to the path', () => {
  const dataset = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
  assert.deepEqual(urnParts(parseUrn(`urn:li:schemaField:(${dataset},a.b)`)), [dataset, 'a.b']);
  assert.deepEqual(urnParts(parseUrn(`urn:li:schemaField:(${dataset},a,b)`)), [dataset, 'a,b']);
});

test('a key that is no tuple is one part, whatever it holds', () => {
  for (const key of ['Shop.Customer', 'a b/c', 'with:colon', '(a) b', 'a,b', 'a)(', '(a)(b)', 'é 漢 😀']) {
    assert.deepEqual(urnParts(parseUrn(`urn:li:glossaryTerm:${key}`)), [key]);
  }
});

test('malformed urns are refused by name', () => {
  const malformed = [
    '',
    'urn',
    'urn:li:',
    'urn:li:tag',
    'urn:li:tag:',
    'urn:li::x',
    'urn:xx:tag:x',
    ' urn:li:tag:x',
    'URN:li:tag:x',
    'urn:li:data set:x',
    'urn:li:dataset:(a,b',
    'urn:li:dataset:(a))(',
    'urn:li:tag:a\nb',
    'urn:li:tag:\u0000',
    'urn:li:tag:\u007f',
    'urn:li:tag:\ud800',
  ];
  for (const text of malformed) {
    assert.equal(isUrn(text), false, text);
    assert.throws(
      () => parseUrn(text),
      (error) =>
        error instanceof PostilError &&
        error.code === 'INVALID_URN' &&
        error.message.includes(JSON.stringify(text)),
    );
  }
});

test('a urn of 2048 bytes is accepted and a longer one is refused, counted in bytes', () => {
  assert.equal(isUrn(`urn:li:tag:${'x'.repeat(2048 - 11)}`), true);
  assert.equal(isUrn(`urn:li:tag:${'x'.repeat(2049 - 11)}`), false);
  assert.equal(isUrn(`urn:li:tag:${'é'.repeat(1018)}`), true);
  assert.equal(isUrn(`urn:li:tag:${'é'.repeat(1019)}`), false);
});

const word = fc.stringMatching(/^[A-Za-z0-9_./ :%é漢-]{1,20}$/);
const typeName = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_]{0,15}$/);

test('format, then parse and split, gives the parts back', () => {
  const part = fc.oneof(
    word,
    fc.tuple(word, word).map(([left, right]) => `${left}(${right},x)`),
  );
  fc.assert(
    fc.property(typeName, fc.array(part, { minLength: 1, maxLength: 3 }), (type, parts) => {
      const urn = formatUrn(type, parts);
      assert.equal(parseUrn(urn), urn);
      assert.equal(urnType(urn), type);
      const foldedAway =
        ['schemaField', 'dataJob', 'dataPlatformInstance'].includes(type) && parts.length > 2;
      if (!foldedAway) assert.deepEqual(urnParts(urn), parts);
    }),
  );
});

test('nonsense is refused or accepted, and never breaks anything else', () => {
  const piece = fc.constantFrom('urn:li:', 'dataset:', 'x', '(', ')', ',', ':', '\ud83d', ' ');
  const nonsense = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(nonsense, (text) => {
      if (!isUrn(text)) {
        assert.throws(() => parseUrn(text), PostilError);
        return;
      }
      assert.equal(`urn:li:${urnType(text)}:${urnKey(text)}`, text);
      const parts = urnParts(text);
      assert.ok(parts.length >= 1);
      if (parts.length > 1) assert.equal(formatUrn(urnType(text), parts), text);
    }),
    { numRuns: 1000 },
  );
});
