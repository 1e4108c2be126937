import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { TermQuery } from './search-index.ts';
import {
  isCorrectable,
  comparableName,
  folded,
  nameWordQuery,
  nameWordTerm,
  queryWordsOf,
  termsOfName,
  valueTerm,
  wholeNameBeginning,
  wholeNameTerm,
  wordsOf,
  wordText,
} from './search-terms.ts';

/** Texts of all sorts, with what is hard: accents, compositions, camel case, half characters, letters beyond the first plane. */
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      'B',
      'é',
      'E\u0301',
      'İ',
      'ß',
      'Σ',
      'ς',
      '.',
      '_',
      ' ',
      '7',
      '日',
      '한',
      '𝒜',
      '\ud800',
      '\u0000',
    ),
    maxLength: 150,
  }),
);

test('folding twice is folding once', () => {
  fc.assert(
    fc.property(anyText, (text) => folded(folded(text)) === folded(text)),
    { numRuns: 2000 },
  );
});

test('words hold nothing but letters and digits, whole characters, and are never longer than 40 letters', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const word of [...wordsOf(text), ...queryWordsOf(text)]) {
        assert.match(word, /^[\p{L}\p{N}]+$/u);
        assert.equal(word.isWellFormed(), true);
        assert.ok(Array.from(word).length <= 40);
        assert.equal(word, folded(word));
      }
    }),
    { numRuns: 2000 },
  );
});

test('whoever types any part of a name in any case finds the words of the name', () => {
  fc.assert(
    fc.property(anyText, (name) => {
      const words = new Set(wordsOf(name));
      for (const typed of [name, name.toUpperCase(), name.normalize('NFD')]) {
        // Upper case is another text where a letter has no upper case of its own, as in "SS" for "ß".
        if (folded(typed) !== folded(name)) continue;
        for (const word of queryWordsOf(typed)) assert.ok(words.has(word), JSON.stringify([name, word]));
      }
    }),
    { numRuns: 2000 },
  );
});

test('no term of a name holds what a store refuses, and none is too long for one', () => {
  fc.assert(
    fc.property(anyText, (name) => {
      for (const term of [...wordsOf(name), ...termsOfName(name)]) {
        assert.equal(term.includes('\u0000'), false);
        assert.doesNotMatch(term, /\s/);
        assert.equal(term.isWellFormed(), true, JSON.stringify(term));
        assert.ok(Buffer.byteLength(term) < 2046);
      }
    }),
    { numRuns: 2000 },
  );
});

test('a name is found by every beginning of it, and of each of its words, however short', () => {
  const isBorne = (terms: readonly string[], { term, isPrefix }: TermQuery): boolean =>
    isPrefix ? terms.some((each) => each.startsWith(term)) : terms.includes(term);
  fc.assert(
    fc.property(anyText, anyText, (name, other) => {
      const terms = termsOfName(name);
      const whole = Array.from(wholeNameTerm(name)).slice(1);
      assert.ok(terms.includes(wholeNameTerm(name)));
      for (let count = 1; count <= whole.length; count += 1) {
        assert.ok(isBorne(terms, wholeNameBeginning(whole.slice(0, count).join(''))), `${count} of ${name}`);
      }
      for (const word of wordsOf(name)) {
        const letters = Array.from(word);
        assert.ok(terms.includes(nameWordTerm(word)));
        for (let count = 1; count <= letters.length; count += 1) {
          assert.ok(
            isBorne(terms, nameWordQuery(letters.slice(0, count).join(''), true)),
            `${count} of ${word}`,
          );
        }
      }
      const [typed] = queryWordsOf(other);
      if (typed === undefined) return;
      const begins = wordsOf(name).some((word) => word.startsWith(typed));
      assert.equal(isBorne(terms, nameWordQuery(typed, true)), begins, JSON.stringify([name, typed]));
    }),
    { numRuns: 2000 },
  );
});

test('words are told in the order of the text, repetitions included', () => {
  assert.deepEqual(wordsOf('One two, one: THREE'), ['one', 'two', 'one', 'three']);
});

test('a word in camel case is found whole and by its parts', () => {
  assert.deepEqual(wordsOf('OrderDetails'), ['orderdetails', 'order', 'details']);
  assert.deepEqual(wordsOf('parseXMLFile2Go'), ['parsexmlfile2go', 'parse', 'xml', 'file2', 'go']);
  assert.deepEqual(wordsOf('ORDERS'), ['orders']);
  assert.deepEqual(queryWordsOf('OrderDetails'), ['orderdetails']);
});

test('accents and width do not matter, in whatever way they were typed', () => {
  for (const text of ['Café', 'cafe\u0301', 'CAFÉ', 'ｃａｆｅ']) {
    assert.deepEqual(queryWordsOf(text), ['cafe']);
    assert.deepEqual(wordsOf(text).slice(0, 1), ['cafe']);
  }
  assert.deepEqual(queryWordsOf('ΟΔΟΣ.ΟΔΟΣ ὁδός'), ['οδοσ']);
});

