import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FilterCondition } from './search-engine.ts';
import { valueTest } from './value-condition.ts';

function accepted(
  condition: FilterCondition,
  wanted: readonly string[],
  values: readonly string[],
  kind: 'text' | 'number' = 'text',
): readonly string[] {
  return values.filter(valueTest(condition, wanted, kind));
}

describe('the condition of a filter', () => {
  const values = ['Order', 'order', 'reorder', 'orders', 'über'];

  it('compares exactly, or without case and accents', () => {
    assert.deepEqual(accepted('EQUAL', ['order'], values), ['order']);
    assert.deepEqual(accepted('IN', ['order', 'Order'], values), ['Order', 'order']);
    assert.deepEqual(accepted('IEQUAL', ['ORDER', 'UBER'], values), ['Order', 'order', 'über']);
    assert.deepEqual(accepted('CONTAIN', ['ORD'], values), ['Order', 'order', 'reorder', 'orders']);
    assert.deepEqual(accepted('START_WITH', ['ord'], values), ['Order', 'order', 'orders']);
    assert.deepEqual(accepted('END_WITH', ['order'], values), ['Order', 'order', 'reorder']);
    assert.deepEqual(accepted('EXISTS', [], values), values);
    assert.deepEqual(accepted('EQUAL', [], values), []);
  });

  it('takes nothing in a value for a pattern', () => {
    assert.deepEqual(accepted('CONTAIN', ['.*', '%', '_'], values), []);
    assert.deepEqual(accepted('START_WITH', ['^order', '\\'], values), []);
  });

  it('compares numbers by their size, and what is none not with them', () => {
    const numbers = ['2', '10', '-1', '1e3', 'many'];
    assert.deepEqual(accepted('GREATER_THAN', ['5'], numbers, 'number'), ['10', '1e3']);
    assert.deepEqual(accepted('LESS_THAN_OR_EQUAL_TO', ['2'], numbers, 'number'), ['2', '-1']);
    assert.deepEqual(accepted('EQUAL', ['10.0'], numbers, 'number'), ['10']);
    assert.deepEqual(accepted('GREATER_THAN_OR_EQUAL_TO', ['b'], ['a', 'b', 'c']), ['b', 'c']);
    assert.deepEqual(accepted('LESS_THAN', ['b'], ['a', 'b', 'c']), ['a']);
  });
});
