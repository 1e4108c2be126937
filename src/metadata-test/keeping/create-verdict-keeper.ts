import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PostilError } from '../../errors/postil-error.ts';
import { type Urn, urnType } from '../../urn/urn.ts';
import { chunkOf } from '../../verdict/chunk-set.ts';
import type { VerdictKeepingStore } from '../../verdict/verdict-store.ts';
import type { TestLibrary } from '../test-library.ts';
import { type BulkRun, createBulkRun } from './bulk-run.ts';
import { changedEntities, concernOf } from './consider-changes.ts';
import {
  type Decided,
  type Decision,
  decisionsForGone,
  differencesOf,
  evaluatePairs,
} from './evaluate-pairs.ts';
import { createKeeperClock } from './keeper-clock.ts';
import { LostPlace, readPlace, type RowsPlace, rowsRecord } from './keeper-place.ts';
import { createKeeperWaiters, type Waiter } from './keeper-waiters.ts';
import { entitiesOfChunk, rowsOf, staleRows } from './keep-rows.ts';
import { createPace } from './pace.ts';
import { reconcileTests } from './reconcile-tests.ts';
import { createTestIndex, type IndexedTest, type TestIndex } from './test-index.ts';
import {
  readTestStates,
  type TestRun,
  testRunRecord,
  type TestState,
  testStateRecord,
} from './test-state.ts';
import type {
  FullPass,
  KeeperCounters,
  KeeperStatus,
  TransitionContext,
  TransitionHandler,
  VerdictKeeper,
} from './verdict-keeper.ts';
import { createVerdictWriter } from './verdict-writer.ts';
import { dueWakes, nextWakeTime, spentWake, wakeRecords, type WakeTime } from './wake-times.ts';

/** Changes that are considered together, and pairs that are due together. */
const batchSize = 2_000;
const dueSize = 500;
/** How often a store that other nodes write is asked for news. Milliseconds. */
const sharedPollMs = 100;
const dormantPollMs = 500;
const restMs = 60_000;
/** Pauses after failures grow from the first to the second. Milliseconds. */
const [firstPauseMs, longestPauseMs] = [100, 30_000];
/** A cursor that moved on without anything to store is stored all the same after so many changes. */
const unstoredMax = 50_000;
/** How often the progress of a long run is stored. Milliseconds. */
const progressEveryMs = 1_000;

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

/** What is known between two steps; read from the store anew whenever something went wrong. */
type Kept = {
  sequence: number;
  index: TestIndex;
  states: ReadonlyMap<Urn, TestState>;
  /** Tests of which everything has to be evaluated, with the sequence up to which that is because of. */
  readonly stale: Map<Urn, number>;
  rows: RowsPlace;
  nextWake: number;
  runs: BulkRun[];
};

