import type { JsonObject } from '../aspect/json.ts';
import { referredEntityIn } from './graphql-types.ts';
import type { EntityValue } from './graphql-types.ts';
import type { Measurement } from './series.ts';
import { countAsInt, intIn, listIn, objectIn, objectsIn, textIn } from './stored-member.ts';

/** The window of everything that is counted over the last 30 days, in milliseconds. */
export const usageWindowMs = 30 * 24 * 60 * 60 * 1000;

/** Users that a summary names at most. */
const topUsersMax = 10;

/** The GraphQL type `UserUsageCounts`. */
export type UserCount = {
  readonly user: EntityValue | null;
  readonly count: number;
  readonly userEmail: string | null;
};

/** The unit of the bucket that a measurement is of; `undefined` for a total. */
export function bucketUnit({ body }: Measurement): string | undefined {
  return textIn(objectIn(body, 'eventGranularity'), 'unit') ?? undefined;
}

/**
 * The buckets to count by. The same may be counted by day and by hour: days count, else hours, else whatever there is, as
 * metadata tests count.
 */
export function usageBuckets(measurements: readonly Measurement[]): readonly Measurement[] {
  for (const unit of ['DAY', 'HOUR']) {
    const ofUnit = measurements.filter((measurement) => (bucketUnit(measurement) ?? 'DAY') === unit);
    if (ofUnit.length > 0) return ofUnit;
  }
  return measurements;
}

/** How often each user is counted in all buckets together, who is counted most first. */
export function userCounts(
  buckets: readonly Measurement[],
  countIn: (entry: JsonObject) => number,
): readonly UserCount[] {
  const counts = new Map<string, UserCount>();
  for (const entry of buckets.flatMap(({ body }) => objectsIn(body, 'userCounts'))) {
    const userEmail = textIn(entry, 'userEmail');
    const name = textIn(entry, 'user') ?? userEmail;
    if (name === null) continue;
    const before = counts.get(name);
    counts.set(name, {
      user: referredEntityIn(entry, 'user', 'corpuser') ?? null,
      count: countAsInt((before?.count ?? 0) + countIn(entry)),
      userEmail: userEmail ?? before?.userEmail ?? null,
    });
  }
  return [...counts.values()].toSorted((left, right) => right.count - left.count);
}

/** The users who are counted most, who can be read as users. */
export function topUsers(counts: readonly UserCount[]): readonly EntityValue[] {
  return counts.flatMap(({ user }) => user ?? []).slice(0, topUsersMax);
}

/** Distinct users where they are named; else the largest number that one bucket tells, `null` when none tells one. */
export function uniqueUsers(buckets: readonly Measurement[]): number | null {
  const isNamed = buckets.some(({ body }) => listIn(body, 'userCounts').length > 0);
  if (isNamed) return userCounts(buckets, () => 1).length;
  const told = buckets.flatMap(({ body }) => intIn(body, 'uniqueUserCount') ?? []);
  return told.length === 0 ? null : Math.max(...told);
}
