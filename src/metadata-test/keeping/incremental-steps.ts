import { type Urn, urnType } from '../../urn/urn.ts';
import { changedEntities, concernOf } from './consider-changes.ts';
import {
  type Decided,
  type Decision,
  decisionsForGone,
  differencesOf,
  evaluatePairs,
} from './evaluate-pairs.ts';
import { rowsOf, staleRows } from './keep-rows.ts';
import type { Kept, KeeperWork } from './kept-state.ts';
import { reconcileTests } from './reconcile-tests.ts';
import { createTestIndex, type IndexedTest } from './test-index.ts';
import { testStateRecord, type VerdictRecord } from './test-state.ts';
import type { TransitionContext } from './verdict-keeper.ts';
import type { Writing } from './verdict-writer.ts';
import { dueWakes, nextWakeTime, spentWake, wakeRecords, type WakeTime } from './wake-times.ts';

/** Changes that are considered together, and pairs that are due together. */
const batchSize = 2_000;
const dueSize = 500;

/** Pieces of work that are about single entities. Each of them stores what it decided, in one transaction, or nothing. */
export type IncrementalSteps = {
  /** Looks which tests there are now, and what that asks for; to be stored by the caller. `since`: since which change. */
  refreshTests(known: Kept, sequence: number, since: number): Promise<Partial<Writing>>;
  /** Considers the next changes of the log. Tells how many there were. */
  considerNext(known: Kept): Promise<number>;
  /** Evaluates pairs for which the time has come. False: there are none. */
  considerDue(known: Kept): Promise<boolean>;
  /** Evaluates all tests for these entities. */
  considerEntities(known: Kept, urns: readonly Urn[]): Promise<void>;
};

export function createIncrementalSteps(work: KeeperWork): IncrementalSteps {
  const { store, library, writer, now, pace, counters } = work;
  const { verdicts } = store;

  /** Looks which tests there are now, and what that asks for; to be stored by the caller. */
  async function refreshTests(known: Kept, sequence: number, since: number): Promise<Partial<Writing>> {
    const shelves = await library.shelves();
    known.index = createTestIndex(shelves.tests);
    const moment = { now: now(), sequence };
    const result = await reconcileTests(verdicts, known.index, shelves, known.states, moment);
    known.states = result.states;
    for (const urn of result.stale) known.stale.set(urn, since);
    for (const urn of known.stale.keys()) if (!known.index.tests.has(urn)) known.stale.delete(urn);
    return { records: result.records, differences: result.differences, testsGone: result.gone };
  }

  async function considerNext(known: Kept): Promise<number> {
    const changes = await store.changes({ after: known.sequence, count: batchSize });
    const last = changes.at(-1);
    if (last === undefined) return 0;
    const { sequence } = last;
    const tests = changes.some(({ urn }) => urnType(urn) === 'test')
      ? await refreshTests(known, sequence, known.sequence + 1)
      : {};
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
        ...tests,
        records: [...(tests.records ?? []), ...staleRecords],
        rows,
        rowsGone: changedRows.filter((urn) => !existing.has(urn)),
      },
    });
    for (const run of known.runs) {
      for (const entity of goneNumbers) run.gone(entity);
      for (const { urn } of rows) {
        const entity = numbers.get(urn);
        if (entity !== undefined) run.rowChanged(entity);
      }
    }
    counters.changes += changes.length;
    counters.entities += alive.size;
    counters.candidates += decided.decisions.length;
    counters.lagMs = Math.max(0, now() - (changes[0]?.time ?? 0));
    counters.longestLagMs = Math.max(counters.longestLagMs, counters.lagMs);
    return changes.length;
  }

  function wakesOfGone({ index }: Kept, entities: readonly number[]): readonly WakeTime[] {
    const onClock = [...index.tests.values()].filter(({ readsClock }) => readsClock);
    return onClock.flatMap(({ urn }) => entities.map((entity) => ({ test: urn, entity, at: undefined })));
  }

  /** Everything of these tests has to be evaluated; the records say so. */
  function markStale(known: Kept, tests: ReadonlySet<IndexedTest>, since: number): VerdictRecord[] {
    if (tests.size === 0) return [];
    const states = new Map(known.states);
    const records: VerdictRecord[] = [];
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
      readonly more: Omit<Partial<Writing>, 'sequence' | 'cause'>;
    },
  ): Promise<void> {
    const { decided, sequence, cause, more } = step;
    const md5Of = (test: Urn): string =>
      known.index.tests.get(test)?.definitionMd5 ?? known.states.get(test)?.definitionMd5 ?? '';
    // A test that is no longer there has nothing to be kept; of one that cannot be read, entities still go.
    const decisions = decided.decisions.filter(
      ({ test, verdict }) => known.index.tests.has(test) || (verdict === 'NONE' && known.states.has(test)),
    );
    const context = { time: now(), sequence, md5Of };
    const earlier = more.differences ?? [];
    const differences = await differencesOf(verdicts, decisions, earlier, context, pace);
    const wakes = await wakeRecords(verdicts, decided.wakes);
    await writer.write({
      ...more,
      sequence,
      cause,
      differences: [...earlier, ...differences],
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

  async function considerEntities(known: Kept, urns: readonly Urn[]): Promise<void> {
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
  }

  return { refreshTests, considerNext, considerDue, considerEntities };
}
