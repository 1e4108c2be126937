import { PostilError } from '../errors/postil-error.ts';

const dayMs = 86_400_000;

/** DataHub's durations (contract section 7.19) in milliseconds. */
export const tokenDurations: Readonly<Record<string, number>> = {
  ONE_HOUR: 3_600_000,
  ONE_DAY: dayMs,
  ONE_WEEK: 7 * dayMs,
  ONE_MONTH: 30 * dayMs,
  THREE_MONTHS: 90 * dayMs,
  SIX_MONTHS: 180 * dayMs,
  ONE_YEAR: 365 * dayMs,
};

/** Throws BAD_REQUEST for NO_EXPIRY: over the network only tokens that end are given out (reliability section 6.3). */
export function durationMs(duration: string): number {
  const milliseconds = tokenDurations[duration];
  if (milliseconds !== undefined) return milliseconds;
  throw new PostilError(
    'BAD_REQUEST',
    `The duration ${duration} is not given out here. Choose one of ${Object.keys(tokenDurations).join(', ')}; a token ` +
      'without expiry is made on the command line: postil token create --no-expiry',
  );
}
