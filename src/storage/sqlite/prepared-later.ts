import type { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * A statement that is prepared when it is needed for the first time. FTS5 looks into its tables when a statement names them: where
 * these are damaged, everything else can still be read.
 */
export function preparedLater(database: DatabaseSync, sql: string): () => StatementSync {
  let statement: StatementSync | undefined;
  return () => (statement ??= database.prepare(sql));
}
