import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Migration, readMigrations } from '../src/storage/migrate.ts';

const read = (backend: string): readonly Migration[] =>
  readMigrations(new URL(`../src/storage/${backend}/migrations/`, import.meta.url));
const steps = (migrations: readonly Migration[]): readonly string[] =>
  migrations.map(({ number, name }) => `${number} ${name}`);

/** Tables with their columns, as the CREATE TABLE statements of a backend say. */
function tablesOf(migrations: readonly Migration[]): ReadonlyMap<string, readonly string[]> {
  const sql = migrations.map((migration) => migration.sql).join('\n');
  return new Map(
    [...sql.matchAll(/CREATE TABLE (\w+) \(([\s\S]*?)\n\)/g)].map(([, table = '', columns = '']) => [
      table,
      [...columns.matchAll(/^ +([a-z_]+) /gm)].map(([, column = '']) => column),
    ]),
  );
}

test('both stores have the same migrations, numbered from 1 without gaps', () => {
  const sqlite = steps(read('sqlite'));
  assert.ok(sqlite.length > 0);
  assert.deepEqual(steps(read('postgres')), sqlite);
  assert.deepEqual(
    read('sqlite').map(({ number }) => number),
    sqlite.map((_, index) => index + 1),
  );
});

/** Who bears a term is indexed by each store in its own way (decision 26). */
const ofIndex: ReadonlySet<string> = new Set(['search_entry', 'search_term', 'search_bearer', 'search_few']);

test('both stores have the same tables and columns, but for the index of terms', () => {
  const [sqlite, postgres] = ['sqlite', 'postgres'].map(
    (backend) => new Map([...tablesOf(read(backend))].filter(([table]) => !ofIndex.has(table))),
  );
  assert.ok(sqlite?.has('aspect'));
  assert.deepEqual(postgres, sqlite);
});
