import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRepeatedKeys } from './repeated-keys.ts';

test('a key is repeated when it was asked about among the last few thousand', () => {
  const isRepeated = createRepeatedKeys();
  assert.equal(isRepeated('often'), false);
  for (let number = 0; number < 20_000; number += 1) {
    assert.equal(isRepeated(`once ${number}`), false);
    if (number % 1_000 === 0) assert.equal(isRepeated('often'), true);
  }
  assert.equal(isRepeated('once 19999'), true);
  assert.equal(isRepeated('once 0'), false);
});
