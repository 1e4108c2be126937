import type { Change, ChangeBatch, WriteTransaction } from '../../aspect/aspect-store.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { staleChange } from '../stale-change.ts';
import { mentionsOf, stepsOf } from './batch-rows.ts';
import { runStep } from './batch-step.ts';
import type { Session } from './postgres-connection.ts';
import type { Ids } from './postgres-ids.ts';
import { createPostgresReader } from './postgres-reader.ts';

/** How often a batch is sent again that the server gave up because of a deadlock. */
const attemptsMax = 3;

export type PostgresWriter = {
  readonly transaction: WriteTransaction;
  /** Throws what failed when storage failed inside `apply`: then nothing of the transaction may be committed. */
  assertWhole(): void;
};

/**
 * Applies batches inside a transaction that has begun and holds the writer's lock; `sequence` is the last of the log. A
 * batch is one round trip: its statements are sent together, and rolled back together to a savepoint.
 */
export function createPostgresWriter(session: Session, ids: Ids, lastSequence: number): PostgresWriter {
  const { run } = session;
  const reader = createPostgresReader(run, ids.remember);
  let sequence = lastSequence;
  let savepoint = false;
  let failure: PostilError | undefined;

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

  async function attempt(batch: ChangeBatch): Promise<readonly Change[]> {
    const opened = openSavepoint();
    const { urns, names } = mentionsOf(batch);
    const steps = stepsOf(batch, changesOf(batch), ids, await ids.ensure(run, urns, names));
    const [, ...touched] = await Promise.all([opened, ...steps.map((step) => runStep(run, step))]);
    if (steps.some(({ expected }, index) => expected !== undefined && touched[index]?.count !== expected)) {
      throw await staleChangeOf(batch);
    }
    const changes = changesOf(batch);
    sequence += changes.length;
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
    const { rows } = await run(
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
      async apply(batch) {
        for (let attempts = 1; ; attempts += 1) {
          if (failure !== undefined) throw failure;
          const mark = ids.mark();
          try {
            return await attempt(batch);
          } catch (error) {
            ids.forget(mark);
            failure = isStorageFailure(error) ? error : await rollBack();
            if (failure !== undefined) throw failure;
            if (!isTransient(error) || attempts === attemptsMax) throw error;
          }
        }
      },
    },
    assertWhole() {
      if (failure !== undefined) throw failure;
    },
  };

  async function rollBack(): Promise<PostilError | undefined> {
    try {
      await run('ROLLBACK TO SAVEPOINT command');
      return undefined;
    } catch (error) {
      if (error instanceof PostilError) return error;
      return new PostilError('STORAGE_UNREACHABLE', 'The transaction was lost: nothing was stored.', {
        cause: error,
      });
    }
  }
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