test('a text without blanks between its words is found by whatever stands in it', () => {
  assert.deepEqual(wordsOf('注文テーブル'), wordsOf('注文テーブル'.normalize('NFD')));
  const unspaced = fc.string({
    unit: fc.constantFrom('注', '文', '書', 'テ', 'ー', '𠀀', 'ข', 'a', '7'),
    maxLength: 40,
  });
  fc.assert(
    fc.property(unspaced, fc.nat(40), fc.integer({ min: 1, max: 40 }), (text, from, count) => {
      const part = Array.from(text).slice(from, from + count);
      // Letters of other scripts are found by whole words, so a part shall not begin or end within one.
      if (/[a7ー]/.test(`${part[0]}${part.at(-1)}`)) return;
      const words = new Set(wordsOf(text));
      for (const word of queryWordsOf(part.join('')))
        assert.ok(words.has(word), JSON.stringify([text, part]));
    }),
    { numRuns: 2000 },
  );
  assert.deepEqual(queryWordsOf('注文書'), ['注文', '文書']);
  assert.deepEqual(queryWordsOf('注'), ['注']);
  assert.deepEqual(wordsOf('注文2024'), ['注', '文', '注文', '2024']);
});

test('a long sentence without blanks is asked for by few words, which cover it', () => {
  const sentence = '毎日の注文をまとめた表です顧客ごとに集計します';
  const words = queryWordsOf(sentence);
  assert.ok(words.length <= sentence.length / 2 + 1);
  for (const letter of folded(sentence)) assert.ok(words.join('').includes(letter), letter);
});

test('what looks like the syntax of a query is nothing but a border between words', () => {
  assert.deepEqual(queryWordsOf('"orders" NEAR(col:^a* OR b\\) -c'), [
    'orders',
    'near',
    'col',
    'a',
    'or',
    'b',
    'c',
  ]);
  for (const text of ['', ' ', '"', '***', '\u0000', '\ud800', '🙂', '(((('])
    assert.deepEqual(queryWordsOf(text), []);
});

test('ten thousand letters without a break are one word of forty, and each word of a long text is asked for once', () => {
  assert.deepEqual(queryWordsOf('x'.repeat(10_000)), ['x'.repeat(40)]);
  assert.deepEqual(wordsOf('𝒳'.repeat(10_000))[0], 'x'.repeat(40));
  assert.deepEqual(wordsOf('𐐨'.repeat(10_000))[0], '𐐨'.repeat(40));
  assert.deepEqual(queryWordsOf('a b '.repeat(2_500)), ['a', 'b']);
});

test('the words of a text are the same as one text', () => {
  const texts = fc.oneof(
    anyText,
    fc.string({ unit: fc.constantFrom('a', 'b', 'Z', 'X', '7', ' ', '_', '.', 'é'), maxLength: 90 }),
  );
  fc.assert(
    fc.property(texts, (text) => assert.equal(wordText(text), wordsOf(text).join(' '))),
    { numRuns: 5000 },
  );
});

test('words of plain texts are what stands between everything else, in lower case, cut, and taken apart in camel case', () => {
  const borders = [' ', '_', '/', ':', '@', '[', '`', '{', '\u007f', '\n'];
  const plain = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'z', 'B', 'Z', '0', '9', ...borders), maxLength: 120 }),
    // Words of 38 to 43 letters.
    fc
      .array(fc.tuple(fc.integer({ min: 38, max: 43 }), fc.constantFrom(...borders)), { maxLength: 3 })
      .map((words) => words.map(([length, border]) => 'z'.repeat(length - 1) + 'a' + border).join('')),
  );
  const border = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
  const cut = (word: string): string => word.slice(0, 40).toLowerCase();
  fc.assert(
    fc.property(plain, (text) => {
      const expected = (text.match(/[A-Za-z0-9]+/g) ?? []).flatMap((word) => {
        const parts = word.split(border);
        return parts.length > 1 ? [cut(word), ...parts.map(cut)] : [cut(word)];
      });
      assert.deepEqual(wordsOf(text), expected, JSON.stringify(text));
    }),
    { numRuns: 5000 },
  );
});

test('names are compared by their letters and digits alone', () => {
  assert.equal(comparableName('Order Details'), comparableName('order_details'));
  assert.equal(wholeNameTerm('Order Details'), '^orderdetails');
});

test('a long name is cut at whole characters', () => {
  const term = wholeNameTerm(`a${'𐐨'.repeat(200)}`);
  assert.equal(Array.from(term).length, 121);
  assert.equal(term.isWellFormed(), true);
});

test('typing errors are looked for in words, and not in numbers, keys or abbreviations', () => {
  assert.deepEqual(
    wordsOf(`id orders 2024 x86 größe ${'x'.repeat(40)} ${'y'.repeat(39)}`).filter(isCorrectable),
    ['orders', 'große', 'y'.repeat(39)],
  );
});

test('the term of a value is of exactly this value of this field', () => {
  const terms = [valueTerm('name', 'a'), valueTerm('name', 'A'), valueTerm('id', 'a'), valueTerm('name', '')];
  assert.equal(new Set(terms).size, terms.length);
  assert.equal(valueTerm('name', 'a'), valueTerm('name', 'a'));
  for (const term of terms) assert.match(term, /^#[0-9a-f]{15}$/);
});
