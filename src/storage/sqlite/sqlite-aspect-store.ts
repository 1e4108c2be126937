import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { IntegrityProblem, WriteTransaction } from '../../aspect/aspect-store.ts';
import { PostilError } from '../../errors/postil-error.ts';
import type { SearchIndex } from '../../search-index/search-index.ts';
import type { VerdictTransaction } from '../../verdict/verdict-store.ts';
import type { CatalogueStore } from '../catalogue-store.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { createAspectMemory } from './aspect-memory.ts';
import { type Checkpointer, startCheckpointer } from './checkpointer.ts';
import { isSqliteError, openConnection, storageError, unusable } from './sqlite-connection.ts';
import { createSqliteInspection, type SqliteInspection } from './sqlite-inspection.ts';
import { createReadSnapshot, type ReadSnapshot } from './read-snapshot.ts';
import { createRunTransaction, type Participant } from './run-transaction.ts';
import { createScanner } from './scanner.ts';
import { migrate, refuseNewerStore } from './sqlite-migrations.ts';
import { createNames } from './sqlite-names.ts';
import { createSqliteReader, type SqliteReader } from './sqlite-reader.ts';
import { createSqliteIndexRebuild } from './sqlite-index-rebuild.ts';
import { createSearchProblems } from './sqlite-search-inspection.ts';
import { createSqliteSearchIndex } from './sqlite-search-index.ts';
import { createSqliteSearchScan } from './sqlite-search-scan.ts';
import { createSqliteVerdictReader, type SqliteVerdictReader } from './sqlite-verdict-reader.ts';
import { createSqliteVerdictWriter } from './sqlite-verdict-writer.ts';
import { createSqliteWriter } from './sqlite-writer.ts';
import { lockStore } from './store-lock.ts';

export const databaseFileName = 'catalogue.db';

/**
 * Opens the embedded store in a folder, creating it when it is new; migrates it forward. Two connections: one writes,
 * one reads committed state only, so a read never sees a group that may still be rolled back.
 * Throws STORE_LOCKED, STORE_UNUSABLE.
 */
export async function openSqliteStore(folder: string): Promise<CatalogueStore> {
  const path = resolve(folder);
  makeFolder(path);
  const lock = lockStore(join(path, 'postil.lock'));
  const file = join(path, databaseFileName);
  const memory = createAspectMemory();
  let writing: DatabaseSync | undefined;
  let reading: DatabaseSync | undefined;
  let aspects: Participant<WriteTransaction>;
  let verdicts: Participant<VerdictTransaction>;
  let reader: SqliteReader;
  let verdictReader: SqliteVerdictReader;
  let snapshot: ReadSnapshot;
  let search: SearchIndex;
  let searchProblems: () => Promise<readonly IntegrityProblem[]>;
  let inspection: SqliteInspection;
  try {
    refuseNewerStore(file);
    writing = openConnection(file, 'writing');
    migrate(writing);
    reading = openConnection(file, 'reading');
    const names = createNames(writing);
    const ownReader = createSqliteReader(writing, names);
    const writer = createSqliteWriter(writing, names, ownReader, memory);
    aspects = writer;
    verdicts = createSqliteVerdictWriter(writing, writer, createSqliteVerdictReader(writing, ownReader));
    const committedNames = createNames(reading);
    snapshot = createReadSnapshot(reading);
    reader = createSqliteReader(reading, committedNames, { memory, snapshot });
    verdictReader = createSqliteVerdictReader(reading, reader, snapshot);
    search = {
      ...createSqliteSearchIndex(reading, committedNames, snapshot),
      ...createSqliteSearchScan(reading, committedNames, snapshot),
      ...createSqliteIndexRebuild(writing, names, ownReader, alone),
      numbersOf: verdictReader.numbersOf,
      urnsOf: verdictReader.urnsOf,
      largestNumber: verdictReader.largestNumber,
    };
    searchProblems = createSearchProblems(writing, alone);
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
  const runTransaction = createRunTransaction(writing, snapshot);
  const scanner = createScanner(file);
  let checkpointer: Checkpointer | undefined;
  let closing: Promise<void> | undefined;

  async function transact<Transaction, T>(
    participant: Participant<Transaction>,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    if (closing !== undefined) throw new PostilError('STORAGE_FAILED', 'The store is closed');
    checkpointer ??= startCheckpointer(file);
    return transactions.run(() => runTransaction(participant, work));
  }

  /** Without the transaction of the port, whose batches it does not need. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    return transact(aspects, work);
  }

  async function close(): Promise<void> {
    await transactions.idle();
    await scanner.close();
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
    integrityProblems: async () => [...(await inspection.integrityProblems()), ...(await searchProblems())],
    exclusive: true,
    location: path,
    transact: (work) => transact(aspects, work),
    search,
    verdicts: {
      ...verdictReader,
      prepareScan: scanner.prepareScan,
      countValues: scanner.countValues,
      find: scanner.find,
      transact: (work) => transact(verdicts, work),
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
