import type { DatabaseSync } from 'node:sqlite';
import { type SearchEntry, termSeparator } from '../../aspect/search-entry.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { preparedLater } from './prepared-later.ts';
import { prepareWrite } from './sqlite-connection.ts';
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
export function createSqliteSearchWriter(database: DatabaseSync): SqliteSearchWriter {
  const dropEntries = prepareWrite(database, 'DELETE FROM search_entry WHERE key >= ? AND key < ?');
  const dropBearers = preparedLater(
    database,
    `INSERT INTO search_bearer (search_bearer, rowid, terms)
     SELECT 'delete', key / ${namesPerEntity}, group_concat(terms, '${termSeparator}') FROM search_entry
     WHERE key >= ? AND key < ? AND terms <> '' GROUP BY key / ${namesPerEntity}`,
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
  const selectEntity = database.prepare('SELECT key, terms FROM search_entry WHERE key >= ? AND key < ?');
  selectEntity.setReturnArrays(true);
  const addBearer = preparedLater(database, 'INSERT INTO search_bearer (rowid, terms) VALUES (?, ?)');
  const dropBearer = preparedLater(
    database,
    `INSERT INTO search_bearer (search_bearer, rowid, terms) VALUES ('delete', ?, ?)`,
  );
  /** By entity, then by key. */
  const kept = new Map<number, Map<number, ChangedTerms>>();
  let put: (readonly [key: number, changed: ChangedTerms])[] = [];

  /** Of a row that there is. */
  const termsOf = (key: number): string => String(selectTerms.get(key)?.['terms'] ?? '');

  /** What entries of the entity say beside those that changed. */
  function otherTerms(entity: number, changed: ReadonlyMap<number, ChangedTerms>): Set<string> {
    const rows = selectEntity.all(entity * namesPerEntity, (entity + 1) * namesPerEntity);
    const others = new Set<string>();
    for (const [key, terms] of rows as unknown as [number, string][]) {
      if (changed.has(key) || terms === '') continue;
      for (const term of terms.split(termSeparator)) others.add(term);
    }
    return others;
  }

  /**
   * Only what differs costs anything: most of what changes in an aspect is not what its entity is found by. FTS5 counts its rows by
   * what it is told, and takes one that goes when it knows of none for damage: so what is only added may be counted again.
   */
  function tellBearers(entity: number, changed: ReadonlyMap<number, ChangedTerms>): void {
    let [before, now] = ['', ''];
    for (const terms of changed.values()) {
      before = joined(before, terms.before);
      now = joined(now, terms.now);
    }
    if (before === '') {
      if (now !== '') addBearer().run(entity, now);
      return;
    }
    const { dropped, added, isEmpty } = differing(
      before.split(termSeparator),
      now === '' ? [] : now.split(termSeparator),
      () => otherTerms(entity, changed),
    );
    if (dropped.length > 0) {
      dropBearer().run(entity, dropped.join(termSeparator));
      if (!isEmpty) addBearer().run(entity, added.join(termSeparator));
    } else if (added.length > 0) {
      addBearer().run(entity, added.join(termSeparator));
    }
  }

  return {
    put(key, entry) {
      if (entry === undefined) {
        const before = termsOf(key);
        dropEntries.run(key, key + 1);
        if (before !== '') put.push([key, { before, now: '' }]);
        return;
      }
      const row = searchEntryRow(key, entry);
      const now = entry.terms;
      const isNew = Number(addEntry.run(key, ...row, now).changes) > 0;
      const before = isNew ? '' : termsOf(key);
      if (!isNew) replaceEntry.run(key, ...row, now);
      if (before !== now) put.push([key, { before, now }]);
    },
    keep() {
      for (const [key, { before, now }] of put) {
        const entity = Math.floor(key / namesPerEntity);
        let ofEntity = kept.get(entity);
        if (ofEntity === undefined) kept.set(entity, (ofEntity = new Map()));
        ofEntity.set(key, { before: ofEntity.get(key)?.before ?? before, now });
      }
      put = [];
    },
    drop() {
      put = [];
    },
    finish() {
      const entities = [...kept].sort(([one], [other]) => one - other);
      for (const [entity, changed] of entities) tellBearers(entity, changed);
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
    },
  };
}

function joined(left: string, right: string): string {
  return left === '' || right === '' ? left + right : left + termSeparator + right;
}

type Difference = {
  readonly dropped: readonly string[];
  readonly added: readonly string[];
  /** Nothing is left of the entity. */
  readonly isEmpty: boolean;
};

/**
 * What has to be dropped and added where some entries of an entity had the `old` terms and get the `wanted` ones. The index counts how
 * many terms it was told, repeated ones as often as they stand there: so one of them is repeated as often as it takes to be right.
 */
function differing(
  old: readonly string[],
  wanted: readonly string[],
  readOthers: () => ReadonlySet<string>,
): Difference {
  const [before, now] = [new Set(old), new Set(wanted)];
  const gone = before.difference(now);
  const others = gone.size === 0 ? new Set<string>() : readOthers();
  const [any] = now.size > 0 ? now : others;
  if (any === undefined) return { dropped: old, added: [], isEmpty: true };
  const dropped = [...gone.difference(others)];
  const added = [...now.difference(before).difference(others)];
  let lacking = wanted.length - old.length - (added.length - dropped.length);
  if (lacking < 0 && !added.includes(any)) {
    added.push(any);
    lacking -= 1;
  }
  const repeated = Array.from({ length: Math.abs(lacking) }, () => any);
  return lacking < 0
    ? { dropped: [...dropped, ...repeated], added, isEmpty: false }
    : { dropped, added: [...added, ...repeated], isEmpty: false };
}
