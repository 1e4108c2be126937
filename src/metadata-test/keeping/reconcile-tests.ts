import type { Urn } from '../../urn/urn.ts';
import type { ChunkSet } from '../../verdict/chunk-set.ts';
import type { VerdictStore } from '../../verdict/verdict-store.ts';
import type { LibraryShelves } from '../test-library.ts';
import type { IndexedTest, TestIndex } from './test-index.ts';
import { removedTestRuns, type TestState, testStateRecord, type VerdictRecord } from './test-state.ts';
import { differenceOf, emptyVerdicts, type VerdictDifference } from './verdict-difference.ts';
import { removedWakes } from './wake-times.ts';

/** What has to be stored so that the states are those of the tests that there are. */
export type Reconciliation = {
  /** All states as they are then. */
  readonly states: ReadonlyMap<Urn, TestState>;
  /** Tests of which everything has to be evaluated. */
  readonly stale: readonly Urn[];
  readonly records: readonly VerdictRecord[];
  /** Verdicts of tests that became inactive, are gone, or cannot be read any more. */
  readonly differences: readonly VerdictDifference[];
  /** Tests that are gone: their verdicts go as well. */
  readonly gone: readonly Urn[];
};

/** Compares the tests with what is known of them: a definition that means the same is no new revision. */
export async function reconcileTests(
  verdicts: VerdictStore,
  index: TestIndex,
  library: LibraryShelves,
  states: ReadonlyMap<Urn, TestState>,
  moment: { readonly now: number; readonly sequence: number },
): Promise<Reconciliation> {
  const next = new Map(states);
  const stale: Urn[] = [];
  const records: VerdictRecord[] = [];
  const differences: VerdictDifference[] = [];
  const gone: Urn[] = [];
  for (const test of index.tests.values()) {
    const before = states.get(test.urn);
    const state = stateAfter(before, test, moment.now);
    if (state === before) continue;
    next.set(test.urn, state);
    records.push(testStateRecord(test.urn, state));
    if (state.completedAt === null || state.isStale) stale.push(test.urn);
  }
  for (const [urn, state] of states) {
    if (index.tests.has(urn)) continue;
    if (library.unreadable.has(urn)) {
      if (!state.isActive || state.semanticHash === unreadableHash) continue;
      const old: TestState = {
        ...state,
        semanticHash: unreadableHash,
        isStale: false,
        completedAt: state.completedAt ?? moment.now,
      };
      next.set(urn, old);
      records.push(testStateRecord(urn, old), ...(await removedWakes(verdicts, urn)));
      differences.push(...(await undecidedAll(verdicts, urn)));
      continue;
    }
    if (library.tests.has(urn)) {
      if (!state.isActive) continue;
      const inactive: TestState = { ...state, isActive: false, isStale: false, completedAt: null };
      next.set(urn, inactive);
      records.push(testStateRecord(urn, inactive), ...(await removedWakes(verdicts, urn)));
      differences.push(...(await leavingAll(verdicts, urn, state, moment)));
      continue;
    }
    next.delete(urn);
    gone.push(urn);
    // Its history stays, and says that it ended: a test of the same name starts from nothing.
    differences.push(...(await leavingAll(verdicts, urn, state, moment)));
    records.push(
      testStateRecord(urn, undefined),
      ...(await removedWakes(verdicts, urn)),
      ...(await removedTestRuns(verdicts, urn)),
    );
  }
  return { states: next, stale, records, differences, gone };
}

function stateAfter(before: TestState | undefined, test: IndexedTest, now: number): TestState {
  const { definitionMd5, semanticHash, exemptionsMd5 } = test;
  if (before?.isActive !== true || before.semanticHash !== semanticHash) {
    return {
      definitionMd5,
      semanticHash,
      exemptionsMd5,
      revision: before?.semanticHash === semanticHash ? before.revision : (before?.revision ?? 0) + 1,
      startedAt: now,
      completedAt: null,
      evaluatedChunks: 0,
      chunks: 0,
      confirmedAt: before?.confirmedAt ?? null,
      isActive: true,
      isStale: false,
    };
  }
  if (before.exemptionsMd5 !== exemptionsMd5)
    return { ...before, definitionMd5, exemptionsMd5, isStale: true };
  return before.definitionMd5 === definitionMd5 ? before : { ...before, definitionMd5 };
}

/** Of a definition that cannot be read; whatever is saved next means something else. */
const unreadableHash = '';

/** The verdicts stay, and are told to be old (3.2: ERROR when a definition is no longer valid). */
async function undecidedAll(verdicts: VerdictStore, test: Urn): Promise<readonly VerdictDifference[]> {
  const differences: VerdictDifference[] = [];
  for (const chunk of await verdicts.chunksOf(test)) {
    const kept = (await verdicts.verdictsIn(chunk, [test])).get(test);
    if (kept === undefined) continue;
    const undecided = [kept.passing, kept.failing, kept.exempt].reduce(union, kept.undecided);
    differences.push({ test, chunk, verdicts: { ...kept, undecided }, change: undefined, transitions: 0 });
  }
  return differences;
}

function union(one: ChunkSet, other: ChunkSet): ChunkSet {
  return one.map((byte, index) => byte | (other[index] ?? 0));
}

/** Everything that has a verdict of the test has none any more. */
async function leavingAll(
  verdicts: VerdictStore,
  test: Urn,
  { definitionMd5 }: TestState,
  { now, sequence }: { readonly now: number; readonly sequence: number },
): Promise<readonly VerdictDifference[]> {
  const differences: VerdictDifference[] = [];
  for (const chunk of await verdicts.chunksOf(test)) {
    const kept = (await verdicts.verdictsIn(chunk, [test])).get(test);
    if (kept === undefined) continue;
    const context = { time: now, sequence, definitionMd5 };
    const difference = differenceOf(test, chunk, kept, emptyVerdicts(), context);
    if (difference !== undefined) differences.push(difference);
  }
  return differences;
}
