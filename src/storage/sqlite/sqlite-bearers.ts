import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SearchIndex, TermQuery } from '../../search-index/search-index.ts';
import { correctableWordsOf, nameWordTerms } from '../../search-index/search-terms.ts';
import { ascendingNumbers } from '../bearer-list.ts';
import { preparedLater } from './prepared-later.ts';

/** So many bearers are read in one turn of the event loop (10 ms). */
const bearersInTurn = 100_000;
/** So many terms are read in one turn of the event loop; the index goes through their lists to read them. */
const termsInTurn = 1_000;
/** Stands behind every letter that words have. */
const lastLetter = '\u{10ffff}';

type Page = { readonly list: string; readonly last: number | null; readonly found: number };

/** What the index of bearers lists. `ask` runs what reads. */
export function createSqliteBearers(
  database: DatabaseSync,
  ask: <T>(work: () => T) => T,
): {
  /** Who bears a term: each entity once, ascending. */
  bearers(query: TermQuery): Promise<Uint32Array>;
  nameWords: SearchIndex['nameWords'];
} {
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

  const selectTerms = preparedLater(
    database,
    `SELECT term FROM temp.search_vocabulary WHERE term > ? AND term <= ? ORDER BY term LIMIT ${termsInTurn}`,
    `CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_vocabulary USING fts5vocab('main', 'search_bearer', 'row')`,
  );

  /**
   * The lists of all terms that begin so, one after the other. FTS5 itself would merge them, to answer in the order of rows, which
   * takes more than twice as long.
   */
  function beginning(term: string): Uint32Array {
    const { list } = selectBeginning().get(term, term + lastLetter) as unknown as Page;
    return ascendingNumbers([JSON.parse(list) as number[]]);
  }

  async function bearers({ term, isPrefix }: TermQuery): Promise<Uint32Array> {
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
  }

  return {
    bearers,
    async *nameWords() {
      let after: string = nameWordTerms.first;
      for (;;) {
        const terms = ask(() => selectTerms().all(after, nameWordTerms.last)).map(({ term }) => String(term));
        const last = terms.at(-1);
        if (last === undefined) return;
        after = last;
        yield [...correctableWordsOf(terms)];
      }
    },
  };
}
