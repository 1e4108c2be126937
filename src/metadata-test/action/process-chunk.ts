import { isAllowed } from '../../auth/caller.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { type ChunkSet } from '../../verdict/chunk-set.ts';
import { actionCaller, demandsOfActions } from './action-caller.ts';
import { causesRecord, dequeueRecord, type QueuedChunk, readCauses } from './action-queue.ts';
import {
  type ActionLogEntry,
  type ActionLogStatus,
  logRecord,
  markRecord,
  nextMark,
  readLogEntry,
  readMark,
} from './action-log.ts';
import { type ActionCounts, isStopped, readRun, runRecord, runWindowMs } from './action-state.ts';
import type { ActingLibrary } from './activation.ts';
import { applyTestActions, type JobOutcome } from './apply-test-actions.ts';
import type { AssociationPatch } from './association-patch.ts';
import { foundDone } from './announced-patches.ts';
import { type ActionJob, actionsOf, planJobs } from './plan-jobs.ts';
import { type ActionServices, type Oscillation, type Task, tasksOf } from './action-tasks.ts';

/** Entities of one command. */
const entitiesPerCommand = 50;

type Result = {
  readonly task: Task;
  readonly status: ActionLogStatus | 'unchanged';
  readonly patches: readonly AssociationPatch[];
  readonly reason?: string;
};

/**
 * Looks at some entities of one chunk for all tests that queued them, and does what is to be done: writes down what it is about
 * to do, does it in commands, writes down what was done. At any of these moments the process may die; what is found half done
 * is told from what is stored. Answers an oscillation instead of acting on it.
 */
export async function processEntities(
  services: ActionServices,
  tests: ActingLibrary,
  chunk: number,
  queue: readonly QueuedChunk[],
  offsets: ChunkSet,
): Promise<Oscillation | undefined> {
  const found = await tasksOf(services, tests, chunk, queue, offsets);
  if ('oscillation' in found) return found.oscillation;
  const results: Result[] = [];
  const caller = await actionCaller(services.store);
  const allowed: Task[] = [];
  for (const task of found.tasks) {
    const definition = tests.get(task.test)?.compiled.definition;
    if (definition === undefined) continue;
    const actions = actionsOf(definition, task.verdict);
    if (isAllowed(caller, demandsOfActions(actions, task.entity))) allowed.push(task);
    else results.push({ task, status: 'failed', patches: [], reason: `${caller.actor} may not do this` });
  }
  const { acting, resting } = await withPlans(services, tests, allowed);
  results.push(...resting);
  for (let start = 0; start < acting.length; start += entitiesPerCommand) {
    const some = await going(services, acting.slice(start, start + entitiesPerCommand));
    if (some.length === 0) continue;
    await announce(services, chunk, some);
    results.push(
      ...(await perform(
        services,
        tests,
        some.map(({ task }) => task),
      )),
    );
  }
  await finish(services, queue, offsets, results);
  return undefined;
}

type Acting = { readonly task: Task; readonly patches: readonly AssociationPatch[] };

async function withPlans(
  { store, now }: ActionServices,
  tests: ActingLibrary,
  tasks: readonly Task[],
): Promise<{ readonly acting: readonly Acting[]; readonly resting: readonly Result[] }> {
  const definitions = new Map([...tests].map(([urn, { compiled }]) => [urn, compiled.definition]));
  const { plans, draft } = await planJobs(store, definitions, tasks, now());
  const acting: Acting[] = [];
  const resting: Result[] = [];
  for (const [index, task] of tasks.entries()) {
    const { patches, refused } = plans[index] ?? { patches: [], refused: [] };
    const pending = task.before?.status === 'planned' ? task.before.patches.slice(task.before.settled) : [];
    const [reason] = refused;
    if (patches.length > 0) acting.push({ task, patches });
    else if (pending.length > 0) {
      // Before the process died it had been done.
      const done = pending.flatMap(
        (patch) => foundDone(draft.stored(patch.urn, patch.aspect)?.body, patch, task) ?? [],
      );
      resting.push({ task, status: 'done', patches: done });
    } else if (reason !== undefined) resting.push({ task, status: 'skipped', patches: [], reason });
    else resting.push({ task, status: 'unchanged', patches: [] });
  }
  return { acting, resting };
}

/** Without what belongs to runs that somebody took back in the meantime. */
async function going({ verdicts }: ActionServices, some: readonly Acting[]): Promise<readonly Acting[]> {
  const stopped = new Map<string, boolean>();
  const left: Acting[] = [];
  for (const each of some) {
    const { test, run: id } = each.task;
    const key = `${test}\n${id}`;
    if (!stopped.has(key)) {
      const run = await readRun(verdicts, test, id);
      stopped.set(key, run === undefined || isStopped(run));
    }
    if (stopped.get(key) === false) left.push(each);
  }
  return left;
}

