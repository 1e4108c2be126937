import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { errorText } from '../../errors/error-text.ts';
import { PostilError } from '../../errors/postil-error.ts';

/** The WAL-reset bug (3.7.0 to 3.51.2) can corrupt a store when two connections checkpoint at one moment. */
const oldestSafeVersion = [3, 51, 3] as const;

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

/**
 * Opens one connection. Busy timeout comes first: every later statement may meet another connection's lock.
 * Throws STORE_UNUSABLE when the file is not a store, the library is unsafe, or a setting does not take effect.
 */
export function openConnection(file: string, mode: 'writing' | 'reading'): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: mode === 'reading' });
    database.exec('PRAGMA busy_timeout = 10000');
    assertSafeLibrary(database);
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA cache_size = -12000');
    if (mode === 'writing') {
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY');
      assertDurable(database);
      // Checkpoints are made by a thread of their own; this bounds the log (400 MB) if that thread should ever fail or
      // fall behind. What a busy time left of the log's file is cut off when the log starts anew.
      database.exec('PRAGMA wal_autocheckpoint = 100000; PRAGMA journal_size_limit = 67108864');
    }
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof PostilError) throw error;
    throw unusable(`Cannot open the store ${file}`, error);
  }
}

/**
 * A statement that is only run, never read from, on the writing connection. A full-text index leaves row numbers beyond 2^53
 * behind, which every later statement would be told of and could not represent as a number.
 */
export function prepareWrite(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}

/** What cannot be opened at all, with the reason. */
export function unusable(what: string, cause: unknown): PostilError {
  return new PostilError('STORE_UNUSABLE', `${what}: ${errorText(cause)}`, { cause });
}

function assertSafeLibrary(database: DatabaseSync): void {
  const version = String(database.prepare('SELECT sqlite_version() AS version').get()?.['version']);
  const numbers = version.split('.').map(Number);
  for (const [index, oldest] of oldestSafeVersion.entries()) {
    const number = numbers[index] ?? 0;
    if (number > oldest) return;
    if (number < oldest) {
      throw new PostilError(
        'STORE_UNUSABLE',
        `SQLite ${version} can corrupt a store; ${oldestSafeVersion.join('.')} or newer is needed`,
      );
    }
  }
}

/** An answered write must survive a power cut: the settings are read back, not believed (reliability section 1.1). */
function assertDurable(database: DatabaseSync): void {
  const journal = database.prepare('PRAGMA journal_mode').get()?.['journal_mode'];
  const synchronous = database.prepare('PRAGMA synchronous').get()?.['synchronous'];
  if (journal !== 'wal' || synchronous !== 2) {
    throw new PostilError(
      'STORE_UNUSABLE',
      `The store is not durable: journal_mode is ${String(journal)} (wal is needed), ` +
        `synchronous is ${String(synchronous)} (2 is needed)`,
    );
  }
}

function primaryCodeOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode % 256 : undefined;
}

export function isSqliteError(error: unknown): boolean {
  return primaryCodeOf(error) !== undefined;
}

export function isBusy(error: unknown): boolean {
  return primaryCodeOf(error) === SQLITE_BUSY;
}

/** Turns what SQLite throws into the code table's words; anything that is not about storage stays as it is. */
export function storageError(error: unknown): unknown {
  switch (primaryCodeOf(error)) {
    case SQLITE_FULL:
      return new PostilError(
        'STORAGE_FULL',
        'The disk is full: nothing was stored. Free some space and try again.',
        {
          cause: error,
        },
      );
    case SQLITE_BUSY:
      return new PostilError(
        'OVERLOADED',
        'Another program holds the database file: nothing was stored. Close it and try again.',
        { cause: error },
      );
    case SQLITE_READONLY:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
      // Not "nothing was stored": when the sync of a commit fails, what it wrote can be found at the next start.
      return new PostilError(
        'STORAGE_FAILED',
        `The disk failed (${errorText(error)}). What was to be written is not acknowledged; nothing more is written ` +
          'until a restart.',
        { cause: error },
      );
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return new PostilError(
        'CORRUPT_ASPECT',
        `The store is damaged (${errorText(error)}). Run postil check.`,
        {
          cause: error,
        },
      );
    default:
      return isClosed(error)
        ? new PostilError('STORAGE_FAILED', 'The store is closed', { cause: error })
        : error;
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE';
}
