import type { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * A statement that is prepared when it is needed for the first time, after another one was executed. FTS5 looks into its tables when a
 * statement names them: where these are damaged, everything else can still be read.
 */
export function preparedLater(database: DatabaseSync, sql: string, before?: string): () => StatementSync {
  let statement: StatementSync | undefined;
  return () => {
    if (statement === undefined && before !== undefined) database.exec(before);
    return (statement ??= database.prepare(sql));
  };
}
