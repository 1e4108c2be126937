import type { DatabaseSync } from 'node:sqlite';
import type { SearchEntry } from '../../aspect/search-entry.ts';
import { searchEntryRow, separator } from '../stored-search-entry.ts';
import { prepareWrite } from './sqlite-connection.ts';

export type SqliteSearchWriter = {
  /** Replaces what is stored under the key, by nothing when there is no entry. */
  put(key: number, entry: SearchEntry | undefined): void;
};

/** Writes entries on the writing connection. The caller owns the surrounding transaction. */
export function createSqliteSearchWriter(database: DatabaseSync): SqliteSearchWriter {
  const dropEntry = prepareWrite(database, 'DELETE FROM search_entry WHERE key = ?');
  const dropTerms = prepareWrite(database, 'DELETE FROM search_term WHERE key = ?');
  const dropBearer = prepareWrite(database, 'DELETE FROM search_bearer WHERE rowid = ?');
  const addEntry = prepareWrite(
    database,
    'INSERT INTO search_entry (key, fields, words, checksum) VALUES (?, ?, ?, ?)',
  );
  const addTerms = prepareWrite(database, 'INSERT INTO search_term (key, terms) VALUES (?, ?)');
  const addBearer = prepareWrite(database, 'INSERT INTO search_bearer (rowid, terms) VALUES (?, ?)');

  return {
    put(key, entry) {
      if (Number(dropEntry.run(key).changes) > 0 && Number(dropTerms.run(key).changes) > 0)
        dropBearer.run(key);
      if (entry === undefined) return;
      addEntry.run(key, ...searchEntryRow(key, entry));
      if (entry.terms.length === 0) return;
      const terms = entry.terms.join(separator);
      addTerms.run(key, terms);
      addBearer.run(key, terms);
    },
  };
}
