import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { nearestName, suggestion } from './nearest-name.ts';

const names = ['glossaryTerms', 'globalTags', 'ownership', 'status'];

test('a slip of the keyboard or of the case leads to the name that was meant', () => {
  assert.equal(nearestName('glosaryTerm', names), 'glossaryTerms');
  assert.equal(nearestName('GLOBALTAGS', names), 'globalTags');
  assert.equal(suggestion('statsu', names), ' Did you mean "status"?');
});

test('what is near to nothing suggests nothing', () => {
  assert.equal(nearestName('FOOBAR', names), undefined);
  assert.equal(nearestName('', names), undefined);
  assert.equal(suggestion('x'.repeat(100_000), names), '');
});

test('a name that is there is the nearest to itself', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 }), fc.nat(), (all, at) => {
      const name = all[at % all.length] ?? '';
      assert.equal(nearestName(name, all), name);
    }),
  );
});
