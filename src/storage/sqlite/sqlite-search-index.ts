import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { termSeparator } from '../../aspect/search-entry.ts';
import type { IndexedEntity, SearchIndex, TermQuery } from '../../search-index/search-index.ts';
import type { Urn } from '../../urn/urn.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { heldBy, isTerm } from '../bearer-list.ts';
import { searchEntryFromRow, type SearchEntryRow } from '../stored-search-entry.ts';
import type { ReadSnapshot } from './read-snapshot.ts';
import type { Names } from './sqlite-names.ts';
import { createSqliteBearers } from './sqlite-bearers.ts';
import { guard } from './sqlite-reader.ts';

/** Of so few entities the terms are read: the index would go through all bearers up to each of them. */
const askedByThemselvesMax = 1_000;

type EntryRow = [key: number, ...SearchEntryRow];
type EntityRow = [id: number, urn: Urn, present: number];

/** Answers over the connection that reads committed state. */
export function createSqliteSearchIndex(
  database: DatabaseSync,
  names: Names,
  snapshot: ReadSnapshot,
): Pick<SearchIndex, 'bearers' | 'termsOf' | 'indexed' | 'nameWords' | 'countEntries'> {
  const arrays = (sql: string): StatementSync => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  const selectTerms = arrays('SELECT terms FROM search_entry WHERE key >= ? AND key < ?');
  const selectEntity = arrays('SELECT id, urn, present FROM entity WHERE id = ?');
  const selectEntries = arrays(
    'SELECT key, checksum, fields FROM search_entry WHERE key >= ? AND key < ? ORDER BY key',
  );
  const selectCount = arrays('SELECT count(*) FROM search_entry');

  const ask = <T>(work: () => T): T =>
    guard(() => {
      snapshot.hold();
      return work();
    });

  const listed = createSqliteBearers(database, ask);

  const termRowsOf = (number: number): readonly [string][] =>
    selectTerms.all(number * namesPerEntity, (number + 1) * namesPerEntity) as unknown as [string][];

  function bearersAmong(query: TermQuery, among: readonly number[]): Uint32Array {
    const wanted = termSeparator + query.term + (query.isPrefix ? '' : termSeparator);
    const bears = (number: number): boolean =>
      termRowsOf(number).some(([terms]) => `${termSeparator}${terms}${termSeparator}`.includes(wanted));
    return Uint32Array.from(new Set(among.toSorted((left, right) => left - right).filter(bears)));
  }

  /** Left out is what does not exist, and what has no entry. */
  function indexedOf(number: number): readonly IndexedEntity[] {
    const entity = selectEntity.get(number) as unknown as EntityRow | undefined;
    if (entity === undefined || entity[2] !== 1) return [];
    const [, urn] = entity;
    const first = number * namesPerEntity;
    const rows = selectEntries.all(first, first + namesPerEntity) as unknown as EntryRow[];
    const entries = rows.map(([key, checksum, fields]) =>
      searchEntryFromRow(urn, names.textOf(key - first), key, [checksum, fields]),
    );
    return entries.length === 0 ? [] : [{ number, urn, entries }];
  }

  return {
    async bearers(query, among) {
      if (!isTerm(query.term)) return new Uint32Array();
      if (among === undefined) return listed.bearers(query);
      if (among.length <= askedByThemselvesMax) return ask(() => bearersAmong(query, among));
      return heldBy(await listed.bearers(query), among);
    },
    async termsOf(numbers) {
      return ask(() => {
        const found = new Map<number, string>();
        for (const number of numbers) {
          const rows = termRowsOf(number);
          if (rows.length > 0) found.set(number, rows.flat().join(termSeparator));
        }
        return found;
      });
    },
    async indexed(numbers) {
      return ask(() => new Map(numbers.flatMap(indexedOf).map((entity) => [entity.number, entity])));
    },
    nameWords: () => listed.nameWords(),
    async countEntries() {
      return ask(() => (selectCount.get() as unknown as [number])[0]);
    },
  };
}
