import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { readTestText } from './test-file.ts';

const definition = fc.record({
  on: fc.record({ types: fc.array(fc.string()) }),
  rules: fc.array(
    fc.record({ property: fc.string(), values: fc.array(fc.oneof(fc.string(), fc.integer())) }),
  ),
});

test('any text is read, or refused with a place in it', () => {
  const pieces = fc.constantFrom(
    'on:',
    ' ',
    '\n',
    '- ',
    '{',
    '}',
    '[',
    ']',
    '&a ',
    '*a',
    '"',
    ': ',
    '---\n',
    '\t',
    '%',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof(pieces, fc.string({ maxLength: 4 }))).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(text, (written) => {
      const { tests, problems } = readTestText('file', written);
      const lines = written.split(/\r\n|\n|\r/).length;
      for (const { line, column, message } of [
        ...problems,
        ...tests.map(({ place }) => ({ ...place, message: '-' })),
      ]) {
        assert.ok(line >= 1 && line <= lines && column >= 1, `${line}:${column} of ${lines} lines`);
        assert.notEqual(message, '');
      }
    }),
    { numRuns: 300 },
  );
});

test('a definition is read the same from JSON and from YAML, and every part of it has its place', () => {
  fc.assert(
    fc.property(definition, (written) => {
      const json = readTestText('a.json', JSON.stringify(written, null, 2));
      const yaml = readTestText('a.yaml', stringify({ name: 'x', definition: written }));
      assert.deepEqual([...json.problems, ...yaml.problems], []);
      const [first, second] = [json.tests[0], yaml.tests[0]];
      assert.ok(first !== undefined && second !== undefined);
      assert.equal(first.text, JSON.stringify(written));
      assert.equal(first.text, second.text);
      const lines = JSON.stringify(written, null, 2).split('\n');
      for (const [index, rule] of written.rules.entries()) {
        const { line, column } = first.placeOf(`/rules/${index}/property`);
        assert.ok(lines[line - 1]?.slice(column - 1).startsWith(JSON.stringify(rule.property)));
      }
    }),
  );
});
