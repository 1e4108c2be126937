import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { evaluate, pack, urnOf, vectors, withOwnScope } from './conformance.fixture.ts';
import { readTestDefinition } from './test-definition.ts';

const refused = (definition: unknown): readonly string[] => {
  const read = readTestDefinition(JSON.stringify(definition));
  return read.valid
    ? []
    : read.issues.filter((issue) => issue.severity === 'error').map((issue) => issue.code);
};

describe('conformance vectors', () => {
  for (const vector of vectors) {
    const urn = urnOf(vector.entity ?? 'D1');
    const definition = vector.test ?? withOwnScope(vector.rules ?? [], urn);
    if (vector.expect.startsWith('MT')) {
      it(`${vector.id} ${vector.about}: ${vector.expect}`, () => {
        assert.deepEqual(refused(definition), [vector.expect]);
      });
    } else {
      it(`${vector.id} ${vector.about}: ${vector.expect}`, async () => {
        assert.equal((await evaluate(definition, urn)).verdict, vector.expect);
      });
    }
  }
});

describe('rule pack', () => {
  for (const { id, about, definition, verdicts } of pack) {
    it(`${id} ${about}: gives the verdicts of the matrix`, async () => {
      const actual: Record<string, string> = {};
      for (const alias of Object.keys(verdicts)) {
        actual[alias] = (await evaluate(definition, urnOf(alias))).verdict;
      }
      assert.deepEqual(actual, verdicts);
    });
  }
});
