import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSameJson, holdsUnprintableNumber } from './same-json.ts';

test('numbers are the same when they are the same decimal, however they are written', () => {
  const same = [
    ['60.0', '60'],
    ['1e3', '1000'],
    ['1E+3', '1000.000'],
    ['-0', '0'],
    ['-0.0', '0'],
    ['0.0000001', '1e-7'],
    ['12345678901234567890', '1.234567890123456789e19'],
    ['1e400', '10e399'],
    ['{"a":1,"b":[2.50]}', '{"b":[2.5],"a":1}'],
  ] as const;
  for (const [left, right] of same) assert.ok(isSameJson(left, right), `${left} ${right}`);
});

test('numbers that JavaScript cannot tell apart differ, and no number is a text or a list', () => {
  const different = [
    ['9007199254740993', '9007199254740992'],
    ['123456.789012345678', '123456.789012345679'],
    ['1e400', '1e401'],
    ['1', '-1'],
    ['10', '1'],
    ['1', '"1e0"'],
    ['1', '["1e0"]'],
    ['{"a":null}', '{}'],
    ['[]', '{}'],
  ] as const;
  for (const [left, right] of different) assert.ok(!isSameJson(left, right), `${left} ${right}`);
});

test('exactly the numbers that would be printed differently are noticed', () => {
  const digits = fc.stringMatching(/^\d{1,25}$/);
  const number = fc
    .tuple(
      fc.constantFrom('', '-'),
      digits,
      fc.option(digits),
      fc.option(fc.integer({ min: -400, max: 400 })),
    )
    .map(([sign, whole, fraction, exponent]) => {
      const start = `${sign}${whole.replace(/^0+(?=\d)/, '')}`;
      return `${start}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`;
    });
  fc.assert(
    fc.property(number, fc.string(), (source, string) => {
      const text = `{"s":${JSON.stringify(string)},"n":${source},"t":"60.0 \\\\"}`;
      assert.equal(holdsUnprintableNumber(text), JSON.stringify(JSON.parse(text)) !== text, text);
    }),
    { numRuns: 2_000 },
  );
});
