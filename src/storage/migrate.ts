import { readdirSync, readFileSync } from 'node:fs';
import { PostilError } from '../errors/postil-error.ts';

/** One numbered step forward; the file name is `NNNN-what.sql`. */
export type Migration = { readonly number: number; readonly name: string; readonly sql: string };

/** Reads a backend's migrations in order. Both backends list the same numbers and names; a test compares them. */
export function readMigrations(folder: URL): readonly Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      number: Number(file.slice(0, 4)),
      name: file.slice(5, -4),
      sql: readFileSync(new URL(file, folder), 'utf8'),
    }));
}

/** The steps that are missing. Throws STORE_UNUSABLE for a store written by a newer Postil (promise R22). */
export function pendingMigrations(migrations: readonly Migration[], current: number): readonly Migration[] {
  const newest = migrations.at(-1)?.number ?? 0;
  if (current > newest) {
    throw new PostilError(
      'STORE_UNUSABLE',
      `This store has format ${current}; this Postil knows formats up to ${newest}. Use a newer Postil.`,
    );
  }
  return migrations.filter((migration) => migration.number > current);
}
