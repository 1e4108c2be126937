import type { AspectReader } from '../../aspect/aspect-store.ts';
import { type Urn, urnType } from '../../urn/urn.ts';
import { maxAncestors, parentAspect } from '../hierarchy.ts';
import { type FarEdge, parentEdge } from './far-edges.ts';
import type { FarChain } from './far-reads.ts';
import type { Pace } from './pace.ts';

/** Beyond so many entities it is less work to evaluate the whole test (metadata-tests specification 3.7, 4). */
export const referrersMax = 5_000;

type EdgeReader = Pick<AspectReader, 'relationships'>;

/**
 * The entities from which the chain leads to one of `starts`. `undefined` when there are more than `referrersMax` on the way,
 * or when the chain has a hop that no relationship tells of.
 */
export async function referrersAlong(
  reader: EdgeReader,
  starts: ReadonlySet<Urn>,
  chain: FarChain,
  pace: Pace,
): Promise<ReadonlySet<Urn> | undefined> {
  let level = starts;
  for (const edge of chain.toReversed()) {
    if (edge === undefined) return undefined;
    const next = new Set<Urn>();
    for (const urn of level) {
      const near = await neighbours(reader, urn, edge);
      if (near === undefined) return undefined;
      for (const each of near) next.add(each);
      if (next.size > referrersMax) return undefined;
      await pace();
    }
    level = next;
  }
  return level;
}

/** The entity and everything below it in its hierarchy. `undefined` beyond `referrersMax`. */
export async function withDescendants(
  reader: EdgeReader,
  urn: Urn,
  pace: Pace,
): Promise<ReadonlySet<Urn> | undefined> {
  const found = new Set([urn]);
  let level: readonly Urn[] = [urn];
  for (let depth = 0; depth <= maxAncestors && level.length > 0; depth += 1) {
    const next: Urn[] = [];
    for (const parent of level) {
      const below = await neighbours(reader, parent, { direction: 'INCOMING', kinds: [parentEdge] });
      if (below === undefined) return undefined;
      for (const each of below) {
        // Datasets are parts of containers as well, but nothing is below them.
        if (parentAspect(urnType(each)) === undefined || found.has(each)) continue;
        found.add(each);
        next.push(each);
      }
      if (found.size > referrersMax) return undefined;
      await pace();
    }
    level = next;
  }
  return found;
}

async function neighbours(
  reader: EdgeReader,
  urn: Urn,
  { direction, kinds }: FarEdge,
): Promise<readonly Urn[] | undefined> {
  const { items, total } = await reader.relationships({
    urn,
    direction,
    kinds,
    start: 0,
    count: referrersMax,
    distinct: true,
  });
  return total > referrersMax ? undefined : items.map((item) => item.urn);
}
