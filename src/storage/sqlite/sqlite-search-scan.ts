import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { IndexedEntity, SearchIndex, StoredSearchEntry } from '../../search-index/search-index.ts';
import type { Urn } from '../../urn/urn.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { createScannedEntries, type ScannedEntries } from '../scanned-entries.ts';
import { damagedEntry, isUndamaged } from '../stored-search-entry.ts';
import type { ReadSnapshot } from './read-snapshot.ts';
import type { Names } from './sqlite-names.ts';
import { guard } from './sqlite-reader.ts';

type EntityRow = [id: number, urn: Urn, present: number];
type EntryRow = [key: number, checksum: number, fields: string];
type Page = { readonly found: readonly IndexedEntity[]; readonly last: number | undefined };

/** Goes through all entries over the connection that reads committed state, a page in one turn of the event loop. */
export function createSqliteSearchScan(
  database: DatabaseSync,
  names: Names,
  snapshot: ReadSnapshot,
): Pick<SearchIndex, 'scan'> {
  const arrays = (sql: string): StatementSync => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  const selectEntities = arrays('SELECT id, urn, present FROM entity WHERE id > ? ORDER BY id LIMIT ?');
  const selectEntries = arrays(
    'SELECT key, checksum, fields FROM search_entry WHERE key >= ? AND key < ? ORDER BY key',
  );

  /** Rows of entries are in the order of the entities. */
  function entitiesOf(
    entities: readonly EntityRow[],
    rows: readonly EntryRow[],
    scanned: ScannedEntries,
  ): readonly IndexedEntity[] {
    const found: IndexedEntity[] = [];
    let at = 0;
    for (const [number, urn, present] of entities) {
      const [first, end] = [number * namesPerEntity, (number + 1) * namesPerEntity];
      const entries: StoredSearchEntry[] = [];
      let isFound = false;
      for (let row = rows[at]; row !== undefined && row[0] < end; row = rows[(at += 1)]) {
        if (row[0] < first || present !== 1) continue;
        isFound = true;
        const [key, checksum, fields] = row;
        if (!isUndamaged(key, checksum, fields)) throw damagedEntry(urn, names.textOf(key - first));
        const entry = scanned.entryOf(key - first, fields);
        if (entry !== undefined) entries.push(entry);
      }
      if (isFound) found.push({ number, urn, entries });
    }
    return found;
  }

  function pageAfter(after: number, count: number, scanned: ScannedEntries): Page {
    return guard(() => {
      snapshot.hold();
      const entities = selectEntities.all(after, count) as unknown as EntityRow[];
      const [begin, last] = [entities[0]?.[0], entities.at(-1)?.[0]];
      if (begin === undefined || last === undefined) return { found: [], last: undefined };
      const rows = selectEntries.all(begin * namesPerEntity, (last + 1) * namesPerEntity);
      return { found: entitiesOf(entities, rows as unknown as EntryRow[], scanned), last };
    });
  }

  return {
    async *scan(count, wanted) {
      const scanned = createScannedEntries(wanted, names.textOf);
      for (let after = -1; ;) {
        const { found, last } = pageAfter(after, count, scanned);
        if (last === undefined) return;
        if (found.length > 0) yield found;
        after = last;
      }
    },
  };
}
