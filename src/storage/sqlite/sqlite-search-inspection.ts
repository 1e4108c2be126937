import type { DatabaseSync } from 'node:sqlite';
import { errorText } from '../../errors/error-text.ts';
import type { IntegrityProblem } from '../../aspect/aspect-store.ts';
import { namesPerEntity } from '../aspect-key.ts';

/** As many as anybody reads. */
const listedMax = 1_000;

const whereOf = (table: string): string =>
  `(SELECT coalesce(entity.urn, 'entity ' || ${table}.key / ${namesPerEntity}) || ' ' ||
      coalesce(name.text, 'name ' || ${table}.key % ${namesPerEntity})
    FROM (SELECT 1) LEFT JOIN entity ON entity.id = ${table}.key / ${namesPerEntity}
    LEFT JOIN name ON name.id = ${table}.key % ${namesPerEntity})`;

const questions = [
  {
    problem: 'has an entry and no aspect',
    sql: `SELECT ${whereOf('search_entry')} FROM search_entry WHERE NOT EXISTS
            (SELECT 1 FROM aspect WHERE aspect.key = search_entry.key AND body IS NOT NULL) LIMIT ${listedMax}`,
  },
];

/**
 * What is left over in the search index, and where the index of bearers is not exactly what the terms say. The comparison is a
 * command of FTS5, which only the writing connection takes; it changes nothing.
 */
export function createSearchProblems(
  database: DatabaseSync,
  inTransaction: <T>(work: () => Promise<T>) => Promise<T>,
): () => Promise<readonly IntegrityProblem[]> {
  const what = 'search index';

  async function problemsOf(ask: () => readonly IntegrityProblem[]): Promise<readonly IntegrityProblem[]> {
    try {
      return await inTransaction(async () => ask());
    } catch (error) {
      return [{ what, where: 'table', problem: `cannot be read: ${errorText(error)}` }];
    }
  }

  return async () => {
    const found: IntegrityProblem[] = [];
    for (const { sql, problem } of questions) {
      const rows = await problemsOf(() =>
        database
          .prepare(sql)
          .all()
          .map((row) => ({ what, where: String(Object.values(row)[0]), problem })),
      );
      found.push(...rows);
    }
    const isSound = `INSERT INTO search_bearer (search_bearer, rank) VALUES ('integrity-check', 1)`;
    const compared = await problemsOf(() => {
      database.exec(isSound);
      return [];
    });
    const problem = 'does not say who bears which term; postil reindex makes it anew';
    return [...found, ...compared.map(() => ({ what, where: 'search_bearer', problem }))];
  };
}
