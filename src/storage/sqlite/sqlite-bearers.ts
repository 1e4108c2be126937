import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TermQuery } from '../../search-index/search-index.ts';
import { ascendingNumbers } from '../bearer-list.ts';
import { preparedLater } from './prepared-later.ts';

/** So many bearers are read in one turn of the event loop (10 ms). */
const bearersInTurn = 100_000;
/** Stands behind every letter that words have. */
const lastLetter = '\u{10ffff}';

type Page = { readonly list: string; readonly last: number | null; readonly found: number };

/** Who bears a term, as the index lists it: each entity once, ascending. `ask` runs what reads. */
export function createSqliteBearers(
  database: DatabaseSync,
  ask: <T>(work: () => T) => T,
): (query: TermQuery) => Promise<Uint32Array> {
  // FTS5 goes straight to a rowid only if it is an integer, which a number as such is not.
  const selectBearers = preparedLater(
    database,
    `SELECT json_group_array(bearer) AS list, max(bearer) AS last, count(*) AS found FROM
       (SELECT rowid AS bearer FROM search_bearer WHERE search_bearer MATCH ? AND rowid > CAST(? AS INTEGER) ORDER BY rowid LIMIT ?)`,
  );
  const selectBeginning = preparedLater(
    database,
    `SELECT json_group_array(doc) AS list FROM temp.search_listing WHERE term >= ? AND term < ?`,
    `CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_listing USING fts5vocab('main', 'search_bearer', 'instance')`,
  );

  /**
   * The lists of all terms that begin so, one after the other. FTS5 itself would merge them, to answer in the order of rows, which
   * takes more than twice as long.
   */
  function beginning(term: string): Uint32Array {
    const { list } = selectBeginning().get(term, term + lastLetter) as unknown as Page;
    return ascendingNumbers([JSON.parse(list) as number[]]);
  }

  return async ({ term, isPrefix }) => {
    if (isPrefix) return ask(() => beginning(term));
    // In it, nothing is syntax.
    const match = `"${term.replaceAll('"', '""')}"`;
    const pages: (readonly number[])[] = [];
    for (let after = -1; ;) {
      const { list, last, found } = ask(
        () => selectBearers().get(match, after, bearersInTurn) as unknown as Page,
      );
      pages.push(JSON.parse(list) as number[]);
      if (found < bearersInTurn || last === null) return ascendingNumbers(pages);
      after = last;
      await nextTurn();
    }
  };
}
