import type { AspectReader } from '../../aspect/aspect-store.ts';
import type { Urn } from '../../urn/urn.ts';
import {
  addOffset,
  type ChunkSet,
  chunkSpan,
  chunkOf,
  emptyChunkSet,
  offsetOf,
  offsetsIn,
} from '../../verdict/chunk-set.ts';
import type { ChunkVerdicts, VerdictStore } from '../../verdict/verdict-store.ts';
import { evaluatePairs } from './evaluate-pairs.ts';
import type { Pace } from './pace.ts';
import { prepareScans, type TypeScan } from './row-scan.ts';
import type { IndexedTest } from './test-index.ts';
import type { TestRun, VerdictRecord } from './test-state.ts';
import {
  copyVerdict,
  differenceOf,
  emptyVerdicts,
  setVerdict,
  type VerdictDifference,
} from './verdict-difference.ts';
import { wakeRecordsOfChunk } from './wake-times.ts';

/** Tests that are scanned for together: so many answers for a chunk are in memory at once. */
const groupSize = 250;
/** Entities that are decided by closures before whatever else is waiting goes first. */
const sliceSize = 500;
/** Pairs decided elsewhere meanwhile, beyond which it is less work to ask the rows anew. */
const touchedMax = 200_000;
/** The same of rows that changed meanwhile, which the closures have to decide. */
const changedRowsMax = 20_000;

/**
 * Evaluates tests for everything, chunk by chunk (metadata-tests specification 3.8). What is decided elsewhere while it runs is
 * newer than what it knows, so it leaves those pairs alone (3.7, 8).
 */
export type BulkRun = {
  readonly kind: TestRun['kind'];
  readonly tests: ReadonlyMap<Urn, IndexedTest>;
  readonly startedAt: number;
  /** The sequence of the change log up to which everything had been considered at the start. */
  readonly startSequence: number;
  /** Verdicts that were changed, by test. */
  readonly changed: Map<Urn, number>;
  readonly evaluations: () => number;
  progress(): { readonly done: number; readonly of: number };
  isDone(): boolean;
  /** A verdict was decided, or an entity went, outside of the run. */
  touch(test: Urn, entity: number): void;
  gone(entity: number): void;
  /** The row of an entity is another one now, perhaps with texts that the questions do not know. */
  rowChanged(entity: number): void;
  /** Evaluates the next chunk. `interlude`: what else is waiting may be done now. */
  evaluate(now: number, interlude: () => Promise<void>): Promise<ChunkOutcome>;
  /** What is to be stored of an evaluated chunk; nothing else may be stored until it is. Ends the chunk. */
  differences(
    outcome: ChunkOutcome,
    context: { readonly sequence: number; readonly isCurrent: (test: IndexedTest) => boolean },
  ): Promise<{
    readonly differences: readonly VerdictDifference[];
    readonly records: readonly VerdictRecord[];
  }>;
  close(): Promise<void>;
};

export type ChunkOutcome = {
  readonly chunk: number;
  readonly time: number;
  readonly tests: readonly IndexedTest[];
  readonly verdicts: ReadonlyMap<Urn, ChunkVerdicts>;
  readonly wakes: ReadonlyMap<Urn, ReadonlyMap<number, number>>;
};

type Parts = Pick<BulkRun, 'kind' | 'tests' | 'startedAt' | 'startSequence'> & {
  readonly source: Pick<AspectReader, 'readMany' | 'existing' | 'relationships' | 'readVersion'>;
  readonly verdicts: VerdictStore;
  readonly largestNumber: number;
  readonly pace: Pace;
};