type Counting = { -readonly [Name in keyof KeeperCounters]: KeeperCounters[Name] };

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
  let storedProgressAt = 0;
  const again = new Map<Urn, PromiseWithResolvers<void>>();
  const asked: { readonly entities: readonly Urn[]; resolve(): void; reject(error: Error): void }[] = [];
  let fullPassWanted: PromiseWithResolvers<FullPass> | undefined;

  /** Lets others go first; leaves work that takes long when the keeper is to stop. */
  const pace = (): Promise<void> | undefined => {
    if (isStopping) throw new LostPlace('The keeper stops');
    return breathe();
  };

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
        problem = error instanceof Error ? error.message : String(error);
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
    if (await considerNext(known)) return 0;
    if (await considerDue(known)) return 0;
    await considerAsked(known);
    settle(known);
    if (await buildRows(known)) return 0;
    if (await advanceRun(known)) return 0;
    settle(known);
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
      nextWake: await nextWakeTime(verdicts),
      runs: [],
    };
    for (const [urn, state] of known.states) {
      if (state.isActive && (state.completedAt === null || state.isStale)) known.stale.set(urn, 0);
    }
    const tests = await refreshTests(known, sequence, 0);
    const records = place.rows.isWanted ? tests.records : [...tests.records, rowsRecord(known.rows)];
    await writer.write({ ...tests, records, sequence, cause: 'revision' });
    return known;
  }

  async function areThereTests(): Promise<boolean> {
    return (await store.entities({ type: 'test', start: 0, count: 1 })).total > 0;
  }

  /** Another node keeps: whoever waits here waits for what that one has stored. */
  async function followOther(): Promise<void> {
    const place = await readPlace(verdicts);
    const states = [...(await readTestStates(verdicts)).values()];
    const isBusy = states.some((state) => state.isActive && (state.completedAt === null || state.isStale));
    waiters.settle(
      ({ sequence, wantsRows, wantsRuns }) =>
        !(isBusy && wantsRuns) && sequence <= (place.sequence ?? 0) && (!wantsRows || place.rows.isComplete),
    );
  }

  /** Looks which tests there are now, and what that asks for; to be stored by the caller. */
  async function refreshTests(
    known: Kept,
    sequence: number,
    since: number,
  ): Promise<
    Pick<Awaited<ReturnType<typeof reconcileTests>>, 'records' | 'differences'> & {
      testsGone: readonly Urn[];
    }
  > {
    const all = await library.all();
    known.index = createTestIndex(all);
    const moment = { now: now(), sequence };
    const result = await reconcileTests(verdicts, known.index, (urn) => all.has(urn), known.states, moment);
    known.states = result.states;
    for (const urn of result.stale) known.stale.set(urn, since);
    for (const urn of known.stale.keys()) if (!known.index.tests.has(urn)) known.stale.delete(urn);
    for (const [urn, { resolve }] of again) {
      if (known.index.tests.has(urn)) continue;
      again.delete(urn);
      resolve();
    }
    return { records: result.records, differences: result.differences, testsGone: result.gone };
  }

  async function considerNext(known: Kept): Promise<boolean> {
    const changes = await store.changes({ after: known.sequence, count: batchSize });
    const last = changes.at(-1);
    if (last === undefined) {
      queued = 0;
      return false;
    }
    queued = changes.length;
    const { sequence } = last;
    const tests = changes.some(({ urn }) => urnType(urn) === 'test')
      ? await refreshTests(known, sequence, known.sequence + 1)
      : { records: [], differences: [], testsGone: [] };
    const entities = changedEntities(changes);
    const { pairs, whole } = await concernOf(store, known.index, entities.values(), pace);
    const urns = [...new Set([...entities.keys(), ...pairs.keys()])];
    const existing = await store.existing(urns);
    const numbers = await verdicts.numbersOf(urns);
    const alive = new Map([...pairs].filter(([urn]) => existing.has(urn)).map(([urn, of]) => [urn, [...of]]));
    const decided = await evaluatePairs(store, alive, numbers, now(), pace);
    const gone = [...entities.keys()].filter((urn) => !existing.has(urn));
    const goneNumbers = gone.flatMap((urn) => numbers.get(urn) ?? []);
    const none = await decisionsForGone(verdicts, goneNumbers);
    const changedRows = staleRows(entities.values());
    const rows = await rowsOf(
      store,
      changedRows.filter((urn) => existing.has(urn)),
      pace,
    );
    const staleRecords = markStale(known, whole, known.sequence + 1);
    await apply(known, {
      decided: {
        decisions: [...decided.decisions, ...none],
        wakes: [...decided.wakes, ...wakesOfGone(known, goneNumbers)],
      },
      sequence,
      cause: 'change',
      more: {
        records: [...tests.records, ...staleRecords],
        differences: tests.differences,
        testsGone: tests.testsGone,
        rows,
        rowsGone: changedRows.filter((urn) => !existing.has(urn)),
      },
    });
    for (const run of known.runs) for (const entity of goneNumbers) run.gone(entity);
    counters.changes += changes.length;
    counters.entities += alive.size;
    counters.candidates += decided.decisions.length;
    counters.lagMs = Math.max(0, now() - (changes[0]?.time ?? 0));
    counters.longestLagMs = Math.max(counters.longestLagMs, counters.lagMs);
    return true;
  }

  function wakesOfGone({ index }: Kept, entities: readonly number[]): readonly WakeTime[] {
    const onClock = [...index.tests.values()].filter(({ readsClock }) => readsClock);
    return onClock.flatMap(({ urn }) => entities.map((entity) => ({ test: urn, entity, at: undefined })));
  }

  /** Everything of these tests has to be evaluated; the records say so. */
  function markStale(
    known: Kept,
    tests: Iterable<IndexedTest>,
    since: number,
  ): ReturnType<typeof testStateRecord>[] {
    const states = new Map(known.states);
    const records = [];
    for (const { urn } of tests) {
      known.stale.set(urn, since);
      const state = states.get(urn);
      if (state === undefined || state.isStale) continue;
      states.set(urn, { ...state, isStale: true });
      records.push(testStateRecord(urn, { ...state, isStale: true }));
    }
    known.states = states;
    return records;
  }

  /** Stores what was decided, as far as it is not what is kept, and tells the runs. */
  async function apply(
    known: Kept,
    step: {
      readonly decided: Decided;
      readonly sequence: number;
      readonly cause: TransitionContext['cause'];
      readonly more: Omit<Parameters<typeof writer.write>[0], 'sequence' | 'cause'>;
    },
  ): Promise<void> {
    const { decided, sequence, cause, more } = step;
    const md5Of = (test: Urn): string =>
      known.index.tests.get(test)?.definitionMd5 ?? known.states.get(test)?.definitionMd5 ?? '';
    // A test that is no longer there has nothing to be kept.
    const decisions = decided.decisions.filter(({ test }) => known.index.tests.has(test));
    const context = { time: now(), sequence, md5Of };
    const differences = await differencesOf(verdicts, decisions, context, pace);
    const wakes = await wakeRecords(verdicts, decided.wakes);
    await writer.write({
      ...more,
      sequence,
      cause,
      differences: [...(more.differences ?? []), ...differences],
      records: [...(more.records ?? []), ...wakes],
    });
    known.sequence = sequence;
    for (const { at = Infinity } of decided.wakes) known.nextWake = Math.min(known.nextWake, at);
    noteDecisions(known, decisions);
    counters.transitions += differences.reduce((sum, { transitions }) => sum + transitions, 0);
  }

  function noteDecisions(known: Kept, decisions: readonly Decision[]): void {
    counters.evaluations += decisions.length;
    for (const { test, entity, verdict } of decisions) {
      if (verdict === 'ERROR') counters.errors += 1;
      for (const run of known.runs) run.touch(test, entity);
    }
  }

  /** Evaluates pairs for which the time has come. */
  async function considerDue(known: Kept): Promise<boolean> {
    const time = now();
    if (known.nextWake > time) return false;
    const due = await dueWakes(verdicts, time, dueSize);
    const urns = await verdicts.urnsOf([...new Set(due.map(({ entity }) => entity))]);
    const existing = await store.existing([...urns.values()]);
    const pairs = new Map<Urn, IndexedTest[]>();
    for (const { test, entity } of due) {
      const urn = urns.get(entity);
      const indexed = known.index.tests.get(test);
      if (urn === undefined || indexed === undefined || !existing.has(urn)) continue;
      pairs.set(urn, [...(pairs.get(urn) ?? []), indexed]);
    }
    const numbers = new Map([...urns].map(([entity, urn]) => [urn, entity]));
    const decided = await evaluatePairs(store, pairs, numbers, time, pace);
    // Those that cannot be evaluated any more lose their time as well.
    const evaluated = new Set(decided.wakes.map(({ test, entity }) => `${test} ${entity}`));
    const lapsed = due
      .filter(({ test, entity }) => !evaluated.has(`${test} ${entity}`))
      .map(({ test, entity }) => ({ test, entity, at: undefined }));
    await apply(known, {
      decided: { ...decided, wakes: [...decided.wakes, ...lapsed] },
      sequence: known.sequence,
      cause: 'time',
      more: { records: due.map(spentWake) },
    });
    known.nextWake = await nextWakeTime(verdicts);
    return true;
  }

  /** Evaluates everything for entities that somebody waits for. */
  async function considerAsked(known: Kept): Promise<void> {
    const taken = asked.slice();
    if (taken.length === 0) return;
    const urns = [...new Set(taken.flatMap(({ entities }) => entities))];
    const existing = await store.existing(urns);
    const numbers = await verdicts.numbersOf(urns);
    const tests = [...known.index.tests.values()];
    const byType = new Map(
      [...new Set(urns.map(urnType))].map((type) => [
        type,
        tests.filter(({ compiled }) => compiled.definition.types.includes(type)),
      ]),
    );
    const pairs = new Map([...existing].map((urn) => [urn, byType.get(urnType(urn)) ?? []]));
    const decided = await evaluatePairs(store, pairs, numbers, now(), pace);
    await apply(known, { decided, sequence: known.sequence, cause: 'again', more: {} });
    asked.splice(0, taken.length);
    for (const { resolve } of taken) resolve();
  }

  /** Makes the rows of one more chunk. */
  async function buildRows(known: Kept): Promise<boolean> {
    const { rows } = known;
    if (rows.isComplete) return false;
    const chunk = rows.chunks;
    if (chunk <= chunkOf(await verdicts.largestNumber())) {
      for await (const urns of entitiesOfChunk(verdicts, chunk)) {
        const made = await rowsOf(store, urns, pace);
        await writer.write({ sequence: known.sequence, cause: 'change', rows: made });
        await interlude(known);
      }
      known.rows = { ...rows, chunks: chunk + 1 };
    } else known.rows = { ...rows, isComplete: true };
    await writer.write({
      sequence: known.sequence,
      cause: 'change',
      records: [rowsRecord(known.rows)],
    });
    return true;
  }

  /** Lets changes go first that came while something long goes on. */
  async function interlude(known: Kept): Promise<void> {
    while (await considerNext(known)) await pace();
    while (await considerDue(known)) await pace();
    await considerAsked(known);
    settle(known);
    await pace();
  }

  async function advanceRun(known: Kept): Promise<boolean> {
    const run = await currentRun(known);
    if (run === undefined) return false;
    const before = run.evaluations();
    const outcome = await run.evaluate(now(), () => interlude(known));
    counters.evaluations += run.evaluations() - before;
    // What came while the chunk was evaluated is decided first, so that a difference is one.
    await interlude(known);
    const isCurrent = (test: IndexedTest): boolean => isSameTest(known.index.tests.get(test.urn), test);
    const { differences, records } = await run.differences(outcome, { sequence: known.sequence, isCurrent });
    await writer.write({
      sequence: known.sequence,
      cause: run.kind,
      differences,
      records: [...records, ...progressRecords(known, run)],
    });
    if (records.length > 0) known.nextWake = await nextWakeTime(verdicts);
    counters.transitions += differences.reduce((sum, { transitions }) => sum + transitions, 0);
    if (run.isDone()) await finish(known, run);
    return true;
  }

  function progressRecords(known: Kept, run: BulkRun): ReturnType<typeof testStateRecord>[] {
    if (run.kind !== 'revision' || now() - storedProgressAt < progressEveryMs) return [];
    storedProgressAt = now();
    const { done, of } = run.progress();
    const states = new Map(known.states);
    const records = [];
    for (const urn of run.tests.keys()) {
      const state = states.get(urn);
      if (state?.completedAt !== null) continue;
      const next = { ...state, evaluatedChunks: done, chunks: of };
      states.set(urn, next);
      records.push(testStateRecord(urn, next));
    }
    known.states = states;
    return records;
  }

  /** What was saved goes before a full pass. */
  async function currentRun(known: Kept): Promise<BulkRun | undefined> {
    const inRuns = new Set(
      known.runs
        .filter(({ kind }) => kind !== 'full-pass')
        .flatMap(({ tests }) => [...tests.values()])
        .filter((test) => isSameTest(known.index.tests.get(test.urn), test))
        .map(({ urn }) => urn),
    );
    const open = [...known.stale.keys()].filter((urn) => !inRuns.has(urn));
    const revisions = open.filter((urn) => known.states.get(urn)?.completedAt === null);
    if (revisions.length > 0) await begin(known, 'revision', revisions);
    else if (open.length > 0) await begin(known, 'again', open);
    else if (fullPassWanted !== undefined && known.runs.length === 0) {
      await begin(known, 'full-pass', [...known.index.tests.keys()]);
    }
    return known.runs.at(-1);
  }

  async function begin(known: Kept, kind: TestRun['kind'], urns: readonly Urn[]): Promise<void> {
    const tests = new Map(
      urns.flatMap((urn) => {
        const test = known.index.tests.get(urn);
        return test === undefined ? [] : [[urn, test] as const];
      }),
    );
    const run = createBulkRun({
      kind,
      tests,
      startedAt: now(),
      startSequence: known.sequence,
      source: store,
      verdicts,
      largestNumber: await verdicts.largestNumber(),
      pace,
    });
    known.runs.push(run);
    if (kind === 'full-pass') return;
    const records = [...tests.keys()].map((test) => testRunRecord(test, runOf(run, test)));
    await writer.write({ sequence: known.sequence, cause: kind, records });
  }

  function runOf({ startedAt, kind, changed }: BulkRun, test: Urn): TestRun {
    return {
      startedAt,
      completedAt: null,
      status: 'RUNNING',
      kind,
      passing: 0,
      failing: 0,
      exempt: 0,
      undecided: 0,
      changed: changed.get(test) ?? 0,
    };
  }

  async function finish(known: Kept, run: BulkRun): Promise<void> {
    await run.close();
    const time = now();
    const states = new Map(known.states);
    const records = [];
    for (const [urn, test] of run.tests) {
      const state = states.get(urn);
      if (state === undefined || !isSameTest(known.index.tests.get(urn), test)) continue;
      const isStale = (known.stale.get(urn) ?? -1) > run.startSequence;
      const chunks = run.progress().of;
      const next: TestState = {
        ...state,
        completedAt: state.completedAt ?? time,
        confirmedAt: time,
        isStale,
        ...(state.completedAt === null ? { evaluatedChunks: chunks, chunks } : {}),
      };
      states.set(urn, next);
      if (!isStale) known.stale.delete(urn);
      const counts = await verdicts.counts(urn);
      records.push(
        testStateRecord(urn, next),
        testRunRecord(urn, { ...runOf(run, urn), ...counts, completedAt: time, status: 'COMPLETE' }),
      );
      await pace();
    }
    await writer.write({ sequence: known.sequence, cause: run.kind, records });
    known.states = states;
    known.runs = known.runs.filter((each) => each !== run);
    tell(run);
  }

  function tell(run: BulkRun): void {
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
    if (activity !== 'waiting') return;
    throw new PostilError('OVERLOADED', 'Another node keeps the verdicts at the moment; ask that one.');
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
            : { done: kept.rows.chunks, of: Math.max(kept.rows.chunks, 1) },
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
      const refusal = new PostilError('OVERLOADED', 'The server is stopping; ask again when it is back.');
      for (const { reject } of [...again.values(), ...asked]) reject(refusal);
      fullPassWanted?.reject(refusal);
    },
  };
}

/** Whether what was evaluated is what would be evaluated now. */
function isSameTest(one: IndexedTest | undefined, other: IndexedTest): boolean {
  return one?.semanticHash === other.semanticHash && one.exemptionsMd5 === other.exemptionsMd5;
}
