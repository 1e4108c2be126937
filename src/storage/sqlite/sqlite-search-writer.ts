import type { DatabaseSync } from 'node:sqlite';
import { type SearchEntry, termSeparator } from '../../aspect/search-entry.ts';
import { preparedLater } from './prepared-later.ts';
import { prepareWrite } from './sqlite-connection.ts';
import type { SqliteNameWords } from './sqlite-name-words.ts';
import { searchEntryRow } from '../stored-search-entry.ts';

export type SqliteSearchWriter = {
  /** Replaces what is stored under the key, by nothing when there is no entry. `finish` tells the index of bearers. */
  put(key: number, entry: SearchEntry | undefined): void;
  /** Of what was put since the last `keep`, `finish` tells the index. */
  keep(): void;
  /** Of what was put since the last `keep`, nothing was stored. */
  drop(): void;
  /** Tells the index of bearers what was kept; before every commit. */
  finish(): void;
  /** In a new transaction nothing is left of the one before. */
  forget(): void;
  /** Takes out what is stored under the keys from the first up to, and without, the other. */
  remove(from: number, to: number): void;
  /** Takes out everything, whether the index is sound or not. */
  clear(): void;
};

/** The terms of a key, as the index knows them and as it shall. */
type ChangedTerms = { readonly before: string; readonly now: string };

/**
 * Writes entries on the writing connection. The caller owns the surrounding transaction. FTS5 writes a segment of its own at every
 * savepoint, and whenever a row number is not above the one before: so it is told everything at the end, in order.
 */
export function createSqliteSearchWriter(
  database: DatabaseSync,
  nameWords: SqliteNameWords,
): SqliteSearchWriter {
  const dropEntries = prepareWrite(database, 'DELETE FROM search_entry WHERE key >= ? AND key < ?');
  const dropBearers = preparedLater(
    database,
    `INSERT INTO search_bearer (search_bearer, rowid, terms)
     SELECT 'delete', key, terms FROM search_entry WHERE key >= ? AND key < ? AND terms <> ''`,
  );
  const addEntry = prepareWrite(
    database,
    'INSERT INTO search_entry (key, checksum, fields, terms) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO NOTHING',
  );
  const replaceEntry = prepareWrite(
    database,
    'UPDATE search_entry SET checksum = ?2, fields = ?3, terms = ?4 WHERE key = ?1',
  );
  const selectTerms = database.prepare('SELECT terms FROM search_entry WHERE key = ?');
  const addBearer = preparedLater(database, 'INSERT INTO search_bearer (rowid, terms) VALUES (?, ?)');
  const dropBearer = preparedLater(
    database,
    `INSERT INTO search_bearer (search_bearer, rowid, terms) VALUES ('delete', ?, ?)`,
  );
  const kept = new Map<number, ChangedTerms>();
  let put: (readonly [key: number, changed: ChangedTerms])[] = [];

  /** Of a row that there is. */
  const termsOf = (key: number): string => String(selectTerms.get(key)?.['terms'] ?? '');

  /** Only what differs costs anything: most of what changes in an aspect is not what it is found by. */
  function tellBearers(key: number, { before, now }: ChangedTerms): void {
    if (before === now) return;
    const [dropped, added] = before === '' || now === '' ? [before, now] : differing(before, now);
    // With nothing to tell as well: FTS5 counts its rows by what it is told, and takes a wrong count for damage.
    if (before !== '') dropBearer().run(key, dropped);
    if (now !== '') addBearer().run(key, added);
  }

  return {
    put(key, entry) {
      if (entry === undefined) {
        const before = termsOf(key);
        dropEntries.run(key, key + 1);
        if (before !== '') put.push([key, { before, now: '' }]);
        return;
      }
      nameWords.add(entry.nameWords);
      const row = searchEntryRow(key, entry);
      const now = entry.terms;
      const isNew = Number(addEntry.run(key, ...row, now).changes) > 0;
      const before = isNew ? '' : termsOf(key);
      if (!isNew) replaceEntry.run(key, ...row, now);
      if (before !== now) put.push([key, { before, now }]);
    },
    keep() {
      for (const [key, { before, now }] of put) {
        kept.set(key, { before: kept.get(key)?.before ?? before, now });
      }
      put = [];
    },
    drop() {
      put = [];
    },
    finish() {
      for (const key of [...kept.keys()].sort((one, other) => one - other)) {
        const changed = kept.get(key);
        if (changed !== undefined) tellBearers(key, changed);
      }
      kept.clear();
    },
    forget() {
      kept.clear();
      put = [];
    },
    remove(from, to) {
      // Before the terms that it has to be told.
      dropBearers().run(from, to);
      dropEntries.run(from, to);
    },
    clear() {
      database.exec(
        `DELETE FROM search_entry;
         INSERT INTO search_bearer (search_bearer) VALUES ('delete-all')`,
      );
      nameWords.clear();
    },
  };
}

/**
 * What has to be dropped and added. The index lists beginnings as well, and a term that is dropped takes its beginning along: so the
 * terms that share one with a term that goes are told anew.
 */
function differing(before: string, now: string): readonly [dropped: string, added: string] {
  const [old, wanted] = [before.split(termSeparator), now.split(termSeparator)];
  const [known, kept] = [new Set(old), new Set(wanted)];
  const touched = new Set(old.filter((term) => !kept.has(term)).map(beginningOf));
  const isTouched = (term: string): boolean => touched.has(beginningOf(term));
  return [
    old.filter(isTouched).join(termSeparator),
    wanted.filter((term) => !known.has(term) || isTouched(term)).join(termSeparator),
  ];
}

/** At least as far as the index tells terms apart by their beginnings: its two letters may be four of these. */
function beginningOf(term: string): string {
  return term.slice(0, 2);
}
