import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { editDistance } from './edit-distance.ts';

describe('the distance of two words in typing errors', () => {
  it('counts letters that are missing, too many, wrong, or swapped with their neighbour', () => {
    for (const [word, other, distance] of [
      ['order', 'order', 0],
      ['ordr', 'order', 1],
      ['orrder', 'order', 1],
      ['orber', 'order', 1],
      ['odrer', 'order', 1],
      ['', 'ab', 2],
      ['custmoer', 'customer', 1],
      ['kitten', 'sitting', 3],
    ] as const) {
      assert.equal(editDistance(word, other, 3), distance, `${word} ${other}`);
      assert.equal(editDistance(other, word, 3), distance, `${other} ${word}`);
    }
  });

  it('of the beginning of a longer word is the least of all its beginnings', () => {
    const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
    fc.assert(
      fc.property(words, words, (word, other) => {
        const beginnings = Array.from({ length: other.length + 1 }, (_, end) => other.slice(0, end));
        const least = Math.min(...beginnings.map((beginning) => editDistance(word, beginning, 10)));
        assert.equal(Math.min(editDistance(word, other, 2, true), 3), Math.min(least, 3));
        assert.equal(Math.min(editDistance(word, other, 2), 3), Math.min(editDistance(word, other, 10), 3));
      }),
    );
  });
});
