import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  addNumber,
  bothOf,
  hasNumber,
  keepNumbers,
  type NumberSet,
  numberSetOf,
  numbersIn,
  putNumbers,
  removeNumber,
  sizeOfNumbers,
  takeNumbers,
  withRoomFor,
} from './number-set.ts';

const bound = 200;
const numbers = fc.uniqueArray(fc.nat(bound - 1));
const ascending = (values: Iterable<number>): number[] => [...values].toSorted((one, other) => one - other);

describe('a set of entity numbers', () => {
  it('has what was put in, ascending, from any place on, and no more of it than is asked for', () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: -1, max: bound }), fc.nat(20), (members, after, count) => {
        const set = numberSetOf(members, bound);
        assert.deepEqual([...numbersIn(set)], ascending(members));
        assert.equal(sizeOfNumbers(set), members.length);
        const above = ascending(members).filter((number) => number > after);
        assert.deepEqual([...numbersIn(set, after, count)], above.slice(0, count));
      }),
    );
  });

  it('is combined with sets of other lengths as sets are', () => {
    fc.assert(
      fc.property(numbers, numbers, fc.integer({ min: 1, max: bound }), (left, right, shorter) => {
        const small = right.filter((number) => number < shorter);
        const other = numberSetOf(small, shorter);
        const of = (change: (set: NumberSet) => void): number[] => {
          const set = numberSetOf(left, bound);
          change(set);
          return [...numbersIn(set)];
        };
        const both = ascending(left.filter((number) => small.includes(number)));
        assert.deepEqual(
          of((set) => keepNumbers(set, other)),
          both,
        );
        assert.deepEqual([...numbersIn(bothOf(numberSetOf(left, bound), other))], both);
        assert.deepEqual(
          of((set) => takeNumbers(set, other)),
          ascending(left.filter((number) => !small.includes(number))),
        );
        assert.deepEqual(
          of((set) => putNumbers(set, other)),
          ascending(new Set([...left, ...small])),
        );
      }),
    );
  });

  it('grows without losing anything, and forgets what is removed', () => {
    const set = withRoomFor(numberSetOf([3, 31], 32), 5_000);
    addNumber(set, 4_999);
    removeNumber(set, 31);
    removeNumber(set, 1_000_000);
    assert.deepEqual([...numbersIn(set)], [3, 4_999]);
    assert.equal(hasNumber(set, 4_999), true);
    assert.equal(hasNumber(set, 9_999_999), false);
    assert.equal(withRoomFor(set, 10), set);
  });
});
