import type { PathStep } from '../predicate.ts';
import type { ReadSet } from '../read-set.ts';
import { type FarEdge, farEdgeOf } from './far-edges.ts';

/** `undefined` for a hop for which no relationship is stored. */
export type FarChain = readonly (FarEdge | undefined)[];

/** What several tests read of entities at the end of one chain of hops. */
export type FarReads<Test> = {
  /** From the entity under test outwards; empty: of the entity itself. */
  readonly chain: FarChain;
  /** Who reads an aspect there. */
  readonly byAspect: Map<string, Set<Test>>;
  /** Who reads all aspects there. */
  readonly everything: Set<Test>;
  /** Who asks what names it as an upstream. */
  readonly downstream: Set<Test>;
  /** Who asks which assertions are about it. */
  readonly assertions: Set<Test>;
  /** Whoever goes there: whether it exists matters to all of them. */
  readonly all: Set<Test>;
  /** Who climbs hierarchies from what is named there, by the chain that leads to what is named. */
  readonly climbs: Map<string, { readonly chain: FarChain; readonly tests: Set<Test> }>;
};

/** Adds what a test reads beyond the entity itself. */
export function addFarReads<Test>(into: Map<string, FarReads<Test>>, test: Test, readSet: ReadSet): void {
  walk(into, test, readSet, []);
}

function walk<Test>(
  into: Map<string, FarReads<Test>>,
  test: Test,
  { aspects, everything, downstream, assertions, climbs, hops }: ReadSet,
  chain: FarChain,
): void {
  const isFar = chain.length > 0;
  if (isFar || downstream || assertions || climbs.size > 0) {
    const reads = readsAt(into, chain);
    reads.all.add(test);
    if (isFar) {
      for (const aspect of aspects) testsAt(reads.byAspect, aspect).add(test);
      if (everything) reads.everything.add(test);
    }
    if (downstream) reads.downstream.add(test);
    if (assertions) reads.assertions.add(test);
    for (const path of climbs.keys()) {
      const toNamed = [...chain, edgeOf(path)];
      const key = signatureOf(toNamed);
      const climb = reads.climbs.get(key) ?? { chain: toNamed, tests: new Set<Test>() };
      reads.climbs.set(key, climb);
      climb.tests.add(test);
    }
  }
  for (const [path, { target }] of hops) walk(into, test, target, [...chain, edgeOf(path)]);
}

/** Paths are the keys of read sets: steps, or the name of the aspect for siblings, which no path of a test leads to. */
function edgeOf(path: string): FarEdge | undefined {
  if (path === 'siblings') return { direction: 'INCOMING', kinds: ['SiblingOf'] };
  return farEdgeOf(JSON.parse(path) as readonly PathStep[]);
}

function readsAt<Test>(into: Map<string, FarReads<Test>>, chain: FarChain): FarReads<Test> {
  const key = signatureOf(chain);
  let reads = into.get(key);
  if (reads === undefined) {
    reads = {
      chain,
      byAspect: new Map(),
      everything: new Set(),
      downstream: new Set(),
      assertions: new Set(),
      all: new Set(),
      climbs: new Map(),
    };
    into.set(key, reads);
  }
  return reads;
}

function testsAt<Test>(byAspect: Map<string, Set<Test>>, aspect: string): Set<Test> {
  const tests = byAspect.get(aspect) ?? new Set<Test>();
  byAspect.set(aspect, tests);
  return tests;
}

function signatureOf(chain: FarChain): string {
  return JSON.stringify(chain.map((edge) => edge ?? null));
}
