import { test } from 'node:test';
import fc from 'fast-check';
import { openKeptCatalogue } from './kept-catalogue.fixture.ts';
import { assertKeptThrough, clearWorld, happenings } from './random-changes.fixture.ts';

test('after any sequence of changes, kept verdicts are those of evaluating everything', async () => {
  await using kept = await openKeptCatalogue();
  await fc.assert(
    fc
      .asyncProperty(happenings, (sequence) => assertKeptThrough(kept, sequence))
      .beforeEach(() => clearWorld(kept)),
    { numRuns: 120 },
  );
});

test('so it is from the first test of a store on', async () => {
  await fc.assert(
    fc.asyncProperty(happenings, async (sequence) => {
      await using kept = await openKeptCatalogue();
      await assertKeptThrough(kept, sequence);
    }),
    { numRuns: 15 },
  );
});
