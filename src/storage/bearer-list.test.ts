import assert from 'node:assert/strict';
import { test } from 'node:test';
import { figure, seededRandom } from '../../test/reliability/seeded-random.ts';
import { ascendingNumbers } from './bearer-list.ts';

test('the numbers of several lists come ascending and once, however many they are', (context) => {
  const random = seededRandom('lists of bearers');
  for (const length of [0, 1, 2, 40, 900, 1_100, 5_000, 60_000]) {
    for (const largest of [0, 3, 1_000, 2_000_000]) {
      const lists = [1, 2].map(() => Array.from({ length }, () => random.between(0, largest)));
      const expected = [...new Set(lists.flat())].toSorted((one, other) => one - other);
      assert.deepEqual([...ascendingNumbers(lists)], expected, `${length} numbers up to ${largest}`);
    }
  }
  figure(context, 'Search', 'lists of up to 120,000 bearers are put in order');
});
