import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from '../../errors/error-text.ts';
import { PostilError } from '../../errors/postil-error.ts';
import type { CatalogueStore } from '../catalogue-store.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { createPendingTerms } from './pending-terms.ts';
import { assertUsable, connect, type Connections, locationOf, type Session } from './postgres-connection.ts';
import { createIds, type Ids } from './postgres-ids.ts';
import { createPostgresIndexRebuild } from './postgres-index-rebuild.ts';
import { createPostgresInspection } from './postgres-inspection.ts';
import { migrate, takeWriterLock } from './postgres-migrations.ts';
import { createPostgresReader } from './postgres-reader.ts';
import { createPostgresSearchIndex } from './postgres-search-index.ts';
import { createPostgresSearchScan } from './postgres-search-scan.ts';
import { createPostgresVerdictStore } from './postgres-verdict-store.ts';
import { createPostgresWriter } from './postgres-writer.ts';

/** How long a node tries to learn whether a commit took place during which its connection broke. */
const commitOutcomeMilliseconds = 10_000;

/**
 * Opens the catalogue in a PostgreSQL database, 15 or newer, and migrates it forward. Several nodes may have it open; for
 * the whole catalogue one of them writes at a time. The parameters of the URL are those of libpq; `search_path` names a
 * schema other than `public`.
 * Throws STORE_UNUSABLE, INVALID_CONFIGURATION, and STORAGE_UNREACHABLE when no server answers.
 */
export async function openPostgresStore(url: string): Promise<CatalogueStore> {
  const location = locationOf(url);
  const connections = connect(url);
  try {
    await assertUsable(connections, location);
    await migrate(connections);
  } catch (error) {
    await connections.close();
    if (error instanceof PostilError) throw error;
    const reason = errorText(error);
    throw new PostilError('STORE_UNUSABLE', `Cannot use the store at ${location}: ${reason}`, {
      cause: error,
    });
  }
  const ids = createIds();
  const transactions = oneAtATime();
  const pendingTerms = createPendingTerms(connections.scan);
  let closing: Promise<void> | undefined;

  function assertOpen(): void {
    if (closing !== undefined) throw new PostilError('STORAGE_FAILED', 'The store is closed');
  }

  async function inTransaction<T>(work: (session: Session, sequence: number) => Promise<T>): Promise<T> {
    assertOpen();
    return transactions.run(() => runTransaction(connections, ids, work));
  }

  async function close(): Promise<void> {
    await transactions.idle();
    await pendingTerms.stop();
    await connections.close();
  }

  const verdicts = createPostgresVerdictStore(connections, ids, inTransaction, assertOpen);
  return {
    ...createPostgresReader(connections.run),
    ...createPostgresInspection(connections.run),
    exclusive: false,
    location,
    verdicts,
    search: {
      ...createPostgresSearchIndex(connections.run),
      ...createPostgresSearchScan(connections.run),
      ...createPostgresIndexRebuild(connections.run, ids, inTransaction, pendingTerms),
      numbersOf: verdicts.numbersOf,
      urnsOf: verdicts.urnsOf,
      largestNumber: verdicts.largestNumber,
    },
    async transact(work) {
      let termLetters = 0;
      const result = await inTransaction(async (session, sequence) => {
        const writer = createPostgresWriter(session, ids, sequence);
        const made = await work(writer.transaction);
        ({ termLetters } = await writer.complete());
        return made;
      });
      pendingTerms.written(termLetters);
      return result;
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/**
 * `work` runs once: it may hand out what it stored to others, so a transaction is never replayed as a whole. Under the
 * lock nobody else writes, so its reads see one state and nothing can conflict.
 */
async function runTransaction<T>(
  connections: Connections,
  ids: Ids,
  work: (session: Session, sequence: number) => Promise<T>,
): Promise<T> {
  const session = await connections.reserve();
  try {
    const { sequence, id } = await begin(session, ids);
    const result = await work(session, sequence);
    await commit(connections, session, id);
    return result;
  } catch (error) {
    ids.forget();
    // A connection on which even this fails is broken, and its transaction with it.
    if (!session.isLost()) await session.run('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    session.release();
  }
}

async function begin(
  { run }: Session,
  ids: Ids,
): Promise<{ readonly sequence: number; readonly id: string }> {
  const [, , { rows }] = await Promise.all([
    run('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE'),
    run(takeWriterLock),
    // A statement of its own: it must see what was committed while this one waited for the lock.
    run(
      `SELECT (SELECT coalesce(max(sequence), 0) FROM change) AS sequence,
         (SELECT coalesce(max(id), 0) FROM entity) AS entity, (SELECT coalesce(max(id), 0) FROM name) AS name,
         (SELECT coalesce(min(id), 0) FROM search_word) AS word, pg_current_xact_id()::text AS id`,
    ),
  ]);
  const row = rows[0];
  ids.begin({
    lastEntity: Number(row?.['entity']),
    lastName: Number(row?.['name']),
    firstWord: Number(row?.['word']),
  });
  return { sequence: Number(row?.['sequence']), id: String(row?.['id']) };
}

async function commit(connections: Connections, session: Session, id: string): Promise<void> {
  try {
    const { command } = await session.run('COMMIT');
    // The answer to COMMIT when a statement failed before and nobody rolled back to a savepoint.
    if (command !== 'COMMIT')
      throw new PostilError('STORAGE_UNREACHABLE', 'The transaction failed: nothing was stored.');
  } catch (error) {
    if (!session.isLost() || !(await wasCommitted(connections, id))) throw error;
  }
}

/** Asks what became of a transaction whose answer was lost: the server remembers (promise R11). */
async function wasCommitted({ run }: Connections, id: string): Promise<boolean> {
  const end = performance.now() + commitOutcomeMilliseconds;
  let cause: unknown;
  while (performance.now() < end) {
    try {
      const { rows } = await run('SELECT pg_xact_status($1::text::xid8) AS status', [id]);
      const status = rows[0]?.['status'];
      if (status === 'committed') return true;
      if (status === 'aborted') return false;
    } catch (error) {
      cause = error;
    }
    await sleep(100);
  }
  throw new PostilError(
    'STORAGE_UNREACHABLE',
    'The connection to PostgreSQL broke during a commit and did not come back: what was written may be stored or not.',
    { cause },
  );
}
