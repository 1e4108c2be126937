import type { Urn } from '../../urn/urn.ts';
import type { VerdictReader } from '../../verdict/verdict-store.ts';
import { readTestState } from '../keeping/test-state.ts';
import type { LibraryTest } from '../test-library.ts';

export type PassFailCounts = { readonly passing: number; readonly failing: number; readonly exempt: number };

/** How many entities have which verdict (specification 3.13). Times in milliseconds since the Unix epoch. */
export type TestCounts = PassFailCounts & {
  /** Could not be decided the last time; counted under their earlier verdict as well. */
  readonly undecided: number;
  /** MD5 of the definition that the counts are for. */
  readonly definitionMd5: string;
  /** When all of them were last known to be right; null while the definition is evaluated for the first time. */
  readonly lastComputed: number | null;
  /** 100 once all verdicts are of the present definition. */
  readonly evaluatedPercent: number;
  /** The counts as they were before the present definition; null once it is evaluated, and for the first one. */
  readonly previous: PassFailCounts | null;
};

const nothing: PassFailCounts = { passing: 0, failing: 0, exempt: 0 };

/**
 * The counts of a test whose verdicts are kept; `undefined` for one that was never evaluated, and while it is inactive.
 * Between the save of a definition and the end of its evaluation both numbers are told: those of now, which are new as far
 * as the evaluation is, and those before.
 */
export async function testCounts(
  reader: Pick<VerdictReader, 'record' | 'records' | 'counts' | 'countsAt'>,
  test: Pick<LibraryTest, 'urn' | 'definitionMd5'>,
): Promise<TestCounts | undefined> {
  const state = await readTestState(reader, test.urn);
  if (state === undefined || !state.isActive) return undefined;
  const { definitionMd5 } = test;
  const counts = await reader.counts(test.urn);
  if (state.definitionMd5 !== definitionMd5) {
    const { passing, failing, exempt } = counts;
    return {
      ...nothing,
      undecided: 0,
      definitionMd5,
      lastComputed: null,
      evaluatedPercent: 0,
      previous: { passing, failing, exempt },
    };
  }
  if (state.completedAt !== null) {
    const lastComputed = Math.max(state.completedAt, state.confirmedAt ?? 0);
    return { ...counts, definitionMd5, lastComputed, evaluatedPercent: 100, previous: null };
  }
  const share = state.chunks === 0 ? 0 : state.evaluatedChunks / state.chunks;
  return {
    ...counts,
    definitionMd5,
    lastComputed: null,
    evaluatedPercent: Math.min(99, Math.floor(100 * share)),
    previous: state.revision <= 1 ? null : await reader.countsAt(test.urn, state.startedAt - 1),
  };
}

/** The share of those that pass among those that pass or fail; null when there are none. Who is exempt is not counted. */
export function passRateOf({ passing, failing }: Pick<PassFailCounts, 'passing' | 'failing'>): number | null {
  return passing + failing === 0 ? null : passing / (passing + failing);
}

/** The counts at the end of each of so many equal parts of a time, exact from the changes of verdicts. */
export async function countsOverTime(
  reader: Pick<VerdictReader, 'countsAt'>,
  test: Urn,
  { from, to, buckets }: { readonly from: number; readonly to: number; readonly buckets: number },
): Promise<readonly (PassFailCounts & { readonly time: number })[]> {
  const series: (PassFailCounts & { readonly time: number })[] = [];
  for (let index = 1; index <= buckets; index += 1) {
    const time = Math.round(from + ((to - from) * index) / buckets);
    series.push({ time, ...(await reader.countsAt(test, time)) });
  }
  return series;
}
