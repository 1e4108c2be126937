import type { Change, ChangeBatch, WriteTransaction } from '../../aspect/aspect-store.ts';
import type { SearchEntry } from '../../aspect/search-entry.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { staleChange } from '../stale-change.ts';
import { mentionsOf, stepsOf } from './batch-rows.ts';
import { runStep } from './batch-step.ts';
import type { Run, Session } from './postgres-connection.ts';
import type { Ids } from './postgres-ids.ts';
import { createPostgresReader } from './postgres-reader.ts';
import { nameWordsOf, searchEntrySteps } from './search-entry-steps.ts';

/** How often a batch is sent again that the server gave up because of a deadlock. */
const attemptsMax = 3;
/** Fewer search entries wait for those of the next batches: all together cost the less the more there are. */
const entriesMeanwhileMin = 100;

export type PostgresWriter = {
  readonly transaction: WriteTransaction;
  /**
   * To be called before the commit: writes the search entries of all batches, each of which costs the less the more there are.
   * Throws what failed in storage, also inside `apply`: then nothing of the transaction may be committed. Resolves with how many letters
   * of terms were written.
   */
  complete(): Promise<{ readonly termLetters: number }>;
};

/**
 * Applies batches inside a transaction that has begun and holds the writer's lock; `sequence` is the last of the log. A
 * batch is one round trip: its statements are sent together, and rolled back together to a savepoint.
 */
