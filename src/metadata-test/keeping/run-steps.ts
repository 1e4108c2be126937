import type { Urn } from '../../urn/urn.ts';
import { type BulkRun, createBulkRun } from './bulk-run.ts';
import type { Kept, KeeperWork } from './kept-state.ts';
import type { IndexedTest } from './test-index.ts';
import {
  prunedTestRuns,
  type TestRun,
  testRunRecord,
  type TestState,
  testStateRecord,
  type VerdictRecord,
} from './test-state.ts';
import { nextWakeTime } from './wake-times.ts';

/** How often the progress of a long run is stored. Milliseconds. */
const progressEveryMs = 1_000;
/** After so many runs of a test the oldest ones are forgotten, and after the first one of the process. */
const pruneEvery = 50;

/** Pieces of evaluating tests for everything. */
export type RunSteps = {
  /** Evaluates and stores one more chunk; false when there is nothing to evaluate. */
  advanceRun(known: Kept, wantsFullPass: boolean): Promise<boolean>;
};

/** `interlude`: lets what came meanwhile go first. `ended`: told of every run that is complete. */
export function createRunSteps(
  work: KeeperWork,
  interlude: (known: Kept) => Promise<void>,
  ended: (run: BulkRun) => void,
): RunSteps {
  const { store, writer, now, pace, counters } = work;
  const { verdicts } = store;
  let storedProgressAt = 0;
  const runsSincePruning = new Map<Urn, number>();

  async function advanceRun(known: Kept, wantsFullPass: boolean): Promise<boolean> {
    const run = await currentRun(known, wantsFullPass);
    if (run === undefined) return false;
    const before = run.evaluations();
    const outcome = await run.evaluate(now(), () => interlude(known));
    counters.evaluations += run.evaluations() - before;
    // What came while the chunk was evaluated is decided first, so that a difference is one.
    await interlude(known);
    const isCurrent = (test: IndexedTest): boolean =>
      isSameTest(known.index.tests.get(test.urn), test) && !isLeftToItsOwnRun(known, run, test.urn);
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

  function progressRecords(known: Kept, run: BulkRun): VerdictRecord[] {
    if (run.kind !== 'revision' || now() - storedProgressAt < progressEveryMs) return [];
    storedProgressAt = now();
    const { done, of } = run.progress();
    const states = new Map(known.states);
    const records: VerdictRecord[] = [];
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
  async function currentRun(known: Kept, wantsFullPass: boolean): Promise<BulkRun | undefined> {
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
    else if (wantsFullPass && known.runs.length === 0) {
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
    const records: VerdictRecord[] = [];
    for (const [urn, test] of run.tests) {
      const state = states.get(urn);
      if (state === undefined || !isSameTest(known.index.tests.get(urn), test)) continue;
      if (isLeftToItsOwnRun(known, run, urn)) continue;
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
      records.push(...(await pruned(urn)));
      await pace();
    }
    await writer.write({ sequence: known.sequence, cause: run.kind, records });
    known.states = states;
    known.runs = known.runs.filter((each) => each !== run);
    ended(run);
  }

  async function pruned(test: Urn): Promise<readonly VerdictRecord[]> {
    const count = runsSincePruning.get(test) ?? pruneEvery;
    runsSincePruning.set(test, count >= pruneEvery ? 1 : count + 1);
    return count >= pruneEvery ? prunedTestRuns(verdicts, test) : [];
  }

  return { advanceRun };
}

/** What became stale during a full pass is decided by a run of its own; the pass would call the difference a repair. */
function isLeftToItsOwnRun({ stale }: Kept, run: BulkRun, test: Urn): boolean {
  return run.kind === 'full-pass' && stale.has(test);
}

/** Whether what was evaluated is what would be evaluated now. */
function isSameTest(one: IndexedTest | undefined, other: IndexedTest): boolean {
  return one?.semanticHash === other.semanticHash && one.exemptionsMd5 === other.exemptionsMd5;
}
