import type { EntityValue } from '../entity/graphql-types.ts';
import { readSeries } from '../entity/series.ts';
import type { Measurement } from '../entity/series.ts';
import { countAsInt, integerIn, intIn } from '../entity/stored-member.ts';
import {
  bucketUnit,
  topUsers,
  uniqueUsers,
  usageBuckets,
  usageWindowMs,
  userCounts,
} from '../entity/usage.ts';
import type { ResolverRecord, Resolvers } from '../graphql/resolver.ts';

/** The GraphQL types `DashboardStatsSummary` and `ChartStatsSummary`. */
type ViewSummary = {
  readonly viewCount: number | null;
  readonly viewCountLast30Days: number | null;
  readonly uniqueUserCountLast30Days: number | null;
  readonly topUsersLast30Days: readonly EntityValue[];
};

/** Buckets count for the last 30 days; the newest measurement without one is the total, as metadata tests count. */
function viewSummary(measurements: readonly Measurement[], now: number): ViewSummary {
  const total = measurements.find((measurement) => bucketUnit(measurement) === undefined);
  const counted = measurements.filter((measurement) => bucketUnit(measurement) !== undefined);
  const recent = usageBuckets(counted.filter(({ timestampMillis }) => timestampMillis > now - usageWindowMs));
  const views = recent.reduce((sum, { body }) => sum + (integerIn(body, 'viewsCount') ?? 0), 0);
  return {
    viewCount: intIn(total?.body, 'viewsCount'),
    viewCountLast30Days: counted.length === 0 ? null : countAsInt(views),
    uniqueUserCountLast30Days: counted.length === 0 ? null : uniqueUsers(recent),
    topUsersLast30Days: topUsers(userCounts(recent, (entry) => integerIn(entry, 'viewsCount') ?? 0)),
  };
}

/** Volatile, because the last 30 days end now. */
function statsSummary(aspectName: string): ResolverRecord<EntityValue> {
  return {
    isVolatile: true,
    resolve: async ({ urn }, _args, context) => {
      const now = context.now();
      const measurements = await readSeries(context, urn, aspectName, { endTimeMillis: now });
      return measurements === undefined ? null : viewSummary(measurements, now);
    },
  };
}

export const dashboardUsageResolvers: Resolvers = {
  Dashboard: { statsSummary: statsSummary('dashboardUsageStatistics') },
  Chart: { statsSummary: statsSummary('chartUsageStatistics') },
};