export function createBulkRun(parts: Parts): BulkRun {
  const { source, verdicts, pace } = parts;
  const all = [...parts.tests.values()];
  const groups: IndexedTest[][] = [];
  for (let start = 0; start < all.length; start += groupSize)
    groups.push(all.slice(start, start + groupSize));
  const chunks = chunkOf(parts.largestNumber) + 1;
  const touched = new Map<Urn, Set<number>>();
  const goneEntities = new Set<number>();
  const changedRows = new Set<number>();
  const changed = new Map<Urn, number>();
  let touchedCount = 0;
  let group = 0;
  let chunk = 0;
  let evaluations = 0;
  let scans: readonly TypeScan[] | undefined;

  async function close(): Promise<void> {
    const open = scans ?? [];
    scans = undefined;
    for (const { scan } of open) await scan.close();
  }

  async function prepared(tests: readonly IndexedTest[]): Promise<readonly TypeScan[]> {
    if (touchedCount > touchedMax || changedRows.size > changedRowsMax) await close();
    if (scans === undefined) {
      touched.clear();
      goneEntities.clear();
      changedRows.clear();
      touchedCount = 0;
      scans = await prepareScans(verdicts, source, tests);
    }
    return scans;
  }

  async function evaluate(now: number, interlude: () => Promise<void>): Promise<ChunkOutcome> {
    const tests = groups[group] ?? [];
    const next = new Map(tests.map((test) => [test.urn, emptyVerdicts()]));
    const open = new Map<number, Set<IndexedTest>>();
    const leaveOpen = (offset: number, test: IndexedTest): void => {
      const entity = chunk * chunkSpan + offset;
      const ofEntity = open.get(entity) ?? new Set();
      open.set(entity, ofEntity);
      ofEntity.add(test);
    };
    for (const { tests: asked, scan } of await prepared(tests)) {
      const answers = await scan.chunk(chunk);
      for (const [index, test] of asked.entries()) {
        const answer = answers[index];
        const sets = next.get(test.urn);
        if (answer === undefined || sets === undefined) continue;
        unite(sets.passing, answer.passing);
        unite(sets.failing, answer.failing);
        for (const offset of offsetsIn(answer.unknown)) leaveOpen(offset, test);
        await excusable(test, answer.failing, leaveOpen);
        await pace();
      }
      await interlude();
    }
    for (const entity of changedRows) {
      if (chunkOf(entity) === chunk) for (const test of tests) leaveOpen(offsetOf(entity), test);
    }
    const wakes = await decide(open, next, now, interlude);
    return { chunk, time: now, tests, verdicts: next, wakes };
  }

  /** Who fails but may be excused is decided by the closure. */
  async function excusable(
    test: IndexedTest,
    failing: ChunkSet,
    leaveOpen: (offset: number, test: IndexedTest) => void,
  ): Promise<void> {
    const { mayExempt } = test.compiled;
    if (mayExempt === undefined) return;
    const numbers = [...offsetsIn(failing)].map((offset) => chunk * chunkSpan + offset);
    for (const [entity, urn] of await verdicts.urnsOf(numbers)) {
      if (mayExempt(urn)) leaveOpen(offsetOf(entity), test);
    }
  }

  async function decide(
    open: ReadonlyMap<number, ReadonlySet<IndexedTest>>,
    next: ReadonlyMap<Urn, ChunkVerdicts>,
    now: number,
    interlude: () => Promise<void>,
  ): Promise<ReadonlyMap<Urn, ReadonlyMap<number, number>>> {
    const wakes = new Map<Urn, Map<number, number>>();
    const entities = [...open.keys()].toSorted((left, right) => left - right);
    for (let start = 0; start < entities.length; start += sliceSize) {
      const urns = await verdicts.urnsOf(entities.slice(start, start + sliceSize));
      const numbers = new Map([...urns].map(([entity, urn]) => [urn, entity]));
      const pairs = new Map([...urns].map(([entity, urn]) => [urn, [...(open.get(entity) ?? [])]]));
      const decided = await evaluatePairs(source, pairs, numbers, now, pace);
      evaluations += decided.decisions.length;
      for (const { test, entity, verdict } of decided.decisions) {
        const sets = next.get(test);
        if (sets === undefined) continue;
        setVerdict(sets, offsetOf(entity), verdict);
      }
      for (const { test, entity, at } of decided.wakes) {
        const ofTest = wakes.get(test) ?? new Map<number, number>();
        wakes.set(test, ofTest);
        if (at !== undefined) ofTest.set(entity, at);
      }
      await interlude();
    }
    return wakes;
  }

  const isLeftOut = (test: Urn, entity: number): boolean =>
    goneEntities.has(entity) || touched.get(test)?.has(entity) === true;

  return {
    kind: parts.kind,
    tests: parts.tests,
    startedAt: parts.startedAt,
    startSequence: parts.startSequence,
    changed,
    evaluations: () => evaluations,
    progress: () => ({ done: group * chunks + chunk, of: groups.length * chunks }),
    isDone: () => group >= groups.length,
    touch(test, entity) {
      if (!parts.tests.has(test)) return;
      const entities = touched.get(test) ?? new Set<number>();
      touched.set(test, entities);
      entities.add(entity);
      touchedCount += 1;
    },
    gone: (entity) => void goneEntities.add(entity),
    rowChanged: (entity) => void changedRows.add(entity),
    evaluate,
    async differences(outcome, { sequence, isCurrent }) {
      const { tests, time } = outcome;
      const kept = await verdicts.verdictsIn(
        outcome.chunk,
        tests.map(({ urn }) => urn),
      );
      const first = outcome.chunk * chunkSpan;
      const differences: VerdictDifference[] = [];
      const records: VerdictRecord[] = [];
      for (const test of tests) {
        const next = outcome.verdicts.get(test.urn);
        if (next === undefined || !isCurrent(test)) continue;
        const before = kept.get(test.urn) ?? emptyVerdicts();
        keepEarlier(next, before);
        for (const entity of [...(touched.get(test.urn) ?? []), ...goneEntities]) {
          if (entity >= first && entity < first + chunkSpan) copyVerdict(next, before, offsetOf(entity));
        }
        const context = { time, sequence, definitionMd5: test.definitionMd5 };
        const difference = differenceOf(test.urn, outcome.chunk, before, next, context);
        if (difference !== undefined) differences.push(difference);
        const wakes = outcome.wakes.get(test.urn);
        if (!test.readsClock && wakes === undefined) continue;
        const leftOut = (entity: number): boolean => isLeftOut(test.urn, entity);
        records.push(
          ...(await wakeRecordsOfChunk(verdicts, test.urn, outcome.chunk, wakes ?? new Map(), leftOut)),
        );
      }
      for (const { test, transitions } of differences) {
        changed.set(test, (changed.get(test) ?? 0) + transitions);
      }
      chunk += 1;
      if (chunk >= chunks) {
        chunk = 0;
        group += 1;
        await close();
      }
      return { differences, records };
    },
    close,
  };
}

function unite(set: ChunkSet, other: ChunkSet): void {
  for (const [index, byte] of other.entries()) if (byte !== 0) set[index] = (set[index] ?? 0) | byte;
}

/** What could not be decided keeps the verdict that it had. */
function keepEarlier(next: ChunkVerdicts, before: ChunkVerdicts): void {
  const undecided = emptyChunkSet();
  unite(undecided, next.undecided);
  for (const offset of offsetsIn(undecided)) {
    copyVerdict(next, before, offset);
    addOffset(next.undecided, offset);
  }
}