/** Before anything is written, so that what it leads to is known to come from it, and so that it can be taken back. */
async function announce(
  { verdicts, now }: ActionServices,
  chunk: number,
  some: readonly Acting[],
): Promise<void> {
  await verdicts.transact(async (transaction) => {
    const time = now();
    const causes = new Map(await readCauses(transaction, chunk));
    for (const { task } of some) {
      causes.set(task.offset, { depth: Math.max(task.depth, causes.get(task.offset)?.depth ?? 0), time });
    }
    await transaction.putRecords([
      causesRecord(chunk, causes, time - runWindowMs),
      ...some.map(({ task, patches }) => {
        const settled = settledOf(task.before);
        const entry = entryOf(task, 'planned', time, [...settled, ...patches], settled.length);
        return logRecord(task.test, task.run, entry);
      }),
    ]);
  });
}

function settledOf(before: ActionLogEntry | undefined): readonly AssociationPatch[] {
  if (before === undefined || before.status === 'undone') return [];
  return before.status === 'planned' ? before.patches.slice(0, before.settled) : before.patches;
}

function entryOf(
  { entity, verdict, depth }: ActionJob,
  status: ActionLogStatus,
  time: number,
  patches: readonly AssociationPatch[],
  settled: number,
  reason?: string,
): ActionLogEntry {
  return { entity, status, verdict, time, depth, reason, patches, settled };
}

async function perform(
  services: ActionServices,
  tests: ActingLibrary,
  tasks: readonly Task[],
): Promise<readonly Result[]> {
  const jobs = tasks.map(({ queued: _queued, offset: _offset, before: _before, ...job }): ActionJob => job);
  let outcomes: readonly JobOutcome[];
  try {
    outcomes = await services.execute(applyTestActions(tests), jobs, await actionCaller(services.store));
  } catch (error) {
    if (!(error instanceof PostilError) || isPassing(error)) throw error;
    const reason = error.message;
    // One entity that cannot be written takes no other with it.
    const [only, ...others] = tasks;
    if (only === undefined) return [];
    if (others.length === 0) return [{ task: only, status: 'failed', patches: [], reason }];
    const results: Result[] = [];
    for (const task of tasks) results.push(...(await perform(services, tests, [task])));
    return results;
  }
  return tasks.map((task, index): Result => {
    const outcome = outcomes[index];
    if (outcome === undefined || outcome.kind === 'skipped') {
      return { task, status: 'skipped', patches: [], reason: outcome?.reason ?? 'nothing was answered' };
    }
    return outcome.patches.length === 0
      ? { task, status: 'unchanged', patches: [] }
      : { task, status: 'done', patches: outcome.patches };
  });
}

/** What may be otherwise in a moment; then everything stays queued. */
function isPassing({ code }: PostilError): boolean {
  return code === 'OVERLOADED' || code.startsWith('STORAGE_');
}

async function finish(
  { verdicts, now }: ActionServices,
  queue: readonly QueuedChunk[],
  offsets: ChunkSet,
  results: readonly Result[],
): Promise<void> {
  await verdicts.transact(async (transaction) => {
    const time = now();
    for (const { task, status, patches, reason } of results) {
      const { test, entity, verdict, run, before } = task;
      const undone = await readLogEntry(transaction, { test, id: run }, entity);
      if (undone?.status === 'undone' && undone.time !== before?.time) {
        // Somebody took it back before this was noted.
        const known = await readMark(transaction, test, entity);
        const mark = nextMark(known, { verdict, time, patches }, task.queued.origin);
        await transaction.putRecords([markRecord(test, entity, { ...mark, isUndone: true })]);
        continue;
      }
      if (status === 'done') {
        const known = await readMark(transaction, test, entity);
        const mark = nextMark(known, { verdict, time, patches }, task.queued.origin);
        await transaction.putRecords([markRecord(test, entity, mark)]);
      }
      if (status === 'unchanged' && before?.status !== 'planned') continue;
      const all = [...settledOf(before), ...patches];
      // What was announced and then needed not be done leaves what was done before.
      const logged = status === 'unchanged' ? (all.length > 0 ? 'done' : 'skipped') : status;
      const entry = entryOf(task, logged, time, all, all.length, reason);
      await transaction.putRecords([logRecord(test, run, entry)]);
    }
    for (const { test, run } of distinctRuns(queue)) {
      const stored = await readRun(transaction, test, run);
      if (stored === undefined) continue;
      const own = results.filter(({ task }) => task.test === test && task.run === run);
      const counts = countsWith(stored.counts, own);
      await transaction.putRecords([runRecord({ ...stored, counts })]);
    }
    for (const queued of queue) {
      await transaction.putRecords([await dequeueRecord(transaction, queued, offsets)]);
    }
  });
}

function distinctRuns(queue: readonly QueuedChunk[]): readonly QueuedChunk[] {
  return [...new Map(queue.map((queued) => [`${queued.test}\n${queued.run}`, queued])).values()];
}

function countsWith(counts: ActionCounts, results: readonly Result[]): ActionCounts {
  const of = (status: Result['status']): number =>
    results.filter((result) => result.status === status).length;
  return {
    ...counts,
    done: counts.done + of('done'),
    unchanged: counts.unchanged + of('unchanged'),
    skipped: counts.skipped + of('skipped'),
    failed: counts.failed + of('failed'),
  };
}
