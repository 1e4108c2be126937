import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayBeToken, newTokenText, tokenIdOf, tokenPattern } from './token-text.ts';

test('a new token has the documented shape and a checksum that holds', () => {
  for (const kind of ['personal', 'service', 'bootstrap'] as const) {
    const text = newTokenText(kind);
    assert.match(text, tokenPattern);
    assert.ok(mayBeToken(text));
  }
});

test('two tokens are never the same', () => {
  const texts = new Set(Array.from({ length: 1_000 }, () => newTokenText('personal')));
  assert.equal(texts.size, 1_000);
});

test('a mistyped token is told from a real one without the store', () => {
  const text = newTokenText('personal');
  const mistyped = text.slice(0, 10) + (text[10] === 'a' ? 'b' : 'a') + text.slice(11);
  assert.equal(mayBeToken(mistyped), false);
  assert.equal(mayBeToken(text.slice(0, -1)), false);
});

test('a token chosen by the operator is not ruled out by its shape', () => {
  assert.ok(mayBeToken('correct-horse-battery-staple'));
});

test('the id of a token does not hold the token', () => {
  const text = newTokenText('service');
  const id = tokenIdOf(text);
  assert.match(id, /^[0-9a-f]{64}$/);
  assert.ok(!id.includes(text.slice(5, 20)));
});
