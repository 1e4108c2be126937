import { isJsonObject, type JsonObject, type JsonValue } from '../aspect/json.ts';
import { integerIn, listIn, objectIn, objectsIn, textIn } from '../entity/stored-member.ts';
import { type LoadedEntity, type Run, spend } from './facts.ts';

/** The window of everything that is counted over the last 30 days. */
export const windowMs = 30 * 24 * 60 * 60 * 1000;

/** What looking at a measurement costs, and at a user in it. */
const measurementSteps = 100;
const userSteps = 250;

/** What a derived aspect is made from, so that a change of it evaluates the tests that read it. */
export type Sources = {
  /** Time series of the entity itself. */
  readonly series: readonly string[];
  /** The runs of the assertions about the entity. */
  readonly assertions: boolean;
};

const none: Sources = { series: [], assertions: false };

const sources: { readonly [aspect: string]: Sources } = {
  usageFeatures: {
    ...none,
    series: ['datasetUsageStatistics', 'operation', 'dashboardUsageStatistics', 'chartUsageStatistics'],
  },
  storageFeatures: { ...none, series: ['datasetProfile'] },
  assertionsSummary: { ...none, assertions: true },
};

/** Empty for aspects that are not derived. */
export function sourcesOf(aspect: string): Sources {
  return (Object.hasOwn(sources, aspect) ? sources[aspect] : undefined) ?? none;
}

type Derive = (entity: LoadedEntity, run: Run) => JsonObject | undefined;

const derivations: { readonly [aspect: string]: Derive } = {
  usageFeatures: (entity, run) => (entity.type === 'dataset' ? datasetUsage : viewUsage)(entity, run),
  storageFeatures,
  assertionsSummary,
};

/** How to compute an aspect that is not stored from what was loaded; `undefined` for aspects that are not derived. */
export function derivationOf(aspect: string): Derive | undefined {
  return Object.hasOwn(derivations, aspect) ? derivations[aspect] : undefined;
}

/** Queries and users from the usage statistics, writes from the operations; percentiles have no value. */
function datasetUsage(entity: LoadedEntity, run: Run): JsonObject | undefined {
  const usage = seriesOf(entity, 'datasetUsageStatistics');
  const operations = seriesOf(entity, 'operation');
  if (usage.length + operations.length === 0) return undefined;
  const recent = recentOf(bucketsIn(usage), run);
  const writes = recentOf(operations, run, operationTime).filter((operation) =>
    writeTypes.has(textIn(operation, 'operationType') ?? ''),
  );
  return present({
    queryCountLast30Days: usage.some(hasQueries) ? sumOf(recent, queriesIn) : undefined,
    uniqueUserCountLast30Days: usersOf(usage, recent, run),
    writeCountLast30Days: operations.length === 0 ? undefined : writes.length,
  });
}

/** Views of a dashboard or chart: buckets count for the last 30 days, the newest measurement without one is the total. */
function viewUsage(entity: LoadedEntity, run: Run): JsonObject | undefined {
  const usage = seriesOf(entity, `${entity.type}UsageStatistics`);
  if (usage.length === 0) return undefined;
  const buckets = usage.filter((measurement) => granularityOf(measurement) !== undefined);
  const recent = recentOf(bucketsIn(buckets), run);
  const totals = usage.filter((measurement) => granularityOf(measurement) === undefined);
  const total = newestOf(totals.filter((measurement) => timeOf(measurement) <= run.now));
  for (const measurement of totals) wake(run, timeOf(measurement));
  return present({
    viewCountTotal: integerIn(total, 'viewsCount') ?? undefined,
    viewCountLast30Days: buckets.length === 0 ? undefined : sumOf(recent, viewsIn),
    uniqueUserCountLast30Days: buckets.length === 0 ? undefined : usersOf(buckets, recent, run),
  });
}

/** Of the newest profile of the whole table. */
function storageFeatures(entity: LoadedEntity, run: Run): JsonObject | undefined {
  const profiles = seriesOf(entity, 'datasetProfile').filter(isWholeTable);
  for (const profile of profiles) wake(run, timeOf(profile));
  const newest = newestOf(profiles.filter((profile) => timeOf(profile) <= run.now));
  if (newest === undefined) return undefined;
  return present({
    rowCount: integerIn(newest, 'rowCount') ?? undefined,
    sizeInBytes: integerIn(newest, 'sizeInBytes') ?? undefined,
  });
}

