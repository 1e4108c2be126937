import type { AspectReader } from '../../aspect/aspect-store.ts';
import type { Urn } from '../../urn/urn.ts';
import { chunkOf, hasOffset, offsetOf } from '../../verdict/chunk-set.ts';
import type { ChunkVerdicts, VerdictReader } from '../../verdict/verdict-store.ts';
import type { Verdict } from '../compile-test.ts';
import { evaluateMany } from '../evaluate-many.ts';
import type { Pace } from './pace.ts';
import type { IndexedTest } from './test-index.ts';
import {
  copyOfVerdicts,
  differenceOf,
  emptyVerdicts,
  setVerdict,
  type VerdictDifference,
} from './verdict-difference.ts';
import type { WakeTime } from './wake-times.ts';

/** A verdict of a test for an entity, by its number. */
export type Decision = {
  readonly test: Urn;
  readonly entity: number;
  readonly verdict: Verdict;
};

export type Decided = {
  readonly decisions: readonly Decision[];
  /** For tests on the clock only: when each pair has to be evaluated again. */
  readonly wakes: readonly WakeTime[];
};

type Reader = Pick<AspectReader, 'readMany' | 'existing' | 'relationships'>;

/** Evaluates pairs of entities that exist and tests. */
export async function evaluatePairs(
  reader: Reader,
  pairs: ReadonlyMap<Urn, readonly IndexedTest[]>,
  numbers: ReadonlyMap<Urn, number>,
  now: number,
  pace: Pace,
): Promise<Decided> {
  const decisions: Decision[] = [];
  const wakes: WakeTime[] = [];
  await evaluateMany(
    reader,
    pairs,
    now,
    (urn, test, { verdict, wakeAt }) => {
      const entity = numbers.get(urn);
      if (entity === undefined) return;
      decisions.push({ test: test.urn, entity, verdict });
      if (test.readsClock || wakeAt !== undefined) wakes.push({ test: test.urn, entity, at: wakeAt });
    },
    pace,
  );
  return { decisions, wakes };
}

/** For entities that do not exist any more: out of every scope in which they still are. */
export async function decisionsForGone(
  reader: Pick<VerdictReader, 'verdictsIn'>,
  entities: readonly number[],
): Promise<readonly Decision[]> {
  const decisions: Decision[] = [];
  for (const [chunk, inChunk] of Map.groupBy(entities, chunkOf)) {
    for (const [test, verdicts] of await reader.verdictsIn(chunk)) {
      for (const entity of inChunk) {
        if (isKept(verdicts, offsetOf(entity))) decisions.push({ test, entity, verdict: 'NONE' });
      }
    }
  }
  return decisions;
}

function isKept({ passing, failing, exempt, undecided }: ChunkVerdicts, offset: number): boolean {
  return [passing, failing, exempt, undecided].some((set) => hasOffset(set, offset));
}

/** What is to be stored because of the decisions, compared with what is kept once `earlier` is stored as well. */
export async function differencesOf(
  reader: Pick<VerdictReader, 'verdictsIn'>,
  decisions: readonly Decision[],
  earlier: readonly VerdictDifference[],
  context: { readonly time: number; readonly sequence: number; readonly md5Of: (test: Urn) => string },
  pace: Pace,
): Promise<readonly VerdictDifference[]> {
  const differences: VerdictDifference[] = [];
  const { time, sequence, md5Of } = context;
  for (const [chunk, inChunk] of Map.groupBy(decisions, ({ entity }) => chunkOf(entity))) {
    const byTest = Map.groupBy(inChunk, ({ test }) => test);
    const kept = await reader.verdictsIn(chunk, [...byTest.keys()]);
    for (const [test, ofTest] of byTest) {
      const stored = earlier.findLast((each) => each.test === test && each.chunk === chunk)?.verdicts;
      const before = stored ?? kept.get(test) ?? emptyVerdicts();
      const next = copyOfVerdicts(before);
      for (const { entity, verdict } of ofTest) setVerdict(next, offsetOf(entity), verdict);
      const difference = differenceOf(test, chunk, before, next, {
        time,
        sequence,
        definitionMd5: md5Of(test),
      });
      if (difference !== undefined) differences.push(difference);
      await pace();
    }
  }
  return differences;
}
