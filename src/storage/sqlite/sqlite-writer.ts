import type { DatabaseSync } from 'node:sqlite';
import type {
  AspectChange,
  Change,
  ChangeBatch,
  EdgeRepair,
  WriteTransaction,
} from '../../aspect/aspect-store.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { urnType, type Urn } from '../../urn/urn.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { aspectChecksum, changeChecksum, fragmentChecksum } from '../checksum.ts';
import { staleChange } from '../stale-change.ts';
import type { AspectMemory } from './aspect-memory.ts';
import type { Participant } from './run-transaction.ts';
import type { Names } from './sqlite-names.ts';
import { createSqliteSearchWriter } from './sqlite-search-writer.ts';
import { prepareWrite, storageError } from './sqlite-connection.ts';
import { guard, type SqliteReader } from './sqlite-reader.ts';

export type SqliteWriter = Participant<WriteTransaction> & {
  idOf(urn: Urn): number | undefined;
  /** The number of an entity, which it gets now if the store has never heard of it; inside a transaction only. */
  ensureEntity(urn: Urn): number;
};

/** Applies batches on the writing connection. The caller owns the surrounding transaction. */
export function createSqliteWriter(
  database: DatabaseSync,
  names: Names,
  reader: SqliteReader,
  /** Of committed aspects; forgets what a transaction has changed, or tried to. */
  memory: AspectMemory,
): SqliteWriter {
  const insertEntity = database.prepare('INSERT INTO entity (urn, type) VALUES (?, ?) RETURNING id');
  // Prepared, because they frame every command.
  const savepoint = prepareWrite(database, 'SAVEPOINT command');
  const release = prepareWrite(database, 'RELEASE command');
  const setPresent = prepareWrite(database, 'UPDATE entity SET present = ? WHERE id = ?');
  // It is one row, so a failure leaves nothing of it. To be able to take back several, SQLite would go through everything that the
  // command changed so far, at each of them: a command with 20,000 changes took ten times as long.
  const keepOld = prepareWrite(
    database,
    'INSERT OR FAIL INTO aspect_history SELECT * FROM aspect WHERE key = ?',
  );
  // Both statements touch one row, or the change was made for another version than the one that is stored.
  const put = prepareWrite(
    database,
    `INSERT INTO aspect (key, version, body, system, time, actor, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET version = excluded.version, body = excluded.body, system = excluded.system,
       time = excluded.time, actor = excluded.actor, checksum = excluded.checksum
       WHERE aspect.version = excluded.version - 1`,
  );
  const observe = prepareWrite(database, 'UPDATE aspect SET system = ?, checksum = ? WHERE key = ?');
  const addEdge = prepareWrite(database, 'INSERT OR IGNORE INTO relationship VALUES (?, ?, ?, ?, ?)');
  const dropEdge = prepareWrite(
    database,
    'DELETE FROM relationship WHERE destination = ? AND kind = ? AND source = ? AND path = ? AND aspect = ?',
  );
  const putFragment = prepareWrite(database, 'INSERT OR REPLACE INTO fragment VALUES (?, ?, ?)');
  const dropFragment = prepareWrite(database, 'DELETE FROM fragment WHERE key = ?');
  const place = prepareWrite(database, 'INSERT OR REPLACE INTO placement VALUES (?, ?, ?, ?)');
  const displace = prepareWrite(database, 'DELETE FROM placement WHERE entity = ?');
  const log = prepareWrite(database, 'INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const selectLast = database.prepare('SELECT coalesce(max(sequence), 0) AS last FROM change');
  const search = createSqliteSearchWriter(database);
  let sequence = 0;
  let changedKeys: number[] = [];
  let failure: PostilError | undefined;

  function ensureEntity(urn: Urn): number {
    const known = reader.idOf(urn);
    if (known !== undefined) return known;
    return Number(insertEntity.get(urn, urnType(urn))?.['id']);
  }

  function applyEdges(edges: EdgeRepair, entity: number, aspect: number): void {
    for (const edge of edges.removedRelationships) {
      dropEdge.run(ensureEntity(edge.destination), edge.kind, entity, edge.path, aspect);
    }
    for (const edge of edges.addedRelationships) {
      addEdge.run(ensureEntity(edge.destination), edge.kind, entity, edge.path, aspect);
    }
  }

  function applyChange(change: AspectChange, batch: ChangeBatch, commit: number): Change {
    const { time, actor } = batch.stamp;
    const entity = ensureEntity(change.urn);
    const aspect = names.ensure(change.aspect);
    const key = entity * namesPerEntity + aspect;
    changedKeys.push(key);
    const version = change.versionBefore + 1;
    const body = change.text ?? null;
    const kept = change.versionBefore === 0 ? 0 : Number(keepOld.run(key).changes);
    const checksum = aspectChecksum(key, version, time, actor, change.systemText, body);
    const stored = put.run(key, version, body, change.systemText, time, actor, checksum);
    if (kept !== Math.min(change.versionBefore, 1) || Number(stored.changes) !== 1) throw staleChange(change);
    if (change.existence !== undefined) setPresent.run(change.existence === 'begins' ? 1 : 0, entity);
    applyEdges(change, entity, aspect);
    sequence += 1;
    const removed = body === null ? 1 : 0;
    const row: readonly (number | string)[] = [
      sequence,
      commit,
      time,
      actor,
      batch.command,
      entity,
      aspect,
      change.versionBefore,
      version,
      removed,
    ];
    log.run(...row, changeChecksum(row));
    return {
      sequence,
      commit,
      time,
      actor,
      command: batch.command,
      urn: change.urn,
      aspect: change.aspect,
      versionBefore: change.versionBefore,
      versionAfter: version,
      removed: body === null,
    };
  }

  function applyNow(batch: ChangeBatch): readonly Change[] {
    const commit = sequence + 1;
    const changes = batch.changes.map((change) => applyChange(change, batch, commit));
    for (const { urn, aspect, current, systemText } of batch.observations) {
      const key = ensureEntity(urn) * namesPerEntity + names.ensure(aspect);
      const { time, actor } = current.stamp;
      const checksum = aspectChecksum(key, current.version, time, actor, systemText, current.text);
      observe.run(systemText, checksum, key);
      changedKeys.push(key);
    }
    for (const repair of batch.edgeRepairs ?? []) {
      applyEdges(repair, ensureEntity(repair.urn), names.ensure(repair.aspect));
    }
    for (const { urn, name, text } of batch.fragments) {
      const key = ensureEntity(urn) * namesPerEntity + names.ensure(name);
      if (text === undefined) dropFragment.run(key);
      else putFragment.run(key, text, fragmentChecksum(key, text));
    }
    let entryOf: { readonly urn: Urn; readonly entity: number } | undefined;
    for (const { urn, aspect, entry } of batch.searchEntries) {
      // Entries of one entity follow each other.
      if (entryOf?.urn !== urn) entryOf = { urn, entity: ensureEntity(urn) };
      search.put(entryOf.entity * namesPerEntity + names.ensure(aspect), entry);
    }
    for (const { urn, placement } of batch.placements) {
      const entity = ensureEntity(urn);
      if (placement === undefined) displace.run(entity);
      else {
        const parent = placement.parent === undefined ? 0 : ensureEntity(placement.parent);
        place.run(entity, urnType(urn), parent, placement.name);
      }
    }
    return changes;
  }

  /** Ids that were given inside what was rolled back do not exist. */
  function forget(): void {
    reader.forgetIds();
    names.forget();
  }

  /** In a transaction that is gone, a savepoint would begin one of its own, and its release would commit it. */
  function assertWhole(): void {
    if (failure === undefined && !database.isTransaction) failure = asFailure(undefined);
    if (failure !== undefined) throw failure;
  }

  const transaction: WriteTransaction = {
    ...reader,
    async uses(query) {
      // What is removed is asked from the index of bearers.
      guard(search.finish);
      return reader.uses(query);
    },
    async lastVersions(keys) {
      return guard(() => keys.map(({ urn, aspect }) => reader.versionOf(urn, aspect)));
    },
    async apply(batch) {
      assertWhole();
      const before = sequence;
      try {
        savepoint.run();
        const changes = applyNow(batch);
        release.run();
        search.keep();
        return changes;
      } catch (caught) {
        sequence = before;
        search.drop();
        forget();
        const error = storageError(caught);
        // A full disk rolls the whole transaction back by itself; then there is no savepoint to return to.
        if (isStorageFailure(error) || !database.isTransaction) failure = asFailure(error);
        else database.exec('ROLLBACK TO command; RELEASE command');
        throw error;
      }
    },
  };
  return {
    transaction,
    begin() {
      failure = undefined;
      search.forget();
      changedKeys = [];
      sequence = Number(selectLast.get()?.['last']);
    },
    finish() {
      assertWhole();
      search.finish();
    },
    committed() {
      for (const key of changedKeys) memory.forget(key);
    },
    rolledBack() {
      memory.clear();
      forget();
    },
    idOf: reader.idOf,
    ensureEntity,
  };
}

function isStorageFailure(error: unknown): boolean {
  return error instanceof PostilError && (error.code === 'STORAGE_FULL' || error.code === 'STORAGE_FAILED');
}

function asFailure(error: unknown): PostilError {
  if (error instanceof PostilError) return error;
  return new PostilError('STORAGE_FAILED', 'The transaction was lost: nothing was stored.', { cause: error });
}
