import { test } from 'node:test';
import { openKeptCatalogue } from '../../src/metadata-test/keeping/kept-catalogue.fixture.ts';
import { assertKeptThroughMany } from '../../src/metadata-test/keeping/random-changes.fixture.ts';
import { openPostgresStore } from '../../src/storage/postgres/postgres-aspect-store.ts';
import { postgresUnavailable, startPostgres } from '../postgres-server.ts';
import { figure, seededRandom } from './seeded-random.ts';

const embeddedRuns = 9_500;
const sharedRuns = 500;

const seedOf = (name: string): number => seededRandom(name).between(0, 2 ** 31 - 1);

test('after any sequence of changes, kept verdicts are those of evaluating everything', async (context) => {
  await using kept = await openKeptCatalogue();
  await assertKeptThroughMany(kept, { numRuns: embeddedRuns, seed: seedOf('kept verdicts') });
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
    await assertKeptThroughMany(kept, { numRuns: sharedRuns, seed: seedOf('shared verdicts') });
    figure(context, 'kept verdicts', `${sharedRuns} sequences in PostgreSQL, 0 differences`);
  } finally {
    await server.stop();
  }
});
