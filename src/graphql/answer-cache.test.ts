import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUrn } from '../urn/urn.ts';
import { createAnswerCache } from './answer-cache.ts';
import type { AnswerCache } from './answer-cache.ts';
import { createBoundedCache } from './bounded-cache.ts';

const first = parseUrn('urn:li:glossaryTerm:a');
const second = parseUrn('urn:li:glossaryTerm:b');

function keep(cache: AnswerCache, key: string, text: string, urns = [first]): void {
  const computation = cache.begin();
  computation.keep(key, text, urns);
  computation.end();
}

test('an answer is kept until one of the entities it read is invalidated', () => {
  const cache = createAnswerCache();
  keep(cache, 'one', '1', [first, second]);
  keep(cache, 'two', '2', [second]);
  keep(cache, 'three', '3', []);
  cache.invalidate([first]);
  assert.deepEqual([cache.get('one'), cache.get('two'), cache.get('three')], [undefined, '2', '3']);
  cache.invalidate([second]);
  assert.deepEqual([cache.get('two'), cache.get('three')], [undefined, '3']);
});

test('an answer that was computed while one of its entities changed is not kept', () => {
  const cache = createAnswerCache();
  const before = cache.begin();
  const other = cache.begin();
  cache.invalidate([first]);
  const after = cache.begin();
  before.keep('before', 'old', [first]);
  other.keep('other', 'right', [second]);
  after.keep('after', 'new', [first]);
  for (const computation of [before, other, after]) computation.end();
  assert.deepEqual(
    [cache.get('before'), cache.get('other'), cache.get('after')],
    [undefined, 'right', 'new'],
  );
});

test('a computation that saw more invalidations than are remembered is not kept', () => {
  const cache = createAnswerCache();
  const computation = cache.begin();
  cache.invalidate([first]);
  cache.invalidate(Array.from({ length: 10_001 }, (_, index) => parseUrn(`urn:li:glossaryTerm:${index}`)));
  computation.keep('old', 'old', [first]);
  computation.end();
  assert.equal(cache.get('old'), undefined);
  keep(cache, 'new', 'new');
  assert.equal(cache.get('new'), 'new');
});

test('the cache holds no more bytes than it may, and forgets what was used least recently', () => {
  const cache = createAnswerCache({ maxBytes: 16_000 });
  for (let index = 0; index < 12; index += 1) {
    keep(cache, `key ${index}`, 'x'.repeat(1200));
    assert.ok(cache.get('key 0') !== undefined, 'what is used stays');
  }
  keep(cache, 'large', 'ä'.repeat(1000));
  assert.ok(cache.size <= 16_000, `${cache.size} bytes`);
  assert.equal(cache.get('key 1'), undefined);
  assert.equal(cache.get('large')?.length, undefined, 'an answer of more than an eighth is not kept');
});

test('a bounded cache tells what leaves it, and replaces what is set again', () => {
  const left: string[] = [];
  const cache = createBoundedCache<number>({
    maxEntries: 2,
    maxSize: 10,
    onRemove: (_, key) => void left.push(key),
  });
  cache.set('a', 1, 1);
  cache.set('b', 2, 1);
  cache.set('a', 3, 2);
  assert.deepEqual([cache.get('a'), cache.size, left], [3, 3, ['a']]);
  cache.set('c', 4, 1);
  assert.deepEqual([cache.get('b'), left], [undefined, ['a', 'b']]);
  cache.set('d', 5, 11);
  assert.equal(cache.get('d'), undefined);
  cache.set('e', 6, 9);
  assert.deepEqual([cache.get('a'), cache.get('c'), cache.get('e')], [undefined, 4, 6]);
});
