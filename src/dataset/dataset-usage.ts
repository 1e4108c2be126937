import type { JsonObject } from '../aspect/json.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import type { Measurement } from '../entity/series.ts';
import {
  countAsInt,
  integerIn,
  knownTextIn,
  objectIn,
  objectsIn,
  textIn,
  textsIn,
} from '../entity/stored-member.ts';
import { topUsers, uniqueUsers, usageBuckets, userCounts } from '../entity/usage.ts';
import type { UserCount } from '../entity/usage.ts';
import type { Urn } from '../urn/urn.ts';

type FieldCount = { readonly fieldName: string; readonly count: number };

/** The GraphQL type `UsageQueryResult`. */
export type UsageResult = {
  readonly buckets: readonly object[];
  readonly aggregations: {
    readonly uniqueUserCount: number | null;
    readonly users: readonly UserCount[];
    readonly fields: readonly FieldCount[];
    readonly totalSqlQueries: number;
  };
};

/** The GraphQL type `DatasetStatsSummary`. */
export type UsageSummary = {
  readonly queryCountLast30Days: number;
  readonly uniqueUserCountLast30Days: number | null;
  readonly topUsersLast30Days: readonly EntityValue[];
};

const durations: ReadonlySet<string> = new Set(['DAY', 'WEEK', 'MONTH', 'YEAR']);

/** What measurements of `datasetUsageStatistics` of one range of time say, by bucket and in all. */
export function datasetUsage(measurements: readonly Measurement[], urn: Urn): UsageResult {
  const buckets = usageBuckets(measurements);
  return {
    buckets: buckets.map((bucket) => ({
      bucket: bucket.timestampMillis,
      duration: knownTextIn(objectIn(bucket.body, 'eventGranularity'), 'unit', durations),
      resource: urn,
      metrics: {
        uniqueUserCount: uniqueUsers([bucket]),
        users: userCounts([bucket], countOf),
        totalSqlQueries: queriesIn(bucket.body),
        topSqlQueries: textsIn(bucket.body, 'topSqlQueries'),
        fields: fieldCounts([bucket]),
      },
    })),
    aggregations: {
      uniqueUserCount: uniqueUsers(buckets),
      users: userCounts(buckets, countOf),
      fields: fieldCounts(buckets),
      totalSqlQueries: queriesOf(buckets),
    },
  };
}

/** The same in short, for measurements of the last 30 days. */
export function datasetUsageSummary(measurements: readonly Measurement[]): UsageSummary {
  const buckets = usageBuckets(measurements);
  return {
    queryCountLast30Days: queriesOf(buckets),
    uniqueUserCountLast30Days: uniqueUsers(buckets),
    topUsersLast30Days: topUsers(userCounts(buckets, countOf)),
  };
}

function fieldCounts(buckets: readonly Measurement[]): readonly FieldCount[] {
  const counts = new Map<string, number>();
  for (const entry of buckets.flatMap(({ body }) => objectsIn(body, 'fieldCounts'))) {
    const path = textIn(entry, 'fieldPath');
    if (path !== null) counts.set(path, countAsInt((counts.get(path) ?? 0) + countOf(entry)));
  }
  return [...counts]
    .map(([fieldName, count]) => ({ fieldName, count }))
    .toSorted((left, right) => right.count - left.count);
}

function queriesOf(buckets: readonly Measurement[]): number {
  return countAsInt(buckets.reduce((sum, { body }) => sum + queriesIn(body), 0));
}

/** Where nobody counted queries, those of the users are all that is known. */
function queriesIn(body: JsonObject): number {
  const ofUsers = objectsIn(body, 'userCounts').reduce((sum, entry) => sum + countOf(entry), 0);
  return countAsInt(integerIn(body, 'totalSqlQueries') ?? ofUsers);
}

function countOf(entry: JsonObject): number {
  return integerIn(entry, 'count') ?? 0;
}
