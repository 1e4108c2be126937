import type { ChangeBatch, EdgeRepair, WriteTransaction } from '../aspect/aspect-store.ts';
import type { EntityAspects } from '../aspect/aspect.ts';
import type { Projections } from '../command/projection.ts';
import { entityTypeOf } from '../entity/entity-registry.ts';
import { entriesVersion } from '../search-index/entries-version.ts';
import type { SearchableStore } from '../search-index/search-index.ts';
import { urnType, type Urn } from '../urn/urn.ts';
import { type Derived, type DerivedEdge, derivedOf, edgesWithout, isSamePlacement } from './derived-of.ts';

/** Entities whose derived rows are compared, and mended, in one transaction. */
const entitiesAtATime = 250;

/**
 * Makes edges, places in trees and fragments what today's projections make of the aspects, where they are anything else: a store of an earlier
 * version lacks what was not derived then. Adds nothing to the change log; may be interrupted and begun again. Entities with a damaged
 * aspect stay as they are. Of an embedded store, nobody else may read or write meanwhile. Returns how many entities were mended.
 */
export async function renewProjections(
  store: SearchableStore,
  projections: Projections,
  onProgress: (entities: number) => void,
): Promise<number> {
  let renewed = 0;
  // Entities are numbered from 1 without gaps.
  for (let first = 1; ; first += entitiesAtATime) {
    const numbers = Array.from({ length: entitiesAtATime }, (_, index) => first + index);
    const urns = [...(await store.search.urnsOf(numbers)).values()];
    if (urns.length === 0) return renewed;
    renewed += await store.transact((transaction) => renewSome(store, transaction, projections, urns));
    onProgress(first + urns.length - 1);
  }
}

/** The same, for a store whose entries are of an earlier version, before they are made anew; else nothing. */
export async function renewOldProjections(
  store: SearchableStore,
  projections: Projections,
  onProgress: (entities: number) => void,
): Promise<number> {
  const { version } = await store.search.progress();
  return version === entriesVersion ? 0 : renewProjections(store, projections, onProgress);
}

type Repairs = Pick<ChangeBatch, 'fragments' | 'placements'> & {
  readonly edgeRepairs: readonly EdgeRepair[];
};

async function renewSome(
  store: SearchableStore,
  transaction: WriteTransaction,
  projections: Projections,
  urns: readonly Urn[],
): Promise<number> {
  const aspects = await readAll(transaction, urns);
  const repairs: Repairs[] = [];
  for (const [urn, ofEntity] of aspects) {
    const type = entityTypeOf(urnType(urn));
    if (type === undefined) continue;
    const bodies = Object.fromEntries([...ofEntity].map(([name, { body }]) => [name, body]));
    const expected = derivedOf(projections, type, urn, bodies);
    const ofThis = repairsOf(urn, await store.projectionsOf(urn), expected);
    if (ofThis !== undefined) repairs.push(ofThis);
  }
  if (repairs.length === 0) return 0;
  await transaction.apply({
    command: 'renewProjections',
    stamp: { time: 0, actor: '' },
    changes: [],
    observations: [],
    searchEntries: [],
    fragments: repairs.flatMap(({ fragments }) => fragments),
    placements: repairs.flatMap(({ placements }) => placements),
    edgeRepairs: repairs.flatMap(({ edgeRepairs }) => edgeRepairs),
  });
  return repairs.length;
}

function repairsOf(urn: Urn, stored: Derived, expected: Derived): Repairs | undefined {
  const lacking = edgesWithout(expected.relationships, stored.relationships);
  const extra = edgesWithout(stored.relationships, expected.relationships);
  const names = new Set([...stored.fragments.keys(), ...expected.fragments.keys()]);
  const fragments = [...names]
    .filter((name) => stored.fragments.get(name) !== expected.fragments.get(name))
    .map((name) => ({ urn, name, text: expected.fragments.get(name) }));
  const isPlacedSo = isSamePlacement(stored.placement, expected.placement);
  if (lacking.length + extra.length + fragments.length === 0 && isPlacedSo) return undefined;
  return {
    fragments,
    placements: isPlacedSo ? [] : [{ urn, placement: expected.placement }],
    edgeRepairs: edgeRepairsOf(urn, extra, lacking),
  };
}

function edgeRepairsOf(
  urn: Urn,
  removed: readonly DerivedEdge[],
  added: readonly DerivedEdge[],
): readonly EdgeRepair[] {
  const aspects = new Set([...removed, ...added].map(({ aspect }) => aspect));
  const of = (aspect: string, edges: readonly DerivedEdge[]): readonly DerivedEdge[] =>
    edges.filter((edge) => edge.aspect === aspect);
  return [...aspects].map((aspect) => ({
    urn,
    aspect,
    addedRelationships: of(aspect, added),
    removedRelationships: of(aspect, removed),
  }));
}

/** All at once; each by itself, and without those that cannot be read, where one of them is damaged. */
async function readAll(
  transaction: WriteTransaction,
  urns: readonly Urn[],
): Promise<ReadonlyMap<Urn, EntityAspects>> {
  try {
    return await transaction.readMany(urns);
  } catch {
    const read = new Map<Urn, EntityAspects>();
    for (const urn of urns) {
      const aspects = await transaction.read(urn).catch(() => undefined);
      if (aspects !== undefined) read.set(urn, aspects);
    }
    return read;
  }
}
