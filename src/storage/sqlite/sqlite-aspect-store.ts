import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { AspectStore, WriteTransaction } from '../../aspect/aspect-store.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { type AspectMemory, createAspectMemory } from './aspect-memory.ts';
import { type Checkpointer, startCheckpointer } from './checkpointer.ts';
import { isSqliteError, openConnection, storageError, unusable } from './sqlite-connection.ts';
import { createSqliteInspection, type SqliteInspection } from './sqlite-inspection.ts';
import { createReadSnapshot, type ReadSnapshot } from './read-snapshot.ts';
import { migrate, refuseNewerStore } from './sqlite-migrations.ts';
import { createNames } from './sqlite-names.ts';
import { createSqliteReader, type SqliteReader } from './sqlite-reader.ts';
import { createSqliteWriter, type SqliteWriter } from './sqlite-writer.ts';
import { lockStore } from './store-lock.ts';

export const databaseFileName = 'catalogue.db';

/**
 * Opens the embedded store in a folder, creating it when it is new; migrates it forward. Two connections: one writes,
 * one reads committed state only, so a read never sees a group that may still be rolled back.
 * Throws STORE_LOCKED, STORE_UNUSABLE.
 */
export async function openSqliteStore(folder: string): Promise<AspectStore> {
  const path = resolve(folder);
  makeFolder(path);
  const lock = lockStore(join(path, 'postil.lock'));
  const file = join(path, databaseFileName);
  const memory = createAspectMemory();
  let writing: DatabaseSync | undefined;
  let reading: DatabaseSync | undefined;
  let writer: SqliteWriter;
  let reader: SqliteReader;
  let snapshot: ReadSnapshot;
  let inspection: SqliteInspection;
  try {
    refuseNewerStore(file);
    writing = openConnection(file, 'writing');
    migrate(writing);
    reading = openConnection(file, 'reading');
    const names = createNames(writing);
    writer = createSqliteWriter(writing, names, createSqliteReader(writing, names));
    const committedNames = createNames(reading);
    snapshot = createReadSnapshot(reading);
    reader = createSqliteReader(reading, committedNames, { memory, snapshot });
    inspection = createSqliteInspection(reading, committedNames);
  } catch (error) {
    reading?.close();
    writing?.close();
    lock.release();
    // Where a statement is not understood, the tables are not those of a store.
    const known = storageError(error);
    throw known === error && isSqliteError(error) ? unusable(`Cannot open the store ${file}`, error) : known;
  }
  const [writingConnection, readingConnection] = [writing, reading];
  const transactions = oneAtATime();
  const runTransaction = createRunTransaction(writing, writer, memory, snapshot);
  let checkpointer: Checkpointer | undefined;
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    await transactions.idle();
    await checkpointer?.stop();
    snapshot.release();
    readingConnection.close();
    // The last connection to close checkpoints, so a store at rest is one file.
    writingConnection.close();
    lock.release();
  }

  return {
    ...reader,
    ...inspection,
    exclusive: true,
    location: path,
    async transact(work) {
      if (closing !== undefined) throw new PostilError('STORAGE_FAILED', 'The store is closed');
      checkpointer ??= startCheckpointer(file);
      return transactions.run(() => runTransaction(work));
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusable(`Cannot make the folder ${path} for the store`, error);
  }
}

type RunTransaction = <T>(work: (transaction: WriteTransaction) => Promise<T>) => Promise<T>;

/** A store whose disk failed once takes no further writes: what the next sync says cannot be trusted (promise R03). */
function createRunTransaction(
  database: DatabaseSync,
  writer: SqliteWriter,
  memory: AspectMemory,
  snapshot: ReadSnapshot,
): RunTransaction {
  let failure: PostilError | undefined;

  return async (work) => {
    if (failure !== undefined) throw failure;
    try {
      database.exec('BEGIN IMMEDIATE');
      writer.begin();
      const result = await work(writer.transaction);
      writer.assertWhole();
      database.exec('COMMIT');
      // In the same turn as the commit, so nobody reads in between.
      snapshot.release();
      for (const key of writer.changedKeys()) memory.forget(key);
      return result;
    } catch (caught) {
      // A commit that failed may have happened all the same.
      snapshot.release();
      memory.clear();
      const error = storageError(caught);
      if (error instanceof PostilError && error.code === 'STORAGE_FAILED') failure = error;
      writer.rolledBack();
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
