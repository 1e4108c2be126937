import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readQueryText } from './query-text.ts';

describe('the text of a search', () => {
  it('asks for everything when it is empty or a star', () => {
    for (const text of ['', ' ', '*', ' * ']) assert.equal(readQueryText(text).kind, 'everything', text);
  });

  it('has a last word that may be a beginning, unless it was ended or says too little', () => {
    for (const [text, words, isLastPrefix] of [
      ['Order', ['order'], true],
      ['order ', ['order'], false],
      ['"order"', ['order'], false],
      ['order*', ['order'], true],
      ['shop o', ['shop', 'o'], false],
      ['shop or', ['shop', 'or'], true],
      ['order shop order', ['order', 'shop'], false],
      ['**', [], false],
      ['ÜBER', ['uber'], true],
    ] as const) {
      const question = readQueryText(text);
      assert.ok(question.kind === 'words', text);
      assert.deepEqual(question.words, words, text);
      assert.equal(question.isLastPrefix, isLastPrefix, text);
    }
  });
});
