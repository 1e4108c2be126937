import type { AspectReader } from '../../aspect/aspect-store.ts';
import type { Execute } from '../../command/command.ts';
import type { Urn } from '../../urn/urn.ts';
import {
  addOffset,
  type ChunkSet,
  chunkSpan,
  emptyChunkSet,
  hasOffset,
  offsetsIn,
} from '../../verdict/chunk-set.ts';
import type { VerdictStore } from '../../verdict/verdict-store.ts';
import { readTestState } from '../keeping/test-state.ts';
import { actingSets } from './acting-sets.ts';
import { type ActionLogEntry, readLogEntry, readMark } from './action-log.ts';
import type { QueuedChunk } from './action-queue.ts';
import { isStopped, readActionState, readRun, runWindowMs } from './action-state.ts';
import type { ActingLibrary } from './activation.ts';
import { identityOf } from './association-patch.ts';
import type { ActionJob } from './plan-jobs.ts';
import { revertedByPeople } from './reverted-by-people.ts';

export type ActionServices = {
  readonly store: AspectReader;
  readonly verdicts: VerdictStore;
  readonly execute: Execute;
  now(): number;
};

/** More flips of one verdict than this within the window are an oscillation (A8). */
const flipsMax = 3;
/** One entity that is looked at for one test, with what is known of it. */
export type Task = ActionJob & {
  readonly queued: QueuedChunk;
  readonly offset: number;
  /** What the log says of the entity in this run already. */
  readonly before: ActionLogEntry | undefined;
};

/** An entity whose verdict flips again and again. */
export type Oscillation = { readonly test: Urn; readonly entity: string; readonly flips: number };

/** What is to be looked at, by the verdicts of now; entities without one that is acted upon are left out. */
export async function tasksOf(
  { store, verdicts, now }: ActionServices,
  tests: ActingLibrary,
  chunk: number,
  queue: readonly QueuedChunk[],
  offsets: ChunkSet,
): Promise<{ readonly tasks: readonly Task[] } | { readonly oscillation: Oscillation }> {
  const urns = await verdicts.urnsOf([...offsetsIn(offsets)].map((offset) => chunk * chunkSpan + offset));
  const kept = await verdicts.verdictsIn(chunk, [...new Set(queue.map(({ test }) => test))]);
  const tasks: Task[] = [];
  for (const queued of queue) {
    const { test } = queued;
    const known = kept.get(test);
    const definition = tests.get(test);
    const run = await readRun(verdicts, test, queued.run);
    if (known === undefined || definition === undefined || run === undefined || isStopped(run)) continue;
    const { passing, failing } = actingSets(known);
    const released = (await readActionState(verdicts, test))?.releasedAt ?? -1;
    const flips = await flipsIn(verdicts, test, chunk, Math.max(now() - runWindowMs, released + 1));
    const revision = (await readTestState(verdicts, test))?.revision;
    for (const offset of offsetsIn(queued.entities)) {
      const entity = urns.get(chunk * chunkSpan + offset);
      if (entity === undefined || !hasOffset(offsets, offset)) continue;
      const verdict = hasOffset(passing, offset) ? 'PASS' : hasOffset(failing, offset) ? 'FAIL' : undefined;
      if (verdict === undefined) continue;
      const count = flips.get(offset) ?? 0;
      if (count > flipsMax) return { oscillation: { test, entity, flips: count } };
      const mark = await readMark(verdicts, test, entity);
      const isOld = mark !== undefined && queued.origin === 'comparison' && mark.verdict === verdict;
      tasks.push({
        test,
        entity,
        verdict,
        run: queued.run,
        depth: queued.depth,
        revision: revision === undefined ? definition.definitionMd5 : String(revision),
        refused: isOld ? await revertedByPeople(store, mark) : [],
        own: mark?.patches.map(identityOf) ?? [],
        queued,
        offset,
        before: await readLogEntry(verdicts, run, entity),
      });
    }
  }
  return { tasks };
}

const flipsRead = 1_000;

/** How often verdicts of the test changed lately, by offset. */
async function flipsIn(
  verdicts: VerdictStore,
  test: Urn,
  chunk: number,
  fromTime: number,
): Promise<ReadonlyMap<number, number>> {
  const changes = await verdicts.verdictChanges({
    test,
    chunk,
    fromTime,
    newestFirst: true,
    count: flipsRead,
  });
  const flips = new Map<number, number>();
  // With so few changes nothing flipped too often, however many entities they are about.
  if (changes.length <= flipsMax) return flips;
  for (const { toPassing, toFailing, toExempt, toNone } of changes) {
    for (const set of [toPassing, toFailing, toExempt, toNone]) {
      for (const offset of offsetsIn(set)) flips.set(offset, (flips.get(offset) ?? 0) + 1);
    }
  }
  return flips;
}

/** The lowest entities that are queued, as many as are looked at together. */
export function firstEntities(queue: readonly QueuedChunk[], most: number): ChunkSet {
  const all = new Set(queue.flatMap(({ entities }) => [...offsetsIn(entities)]));
  const first = emptyChunkSet();
  for (const offset of [...all].toSorted((left, right) => left - right).slice(0, most))
    addOffset(first, offset);
  return first;
}
