import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorText } from '../../errors/error-text.ts';
import { PostilError } from '../../errors/postil-error.ts';
import type { Urn } from '../../urn/urn.ts';
import type { VerdictKeepingStore } from '../../verdict/verdict-store.ts';
import type { TestLibrary } from '../test-library.ts';
import type { BulkRun } from './bulk-run.ts';
import { isFullPassDue, scheduledTests } from './due-runs.ts';
import { createIncrementalSteps } from './incremental-steps.ts';
import { createKeeperClock } from './keeper-clock.ts';
import { askForRows, LostPlace, readPlace, rowsRecord } from './keeper-place.ts';
import { createKeeperWaiters, type Waiter } from './keeper-waiters.ts';
import { buildRows } from './keep-rows.ts';
import type { Counting, Kept, KeeperWork } from './kept-state.ts';
import { createPace } from './pace.ts';
import { createRunSteps } from './run-steps.ts';
import { createTestIndex } from './test-index.ts';
import { readTestStates } from './test-state.ts';
import type { FullPass, KeeperStatus, TransitionHandler, VerdictKeeper } from './verdict-keeper.ts';
import { createVerdictWriter } from './verdict-writer.ts';
import { nextWakeTime } from './wake-times.ts';

/** How often a store that other nodes write is asked for news. Milliseconds. */
const sharedPollMs = 100;
const dormantPollMs = 500;
const restMs = 60_000;
/** Pauses after failures grow from the first to the second. Milliseconds. */
const [firstPauseMs, longestPauseMs] = [100, 30_000];
/** A cursor that moved on without anything to store is stored all the same after so many changes. */
const unstoredMax = 50_000;
export type VerdictKeeperParts = {
  readonly store: VerdictKeepingStore;
  readonly library: TestLibrary;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** What goes wrong, and what a full pass found; for the log. */
  readonly report?: (level: 'warn' | 'error', message: string, cause?: unknown) => void;
  readonly transitionHandlers?: readonly TransitionHandler[];
  /** The name of this node among those that share the store; a new one unless given. */
  readonly owner?: string;
};

