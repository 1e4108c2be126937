import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { entriesVersion } from '../../search-index/entries-version.ts';
import { pendingMigrations, readMigrations } from '../migrate.ts';
import { unusable } from './sqlite-connection.ts';

const migrations = readMigrations(new URL('./migrations/', import.meta.url));

/**
 * Looks at the version before anything else touches the file, over a connection that cannot write: a store of a newer
 * Postil stays as it is to the byte (promise R22). Throws STORE_UNUSABLE.
 */
export function refuseNewerStore(file: string): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  let database: DatabaseSync | undefined;
  let version: number;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    version = versionOf(database);
  } catch (error) {
    throw unusable(`Cannot open the store ${file}`, error);
  } finally {
    database?.close();
  }
  pendingMigrations(migrations, version);
}

/** Brings the store forward, one transaction for each step. */
export function migrate(database: DatabaseSync): void {
  const isNew = versionOf(database) === 0;
  for (const migration of pendingMigrations(migrations, versionOf(database))) {
    database.exec('BEGIN IMMEDIATE');
    database.exec(migration.sql);
    database.exec(`PRAGMA user_version = ${migration.number}`);
    database.exec('COMMIT');
  }
  // Of nothing, everything is indexed.
  if (isNew) database.exec(`UPDATE search_progress SET version = ${entriesVersion}, done = NULL`);
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}
