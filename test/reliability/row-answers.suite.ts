import { test } from 'node:test';
import { openPostgresStore } from '../../src/storage/postgres/postgres-aspect-store.ts';
import { openTestCatalogue } from '../catalogue.ts';
import { postgresUnavailable, startPostgres } from '../postgres-server.ts';
import { compareRowAnswers } from '../row-answers.ts';
import { seededRandom } from './seeded-random.ts';

/** 108,000 pairs of a definition and an entity, less the definitions that are not valid. */
const size = {
  types: ['dataset', 'container', 'dashboard', 'glossaryTerm'],
  entities: 120,
  definitions: 225,
};

test(
  'for 100,000 random pairs, rows in both stores answer as the closures do',
  { skip: postgresUnavailable() },
  async (t) => {
    const server = await startPostgres();
    const store = await openPostgresStore(server.url);
    try {
      await using catalogue = await openTestCatalogue();
      const seed = seededRandom('row answers').between(0, 2 ** 31 - 1);
      await compareRowAnswers(t, { SQLite: catalogue.store, PostgreSQL: store }, { ...size, seed });
    } finally {
      await store.close();
      await server.stop();
    }
  },
);
