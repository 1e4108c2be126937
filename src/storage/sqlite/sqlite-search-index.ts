import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IndexedEntity, SearchIndex, TermQuery } from '../../search-index/search-index.ts';
import type { Urn } from '../../urn/urn.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { ascendingOnce, heldBy, isTerm } from '../bearer-list.ts';
import { searchEntryFromRow, type SearchEntryRow, separator } from '../stored-search-entry.ts';
import { preparedLater } from './prepared-later.ts';
import type { ReadSnapshot } from './read-snapshot.ts';
import type { Names } from './sqlite-names.ts';
import { guard } from './sqlite-reader.ts';

/** So many bearers are read in one turn of the event loop (10 ms). */
const bearersInTurn = 100_000;
/** Of so few entities the terms are read: the index would go through all bearers up to each of them. */
const askedByThemselvesMax = 1_000;

type EntryRow = [key: number, ...SearchEntryRow];
type BearerRow = { readonly list: string; readonly last: number | null; readonly found: number };
type EntityRow = [id: number, urn: Urn, present: number];

/** Answers over the connection that reads committed state. */
export function createSqliteSearchIndex(
  database: DatabaseSync,
  names: Names,
  snapshot: ReadSnapshot,
): Pick<SearchIndex, 'bearers' | 'indexed' | 'indexedAfter' | 'statistics'> {
  const arrays = (sql: string): StatementSync => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  // FTS5 goes straight to a rowid only if it is an integer, which a number as such is not.
  const selectBearers = preparedLater(
    database,
    `SELECT json_group_array(bearer) AS list, max(bearer) AS last, count(*) AS found FROM
       (SELECT rowid AS bearer FROM search_bearer WHERE search_bearer MATCH ? AND rowid > CAST(? AS INTEGER) ORDER BY rowid LIMIT ?)`,
  );
  const selectTerms = arrays('SELECT terms FROM search_entry WHERE key >= ? AND key < ?');
  const selectEntity = arrays('SELECT id, urn, present FROM entity WHERE id = ?');
  const selectEntities = arrays('SELECT id, urn, present FROM entity WHERE id > ? ORDER BY id LIMIT ?');
  const selectEntries = arrays(
    'SELECT key, checksum, fields FROM search_entry WHERE key >= ? AND key < ? ORDER BY key',
  );
  const selectPairs = (): StatementSync => {
    database.exec(
      `CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_vocabulary USING fts5vocab('main', 'search_bearer', 'row')`,
    );
    return arrays(
      'SELECT coalesce(sum(doc), 0), (SELECT count(*) FROM search_entry) FROM temp.search_vocabulary',
    );
  };

  const ask = <T>(work: () => T): T =>
    guard(() => {
      snapshot.hold();
      return work();
    });

  async function allBearers(query: TermQuery): Promise<Uint32Array> {
    const match = matchOf(query);
    const pages: (readonly number[])[] = [];
    const count = query.isPrefix ? -1 : bearersInTurn;
    for (let after = -1; ;) {
      const { list, last, found } = ask(
        () => selectBearers().get(match, after, count) as unknown as BearerRow,
      );
      pages.push(JSON.parse(list) as number[]);
      if (query.isPrefix || found < count || last === null) return ascendingOnce(pages);
      after = last;
      await nextTurn();
    }
  }

  function bearersAmong(query: TermQuery, among: readonly number[]): Uint32Array {
    const wanted = separator + query.term + (query.isPrefix ? '' : separator);
    const bears = (number: number): boolean => {
      const rows = selectTerms.all(number * namesPerEntity, (number + 1) * namesPerEntity);
      return (rows as unknown as [string][]).some(([terms]) =>
        `${separator}${terms}${separator}`.includes(wanted),
      );
    };
    return Uint32Array.from(new Set(among.toSorted((left, right) => left - right).filter(bears)));
  }

  function entriesOf(first: number, last: number): readonly EntryRow[] {
    return selectEntries.all(first * namesPerEntity, (last + 1) * namesPerEntity) as unknown as EntryRow[];
  }

  /** Rows of entries are in the order of the entities. Left out is what does not exist, and what has no entry. */
  function indexedOf(
    entities: readonly EntityRow[],
    rows: readonly EntryRow[],
    fields: readonly string[] | undefined,
  ): IndexedEntity[] {
    const found: IndexedEntity[] = [];
    let at = 0;
    for (const [number, urn, present] of entities) {
      const first = number * namesPerEntity;
      const entries: IndexedEntity['entries'][number][] = [];
      for (let row = rows[at]; row !== undefined && row[0] < first + namesPerEntity; row = rows[(at += 1)]) {
        const [key, ...columns] = row;
        if (key < first || present !== 1) continue;
        entries.push(searchEntryFromRow(urn, names.textOf(key - first), key, columns, fields));
      }
      if (entries.length > 0) found.push({ number, urn, entries });
    }
    return found;
  }

  function indexedAfterNow(
    after: number,
    count: number,
    fields: readonly string[] | undefined,
  ): readonly IndexedEntity[] {
    const found: IndexedEntity[] = [];
    for (let last = after; found.length < count;) {
      const wanted = count - found.length;
      const entities = selectEntities.all(last, wanted) as unknown as EntityRow[];
      const [begin, end] = [entities[0]?.[0], entities.at(-1)?.[0]];
      if (begin === undefined || end === undefined) break;
      found.push(...indexedOf(entities, entriesOf(begin, end), fields));
      last = end;
    }
    return found;
  }

  return {
    async bearers(query, among) {
      if (!isTerm(query.term)) return new Uint32Array();
      if (among === undefined) return allBearers(query);
      if (among.length <= askedByThemselvesMax) return ask(() => bearersAmong(query, among));
      return heldBy(await allBearers(query), among);
    },
    async indexed(numbers) {
      return ask(() => {
        const entities = numbers.flatMap((number) => {
          const row = selectEntity.get(number) as unknown as EntityRow | undefined;
          return row === undefined ? [] : indexedOf([row], entriesOf(number, number), undefined);
        });
        return new Map(entities.map((entity) => [entity.number, entity]));
      });
    },
    async indexedAfter(after, count, fields) {
      return ask(() => indexedAfterNow(after, count, fields));
    },
    async statistics() {
      return ask(() => {
        const [terms, entries] = selectPairs().get() as unknown as [number, number];
        return { entries, terms };
      });
    },
  };
}

/** The term as one quoted string, in which nothing is syntax. */
function matchOf({ term, isPrefix }: TermQuery): string {
  return `"${term.replaceAll('"', '""')}"${isPrefix ? ' *' : ''}`;
}
