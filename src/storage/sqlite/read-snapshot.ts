import type { DatabaseSync } from 'node:sqlite';

/**
 * One read transaction for all that is read in one turn of the event loop. Without it SQLite locks, looks for changes and
 * unlocks again for every statement, which takes as long as a small read itself. It ends with the turn, so that it never
 * keeps a checkpoint from finishing for long, and with every commit, so that what is answered is what was committed last.
 */
export type ReadSnapshot = {
  /** Before a statement. */
  hold(): void;
  /** In the same turn as a commit of the writing connection, and before the connection is closed. */
  release(): void;
};

export function createReadSnapshot(database: DatabaseSync): ReadSnapshot {
  const begin = database.prepare('BEGIN');
  const end = database.prepare('COMMIT');
  let isHeld = false;
  let willEnd = false;

  function release(): void {
    if (!isHeld) return;
    isHeld = false;
    // A disk that failed to be read ends the transaction by itself.
    if (!database.isTransaction) return;
    try {
      end.run();
    } catch {
      // A damaged page is told to whoever asked for it; here it must end neither the turn nor the process.
      if (database.isTransaction) database.exec('ROLLBACK');
    }
  }

  return {
    hold() {
      if (isHeld) return;
      begin.run();
      isHeld = true;
      if (willEnd) return;
      willEnd = true;
      setImmediate(() => {
        willEnd = false;
        release();
      });
    },
    release,
  };
}
