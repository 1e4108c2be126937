import { test } from 'node:test';
import { openPostgresStore } from '../src/storage/postgres/postgres-aspect-store.ts';
import { openTestCatalogue } from './catalogue.ts';
import { postgresUnavailable, startPostgres } from './postgres-server.ts';
import { compareRowAnswers } from './row-answers.ts';

const size = {
  types: ['dataset', 'dashboard', 'glossaryTerm'],
  entities: 30,
  definitions: 60,
  seed: Math.trunc(Math.random() * 2 ** 31),
};

test('rows in an embedded store answer as the closures do', async (t) => {
  await using catalogue = await openTestCatalogue();
  await compareRowAnswers(t, { SQLite: catalogue.store }, size);
});

test('rows in both stores answer as the closures do', { skip: postgresUnavailable() }, async (t) => {
  const server = await startPostgres();
  const store = await openPostgresStore(server.url);
  try {
    await using catalogue = await openTestCatalogue();
    await compareRowAnswers(t, { SQLite: catalogue.store, PostgreSQL: store }, size);
  } finally {
    await store.close();
    await server.stop();
  }
});
