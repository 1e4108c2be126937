import type { SearchIndex } from '../../search-index/search-index.ts';
import { createScannedEntries } from '../scanned-entries.ts';
import { createAspectNames, entitiesOf, pageColumns, pageOf } from './entry-page.ts';
import type { Result, Run } from './postgres-connection.ts';
import { entryParts } from './search-entry-rows.ts';

/** So many entities are asked for at once: a journey to the server for every few would take longer than what it brings. */
const entitiesAtOnce = 1_000;

/**
 * A page in one row, numbers as bytes and texts in one, because the client takes a row apart in as long as an entry takes to be read.
 */
const selectPage = `
  WITH page AS MATERIALIZED (SELECT id, urn, present FROM entity WHERE id > $1 ORDER BY id LIMIT $2),
    bounds AS MATERIALIZED (SELECT min(id)::integer AS first, max(id)::integer AS last FROM page)
  SELECT (SELECT last FROM bounds) AS last, entities.*, rows.* FROM ${pageColumns(
    'page',
    `search_entry WHERE entity >= (SELECT first FROM bounds) AND entity <= (SELECT last FROM bounds) AND part <= ${entryParts.own}`,
  )}`;

/** Goes through all entries; while a page is worked on, the server makes the next one. */
export function createPostgresSearchScan(run: Run): Pick<SearchIndex, 'scan'> {
  return {
    async *scan(count, wanted) {
      const names = createAspectNames(run);
      const newlyScanned = () => createScannedEntries(wanted, names.of);
      let scanned = newlyScanned();
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
          const found = await names.sure((isAgain) => {
            if (isAgain) scanned = newlyScanned();
            return entitiesOf(page, scanned.entryOf);
          });
          for (let from = 0; from < found.length; from += count) yield found.slice(from, from + count);
        }
      } finally {
        // Nothing is asked any more once it is over.
        await next.catch(() => undefined);
      }
    },
  };
}
