import { test } from 'node:test';
import fc from 'fast-check';
import { openKeptCatalogue } from '../../src/metadata-test/keeping/kept-catalogue.fixture.ts';
import {
  assertKeptThrough,
  clearWorld,
  happenings,
} from '../../src/metadata-test/keeping/random-changes.fixture.ts';
import { openPostgresStore } from '../../src/storage/postgres/postgres-aspect-store.ts';
import { postgresUnavailable, startPostgres } from '../postgres-server.ts';
import { figure, seededRandom } from './seeded-random.ts';

const embeddedRuns = 9_500;
const sharedRuns = 500;

/** One store for all sequences: what one of them leaves behind must not disturb the next. */
async function runSequences(
  kept: Awaited<ReturnType<typeof openKeptCatalogue>>,
  name: string,
  numRuns: number,
): Promise<void> {
  await fc.assert(
    fc
      .asyncProperty(happenings, (sequence) => assertKeptThrough(kept, sequence))
      .beforeEach(() => clearWorld(kept)),
    { numRuns, seed: seededRandom(name).between(0, 2 ** 31 - 1) },
  );
}

test('after any sequence of changes, kept verdicts are those of evaluating everything', async (context) => {
  await using kept = await openKeptCatalogue();
  await runSequences(kept, 'kept verdicts', embeddedRuns);
  const { changes, transitions, evaluations } = kept.keeper.status().counters;
  figure(
    context,
    'kept verdicts',
    `${embeddedRuns} sequences, ${changes} changes, ${evaluations} evaluations, ${transitions} transitions, 0 differences`,
  );
});

test('so it is in a shared store', { skip: postgresUnavailable() }, async (context) => {
  const server = await startPostgres();
  try {
    await using kept = await openKeptCatalogue({ store: await openPostgresStore(server.url) });
    await runSequences(kept, 'shared verdicts', sharedRuns);
    figure(context, 'kept verdicts', `${sharedRuns} sequences in PostgreSQL, 0 differences`);
  } finally {
    await server.stop();
  }
});
