import type { Aspect } from '../aspect/aspect.ts';
import type { JsonObject } from '../aspect/json.ts';
import type { Urn } from '../urn/urn.ts';
import { fulfils } from './measurement-filter.ts';
import type { MeasurementFilter } from './measurement-filter.ts';
import { integerIn } from './stored-member.ts';

/** What is needed of a request's context to read a time series. */
export type SeriesSource = {
  load(urn: Urn, aspectName: string): Aspect | undefined | Promise<Aspect | undefined>;
  readonly reader: {
    readVersion(urn: Urn, aspect: string, version: number): Promise<Aspect | undefined>;
  };
};

/** The arguments that GraphQL fields over a time series have. */
export type SeriesQuery = {
  readonly startTimeMillis?: number | null;
  readonly endTimeMillis?: number | null;
  readonly filter?: MeasurementFilter | null;
  /** Measurements that are given at most, the latest ones; all of them when absent. */
  readonly limit?: number | null;
};

export type Measurement = { readonly timestampMillis: number; readonly body: JsonObject };

/** What tells the measurements of one time apart. */
const identifyingMembers = ['timestampMillis', 'eventGranularity', 'partitionSpec', 'messageId', 'runId'];

/** Versions that are looked at, at most: older ones are history that nobody reads through GraphQL. */
const versionsMax = 1_000;
/** Versions that are read at once. */
const batchSize = 50;

/**
 * The measurements of a time series, the latest first; `undefined` when there never was one. A series is stored as the
 * versions of one aspect, one for each measurement (decision 19). What was sent again for the same time, bucket and partition
 * replaces what was sent before; times are those of the measurements, in milliseconds, both ends included. Measurements come
 * in the order of time but for late ones, so no more are read when fifty in a row are too old to be wanted; and of a long
 * series, the newest 1000 versions count. Throws BAD_REQUEST for filters that cannot be evaluated.
 */
export async function readSeries(
  source: SeriesSource,
  urn: Urn,
  aspectName: string,
  query: SeriesQuery,
): Promise<readonly Measurement[] | undefined> {
  // Loading it makes the answer depend on the aspect, so it is not kept when a measurement is added.
  const latest = await source.load(urn, aspectName);
  if (latest === undefined) return undefined;
  const known = new Set<string>();
  const first = Math.max(1, latest.version - versionsMax + 1);
  let wanted: readonly Measurement[] = [];
  let bodies: readonly JsonObject[] = [latest.body];
  for (let until = latest.version - 1; ; until -= batchSize) {
    const batch = bodies.flatMap((body) => newMeasurement(body, known));
    wanted = latestOf([...wanted, ...batch.filter((measurement) => isWanted(measurement, query))], query);
    if (until < first || (bodies.length === batchSize && areTooOld(batch, wanted, query))) return wanted;
    bodies = await versionsDown(source, urn, aspectName, until, Math.max(first, until - batchSize + 1));
  }
}

/** None when the same was measured in a newer version. */
function newMeasurement(body: JsonObject, known: Set<string>): readonly Measurement[] {
  const before = known.size;
  known.add(JSON.stringify(identifyingMembers.map((member) => body[member])));
  return known.size === before ? [] : [{ timestampMillis: integerIn(body, 'timestampMillis') ?? 0, body }];
}

function isWanted({ timestampMillis, body }: Measurement, query: SeriesQuery): boolean {
  return (
    timestampMillis >= (query.startTimeMillis ?? -Infinity) &&
    timestampMillis <= (query.endTimeMillis ?? Infinity) &&
    fulfils(body, query.filter)
  );
}

function latestOf(measurements: readonly Measurement[], { limit }: SeriesQuery): readonly Measurement[] {
  return measurements
    .toSorted((left, right) => right.timestampMillis - left.timestampMillis)
    .slice(0, Math.max(0, limit ?? versionsMax));
}

/** Whether all that was read at once is older than the range, or than as many as are wanted. */
function areTooOld(
  batch: readonly Measurement[],
  wanted: readonly Measurement[],
  { startTimeMillis, limit }: SeriesQuery,
): boolean {
  const isFull = limit !== undefined && limit !== null && wanted.length >= limit;
  const oldestWanted = isFull ? (wanted.at(-1)?.timestampMillis ?? Infinity) : -Infinity;
  const from = Math.max(startTimeMillis ?? -Infinity, oldestWanted);
  return batch.every(({ timestampMillis }) => timestampMillis < from);
}

async function versionsDown(
  { reader }: SeriesSource,
  urn: Urn,
  aspectName: string,
  until: number,
  from: number,
): Promise<readonly JsonObject[]> {
  const versions: Promise<Aspect | undefined>[] = [];
  for (let version = until; version >= from; version -= 1) {
    versions.push(reader.readVersion(urn, aspectName, version));
  }
  return (await Promise.all(versions)).filter((aspect) => aspect !== undefined).map(({ body }) => body);
}