export function createPostgresWriter(session: Session, ids: Ids, lastSequence: number): PostgresWriter {
  const { run } = session;
  /** While a decision is made of what was read, the server has time for the entries of the batch before. */
  const read: Run = async (sql, values) => {
    const result = await run(sql, values);
    if (searchEntries.size >= entriesMeanwhileMin && !isApplying) sendSearchEntries();
    return result;
  };
  const reader = createPostgresReader(read, ids.remember);
  let sequence = lastSequence;
  let savepoint = false;
  /** Whether a batch may yet be rolled back to its savepoint. */
  let isApplying = false;
  let failure: PostilError | undefined;
  /** Those of the batches so far that were not sent. */
  const searchEntries = new Map<number, SearchEntry | undefined>();
  const addedEntities = new Set<number>();
  let termLetters = 0;
  let sending: Promise<void> = Promise.resolve();
  const sent: Promise<unknown>[] = [];

  function changesOf(batch: ChangeBatch): readonly Change[] {
    const { time, actor } = batch.stamp;
    return batch.changes.map(({ urn, aspect, versionBefore, text }, index) => ({
      sequence: sequence + index + 1,
      commit: sequence + 1,
      time,
      actor,
      command: batch.command,
      urn,
      aspect,
      versionBefore,
      versionAfter: versionBefore + 1,
      removed: text === undefined,
    }));
  }

  async function attempted(batch: ChangeBatch): Promise<readonly Change[]> {
    for (let attempts = 1; ; attempts += 1) {
      if (failure !== undefined) throw failure;
      const mark = ids.mark();
      try {
        return await attempt(batch);
      } catch (error) {
        ids.forget(mark);
        failure ??= isStorageFailure(error) ? error : await rollBack();
        if (failure !== undefined) throw failure;
        if (!isTransient(error) || attempts === attemptsMax) throw error;
      }
    }
  }

  async function attempt(batch: ChangeBatch): Promise<readonly Change[]> {
    const opened = openSavepoint();
    const { urns, names } = mentionsOf(batch);
    const added = await ids.ensure(run, urns, names);
    const steps = stepsOf(batch, changesOf(batch), ids, added);
    const [, ...touched] = await Promise.all([opened, ...steps.map((step) => runStep(run, step))]);
    if (steps.some(({ expected }, index) => expected !== undefined && touched[index]?.count !== expected)) {
      throw await staleChangeOf(batch);
    }
    const changes = changesOf(batch);
    sequence += changes.length;
    for (const { urn, aspect, entry } of batch.searchEntries) {
      searchEntries.set(ids.entity(urn) * namesPerEntity + ids.name(aspect), entry);
    }
    for (const { id } of added.entities) addedEntities.add(id);
    return changes;
  }

  /** The savepoint of the batch before is released together with the next: nobody returns to it any more. */
  function openSavepoint(): Promise<unknown> {
    const released = savepoint ? [run('RELEASE SAVEPOINT command')] : [];
    savepoint = true;
    const opened = Promise.all([...released, run('SAVEPOINT command')]);
    // Awaited together with the statements of the batch, unless a look-up fails before.
    opened.catch(() => undefined);
    return opened;
  }

  async function staleChangeOf(batch: ChangeBatch): Promise<unknown> {
    await run('ROLLBACK TO SAVEPOINT command');
    const versions = await lastVersions(batch.changes);
    const stale = batch.changes.find((change, index) => versions[index] !== change.versionBefore);
    return stale === undefined ? new Error('Rows were not stored, and none is stale') : staleChange(stale);
  }

  const lastVersions: WriteTransaction['lastVersions'] = async (keys) => {
    if (keys.length === 0) return [];
    const { rows } = await read(
      `SELECT coalesce(version, 0) AS version
       FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (urn, aspect, place)
       LEFT JOIN entity ON entity.urn = asked.urn LEFT JOIN name ON name.text = asked.aspect
       LEFT JOIN aspect ON key = entity.id * ${namesPerEntity} + name.id ORDER BY place`,
      [keys.map(({ urn }) => urn), keys.map(({ aspect }) => aspect)],
    );
    return rows.map((row) => Number(row['version']));
  };

  return {
    transaction: {
      ...reader,
      lastVersions,
      async uses(query) {
        // They are asked of the index as well.
        sendSearchEntries();
        await sending;
        return reader.uses(query);
      },
      async apply(batch) {
        await sending;
        isApplying = true;
        try {
          return await attempted(batch);
        } finally {
          isApplying = false;
        }
      },
    },
    async complete() {
      sendSearchEntries();
      await sending;
      await Promise.all(sent);
      if (failure !== undefined) throw failure;
      return { termLetters };
    },
  };

  /** While no batch may be rolled back, or the entries would be gone with it; none begins before `sending` is done. */
  function sendSearchEntries(): void {
    if (searchEntries.size === 0) return;
    const [entries, added] = [new Map(searchEntries), new Set(addedEntities)];
    searchEntries.clear();
    addedEntities.clear();
    for (const entry of entries.values()) termLetters += entry?.terms.length ?? 0;
    sending = sending
      .then(async () => {
        for (const step of await searchEntrySteps(
          run,
          entries,
          added,
          ids.newWords(nameWordsOf(entries.values())),
        )) {
          sent.push(runStep(run, step).catch(fail));
        }
      })
      .catch(fail);
  }

  /** Without its entries, nothing may be committed. */
  function fail(error: unknown): void {
    failure ??= isStorageFailure(error) ? error : transactionLost(error);
  }

  async function rollBack(): Promise<PostilError | undefined> {
    try {
      await run('ROLLBACK TO SAVEPOINT command');
      return undefined;
    } catch (error) {
      return error instanceof PostilError ? error : transactionLost(error);
    }
  }
}

function transactionLost(cause: unknown): PostilError {
  return new PostilError('STORAGE_UNREACHABLE', 'The transaction was lost: nothing was stored.', { cause });
}

function isStorageFailure(error: unknown): error is PostilError {
  return (
    error instanceof PostilError && (error.code === 'STORAGE_FULL' || error.code === 'STORAGE_UNREACHABLE')
  );
}

/** What `postgresError` makes of a deadlock or a serialization failure. */
function isTransient(error: unknown): boolean {
  return error instanceof PostilError && error.code === 'OVERLOADED';
}
