import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  addMembers,
  addOffset,
  chunkOf,
  chunkSpan,
  decodeChunkSet,
  emptyChunkSet,
  encodeChunkSet,
  hasOffset,
  isSameSet,
  minus,
  offsetOf,
  offsetsIn,
  removeOffset,
  sizeOfSet,
  type ChunkSet,
} from './chunk-set.ts';

function setOf(offsets: Iterable<number>): ChunkSet {
  const set = emptyChunkSet();
  for (const offset of offsets) addOffset(set, offset);
  return set;
}

/** Few offsets, as many as where the stored form changes, and nearly all. */
const offsets = fc
  .tuple(
    fc.constantFrom(0, 1, 20, 510, 511, 512, 513, 4_000, chunkSpan),
    fc.uniqueArray(fc.nat(chunkSpan - 1), { maxLength: 12 }),
    fc.nat(chunkSpan - 1),
  )
  .map(([count, others, first]) => {
    // Steps of an odd number meet every offset once.
    const regular = Array.from({ length: count }, (_, index) => (first + index * 4_099) % chunkSpan);
    return [...new Set([...regular, ...others])].toSorted((left, right) => left - right);
  });

describe('a set of entities of one chunk', () => {
  it('takes in the members of another one, and leaves that as it is', () => {
    fc.assert(
      fc.property(offsets, offsets, (left, right) => {
        const [into, members] = [setOf(left), setOf(right)];
        addMembers(into, members);
        assert.deepEqual(new Set(offsetsIn(into)), new Set([...left, ...right]));
        assert.ok(isSameSet(members, setOf(right)));
      }),
      { numRuns: 50 },
    );
  });

  it('holds what was added, in ascending order', () => {
    fc.assert(
      fc.property(offsets, (members) => {
        const set = setOf(members);
        assert.deepEqual([...offsetsIn(set)], members);
        assert.equal(sizeOfSet(set), members.length);
        const known = new Set(members);
        for (let offset = 0; offset < chunkSpan; offset += 1) {
          if (hasOffset(set, offset) !== known.has(offset)) assert.fail(`offset ${offset}`);
        }
      }),
    );
  });

  it('loses what was removed, and only that', () => {
    const set = setOf([0, 7, 8, chunkSpan - 1]);
    for (const offset of [8, 9, chunkSpan - 1]) removeOffset(set, offset);
    assert.deepEqual([...offsetsIn(set)], [0, 7]);
  });

  it('without another has the members that the other has not', () => {
    fc.assert(
      fc.property(offsets, offsets, (left, right) => {
        const [leftSet, rightSet] = [setOf(left), setOf(right)];
        const excluded = new Set(right);
        assert.deepEqual(
          [...offsetsIn(minus(leftSet, rightSet))],
          left.filter((offset) => !excluded.has(offset)),
        );
        assert.deepEqual([...offsetsIn(leftSet)], left);
      }),
    );
  });

  it('is the same as one with the same members', () => {
    assert.ok(isSameSet(setOf([1, 5_000]), setOf([5_000, 1])));
    assert.ok(!isSameSet(setOf([1, 5_000]), setOf([1])));
    assert.ok(!isSameSet(setOf([]), setOf([chunkSpan - 1])));
  });

  it('is read back as it was stored, and its stored form is never longer than the bitmap', () => {
    fc.assert(
      fc.property(offsets, (members) => {
        const set = setOf(members);
        const stored = encodeChunkSet(set);
        assert.equal(stored.length, Math.min(members.length * 2, chunkSpan / 8));
        assert.ok(isSameSet(decodeChunkSet(stored), set));
      }),
    );
  });

  it('that was read may be changed without touching what it was read from', () => {
    for (const members of [[1], Array.from({ length: chunkSpan }, (_, offset) => offset)]) {
      const stored = encodeChunkSet(setOf(members)).slice();
      const before = stored.slice();
      removeOffset(decodeChunkSet(stored), 1);
      assert.deepEqual(stored, before);
    }
  });
});

it('every entity number has one chunk and one place in it', () => {
  assert.deepEqual([0, 8_191, 8_192, 999_999].map(chunkOf), [0, 0, 1, 122]);
  assert.deepEqual([0, 8_191, 8_192, 999_999].map(offsetOf), [0, 8_191, 0, 575]);
});
