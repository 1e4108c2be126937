import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readJsonRecords } from './json-records.ts';
import type { RecordItem } from './json-records.ts';

async function recordsOf(chunks: readonly Uint8Array[], recordBytesMax?: number): Promise<RecordItem[]> {
  const source = (async function* () {
    yield* chunks;
  })();
  return Array.fromAsync(readJsonRecords(source, recordBytesMax === undefined ? {} : { recordBytesMax }));
}

const ofText = (text: string, recordBytesMax?: number): Promise<RecordItem[]> =>
  recordsOf([Buffer.from(text)], recordBytesMax);
const texts = (items: readonly RecordItem[]): string[] =>
  items.flatMap((item) => ('text' in item ? [item.text] : []));
const problems = (items: readonly RecordItem[]): string[] =>
  items.flatMap((item) => ('problem' in item ? [`${item.number}@${item.offset} ${item.problem}`] : []));

/** Cuts at the given fractions of the length. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...places.map((place) => Math.floor(place * bytes.length)), bytes.length];
  let from = 0;
  return at
    .sort((left, right) => left - right)
    .map((to) => {
      const piece = bytes.subarray(from, to);
      from = to;
      return piece;
    });
}

test('a list cut at any places gives the records that JSON.parse gives', async () => {
  const printed = fc
    .tuple(fc.array(fc.jsonValue()), fc.constantFrom(0, 1, 4))
    .map(([list, indent]) => ({ list, text: JSON.stringify(list, null, indent) }));
  await fc.assert(
    fc.asyncProperty(
      printed,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 }),
      async ({ list, text }, places) => {
        const items = await recordsOf(cut(Buffer.from(text), places));
        assert.deepEqual(problems(items), []);
        assert.deepEqual(
          texts(items).map((each) => JSON.parse(each)),
          JSON.parse(JSON.stringify(list)),
        );
        assert.deepEqual(
          items.map(({ number }) => number),
          list.map((_, index) => index + 1),
        );
      },
    ),
    { numRuns: 300 },
  );
});

test('records on lines of their own give what the list of them gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 10 }),
      async (list, places) => {
        const lines = list.map((each) => JSON.stringify(each));
        const items = await recordsOf(cut(Buffer.from(lines.join('\n')), places));
        assert.deepEqual(texts(items), lines);
        assert.deepEqual(problems(items), []);
      },
    ),
  );
});

test('whatever the bytes, reading ends, and where they are cut makes no difference', async () => {
  const pieces = fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '\n', ' ', 'a', '1', 'ü');
  await fc.assert(
    fc.asyncProperty(
      fc.array(pieces).map((all) => Buffer.from(all.join(''))),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 10 }),
      async (bytes, places) => {
        assert.deepEqual(await recordsOf(cut(bytes, places)), await recordsOf([bytes]));
      },
    ),
    { numRuns: 500 },
  );
});

test('a single record, an empty list and an empty file are fine', async () => {
  assert.deepEqual(await ofText('{"a":1}'), [{ number: 1, offset: 0, text: '{"a":1}' }]);
  assert.deepEqual(await ofText(' [ ] '), []);
  assert.deepEqual(await ofText(''), []);
  assert.deepEqual(await ofText('\ufeff[{"a":1}]'), [{ number: 1, offset: 4, text: '{"a":1}' }]);
});

test('records behind a broken one are still read, and the place is told', async () => {
  const unclosedList = await ofText('[{"a":[1},{"b":2}]');
  assert.deepEqual(texts(unclosedList), ['{"a":[1}', '{"b":2}']);
  const unclosedString = await ofText('[\n{"a":"x},\n{"b":2}]\n');
  assert.deepEqual(problems(unclosedString).length + texts(unclosedString).length, 1);
  assert.deepEqual(texts(await ofText('{"a":"x}\n}\n{"b":2}\n')), ['{"a":"x}\n}', '{"b":2}']);
  assert.deepEqual(problems(await ofText('[{"a":1} {"b":2}]')), [
    '2@9 a comma is missing before this record',
  ]);
  assert.deepEqual(problems(await ofText('[{"a":1},]')), ['1@9 a comma without a record behind it']);
  assert.deepEqual(texts(await ofText('[{"a":1}}, {"b":2}]')), ['{"a":1}', '{"b":2}']);
  assert.deepEqual(problems(await ofText('[{"a":1}}, {"b":2}]')), ['1@8 a "}" that closes nothing']);
});

test('a file that ends too early is told', async () => {
  assert.deepEqual(problems(await ofText('[{"a":1},{"b":')), [
    '2@9 the record is not complete: the file ends within it',
  ]);
  assert.deepEqual(problems(await ofText('[{"a":1}')), [
    '2@8 the list is not closed: the file ends before its "]"',
  ]);
});

test('a record beyond the limit is passed over', async () => {
  const items = await ofText(`[{"a":"${'x'.repeat(100)}"},{"b":2}]`, 50);
  assert.deepEqual(texts(items), ['{"b":2}']);
  assert.deepEqual(problems(items), ['1@1 the record has 108 bytes, 50 are the limit']);
});

test('a record that is nested too deep is passed over, and costs no memory', async () => {
  const deep = '['.repeat(5_000) + ']'.repeat(5_000);
  const items = await ofText(`[{"a":${deep}},{"b":2}]`);
  assert.deepEqual(texts(items), ['{"b":2}']);
  assert.deepEqual(problems(items), ['1@1 the record is nested more than 1000 levels deep']);
  const [only, ...others] = problems(await ofText('['.repeat(100_000)));
  assert.match(only ?? '', /the file ends within it/);
  assert.deepEqual(others, []);
});

test('bytes that are not UTF-8 are told, not replaced', async () => {
  const items = await recordsOf([Buffer.from([0x5b, 0x7b, 0x22, 0xff, 0x22, 0x7d, 0x5d])]);
  assert.deepEqual(problems(items), ['1@1 the record is not valid UTF-8']);
});
