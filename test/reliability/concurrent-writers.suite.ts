import { describe, it } from 'node:test';
import { openPostgresStore } from '../../src/storage/postgres/postgres-aspect-store.ts';
import { openTestCatalogue } from '../catalogue.ts';
import { expectNoLostTerms } from '../concurrent-writers.ts';
import { postgresUnavailable, startPostgres } from '../postgres-server.ts';

describe('64 writers that attach 100 terms each to one dataset', () => {
  it('leave 6,400 terms on the embedded store', async () => {
    await using catalogue = await openTestCatalogue();
    await expectNoLostTerms(catalogue, { writers: 64, each: 100 });
  });

  it('leave 6,400 terms on PostgreSQL', { skip: postgresUnavailable() }, async () => {
    const postgres = await startPostgres();
    try {
      await using catalogue = await openTestCatalogue({ store: await openPostgresStore(postgres.url) });
      await expectNoLostTerms(catalogue, { writers: 64, each: 100 });
    } finally {
      await postgres.stop();
    }
  });
});
