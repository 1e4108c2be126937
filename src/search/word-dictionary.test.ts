import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createWordDictionary, type WordDictionary } from './word-dictionary.ts';

function dictionaryOf(words: Iterable<string>): WordDictionary {
  const dictionary = createWordDictionary();
  for (const word of words) dictionary.add(word);
  return dictionary;
}

/** By trying everything: what a word becomes by one error. */
function withOneError(word: string, alphabet: readonly string[]): Set<string> {
  const letters = Array.from(word);
  const made = new Set<string>();
  const put = (...parts: readonly (readonly string[])[]): void => void made.add(parts.flat().join(''));
  for (let at = 0; at <= letters.length; at += 1) {
    const [before, after] = [letters.slice(0, at), letters.slice(at)];
    put(before, after.slice(1));
    put(before, after.slice(0, 2).toReversed(), after.slice(2));
    for (const letter of alphabet) {
      put(before, [letter], after);
      put(before, [letter], after.slice(1));
    }
  }
  made.delete(word);
  return made;
}

describe('the dictionary of name words', () => {
  it('offers a word once, however often it was added', async () => {
    const dictionary = dictionaryOf(['orders', 'order', 'orders', 'orders']);
    const asked = { errorsMax: 1, isBeginning: true, count: 2 };
    assert.deepEqual(await dictionary.corrections('odrer', asked), [
      { word: 'order', errors: 1 },
      { word: 'orders', errors: 1 },
    ]);
  });

  it('offers the words that one error makes, or more of them, fewest errors first, then shorter words', async () => {
    const dictionary = dictionaryOf([
      'customers',
      'customer',
      'custom',
      'dustbox',
      'orders',
      'order',
      'border',
    ]);
    const asked = { errorsMax: 2, isBeginning: true, count: 50 };
    assert.deepEqual(await dictionary.corrections('custmoer', asked), [
      { word: 'customer', errors: 1 },
      { word: 'customers', errors: 1 },
    ]);
    assert.deepEqual(await dictionary.corrections('custmo', asked), [
      { word: 'custom', errors: 1 },
      { word: 'customer', errors: 1 },
      { word: 'customers', errors: 1 },
      { word: 'dustbox', errors: 2 },
    ]);
    assert.deepEqual(await dictionary.corrections('custmoer', { ...asked, isBeginning: false }), [
      { word: 'customer', errors: 1 },
      { word: 'customers', errors: 2 },
    ]);
    const whole = { errorsMax: 1, isBeginning: false, count: 50 };
    assert.deepEqual(await dictionary.corrections('order', whole), [
      { word: 'border', errors: 1 },
      { word: 'orders', errors: 1 },
    ]);
    assert.deepEqual(await dictionary.corrections('order', { ...whole, count: 1 }), [
      { word: 'border', errors: 1 },
    ]);
    assert.deepEqual(await dictionary.corrections('', asked), []);
    assert.deepEqual(await createWordDictionary().corrections('order', asked), []);
  });

  it('finds what trying every error finds, in whatever letters', async () => {
    const alphabet = ['a', 'b', 'é', '注', '𠀀', 'z'];
    const words = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 2, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(words, { maxLength: 40 }),
        words,
        fc.boolean(),
        async (all, typed, isBeginning) => {
          const once = withOneError(typed, alphabet);
          const twice = new Set([...once].flatMap((word) => [...withOneError(word, alphabet)]));
          // Optimal string alignment does not change a letter twice, so some of what two errors make is further away.
          const isMade = (made: ReadonlySet<string>, word: string): boolean =>
            isBeginning ? [...made].some((each) => each !== '' && word.startsWith(each)) : made.has(word);
          const found = await dictionaryOf(all).corrections(typed, {
            errorsMax: 2,
            isBeginning,
            count: 1_000,
          });
          for (const word of all) {
            const errors = found.find((each) => each.word === word)?.errors;
            const isItself = isBeginning ? word.startsWith(typed) : word === typed;
            if (isItself) assert.equal(errors, undefined);
            else if (isMade(once, word)) assert.equal(errors, 1, `${typed} ${word}`);
            else if (errors !== undefined) assert.ok(errors === 2 && isMade(twice, word), `${typed} ${word}`);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('gives of many words those with the fewest errors, whatever else there is', async () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const others = Array.from(letters, (one) =>
      Array.from(letters, (other) => `xx${one}${other}ordexy`),
    ).flat();
    const near = Array.from(letters, (letter) => `ordex${letter}${'y'.repeat(20)}`);
    const dictionary = dictionaryOf([...others, ...near, 'ordev']);
    const found = await dictionary.corrections('ordexx', { errorsMax: 2, isBeginning: true, count: 10 });
    assert.equal(found.length, 10);
    assert.deepEqual(
      found.map(({ errors }) => errors),
      found.map(() => 1),
    );
    assert.deepEqual(found[0], { word: near[0], errors: 1 });
  });

  it('answers from words that are added while it looks, and stays as it is when it is full', async () => {
    const dictionary = createWordDictionary(200_001);
    const base = (at: number): string =>
      Array.from(at.toString(20), (digit) => digit.charCodeAt(0) % 20).join('x');
    for (let at = 0; at < 200_000; at += 1) dictionary.add(`${base(at)}filler`);
    const looking = dictionary.corrections('ordre', { errorsMax: 1, isBeginning: true, count: 5 });
    dictionary.add('orders');
    dictionary.add('ordert');
    assert.equal(dictionary.size, 200_001);
    await looking;
    assert.deepEqual(await dictionary.corrections('ordre', { errorsMax: 1, isBeginning: true, count: 5 }), [
      { word: 'orders', errors: 1 },
    ]);
  });

  it('takes the first letters of a very long word for all of it', async () => {
    const long = 'abcdefghijklmnopqrstuvwxyz'.repeat(2).slice(0, 38);
    const dictionary = dictionaryOf([long, long.slice(0, 20)]);
    const mistyped = `${long.slice(0, 10)}${long.slice(11)}`;
    const asked = { errorsMax: 2, isBeginning: false, count: 50 };
    assert.deepEqual(await dictionary.corrections(mistyped, asked), [{ word: long, errors: 1 }]);
  });
});