export function createVerdictKeeper(parts: VerdictKeeperParts): VerdictKeeper {
  const { store, library, now } = parts;
  const { verdicts } = store;
  const report = parts.report ?? (() => undefined);
  const writer = createVerdictWriter({
    verdicts,
    isShared: !store.exclusive,
    owner: parts.owner ?? randomUUID(),
    now,
    handlers: parts.transitionHandlers ?? [],
    report,
  });
  const breathe = createPace();
  const clock = createKeeperClock();
  const waiters = createKeeperWaiters();
  const counters: Counting = {
    changes: 0,
    entities: 0,
    candidates: 0,
    evaluations: 0,
    transitions: 0,
    errors: 0,
    lagMs: 0,
    longestLagMs: 0,
  };
  let kept: Kept | undefined;
  let activity: KeeperStatus['activity'] = 'stopped';
  let problem: string | undefined;
  let working: Promise<void> | undefined;
  let isStopping = false;
  let areRowsWanted = false;
  let queued = 0;
  const again = new Map<Urn, PromiseWithResolvers<void>>();
  const asked: { readonly entities: readonly Urn[]; resolve(): void; reject(error: Error): void }[] = [];
  let fullPassWanted: PromiseWithResolvers<FullPass> | undefined;

  /** Lets others go first; leaves work that takes long when the keeper is to stop. */
  const pace = (): Promise<void> | undefined => {
    if (isStopping) throw new LostPlace('The keeper stops');
    return breathe();
  };

  const work: KeeperWork = { store, library, writer, now, pace, counters, report };
  const steps = createIncrementalSteps(work);
  const runs = createRunSteps(work, interlude, ended);

  async function loop(): Promise<void> {
    let failures = 0;
    while (!isStopping) {
      try {
        const rest = await turn();
        failures = 0;
        problem = undefined;
        if (rest > 0) await clock.rest(rest);
        else await breathe();
      } catch (error) {
        await forget();
        if (error instanceof LostPlace) {
          await nextTurn();
          continue;
        }
        failures += 1;
        problem = errorText(error);
        const isExpected = error instanceof PostilError;
        report(
          isExpected ? 'warn' : 'error',
          'Verdicts could not be kept up to date; it is tried again',
          error,
        );
        await clock.pause(Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 10)));
      }
    }
  }

  /** Does one piece of work; gives the milliseconds until there may be more. */
  async function turn(): Promise<number> {
    clock.begin();
    const known = kept ?? (await takePlace());
    if (typeof known === 'number') return known;
    kept = known;
    activity = 'working';
    if (await considerOne(known)) return 0;
    await considerAsked(known);
    settle(known);
    if (await buildRows(work, known, interlude)) return 0;
    if (await runs.advanceRun(known, fullPassWanted !== undefined)) return 0;
    settle(known);
    if (beginDue(known)) return 0;
    activity = 'idle';
    if (!store.exclusive || known.sequence > unstoredMax + (storedSequence ?? 0)) await note(known);
    const untilWake = Math.max(1, known.nextWake - now());
    return Math.min(store.exclusive ? restMs : sharedPollMs, untilWake);
  }

  let storedSequence: number | undefined;
  async function note(known: Kept): Promise<void> {
    await writer.note(known.sequence);
    storedSequence = known.sequence;
  }

  /** Reads where the work stands. A number: there is nothing to do for so many milliseconds. */
  async function takePlace(): Promise<Kept | number> {
    const otherUntil = await writer.take();
    if (otherUntil > 0) {
      activity = 'waiting';
      letGo(otherNode());
      await followOther();
      return Math.min(sharedPollMs, otherUntil);
    }
    const place = await readPlace(verdicts);
    const lastSequence = await store.lastSequence();
    const isWanted = place.rows.isWanted || areRowsWanted || (await areThereTests());
    if (!isWanted) {
      activity = 'dormant';
      waiters.settle(({ sequence, wantsRows }) => !wantsRows && sequence <= lastSequence);
      return store.exclusive ? restMs : dormantPollMs;
    }
    const sequence = place.sequence ?? lastSequence;
    writer.place(place.sequence);
    storedSequence = place.sequence;
    const known: Kept = {
      sequence,
      index: createTestIndex(new Map()),
      states: await readTestStates(verdicts),
      stale: new Map(),
      rows: { ...place.rows, isWanted: true },
      rowChunks: 0,
      nextWake: await nextWakeTime(verdicts),
      runs: [],
    };
    for (const [urn, state] of known.states) {
      if (state.isActive && (state.completedAt === null || state.isStale)) known.stale.set(urn, 0);
    }
    const tests = await steps.refreshTests(known, sequence, 0);
    const begun = place.rows.isWanted ? [] : [rowsRecord(known.rows)];
    const records = [...(tests.records ?? []), ...begun];
    await writer.write({ ...tests, records, sequence, cause: 'revision' });
    // Whoever asked for an evaluation before something went wrong still waits for it.
    for (const urn of again.keys()) if (known.index.tests.has(urn)) known.stale.set(urn, sequence);
    return known;
  }

  async function areThereTests(): Promise<boolean> {
    return (await store.entities({ type: 'test', start: 0, count: 1 })).total > 0;
  }

  /** Another node keeps: whoever waits here waits for what that one has stored. */
  async function followOther(): Promise<void> {
    const place = await readPlace(verdicts);
    if (areRowsWanted && !place.rows.isWanted) await verdicts.transact(askForRows);
    const states = [...(await readTestStates(verdicts)).values()];
    const isBusy = states.some((state) => state.isActive && (state.completedAt === null || state.isStale));
    waiters.settle(
      ({ sequence, wantsRows, wantsRuns }) =>
        !(isBusy && wantsRuns) && sequence <= (place.sequence ?? 0) && (!wantsRows || place.rows.isComplete),
    );
  }

  /** Starts what is to be evaluated by the calendar. */
  function beginDue(known: Kept): boolean {
    const time = now();
    const scheduled = scheduledTests(known, time);
    for (const urn of scheduled) known.stale.set(urn, known.sequence);
    if (scheduled.length > 0) return true;
    if (!isFullPassDue(known, time)) return false;
    // Somebody may have asked for one in this very turn, and waits for that one.
    if (fullPassWanted !== undefined) return true;
    fullPassWanted = Promise.withResolvers<FullPass>();
    // Nobody waits for it, so nobody would hear that it was given up.
    fullPassWanted.promise.catch(() => undefined);
    return true;
  }

  /** What comes before all else: changes, and then what is due. */
  async function considerOne(known: Kept): Promise<boolean> {
    queued = await steps.considerNext(known);
    return queued > 0 || (await steps.considerDue(known));
  }

  async function considerAsked(known: Kept): Promise<void> {
    const taken = asked.slice();
    if (taken.length === 0) return;
    await steps.considerEntities(known, [...new Set(taken.flatMap(({ entities }) => entities))]);
    asked.splice(0, taken.length);
    for (const { resolve } of taken) resolve();
  }

  /** Lets changes go first that came while something long goes on. */
  async function interlude(known: Kept): Promise<void> {
    while (await considerOne(known)) await pace();
    await considerAsked(known);
    settle(known);
    await pace();
  }

  /** Tells whoever waits for the run. */
  function ended(run: BulkRun): void {
    if (run.kind !== 'full-pass') {
      for (const urn of run.tests.keys()) {
        again.get(urn)?.resolve();
        again.delete(urn);
      }
      return;
    }
    const differences = [...run.changed.values()].reduce((sum, count) => sum + count, 0);
    if (differences > 0) {
      report('error', `A full pass repaired ${differences} verdicts that were not as they should have been`);
    }
    fullPassWanted?.resolve({ tests: run.tests.size, differences });
    fullPassWanted = undefined;
  }

  function settle(known: Kept): void {
    for (const [urn, { resolve }] of again) {
      if (known.stale.has(urn)) continue;
      again.delete(urn);
      resolve();
    }
    waiters.settle((waiter) => isSettled(known, waiter));
  }

  function isSettled(known: Kept, { sequence, time, wantsRows, wantsRuns }: Waiter): boolean {
    if (known.sequence < sequence || known.nextWake <= time) return false;
    if (wantsRows && !known.rows.isComplete) return false;
    return !wantsRuns || [...known.stale.values()].every((since) => since > sequence);
  }

  async function forget(): Promise<void> {
    const runs = kept?.runs ?? [];
    kept = undefined;
    for (const run of runs) await run.close().catch(() => undefined);
  }

  function requireOwnPlace(): void {
    if (activity === 'waiting') throw otherNode();
  }

  /** Nothing that was asked of this node can be done here. */
  function letGo(error: PostilError): void {
    for (const { resolve } of asked.splice(0)) resolve();
    for (const { reject } of again.values()) reject(error);
    again.clear();
    fullPassWanted?.reject(error);
    fullPassWanted = undefined;
  }

  async function wait(wants: Pick<Waiter, 'wantsRows' | 'wantsRuns'>): Promise<void> {
    const sequence = await store.lastSequence();
    const waiting = waiters.add({ sequence, time: now(), ...wants });
    clock.poke();
    await waiting;
  }

  return {
    start() {
      working ??= loop();
    },
    poke: clock.poke,
    settled: () => wait({ wantsRows: false, wantsRuns: true }),
    async refresh(entities) {
      await wait({ wantsRows: false, wantsRuns: false });
      if (kept === undefined || isStopping) return;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      asked.push({ entities, resolve, reject });
      clock.poke();
      await promise;
    },
    ensureRows() {
      areRowsWanted = true;
      return wait({ wantsRows: true, wantsRuns: false });
    },
    async reevaluate(test) {
      await wait({ wantsRows: false, wantsRuns: false });
      requireOwnPlace();
      if (kept?.index.tests.has(test) !== true) return;
      const waiting = again.get(test) ?? Promise.withResolvers<void>();
      again.set(test, waiting);
      kept.stale.set(test, kept.sequence);
      clock.poke();
      await waiting.promise;
    },
    async fullPass() {
      await wait({ wantsRows: false, wantsRuns: false });
      requireOwnPlace();
      if (kept === undefined) return { tests: 0, differences: 0 };
      fullPassWanted ??= Promise.withResolvers<FullPass>();
      clock.poke();
      return fullPassWanted.promise;
    },
    status() {
      const run = kept?.runs.at(-1);
      return {
        activity,
        sequence: kept?.sequence ?? storedSequence ?? 0,
        queued,
        rowsBuilt:
          kept === undefined || kept.rows.isComplete
            ? undefined
            : { done: kept.rows.chunks, of: Math.max(kept.rowChunks, kept.rows.chunks, 1) },
        evaluating: run === undefined ? undefined : { tests: run.tests.size, ...run.progress() },
        counters: { ...counters },
        problem,
      };
    },
    async stop() {
      isStopping = true;
      clock.end();
      await working;
      const known = kept;
      await forget();
      try {
        if (known !== undefined) await writer.note(known.sequence);
        await writer.giveUp();
      } catch (error) {
        // What is not noted is considered once more at the next start.
        if (!(error instanceof LostPlace))
          report('warn', 'The place in the change log could not be stored', error);
      }
      activity = 'stopped';
      waiters.refuse();
      letGo(new PostilError('OVERLOADED', 'The server is stopping; ask again when it is back.'));
    },
  };
}

function otherNode(): PostilError {
  return new PostilError('OVERLOADED', 'Another node keeps the verdicts at the moment; ask that one.');
}
