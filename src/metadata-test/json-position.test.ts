import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { positionsOf, syntaxErrorPosition } from './json-position.ts';

describe('positions of JSON pointers', () => {
  const text = '{"a": [1,\n {"b/c": "x"}],\r\n "~": null, "a2": {"": 5}}';
  const places: readonly (readonly [string, number, number])[] = [
    ['', 1, 1],
    ['/a', 1, 7],
    ['/a/0', 1, 8],
    ['/a/1', 2, 2],
    ['/a/1/b~1c', 2, 10],
    ['/~0', 3, 7],
    ['/a2/', 3, 24],
    ['/a/7/x', 1, 7],
    ['/nowhere', 1, 1],
  ];
  for (const [pointer, line, column] of places) {
    it(`${pointer === '' ? 'the root' : pointer} is at ${line}:${column}`, () => {
      assert.deepEqual(positionsOf(text, [pointer]).get(pointer), { line, column });
    });
  }

  it('of a member that is there twice are those of the last one, which counts', () => {
    assert.deepEqual(positionsOf('{"a": 1, "a": 2}', ['/a']).get('/a'), { line: 1, column: 15 });
  });

  it('lead to the text of the value, whatever the document is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 }), (document) => {
        const printed = JSON.stringify(document);
        for (const [key, value] of Object.entries(JSON.parse(printed) as Record<string, unknown>)) {
          const pointer = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
          const { column = 0 } = positionsOf(printed, [pointer]).get(pointer) ?? {};
          assert.ok(printed.startsWith(JSON.stringify(value), column - 1), `${pointer} in ${printed}`);
        }
      }),
    );
  });
});

describe('the place of a syntax error', () => {
  const errors: readonly (readonly [string, number, number])[] = [
    ['', 1, 1],
    ['{"a": 1,}', 1, 9],
    ['[1\n 2]', 2, 2],
    ['{"a": tru}', 1, 7],
    ['{} x', 1, 4],
    ['["a\u0000"]', 1, 2],
    ["{'a': 1}", 1, 2],
  ];
  for (const [text, line, column] of errors) {
    it(`of ${JSON.stringify(text)} is ${line}:${column}`, () => {
      assert.deepEqual(syntaxErrorPosition(text), { line, column });
    });
  }

  it('exists exactly where JSON.parse refuses the text', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      'a',
      '\\',
      '1',
      '-',
      '.',
      'e',
      ' ',
      'null',
      '\\u00e9',
    );
    const nearly = fc.oneof(
      fc.json().map((text) => text.replace(/[,:]/, '')),
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
      fc.json(),
    );
    fc.assert(
      fc.property(nearly, (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        assert.equal(syntaxErrorPosition(text) === undefined, isJson);
      }),
      { numRuns: 2_000 },
    );
  });
});
