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
 * replaces what was sent before; times are those of the measurements, in milliseconds, both ends included. Of a long
 * series, the newest 1000 versions count.
 * Throws BAD_REQUEST for filters that cannot be evaluated.
 */
export async function readSeries(
  source: SeriesSource,
  urn: Urn,
  aspectName: string,
  { startTimeMillis, endTimeMillis, filter, limit }: SeriesQuery,
): Promise<readonly Measurement[] | undefined> {
  // Loading it makes the answer depend on the aspect, so it is not kept when a measurement is added.
  const latest = await source.load(urn, aspectName);
  if (latest === undefined) return undefined;
  const found = new Map<string, Measurement>();
  const first = Math.max(1, latest.version - versionsMax + 1);
  let bodies: readonly JsonObject[] = [latest.body];
  for (let until = latest.version - 1; ; until -= batchSize) {
    for (const body of bodies) {
      const key = JSON.stringify(identifyingMembers.map((member) => body[member]));
      if (!found.has(key)) {
        found.set(key, { timestampMillis: integerIn(body, 'timestampMillis') ?? 0, body });
      }
    }
    if (until < first) break;
    bodies = await versionsDown(source, urn, aspectName, until, Math.max(first, until - batchSize + 1));
  }
  return [...found.values()]
    .filter(
      ({ timestampMillis, body }) =>
        timestampMillis >= (startTimeMillis ?? -Infinity) &&
        timestampMillis <= (endTimeMillis ?? Infinity) &&
        fulfils(body, filter),
    )
    .toSorted((left, right) => right.timestampMillis - left.timestampMillis)
    .slice(0, Math.max(0, limit ?? versionsMax));
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
