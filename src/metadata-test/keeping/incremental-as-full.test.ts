import { test } from 'node:test';
import fc from 'fast-check';
import { openKeptCatalogue } from './kept-catalogue.fixture.ts';
import { assertKeptThrough, happenings } from './random-changes.fixture.ts';

test('after any sequence of changes, kept verdicts are those of evaluating everything', async () => {
  await fc.assert(
    fc.asyncProperty(happenings, async (sequence) => {
      await using kept = await openKeptCatalogue();
      await assertKeptThrough(kept, sequence);
    }),
    { numRuns: Number(process.env['RUNS'] ?? 200) },
  );
});
