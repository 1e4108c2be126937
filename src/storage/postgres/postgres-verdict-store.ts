import type { VerdictStore } from '../../verdict/verdict-store.ts';
import type { Connections, Session } from './postgres-connection.ts';
import type { Ids } from './postgres-ids.ts';
import { createPostgresRowScan } from './postgres-row-scan.ts';
import { createRowValues } from './postgres-row-values.ts';
import { readRows } from './postgres-test-rows.ts';
import { createPostgresVerdictReader } from './postgres-verdict-reader.ts';
import { createPostgresVerdictWriter } from './postgres-verdict-writer.ts';

/** Runs work alone among all writers, in a transaction that is committed when it succeeds. */
export type InTransaction = <T>(work: (session: Session) => Promise<T>) => Promise<T>;

/**
 * What is kept for metadata tests, in the database of the aspects and with their one writer. `assertOpen` throws
 * STORAGE_FAILED once the store is closed.
 */
export function createPostgresVerdictStore(
  { run, scan }: Connections,
  ids: Ids,
  inTransaction: InTransaction,
  assertOpen: () => void,
): VerdictStore {
  const values = createRowValues();
  return {
    ...createPostgresVerdictReader(run),
    ...createPostgresRowScan(scan, assertOpen),
    async dictionary(column) {
      const { rows } = await run('SELECT id, text FROM test_value WHERE property = $1 ORDER BY id', [column]);
      return rows.map(({ id, text }) => ({ id: Number(id), text: String(text) }));
    },
    rows: (urns) => readRows(run, urns),
    async transact(work) {
      try {
        return await inTransaction(async (session) => {
          const writer = createPostgresVerdictWriter(session, ids, values);
          const result = await work(writer.transaction);
          writer.assertWhole();
          return result;
        });
      } catch (error) {
        values.forget();
        throw error;
      }
    },
  };
}
