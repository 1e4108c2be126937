import { PostilError } from '../../errors/postil-error.ts';
import type { Urn } from '../../urn/urn.ts';
import type { VerdictReader } from '../../verdict/verdict-store.ts';
import { readTestRuns, type TestRun } from '../keeping/test-state.ts';
import { countsOverTime, type PassFailCounts } from './test-counts.ts';
import { type EntityVerdict, entityVerdict } from './entity-verdict.ts';
import { entityChanges, type EntityVerdictChange } from './verdict-changes.ts';

export type HistoryQuery = {
  /** Milliseconds since the Unix epoch; 30 days before the end when absent. */
  readonly from?: number | undefined;
  /** Now when absent. */
  readonly to?: number | undefined;
  /** 30 when absent. */
  readonly buckets?: number | undefined;
};

const defaultSpanMs = 30 * 86_400_000;
const bucketsDefault = 30;
const bucketsMax = 200;
const runsMax = 100;
const changesMax = 1_000;

/** The counts at the end of each part of a time, and the evaluations that began in it, the newest first. */
export async function testHistory(
  reader: Pick<VerdictReader, 'countsAt' | 'record' | 'records'>,
  test: Urn,
  query: HistoryQuery,
  now: number,
): Promise<{
  readonly counts: readonly (PassFailCounts & { readonly time: number })[];
  readonly runs: readonly TestRun[];
}> {
  const { from, to } = timeOf(query, now);
  const buckets = query.buckets ?? bucketsDefault;
  if (buckets < 1 || buckets > bucketsMax) {
    throw new PostilError('LIMIT_EXCEEDED', `buckets is ${buckets}; it has to be 1 to ${bucketsMax}.`);
  }
  return {
    counts: await countsOverTime(reader, test, { from, to, buckets }),
    runs: await runsBetween(reader, test, from, to, runsMax),
  };
}

/** What one entity arrived at in a time, the newest first, and what it has now. Throws ENTITY_NOT_FOUND. */
export async function entityHistory(
  reader: Pick<VerdictReader, 'numbersOf' | 'verdictsIn' | 'verdictChanges'>,
  test: Urn,
  entity: Urn,
  query: HistoryQuery,
  now: number,
): Promise<EntityVerdict & { readonly changes: readonly EntityVerdictChange[] }> {
  const { from: fromTime, to: toTime } = timeOf(query, now);
  const verdict = await entityVerdict(reader, test, entity);
  const number = (await reader.numbersOf([entity])).get(entity);
  if (verdict === undefined || number === undefined) {
    throw new PostilError('ENTITY_NOT_FOUND', `There is no entity ${entity}, and there never was.`);
  }
  const changes = await entityChanges(reader, { test, number, fromTime, toTime, count: changesMax });
  return { ...verdict, changes };
}

/** Evaluations of a test that began between two moments, the newest first. */
export async function runsBetween(
  reader: Pick<VerdictReader, 'record' | 'records'>,
  test: Urn,
  from: number,
  to: number,
  count: number,
): Promise<readonly TestRun[]> {
  const runs = await readTestRuns(reader, test, { before: Math.floor(to) + 1, count });
  return runs.filter(({ startedAt }) => startedAt >= from);
}

function timeOf(query: HistoryQuery, now: number): { readonly from: number; readonly to: number } {
  const to = query.to ?? now;
  const from = query.from ?? to - defaultSpanMs;
  if (from < to) return { from, to };
  throw new PostilError('BAD_REQUEST', `The history from ${from} until ${to} has no time in it.`);
}
