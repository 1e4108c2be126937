import type { DatabaseSync } from 'node:sqlite';
import type { SearchEntry } from '../../aspect/search-entry.ts';
import { preparedLater } from './prepared-later.ts';
import { prepareWrite } from './sqlite-connection.ts';
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
  const addEntry = prepareWrite(
    database,
    'INSERT INTO search_entry (key, fields, words, checksum) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO NOTHING',
  );
  const replaceEntry = prepareWrite(
    database,
    'UPDATE search_entry SET fields = ?2, words = ?3, checksum = ?4 WHERE key = ?1',
  );
  const selectTerms = database.prepare('SELECT terms FROM search_term WHERE key = ?');
  const addTerms = database.prepare('INSERT INTO search_term (key, terms) VALUES (?, ?)');
  const addBearer = preparedLater(database, 'INSERT INTO search_bearer (rowid, terms) VALUES (?, ?)');

  const dropBearer = preparedLater(
    database,
    `INSERT INTO search_bearer (search_bearer, rowid, terms) VALUES ('delete', ?, ?)`,
  );
  const replaceTerms = prepareWrite(database, 'UPDATE search_term SET terms = ?2 WHERE key = ?1');

  function addNew(key: number, terms: string): void {
    if (terms === '') return;
    addTerms.run(key, terms);
    addBearer().run(key, terms);
  }

  /** Only the terms that differ cost anything: most of what changes in an aspect is not what it is found by. */
  function replace(key: number, terms: string): void {
    const before = String(selectTerms.get(key)?.['terms'] ?? '');
    if (terms === before) return;
    if (terms === '' || before === '') {
      removeTerms(key, key + 1);
      addNew(key, terms);
      return;
    }
    const [old, now] = [new Set(before.split(separator)), new Set(terms.split(separator))];
    dropBearer().run(key, [...old.difference(now)].join(separator));
    addBearer().run(key, [...now.difference(old)].join(separator));
    replaceTerms.run(key, terms);
  }

  function removeTerms(from: number, to: number): void {
    // Before the terms that it has to be told.
    dropBearers().run(from, to);
    dropTerms.run(from, to);
  }

  return {
    put(key, entry) {
      if (entry === undefined) {
        if (Number(dropEntries.run(key, key + 1).changes) > 0) removeTerms(key, key + 1);
        return;
      }
      const row = searchEntryRow(key, entry);
      const terms = entry.terms.join(separator);
      if (Number(addEntry.run(key, ...row).changes) > 0) {
        addNew(key, terms);
        return;
      }
      replaceEntry.run(key, ...row);
      replace(key, terms);
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
