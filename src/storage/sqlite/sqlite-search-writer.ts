import type { DatabaseSync } from 'node:sqlite';
import type { SearchEntry } from '../../aspect/search-entry.ts';
import { preparedLater } from './prepared-later.ts';
import { searchEntryRow, separator } from '../stored-search-entry.ts';

export type SqliteSearchWriter = {
  /** Replaces what is stored under the key, by nothing when there is no entry. */
  put(key: number, entry: SearchEntry | undefined): void;
  /** Takes out what is stored under the keys from the first up to, and without, the other. */
  remove(from: number, to: number): void;
  /** Takes out everything, whether the index is sound or not. */
  clear(): void;
};

/** Writes entries on the writing connection. The caller owns the surrounding transaction. */
export function createSqliteSearchWriter(database: DatabaseSync): SqliteSearchWriter {
  const dropEntries = database.prepare('DELETE FROM search_entry WHERE key >= ? AND key < ?');
  const dropTerms = database.prepare('DELETE FROM search_term WHERE key >= ? AND key < ?');
  const dropBearers = preparedLater(
    database,
    `INSERT INTO search_bearer (search_bearer, rowid, terms)
     SELECT 'delete', key, terms FROM search_term WHERE key >= ? AND key < ?`,
  );
  const addEntry = database.prepare(
    'INSERT INTO search_entry (key, fields, words, checksum) VALUES (?, ?, ?, ?)',
  );
  const addTerms = database.prepare('INSERT INTO search_term (key, terms) VALUES (?, ?)');
  const addBearer = preparedLater(database, 'INSERT INTO search_bearer (rowid, terms) VALUES (?, ?)');

  function removeTerms(from: number, to: number): void {
    // Before the terms that it has to be told.
    dropBearers().run(from, to);
    dropTerms.run(from, to);
  }

  return {
    put(key, entry) {
      if (Number(dropEntries.run(key, key + 1).changes) > 0) removeTerms(key, key + 1);
      if (entry === undefined) return;
      addEntry.run(key, ...searchEntryRow(key, entry));
      if (entry.terms.length === 0) return;
      const terms = entry.terms.join(separator);
      addTerms.run(key, terms);
      addBearer().run(key, terms);
    },
    remove(from, to) {
      dropEntries.run(from, to);
      removeTerms(from, to);
    },
    clear() {
      database.exec(
        `DELETE FROM search_entry; DELETE FROM search_term;
         INSERT INTO search_bearer (search_bearer) VALUES ('delete-all')`,
      );
    },
  };
}
