import { PostilError } from '../../errors/postil-error.ts';
import { integerIn } from '../../entity/stored-member.ts';
import { sizeOfSet } from '../../verdict/chunk-set.ts';
import type { VerdictStore } from '../../verdict/verdict-store.ts';
import type { TransitionHandler } from '../keeping/verdict-keeper.ts';
import type { LibraryTest, TestLibrary } from '../test-library.ts';
import { droppedRecord, type QueuedChunk, queuedOf, readQueue } from './action-queue.ts';
import {
  type ActionRun,
  isStopped,
  objectOf,
  readActionState,
  readActionStates,
  readRun,
  runRecord,
  stateRecord,
} from './action-state.ts';
import { actingAmong, type ActingLibrary, activate, compareAll, dropQueue } from './activation.ts';
import { forgetOldRuns } from './forget-runs.ts';
import { blastLimit, planEntities, scopeOf } from './blast-radius.ts';
import { type ActionServices, firstEntities, type Oscillation } from './action-tasks.ts';
import { processEntities } from './process-chunk.ts';
import { queueTransitions } from './queue-transitions.ts';

/** Does what the tests' actions ask for, beside the requests; driven by what transitions of verdicts queued. */
export type ActionRunner = {
  /** For the keeper of verdicts: what it calls inside the transaction that stores changes. */
  readonly onTransition: TransitionHandler;
  /** Takes up what the last process left undone, and goes on until `stop`. */
  start(): void;
  /** Says that there may be something to do; cheap. */
  poke(): void;
  /** Resolves when all that was queued at the call was looked at, as far as it may be; and tests saved before are known. */
  settled(): Promise<void>;
  /** Compares everything that tests act on with what they want (A1); done once a day by itself. */
  reconcile(): Promise<void>;
  /** Looks at what is queued for at most so long, and resolves; the rest is taken up at the next start. Milliseconds. */
  stop(drainMs?: number): Promise<void>;
};

export type ActionRunnerOptions = ActionServices & {
  readonly library: TestLibrary;
  /** Other nodes write the store as well, and tell nobody what they saved and approved; false unless given. */
  readonly isShared?: boolean;
  /** False while another node works on the verdicts; then this one does nothing. Always true unless given. */
  mayAct?(): boolean;
  /** Something that people should look at: a run waits for approval, a test was quarantined, something went wrong. */
  attend(message: string, fields: Readonly<Record<string, string | number>>): void;
};

/** How often it is looked whether there is something to do; more often where nobody tells. */
const idleMs = 60_000;
const sharedIdleMs = 2_000;
const dayMs = 24 * 60 * 60_000;
const entitiesPerBatch = 500;
const drainMsDefault = 2_000;

export function createActionRunner(options: ActionRunnerOptions): ActionRunner {
  const { verdicts, library, now, attend } = options;
  let state: 'new' | 'running' | 'stopping' | 'stopped' = 'new';
  let isPoked = false;
  let working: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let deadline = Infinity;

  function poke(): void {
    if (state !== 'running') return;
    if (working !== undefined) {
      isPoked = true;
      return;
    }
    clearTimeout(timer);
    isPoked = false;
    working = pass()
      .catch((error: unknown) => {
        const problem = error instanceof PostilError ? `${error.code} ${error.message}` : String(error);
        if (state === 'running')
          attend('Actions of metadata tests failed; they are tried again', { problem });
      })
      .finally(() => {
        working = undefined;
        if (state !== 'running') return;
        if (isPoked) poke();
        else timer = setTimeout(poke, options.isShared === true ? sharedIdleMs : idleMs).unref();
      });
  }

  async function pass(): Promise<void> {
    if (options.mayAct?.() === false) return;
    const acting = actingAmong(await library.all());
    // A catalogue whose tests do nothing costs nothing.
    if (acting.size === 0 && (await readActionStates(verdicts)).size === 0) return;
    // Whoever poked from inside a transaction of the store has committed when this one begins.
    await verdicts.transact(async () => {});
    for (const run of await activate(verdicts, acting, now())) {
      attend('Actions of a metadata test wait for approval', { test: run.test, run: run.id });
    }
    if (await isDayOver(verdicts, now())) await compareEverything();
    await drain(acting);
  }

  async function compareEverything(): Promise<void> {
    await forgetOldRuns(verdicts, now());
    for (const [test, { run: id }] of await readActionStates(verdicts)) {
      const run = id === undefined ? undefined : await readRun(verdicts, test, id);
      if (run?.status === 'paused') continue;
      await verdicts.transact((transaction) => compareAll(transaction, test, now()));
    }
  }

  async function drain(acting: ActingLibrary): Promise<void> {
    while (performance.now() < deadline) {
      const group = await nextGroup(options, acting, attend);
      const [first] = group;
      if (first === undefined) return;
      const offsets = firstEntities(group, entitiesPerBatch);
      const oscillation = await processEntities(options, acting, first.chunk, group, offsets);
      if (oscillation !== undefined) await quarantine(oscillation);
    }
  }

  async function quarantine({ test, entity, flips }: Oscillation): Promise<void> {
    await verdicts.transact(async (transaction) => {
      const known = await readActionState(transaction, test);
      if (known === undefined) return;
      await transaction.putRecords([
        stateRecord(test, { ...known, quarantine: { since: now(), entity, flips } }),
      ]);
      await dropQueue(transaction, test);
    });
    attend('Actions of a metadata test are quarantined: its verdict flips again and again', {
      test,
      entity,
      flips,
    });
  }

  return {
    onTransition: queueTransitions(() => poke()),
    start() {
      if (state !== 'new') return;
      state = 'running';
      poke();
    },
    poke,
    async settled() {
      if (state !== 'running')
        throw new PostilError('STORAGE_FAILED', 'Actions of metadata tests are not at work');
      await working;
      poke();
      await working;
    },
    async reconcile() {
      await compareEverything();
      poke();
    },
    async stop(drainMs = drainMsDefault) {
      if (state === 'stopped') return;
      deadline = performance.now() + drainMs;
      if (state === 'running') {
        await working;
        poke();
        await working;
      }
      state = 'stopped';
      clearTimeout(timer);
      await working;
    },
  };
}

