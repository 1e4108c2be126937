import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFieldColumn } from './field-column.ts';
import { membersOf, numberSetOf, numbersIn } from './number-set.ts';

const bound = 3_000;
const writes = fc.array(
  fc.tuple(
    fc.constantFrom(0, 1, 31, 1_023, 1_024, 2_999),
    fc.array(fc.constantFrom('', 'a', 'b', 'c', 'd'), { maxLength: 3 }),
    fc.constantFrom('put', 'add'),
  ),
  { maxLength: 40 },
);

describe('a column of values in memory', () => {
  it('says what was last put of each entity, with what was added since', () => {
    fc.assert(
      fc.property(writes, fc.uniqueArray(fc.constantFrom(0, 1, 31, 1_023, 1_024, 2_999)), (all, some) => {
        const column = createFieldColumn();
        const known = new Map<number, readonly string[]>();
        for (const [number, values, how] of all) {
          column[how](number, values);
          const before = how === 'add' ? (known.get(number) ?? []) : [];
          known.set(number, [...new Set([...before, ...values])]);
        }
        for (const [number, values] of known) assert.deepEqual(column.valuesOf(number), values);
        for (const value of ['', 'a', 'b', 'never']) {
          const having = [...known].filter(([, values]) => values.includes(value)).map(([number]) => number);
          assert.equal(column.countOf(value), having.length, value);
          const found = numbersIn(column.having((each) => each === value, bound));
          assert.deepEqual(
            [...found],
            having.toSorted((one, other) => one - other),
          );
        }
        const counts = new Map<string, number>();
        for (const number of some) {
          for (const value of known.get(number) ?? []) counts.set(value, (counts.get(value) ?? 0) + 1);
        }
        assert.deepEqual(column.counts(membersOf(numberSetOf(some, bound))), counts);
        const begun = column.eachCount(membersOf(numberSetOf(some, bound)));
        const first = begun.next();
        for (const number of known.keys()) column.put(number, ['e', 'f', 'g']);
        assert.deepEqual(new Map(first.done === true ? [] : [first.value, ...begun]), counts, 'as it was');
        for (const [number, values] of known) column.put(number, values);
        const distinct = new Set([...known.values()].flat());
        assert.deepEqual(new Set([...column.distinct()].map(([value]) => value)), distinct);
      }),
    );
  });

  it('counts all of many entities as it counts some of them', () => {
    const column = createFieldColumn();
    const numbers = Array.from({ length: bound }, (_, number) => number);
    for (const number of numbers)
      column.put(number, number % 3 === 0 ? ['a', 'b'] : number % 3 === 1 ? ['a'] : []);
    const counted = (some: readonly number[]) => [...column.counts(membersOf(numberSetOf(some, bound)))];
    assert.deepEqual(counted(numbers), [
      ['a', 2_000],
      ['b', 1_000],
    ]);
    assert.deepEqual(counted(numbers.slice(32, 97)), [
      ['a', 43],
      ['b', 22],
    ]);
  });

  it('keeps each value once, and its place is used again', () => {
    const column = createFieldColumn();
    for (let turn = 0; turn < 100; turn += 1) column.put(7, [`value ${turn}`, `other ${turn}`]);
    assert.deepEqual(
      [...column.distinct()],
      [
        ['value 99', 1],
        ['other 99', 1],
      ],
    );
  });
});
