import type { DatabaseSync } from 'node:sqlite';
import { PostilError } from '../../errors/postil-error.ts';
import type { ReadSnapshot } from './read-snapshot.ts';
import { storageError } from './sqlite-connection.ts';

/** Who writes within a transaction of the writing connection: one for aspects, one for verdicts. */
export type Participant<Transaction> = {
  readonly transaction: Transaction;
  begin(): void;
  /**
   * Writes what was left for the end. Throws what failed when storage failed on the way: then nothing of the transaction may be
   * committed.
   */
  finish(): void;
  /** In the same turn as the commit. */
  committed(): void;
  /** Also when it is not known whether the commit happened. */
  rolledBack(): void;
};

export type RunTransaction = <Transaction, T>(
  participant: Participant<Transaction>,
  work: (transaction: Transaction) => Promise<T>,
) => Promise<T>;

/** A store whose disk failed once takes no further writes: what the next sync says cannot be trusted (promise R03). */
export function createRunTransaction(database: DatabaseSync, snapshot: ReadSnapshot): RunTransaction {
  let failure: PostilError | undefined;

  return async (participant, work) => {
    if (failure !== undefined) throw failure;
    try {
      database.exec('BEGIN IMMEDIATE');
      participant.begin();
      const result = await work(participant.transaction);
      participant.finish();
      database.exec('COMMIT');
      // In the same turn as the commit, so nobody reads in between.
      snapshot.release();
      participant.committed();
      return result;
    } catch (caught) {
      // A commit that failed may have happened all the same.
      snapshot.release();
      const error = storageError(caught);
      if (error instanceof PostilError && error.code === 'STORAGE_FAILED') failure = error;
      participant.rolledBack();
      rollBack(database);
      throw error;
    }
  };
}

function rollBack(database: DatabaseSync): void {
  try {
    if (database.isTransaction) database.exec('ROLLBACK');
  } catch {
    // What went wrong first is what the caller has to hear; closing the connection rolls back as well.
  }
}
