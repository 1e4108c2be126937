import type { AspectReader } from '../../aspect/aspect-store.ts';
import { objectsIn, textsIn } from '../../entity/stored-member.ts';
import type { Urn } from '../../urn/urn.ts';
import type { VerdictReader } from '../../verdict/verdict-store.ts';
import { resultEntities, resultPageMax } from '../history/result-entities.ts';
import { passRateOf } from '../history/test-counts.ts';
import type { LibraryTest } from '../test-library.ts';
import { endOfDay, type Target } from './score-keys.ts';

/** How far a test is from its target. Times in milliseconds since the Unix epoch. */
export type TargetProgress = Target & {
  /** Null while nothing passes or fails. */
  readonly currentPassRate: number | null;
  readonly isMet: boolean;
  /** The day is over, and the target is not met. */
  readonly isOverdue: boolean;
  /** When it will be met if it goes on as in the last 30 days; null when it is met, or would never be. */
  readonly projectedAt: number | null;
};

/** History that a projection looks at. */
const trendMs = 30 * 86_400_000;
/** Projections beyond this are no use to anybody. */
const horizonMs = 100 * 365 * 86_400_000;

export async function targetProgress(
  reader: Pick<VerdictReader, 'counts' | 'countsAt' | 'verdictChanges'>,
  test: Urn,
  target: Target,
  now: number,
): Promise<TargetProgress> {
  const currentPassRate = passRateOf(await reader.counts(test));
  const isMet = currentPassRate !== null && currentPassRate >= target.passRate;
  const [first] = await reader.verdictChanges({ test, newestFirst: false, count: 1 });
  const from = Math.max(first?.time ?? now, now - trendMs);
  const rateBefore = passRateOf(await reader.countsAt(test, from));
  return {
    ...target,
    currentPassRate,
    isMet,
    isOverdue: !isMet && now >= (endOfDay(target.by) ?? Infinity),
    projectedAt:
      isMet || currentPassRate === null || rateBefore === null
        ? null
        : projected(currentPassRate - rateBefore, now - from, target.passRate - currentPassRate, now),
  };
}

/** When what is missing is gained, at the pace of what was gained in a time. */
function projected(gained: number, inMs: number, missing: number, now: number): number | null {
  if (gained <= 0 || inMs <= 0) return null;
  const needed = (missing / gained) * inMs;
  return needed > horizonMs ? null : Math.ceil(now + needed);
}

export type Contributor = { readonly urn: string; readonly failing: number };

/** Who has most of what fails. */
export type Contributors = {
  readonly owners: readonly Contributor[];
  readonly domains: readonly Contributor[];
  /** Entities without an owner, and without a domain. */
  readonly withoutOwner: number;
  readonly withoutDomain: number;
  /** How many failing entities were looked at: the first 5,000. */
  readonly considered: number;
  readonly total: number;
};

const consideredMax = 5_000;
const shownMax = 5;

/** The owners and domains with most failing entities, at most five of each; an entity with two owners counts for both. */
export async function biggestContributors(
  aspects: Pick<AspectReader, 'readMany'>,
  reader: Parameters<typeof resultEntities>[0],
  test: LibraryTest,
  now: number,
): Promise<Contributors> {
  const owners = new Map<string, number>();
  const domains = new Map<string, number>();
  let [considered, total, withoutOwner, withoutDomain] = [0, 0, 0, 0];
  let cursor: string | undefined;
  do {
    const query = { verdict: 'FAIL' as const, cursor, count: resultPageMax };
    const page = await resultEntities(reader, test, query, now);
    total = page.total;
    considered += page.entities.length;
    const urns = page.entities.map(({ urn }) => urn);
    for (const found of (await aspects.readMany(urns, ['ownership', 'domains'])).values()) {
      const own = objectsIn(found.get('ownership')?.body, 'owners') ?? [];
      const names = own.flatMap(({ owner }) => (typeof owner === 'string' ? [owner] : []));
      const places = textsIn(found.get('domains')?.body, 'domains') ?? [];
      if (names.length === 0) withoutOwner += 1;
      if (places.length === 0) withoutDomain += 1;
      for (const name of new Set(names)) owners.set(name, (owners.get(name) ?? 0) + 1);
      for (const place of new Set(places)) domains.set(place, (domains.get(place) ?? 0) + 1);
    }
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined && considered < consideredMax);
  return {
    owners: largest(owners),
    domains: largest(domains),
    withoutOwner,
    withoutDomain,
    considered,
    total,
  };
}

function largest(counts: ReadonlyMap<string, number>): readonly Contributor[] {
  return [...counts]
    .map(([urn, failing]) => ({ urn, failing }))
    .toSorted((left, right) => right.failing - left.failing || (left.urn < right.urn ? -1 : 1))
    .slice(0, shownMax);
}