/** Of each assertion about the entity its newest completed run: SUCCESS passes, FAILURE fails, others are neither. */
function assertionsSummary(entity: LoadedEntity, run: Run): JsonObject | undefined {
  const { assertions } = entity;
  if (assertions === 'TOO_MANY') spend(run, Infinity);
  if (assertions === undefined || assertions === 'TOO_MANY') return undefined;
  const passing = new Map<string, JsonObject>();
  const failing = new Map<string, JsonObject>();
  for (const urn of assertions) {
    spend(run, measurementSteps);
    const assertion = run.facts.get(urn);
    if (assertion?.exists !== true || assertion.removed) continue;
    const runs = seriesOf(assertion, 'assertionRunEvent').filter(isCompleted);
    for (const event of runs) wake(run, timeOf(event));
    const last = newestOf(runs.filter((event) => timeOf(event) <= run.now));
    const result = textIn(objectIn(last, 'result'), 'type');
    const info = assertion.aspects.get('assertionInfo')?.body;
    const detail = present({
      urn,
      type: textIn(info, 'type') ?? undefined,
      source: textIn(objectIn(info, 'source'), 'type') ?? undefined,
      lastResultAt: integerIn(last, 'timestampMillis') ?? undefined,
    });
    if (result === 'SUCCESS') passing.set(urn, detail);
    if (result === 'FAILURE') failing.set(urn, detail);
  }
  return {
    passingAssertions: [...passing.keys()],
    failingAssertions: [...failing.keys()],
    passingAssertionDetails: [...passing.values()],
    failingAssertionDetails: [...failing.values()],
  };
}

/** A profile that is not of one partition or of a sample. */
export function isWholeTable(profile: JsonObject): boolean {
  const type = textIn(objectIn(profile, 'partitionSpec'), 'type');
  return type === null || type === 'FULL_TABLE';
}

export function isCompleted(event: JsonObject): boolean {
  return event['status'] === 'COMPLETE';
}

/** The measurements of a series that were loaded. */
function seriesOf(entity: LoadedEntity, name: string): readonly JsonObject[] {
  return entity.series?.get(name) ?? [];
}

export function timeOf(measurement: JsonObject): number {
  return integerIn(measurement, 'timestampMillis') ?? 0;
}

function operationTime(operation: JsonObject): number {
  return integerIn(operation, 'lastUpdatedTimestamp') ?? timeOf(operation);
}

const writeTypes: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'CREATE', 'CUSTOM']);

function granularityOf(measurement: JsonObject): string | undefined {
  return textIn(objectIn(measurement, 'eventGranularity'), 'unit') ?? undefined;
}

/** The same may be counted by day and by hour: days count, else hours, else whatever there is. */
function bucketsIn(measurements: readonly JsonObject[]): readonly JsonObject[] {
  for (const unit of ['DAY', 'HOUR']) {
    const ofUnit = measurements.filter((measurement) => (granularityOf(measurement) ?? 'DAY') === unit);
    if (ofUnit.length > 0) return ofUnit;
  }
  return measurements;
}

/** Those of the last 30 days; notes when one of them leaves the window, or a later one comes into it. */
function recentOf(
  measurements: readonly JsonObject[],
  run: Run,
  at: (measurement: JsonObject) => number = timeOf,
): readonly JsonObject[] {
  return measurements.filter((measurement) => {
    spend(run, measurementSteps);
    const time = at(measurement);
    wake(run, time);
    wake(run, time + windowMs);
    return time <= run.now && time + windowMs > run.now;
  });
}

function wake(run: Run, at: number): void {
  if (at > run.now && at < run.wakeAt) run.wakeAt = at;
}

function newestOf(measurements: readonly JsonObject[]): JsonObject | undefined {
  let newest: JsonObject | undefined;
  for (const measurement of measurements) {
    if (newest === undefined || timeOf(measurement) > timeOf(newest)) newest = measurement;
  }
  return newest;
}

function sumOf(measurements: readonly JsonObject[], countIn: (measurement: JsonObject) => number): number {
  let sum = 0;
  for (const measurement of measurements) sum += countIn(measurement);
  return sum;
}

function hasQueries(measurement: JsonObject): boolean {
  return integerIn(measurement, 'totalSqlQueries') !== null || listIn(measurement, 'userCounts').length > 0;
}

function queriesIn(measurement: JsonObject): number {
  const users = objectsIn(measurement, 'userCounts');
  return integerIn(measurement, 'totalSqlQueries') ?? sumOf(users, (user) => integerIn(user, 'count') ?? 0);
}

function viewsIn(measurement: JsonObject): number {
  return integerIn(measurement, 'viewsCount') ?? 0;
}

/** Distinct users where they are named; else the largest number that one measurement tells. */
function usersOf(all: readonly JsonObject[], recent: readonly JsonObject[], run: Run): number | undefined {
  const isNamed = all.some((measurement) => listIn(measurement, 'userCounts').length > 0);
  if (!isNamed) {
    const counts = recent.map((measurement) => integerIn(measurement, 'uniqueUserCount') ?? 0);
    const isCounted = all.some((measurement) => integerIn(measurement, 'uniqueUserCount') !== null);
    return isCounted ? Math.max(0, ...counts) : undefined;
  }
  const users = new Set<JsonValue>();
  for (const measurement of recent) {
    for (const entry of listIn(measurement, 'userCounts')) {
      spend(run, userSteps);
      const user = isJsonObject(entry) ? entry['user'] : undefined;
      if (user !== undefined) users.add(user);
    }
  }
  return users.size;
}

function present(members: { readonly [name: string]: JsonValue | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
