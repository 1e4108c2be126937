/*
 * Chinese, Japanese, Thai, Lao, Khmer and Burmese put no blanks between words, and no rule tells where one ends. So every letter and
 * every two in a row are taken for words, and a text is found by whatever stands in it.
 */

const scripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const unspaced = scripts.map((script) => `\\p{Script=${script}}`).join('');
// The mark that lengthens a vowel belongs to no script of its own.
const hasUnspaced = new RegExp(`[${unspaced}]`, 'u');
const runs = new RegExp(`[${unspaced}ー]+|[^${unspaced}ー]+`, 'gu');

/** From so many letters on, what is asked for are pairs that lie side by side, so that a sentence is not too many words. */
const overlappingMax = 8;

export function isUnspaced(word: string): boolean {
  return hasUnspaced.test(word);
}

/** What a word without blanks is found by. */
export function wordsWithin(word: string): string[] {
  return piecesOf(word, (letters) => [...letters, ...pairsOf(letters, 1)]);
}

/** What is asked for who searches for the word: enough of `wordsWithin` to tell it. */
export function wordsAskedFor(word: string): string[] {
  return piecesOf(word, (letters) => {
    if (letters.length === 1) return letters;
    if (letters.length <= overlappingMax) return pairsOf(letters, 1);
    return [...pairsOf(letters, 2), letters.slice(-2).join('')];
  });
}

function piecesOf(word: string, ofRun: (letters: string[]) => string[]): string[] {
  return (word.match(runs) ?? []).flatMap((run) => (isUnspaced(run) ? ofRun(Array.from(run)) : [run]));
}

function pairsOf(letters: readonly string[], step: number): string[] {
  const pairs: string[] = [];
  for (let at = 0; at + 2 <= letters.length; at += step) pairs.push(letters.slice(at, at + 2).join(''));
  return pairs;
}
