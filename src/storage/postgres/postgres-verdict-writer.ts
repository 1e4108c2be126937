import type { Urn } from '../../urn/urn.ts';
import { encodeChunkSet, sizeOfSet } from '../../verdict/chunk-set.ts';
import type { ChunkSet } from '../../verdict/chunk-set.ts';
import type { ChunkVerdicts, VerdictChange, VerdictTransaction } from '../../verdict/verdict-store.ts';
import { insertEntities } from './batch-rows.ts';
import { runStep } from './batch-step.ts';
import type { Run, Session } from './postgres-connection.ts';
import type { Ids } from './postgres-ids.ts';
import type { RowValues } from './postgres-row-values.ts';
import { putRows, removeRows } from './postgres-test-rows.ts';
import { createPostgresVerdictReader } from './postgres-verdict-reader.ts';

/** Changes in one statement, each of them up to 4 kB. */
const changesInBatch = 500;

export type PostgresVerdictWriter = {
  readonly transaction: VerdictTransaction;
  /** Throws what failed when a write failed: then nothing of the transaction may be committed. */
  assertWhole(): void;
};

/** Writes inside a transaction that has begun and holds the writer's lock; reads see what it wrote. */
export function createPostgresVerdictWriter(
  { run }: Session,
  ids: Ids,
  values: RowValues,
): PostgresVerdictWriter {
  let failure: { readonly error: unknown } | undefined;

  function assertWhole(): void {
    if (failure !== undefined) throw failure.error;
  }

  /** What failed half way must not be committed, even by work that goes on. */
  async function write(work: () => Promise<unknown>): Promise<void> {
    assertWhole();
    try {
      await work();
    } catch (error) {
      failure ??= { error };
      throw error;
    }
  }

  /** Numbers of tests; a test that nothing has named becomes known, and exists no more than before. */
  async function ensureTests(tests: readonly Urn[]): Promise<void> {
    const added = await ids.ensure(run, new Set(tests), new Set());
    if (added.entities.length > 0) await runStep(run, insertEntities(added));
  }

  async function putVerdicts(test: Urn, chunk: number, verdicts: ChunkVerdicts): Promise<void> {
    const sets = [verdicts.passing, verdicts.failing, verdicts.exempt, verdicts.undecided];
    const sizes = sets.map(sizeOfSet);
    await ensureTests([test]);
    if (sizes.every((size) => size === 0)) {
      await run('DELETE FROM test_verdict WHERE chunk = $1 AND test = $2', [chunk, ids.entity(test)]);
    } else {
      await run(upsertVerdicts, [chunk, ids.entity(test), ...sets.map(encodeChunkSet), ...sizes]);
    }
  }

  async function appendChanges(changes: readonly VerdictChange[]): Promise<void> {
    await ensureTests(changes.map(({ test }) => test));
    for (let first = 0; first < changes.length; first += changesInBatch) {
      await append(run, ids, changes.slice(first, first + changesInBatch));
    }
  }

  return {
    transaction: {
      ...createPostgresVerdictReader(run),
      putRows: (rows) => write(() => putRows(run, values, rows)),
      removeRows: (urns) => write(() => removeRows(run, urns)),
      putVerdicts: (test, chunk, verdicts) => write(() => putVerdicts(test, chunk, verdicts)),
      removeVerdicts: (test) =>
        write(() =>
          run('DELETE FROM test_verdict WHERE test = (SELECT id FROM entity WHERE urn = $1)', [test]),
        ),
      appendChanges: (changes) => write(() => appendChanges(changes)),
      putRecords: (records) => write(() => putRecords(run, records)),
    },
    assertWhole,
  };
}

const upsertVerdicts = `
  INSERT INTO test_verdict (chunk, test, passing, failing, exempt, undecided,
    passing_count, failing_count, exempt_count, undecided_count)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (chunk, test) DO UPDATE SET passing = excluded.passing, failing = excluded.failing,
    exempt = excluded.exempt, undecided = excluded.undecided, passing_count = excluded.passing_count,
    failing_count = excluded.failing_count, exempt_count = excluded.exempt_count,
    undecided_count = excluded.undecided_count`;

/** Of several records with the same key the last one counts. */
async function putRecords(run: Run, records: Parameters<VerdictTransaction['putRecords']>[0]): Promise<void> {
  const latest = [...new Map(records.map((each) => [JSON.stringify([each.kind, each.key]), each])).values()];
  const removed = latest.filter(({ text }) => text === undefined);
  const kept = latest.flatMap(({ kind, key, text }) => (text === undefined ? [] : [{ kind, key, text }]));
  if (removed.length > 0) {
    await run(
      `DELETE FROM test_record USING unnest($1::text[], $2::text[]) AS old (kind, key)
       WHERE test_record.kind = old.kind AND test_record.key = old.key`,
      [removed.map(({ kind }) => kind), removed.map(({ key }) => key)],
    );
  }
  if (kept.length > 0) {
    await run(
      `INSERT INTO test_record (kind, key, text) SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
       ON CONFLICT (kind, key) DO UPDATE SET text = excluded.text`,
      [kept.map(({ kind }) => kind), kept.map(({ key }) => key), kept.map(({ text }) => text)],
    );
  }
}

async function append(run: Run, ids: Ids, changes: readonly VerdictChange[]): Promise<void> {
  const encoded = (set: ChunkSet): string => Buffer.from(encodeChunkSet(set)).toString('base64');
  const sets = ['to_passing', 'to_failing', 'to_exempt', 'to_none'];
  await run(
    `INSERT INTO test_change (id, test, chunk, time, sequence, definition_md5, ${sets.join(', ')},
       passing_delta, failing_delta, exempt_delta)
     SELECT (SELECT coalesce(max(id), 0) FROM test_change) + place, test, chunk, time, sequence, definition_md5,
       ${sets.map((set) => `decode(${set}, 'base64')`).join(', ')}, passing_delta, failing_delta, exempt_delta
     FROM unnest($1::bigint[], $2::integer[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[],
       $8::text[], $9::text[], $10::integer[], $11::integer[], $12::integer[]) WITH ORDINALITY
       AS new (test, chunk, time, sequence, definition_md5, ${sets.join(', ')},
         passing_delta, failing_delta, exempt_delta, place)`,
    [
      changes.map(({ test }) => ids.entity(test)),
      changes.map(({ chunk }) => chunk),
      changes.map(({ time }) => time),
      changes.map(({ sequence }) => sequence),
      changes.map(({ definitionMd5 }) => definitionMd5),
      changes.map(({ toPassing }) => encoded(toPassing)),
      changes.map(({ toFailing }) => encoded(toFailing)),
      changes.map(({ toExempt }) => encoded(toExempt)),
      changes.map(({ toNone }) => encoded(toNone)),
      changes.map(({ deltas }) => deltas.passing),
      changes.map(({ deltas }) => deltas.failing),
      changes.map(({ deltas }) => deltas.exempt),
    ],
  );
}
