import type { IndexedEntity, SearchIndex, StoredSearchEntry } from '../../search-index/search-index.ts';
import type { Urn } from '../../urn/urn.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { createScannedEntries, type ScannedEntries } from '../scanned-entries.ts';
import { aspectNames, type EntryPage, pageColumns, pageOf } from './entry-page.ts';
import type { Result, Run } from './postgres-connection.ts';

/** So many entities are asked for at once: a journey to the server for every few would take longer than what it brings. */
const entitiesAtOnce = 1_000;

/**
 * A page in one row, numbers as bytes and texts in one, because the client takes a row apart in as long as an entry takes to be read.
 */
const selectPage = `
  WITH page AS MATERIALIZED (SELECT id, urn, present FROM entity WHERE id > $1 ORDER BY id LIMIT $2),
    bounds AS MATERIALIZED (SELECT min(id) * ${namesPerEntity} AS first, (max(id) + 1) * ${namesPerEntity} AS beyond FROM page)
  SELECT (SELECT max(id) FROM page) AS last, entities.*, entries.* FROM ${pageColumns(
    'page',
    `(SELECT key, checksum, fields FROM search_entry
      WHERE key >= (SELECT first FROM bounds) AND key < (SELECT beyond FROM bounds) ORDER BY key) AS own`,
  )}`;

/** Goes through all entries; while a page is worked on, the server makes the next one. */
export function createPostgresSearchScan(run: Run): Pick<SearchIndex, 'scan'> {
  return {
    async *scan(count, wanted) {
      let names = await aspectNames(run);
      const scanned = createScannedEntries(wanted, (name) => names.get(name) ?? `name ${name}`);
      const ask = (after: number): Promise<Result> => {
        const asked = run(selectPage, [after, entitiesAtOnce]);
        // Who stops in between does not wait for it.
        asked.catch(() => undefined);
        return asked;
      };
      let next = ask(-1);
      try {
        for (;;) {
          const { rows } = await next;
          const [row] = rows;
          const last = row?.['last'];
          if (row === undefined || typeof last !== 'number') return;
          next = ask(last);
          const page = pageOf(row);
          if (page.pairs.some(({ key }) => !names.has(key % namesPerEntity))) names = await aspectNames(run);
          yield* piecesOf(page, count, scanned);
        }
      } finally {
        // Nothing is asked any more once it is over.
        await next.catch(() => undefined);
      }
    },
  };
}

/** The entities of a page with their entries, `count` at a time. */
function* piecesOf(
  { numbers, urns, pairs, fields }: EntryPage,
  count: number,
  scanned: ScannedEntries,
): Iterable<readonly IndexedEntity[]> {
  let found: IndexedEntity[] = [];
  let at = 0;
  for (const [place, number] of numbers.entries()) {
    const urn = (urns[place] ?? '') as Urn;
    const [first, end] = [number * namesPerEntity, (number + 1) * namesPerEntity];
    const entries: StoredSearchEntry[] = [];
    let isFound = false;
    for (let pair = pairs[at]; pair !== undefined && pair.key < end; pair = pairs[(at += 1)]) {
      if (pair.key < first) continue;
      isFound = true;
      const entry = scanned.entryOf(urn, pair.key, pair.checksum, fields[at] ?? '');
      if (entry !== undefined) entries.push(entry);
    }
    if (isFound) found.push({ number, urn, entries });
    if (found.length < count) continue;
    yield found;
    found = [];
  }
  if (found.length > 0) yield found;
}
