import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createIdLists } from './id-lists.ts';

const list = fc.array(fc.nat(2 ** 31 - 1), { minLength: 1, maxLength: 6 });

test('each list is what was added, whatever is added and removed beside it', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(list, fc.boolean()), { maxLength: 200 }), (all) => {
      const lists = createIdLists();
      const known = new Map<number, readonly number[]>();
      for (const [ids, removesOne] of all) {
        const place = lists.add(ids);
        assert.ok(place > 0 && !known.has(place));
        known.set(place, ids);
        const [oldest] = known.keys();
        if (!removesOne || oldest === undefined) continue;
        lists.remove(oldest);
        known.delete(oldest);
      }
      for (const [place, ids] of known) assert.deepEqual(lists.at(place), ids);
    }),
  );
});

test('a list in the place of another one of its length takes no room', () => {
  const lists = createIdLists();
  let place = lists.add([1, 2]);
  const { length } = lists.cells();
  for (let turn = 0; turn < 1_000; turn += 1) {
    lists.remove(place);
    place = lists.add([turn, turn]);
  }
  assert.equal(lists.cells().length, length);
});
