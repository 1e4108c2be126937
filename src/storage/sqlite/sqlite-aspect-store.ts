import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { AspectStore, WriteTransaction } from '../../aspect/aspect-store.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { pendingMigrations, readMigrations } from '../migrate.ts';
import { openConnection, storageError } from './sqlite-connection.ts';
import { createSqliteInspection } from './sqlite-inspection.ts';
import { createNames } from './sqlite-names.ts';
import { createSqliteReader } from './sqlite-reader.ts';
import { createSqliteWriter } from './sqlite-writer.ts';
import { lockStore } from './store-lock.ts';

export const databaseFileName = 'catalogue.db';
const checkpointIntervalMs = 500;

/**
 * Opens the embedded store in a folder, creating it when it is new; migrates it forward. Two connections: one writes,
 * one reads committed state only, so a read never sees a group that may still be rolled back.
 * Throws STORE_LOCKED, STORE_UNUSABLE.
 */
export async function openSqliteStore(folder: string): Promise<AspectStore> {
  const path = resolve(folder);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const lock = lockStore(join(path, 'postil.lock'));
  const file = join(path, databaseFileName);
  let writing: DatabaseSync | undefined;
  let reading: DatabaseSync;
  try {
    writing = openConnection(file, 'writing');
    migrate(writing);
    reading = openConnection(file, 'reading');
  } catch (error) {
    writing?.close();
    lock.release();
    throw storageError(error);
  }
  const names = createNames(writing);
  const writer = createSqliteWriter(writing, names, createSqliteReader(writing, names));
  const committedNames = createNames(reading);
  const reader = createSqliteReader(reading, committedNames);
  const transact = createTransact(writing, writer);
  let checkpointer: Worker | undefined;
  let closed = false;

  return {
    ...reader,
    ...createSqliteInspection(reading, committedNames),
    exclusive: true,
    location: path,
    async transact<T>(work: (transaction: WriteTransaction) => Promise<T>): Promise<T> {
      if (closed) throw new PostilError('STORAGE_FAILED', 'The store is closed');
      checkpointer ??= startCheckpointer(file);
      return transact(work);
    },
    async close() {
      if (closed) return;
      closed = true;
      if (checkpointer !== undefined) {
        const ended = new Promise((done) => checkpointer?.once('exit', done));
        checkpointer.postMessage('stop');
        await ended;
      }
      reading.close();
      // The last connection to close checkpoints, so a store at rest is one file.
      writing.close();
      lock.release();
    },
  };
}

/** Runs write transactions one after another; a store whose disk failed once takes no further writes (promise R03). */
function createTransact(
  database: DatabaseSync,
  writer: ReturnType<typeof createSqliteWriter>,
): <T>(work: (transaction: WriteTransaction) => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let failure: PostilError | undefined;

  async function run<T>(work: (transaction: WriteTransaction) => Promise<T>): Promise<T> {
    if (failure !== undefined) throw failure;
    try {
      database.exec('BEGIN IMMEDIATE');
      writer.begin();
      const result = await work(writer.transaction);
      database.exec('COMMIT');
      return result;
    } catch (caught) {
      const error = storageError(caught);
      if (error instanceof PostilError && error.code === 'STORAGE_FAILED') failure = error;
      writer.rolledBack();
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  return (work) => {
    const result = last.then(() => run(work));
    last = result.catch(() => undefined);
    return result;
  };
}

function startCheckpointer(file: string): Worker {
  const worker = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), {
    workerData: { file, intervalMs: checkpointIntervalMs },
  });
  worker.unref();
  // Without the thread the writing connection checkpoints by itself: slower, never wrong.
  worker.on('error', () => undefined);
  return worker;
}

function migrate(database: DatabaseSync): void {
  const current = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  for (const migration of pendingMigrations(readMigrations(new URL('./migrations/', import.meta.url)), current)) {
    database.exec('BEGIN IMMEDIATE');
    database.exec(migration.sql);
    database.exec(`PRAGMA user_version = ${migration.number}`);
    database.exec('COMMIT');
  }
}
