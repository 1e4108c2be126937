import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { PostilError } from '../../errors/postil-error.ts';
import { isBusy, unusable } from './sqlite-connection.ts';

/** Held for as long as the process lives; the operating system releases it when the process dies, however it dies. */
export type StoreLock = { release(): void };

/** A connection that nothing refers to is closed when memory is collected, and its lock with it: these are referred to. */
const held = new Set<DatabaseSync>();

/**
 * One process per store (reliability promise R23). The lock is the operating system's lock that a pending SQLite write
 * transaction holds on `file`; it is never committed, so of many processes that start at once exactly one gets it. The
 * text beside it names the holder for people; only the lock decides. Nothing else may open `file`: closing any other
 * descriptor of it would drop the lock. Throws STORE_LOCKED naming the holder.
 */
export function lockStore(file: string): StoreLock {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    database.exec('PRAGMA busy_timeout = 0');
    database.exec('BEGIN IMMEDIATE');
  } catch (error) {
    database?.close();
    if (!isBusy(error)) throw unusable(`Cannot lock the store with ${file}`, error);
    throw new PostilError(
      'STORE_LOCKED',
      `The store is in use by ${holderOf(file)}. One process may open it at a time: stop that process, or talk to ` +
        'it with --server.',
      { cause: error },
    );
  }
  held.add(database);
  writeFileSync(
    `${file}.holder`,
    `process ${process.pid} on ${hostname()}, since ${new Date().toISOString()}\n`,
  );
  return {
    release() {
      rmSync(`${file}.holder`, { force: true });
      held.delete(database);
      database.close();
    },
  };
}

function holderOf(file: string): string {
  try {
    return readFileSync(`${file}.holder`, 'utf8').trim() || 'another process';
  } catch {
    // The holder has the lock and is about to write who it is.
    return 'another process';
  }
}
