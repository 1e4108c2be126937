import { describe, it } from 'node:test';
import { openTestCatalogue } from '../../test/catalogue.ts';
import { expectNoLostTerms } from '../../test/concurrent-writers.ts';
import { postgresUnavailable, startPostgres } from '../../test/postgres-server.ts';
import { openPostgresStore } from '../storage/postgres/postgres-aspect-store.ts';

/** The full number, 64 x 100, is reached in test/reliability/concurrent-writers.suite.ts. */
describe('writers that attach terms to one dataset at the same time', () => {
  it('never lose a term on the embedded store', async () => {
    await using catalogue = await openTestCatalogue();
    await expectNoLostTerms(catalogue, { writers: 64, each: 10 });
  });

  it('never lose a term on PostgreSQL', { skip: postgresUnavailable() }, async () => {
    const postgres = await startPostgres();
    try {
      await using catalogue = await openTestCatalogue({ store: await openPostgresStore(postgres.url) });
      await expectNoLostTerms(catalogue, { writers: 16, each: 10 });
    } finally {
      await postgres.stop();
    }
  });
});
