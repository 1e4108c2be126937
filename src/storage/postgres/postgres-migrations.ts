import { entriesVersion } from '../../search-index/entries-version.ts';
import { pendingMigrations, readMigrations } from '../migrate.ts';
import type { Connections, Run } from './postgres-connection.ts';

/** The lock under which everything is written: one writer for the whole catalogue, whichever node it is on. */
export const takeWriterLock = 'SELECT pg_advisory_xact_lock(1886352748, hashtext(current_schema()))';

/** Brings the database forward, all steps in one transaction, one node at a time. Throws STORE_UNUSABLE. */
export async function migrate(connections: Connections): Promise<void> {
  const migrations = readMigrations(new URL('./migrations/', import.meta.url));
  const current = await versionOf(connections.run);
  if (pendingMigrations(migrations, current).length === 0) return;
  const session = await connections.reserve();
  try {
    await session.run('BEGIN ISOLATION LEVEL READ COMMITTED');
    await session.run(takeWriterLock);
    // Another node may have done it while this one waited.
    const pending = pendingMigrations(migrations, await versionOf(session.run));
    const isNew = current === 0 && pending.length === migrations.length;
    if (isNew) {
      await session.run('CREATE TABLE migration (number integer PRIMARY KEY, name text NOT NULL)');
    }
    for (const { number, name, sql } of pending) {
      await session.run(sql);
      await session.run('INSERT INTO migration (number, name) VALUES ($1, $2)', [number, name]);
    }
    // Of nothing, everything is indexed.
    if (isNew) await session.run(`UPDATE search_progress SET version = ${entriesVersion}, done = NULL`);
    await session.run('COMMIT');
  } catch (error) {
    if (!session.isLost()) await session.run('ROLLBACK');
    throw error;
  } finally {
    session.release();
  }
}

async function versionOf(run: Run): Promise<number> {
  const { rows: tables } = await run(
    `SELECT to_regclass(current_schema() || '.migration') IS NOT NULL AS found`,
  );
  if (tables[0]?.['found'] !== true) return 0;
  const { rows } = await run('SELECT coalesce(max(number), 0) AS number FROM migration');
  return Number(rows[0]?.['number']);
}
