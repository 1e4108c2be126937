import type { Urn } from '../../urn/urn.ts';
import { addOffset, type ChunkSet, chunkSpan, emptyChunkSet, offsetsIn } from '../../verdict/chunk-set.ts';
import type { VerdictChange, VerdictTransaction } from '../../verdict/verdict-store.ts';
import type { TransitionHandler } from '../keeping/verdict-keeper.ts';
import { type Causes, queueRecord, readCauses } from './action-queue.ts';
import { logRecord } from './action-log.ts';
import {
  type ActionRun,
  isStopped,
  newRun,
  readActionState,
  readRun,
  runRecord,
  runWindowMs,
  stateRecord,
  type TestActionState,
} from './action-state.ts';

/** Actions that led to each other, one after the other; after so many, nothing more is done (A8). */
export const maxDepth = 5;

/**
 * Queues what changed its verdict, in the transaction that stores the change, so that no action is lost and none is taken for a
 * verdict that was never stored (A1, A2). Tests whose actions were not approved queue nothing: their plan covers everything.
 */
export function queueTransitions(poke: () => void): TransitionHandler {
  return async (transaction, changes, { now }) => {
    const causes = new Map<number, Causes>();
    let isQueued = false;
    for (const change of changes) {
      const state = await readActionState(transaction, change.test);
      if (state === undefined || state.quarantine !== undefined) continue;
      if (state.definitionMd5 !== change.definitionMd5) continue;
      const arrived = arrivedAt(change, state);
      if (arrived.length === 0) continue;
      const { chunk } = change;
      const known = causes.get(chunk) ?? (await readCauses(transaction, chunk));
      causes.set(chunk, known);
      await queue(transaction, change, state, byDepth(arrived, known, now), now);
      isQueued = true;
    }
    if (isQueued) poke();
  };
}

function arrivedAt({ toPassing, toFailing }: VerdictChange, { actsOn }: TestActionState): readonly number[] {
  return [...(actsOn.passing ? offsetsIn(toPassing) : []), ...(actsOn.failing ? offsetsIn(toFailing) : [])];
}

function byDepth(offsets: readonly number[], causes: Causes, now: number): ReadonlyMap<number, ChunkSet> {
  const sets = new Map<number, ChunkSet>();
  for (const offset of offsets) {
    const cause = causes.get(offset);
    const depth = cause === undefined || cause.time < now - runWindowMs ? 0 : cause.depth + 1;
    const set = sets.get(depth) ?? emptyChunkSet();
    addOffset(set, offset);
    sets.set(depth, set);
  }
  return sets;
}

async function queue(
  transaction: VerdictTransaction,
  { test, chunk, toPassing }: VerdictChange,
  state: TestActionState,
  sets: ReadonlyMap<number, ChunkSet>,
  now: number,
): Promise<void> {
  const run = await joinRun(transaction, test, state, now);
  let tooDeep = 0;
  for (const [depth, entities] of sets) {
    if (depth <= maxDepth) {
      const added = { chunk, test, run: run.id, depth, origin: 'transition', entities } as const;
      await transaction.putRecords([await queueRecord(transaction, added)]);
      continue;
    }
    const passing = new Set(offsetsIn(toPassing));
    const numbers = [...offsetsIn(entities)].map((offset) => chunk * chunkSpan + offset);
    for (const [number, entity] of await transaction.urnsOf(numbers)) {
      tooDeep += 1;
      const verdict = passing.has(number % chunkSpan) ? 'PASS' : 'FAIL';
      const reason = `${maxDepth} actions already led to each other`;
      const entry = {
        entity,
        status: 'skipped',
        verdict,
        time: now,
        depth,
        reason,
        patches: [],
        settled: 0,
      } as const;
      await transaction.putRecords([logRecord(test, run.id, entry)]);
    }
  }
  if (tooDeep > 0) {
    const counts = { ...run.counts, skipped: run.counts.skipped + tooDeep };
    await transaction.putRecords([runRecord({ ...run, counts })]);
  }
}

/** The run that is going on, or a new one; whatever joins a run is counted before anything more is done (A9). */
export async function joinRun(
  transaction: VerdictTransaction,
  test: Urn,
  state: TestActionState,
  now: number,
): Promise<ActionRun> {
  const current = state.run === undefined ? undefined : await readRun(transaction, test, state.run);
  if (current?.status === 'paused') return current;
  if (current?.status === 'open' && !isStopped(current) && current.startedAt > now - runWindowMs) {
    const joined: ActionRun = { ...current, isCounted: false, joined: current.joined + 1 };
    await transaction.putRecords([runRecord(joined)]);
    return joined;
  }
  const run = newRun(test, now, state.semanticHash);
  await transaction.putRecords([runRecord(run), stateRecord(test, { ...state, run: run.id })]);
  return run;
}
