import { test } from 'node:test';
import fc from 'fast-check';
import { openKeptCatalogue } from './kept-catalogue.fixture.ts';
import { assertKeptThrough, assertKeptThroughMany } from './random-changes.fixture.ts';
import { happenings } from './random-world.fixture.ts';

test('after any sequence of changes, kept verdicts are those of evaluating everything', async () => {
  await using kept = await openKeptCatalogue();
  await assertKeptThroughMany(kept, { numRuns: 100 });
});

test('so it is from the first test of a store on', async () => {
  await fc.assert(
    fc.asyncProperty(happenings, async (sequence) => {
      await using kept = await openKeptCatalogue();
      await assertKeptThrough(kept, sequence);
    }),
    { numRuns: 10 },
  );
});
