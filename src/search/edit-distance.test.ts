import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { comparedLettersMax, typedLetters, typingErrors } from './edit-distance.ts';

const codesOf = (word: string): number[] => Array.from(word, (letter) => letter.charCodeAt(0));

function errorsBetween(typed: string, word: string, max: number, isBeginning = false): number {
  const words = Uint16Array.from(codesOf(`x${word}x`));
  return typingErrors(typedLetters(codesOf(typed), 128), words, 1, 1 + word.length, max, isBeginning);
}

/** By the table of all distances, as the definition says. */
function plainErrors(typed: string, word: string): number {
  const table: number[][] = [Array.from({ length: word.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => table[row]?.[column] ?? Infinity;
  for (let row = 1; row <= typed.length; row += 1) {
    table.push([row]);
    for (let column = 1; column <= word.length; column += 1) {
      const isSame = typed[row - 1] === word[column - 1];
      const isSwapped = typed[row - 1] === word[column - 2] && typed[row - 2] === word[column - 1];
      table[row]?.push(
        Math.min(
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(typed.length, word.length);
}

describe('the distance of two words in typing errors', () => {
  it('counts letters that are missing, too many, wrong, or swapped with their neighbour', () => {
    for (const [word, other, distance] of [
      ['order', 'order', 0],
      ['ordr', 'order', 1],
      ['orrder', 'order', 1],
      ['orber', 'order', 1],
      ['odrer', 'order', 1],
      ['rdoer', 'order', 2],
      ['custmoer', 'customer', 1],
      ['kitten', 'sitting', 3],
    ] as const) {
      assert.equal(errorsBetween(word, other, 3), distance, `${word} ${other}`);
      assert.equal(errorsBetween(other, word, 3), distance, `${other} ${word}`);
      assert.equal(plainErrors(word, other), distance);
    }
  });

  it('is that of the table of all distances, and of a beginning the least of all beginnings', () => {
    const letters = fc.constantFrom('a', 'b', 'c');
    const typedWords = fc.string({ unit: letters, minLength: 1, maxLength: 9 });
    const longWords = fc.string({ unit: letters, minLength: 26, maxLength: comparedLettersMax });
    fc.assert(
      fc.property(
        fc.oneof(typedWords, longWords),
        fc.oneof(fc.string({ unit: letters, maxLength: 10 }), longWords),
        fc.integer({ min: 1, max: 3 }),
        (typed, word, max) => {
          const bounded = (errors: number): number => Math.min(errors, max + 1);
          assert.equal(bounded(errorsBetween(typed, word, max)), bounded(plainErrors(typed, word)));
          const beginnings = Array.from({ length: word.length + 1 }, (_, end) => word.slice(0, end));
          const least = Math.min(...beginnings.map((beginning) => plainErrors(typed, beginning)));
          assert.equal(bounded(errorsBetween(typed, word, max, true)), bounded(least));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('of a longer word than can be compared is that of its first letters', () => {
    const word = 'abcdefghij'.repeat(4);
    assert.equal(errorsBetween(word, word.slice(0, comparedLettersMax), 2), 0);
    assert.equal(errorsBetween(word, word, 2, true), 0);
  });
});