/** The first chunk in which something may be done, with all that is queued in it; drops what will never be done. */
async function nextGroup(
  services: ActionServices,
  acting: ActingLibrary,
  attend: ActionRunnerOptions['attend'],
): Promise<readonly QueuedChunk[]> {
  const { verdicts } = services;
  const runs = new Map<string, ActionRun | undefined>();
  const group: QueuedChunk[] = [];
  const dropped: QueuedChunk[] = [];
  for await (const queued of readQueue(verdicts)) {
    const [first] = group;
    if (first !== undefined && first.chunk !== queued.chunk) break;
    const key = `${queued.test}\n${queued.run}`;
    if (!runs.has(key)) runs.set(key, await runnable(services, acting, queued, attend));
    const run = runs.get(key);
    if (run?.status === 'open') group.push(queued);
    else if (run?.status !== 'paused') dropped.push(queued);
  }
  if (dropped.length > 0)
    await verdicts.transact((transaction) => transaction.putRecords(dropped.map(droppedRecord)));
  return group;
}

/** The run of something queued, paused if it would change too much (A9). */
async function runnable(
  services: ActionServices,
  acting: ActingLibrary,
  { test: urn, run: id }: QueuedChunk,
  attend: ActionRunnerOptions['attend'],
): Promise<ActionRun | undefined> {
  const { verdicts, store, now } = services;
  const test = acting.get(urn);
  const run = await readRun(verdicts, urn, id);
  if (test === undefined || run === undefined || isStopped(run)) return undefined;
  if (run.status !== 'open' || run.isCounted) return run;
  if (run.approvedAt !== undefined) return counted(verdicts, run);
  const scope = await scopeOf(verdicts, urn);
  const left = blastLimit(test.compiled.definition, scope) - run.counts.done;
  if (await isWithin(services, test, run, left)) return counted(verdicts, run);
  const plan = await planEntities(store, verdicts, test, queuedOf(verdicts, run), now());
  const paused = await changedRun(verdicts, run, { status: 'paused', pausedFor: 'blast radius', plan });
  const fields = { test: urn, run: id, entities: plan.entities, scope };
  attend('Actions of a metadata test would change too much and wait for approval', fields);
  return paused;
}

/** Whether the queued entities of a run that would change are at most so many; counted one by one only where need be. */
async function isWithin(
  { verdicts, store, now }: ActionServices,
  test: LibraryTest,
  run: ActionRun,
  left: number,
): Promise<boolean> {
  let queued = 0;
  for await (const { entities } of queuedOf(verdicts, run)) queued += sizeOfSet(entities);
  if (queued <= left) return true;
  if (left < 0) return false;
  const plan = await planEntities(store, verdicts, test, queuedOf(verdicts, run), now(), { enough: left });
  return plan.entities <= left;
}

/** What joined the run since it was read is not counted yet. */
async function counted(verdicts: VerdictStore, run: ActionRun): Promise<ActionRun> {
  return changedRun(verdicts, run, { isCounted: true });
}

async function changedRun(
  verdicts: VerdictStore,
  run: ActionRun,
  change: Partial<ActionRun>,
): Promise<ActionRun> {
  return verdicts.transact(async (transaction) => {
    const current = (await readRun(transaction, run.test, run.id)) ?? run;
    const isSame = current.joined === run.joined && current.status === run.status;
    if (change.isCounted === true && !isSame) return current;
    const next: ActionRun = { ...current, ...change };
    await transaction.putRecords([runRecord(next)]);
    return next;
  });
}

const clockKind = 'action-clock';

/** Whether a day has passed since everything was last compared; then it counts as compared. */
async function isDayOver(verdicts: VerdictStore, time: number): Promise<boolean> {
  const text = await verdicts.record(clockKind, 'compared');
  const last = text === undefined ? null : integerIn(objectOf(text), 'time');
  if (last !== null && time - last < dayMs) return false;
  await verdicts.transact((transaction) =>
    transaction.putRecords([{ kind: clockKind, key: 'compared', text: JSON.stringify({ time }) }]),
  );
  return last !== null;
}
