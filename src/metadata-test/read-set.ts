import { columnAspects } from '../entity/column.ts';
import { compileWalk } from './compile-path.ts';
import type { LoadedEntity, LoadedFacts } from './facts.ts';
import type { Leaf, PathStep } from './predicate.ts';

/** Puts the URNs at the end of a path into `found`. */
export type Collector = (entity: LoadedEntity, facts: LoadedFacts, found: Set<string>) => void;

/** What evaluation reads of an entity, and of the entities behind its URNs: the read set of one or many tests. */
export type ReadSet = {
  readonly aspects: Set<string>;
  /** Every aspect, because the property is about all of them. */
  everything: boolean;
  /** By the path that leads to the URNs. */
  readonly hops: Map<string, { readonly collect: Collector; readonly target: ReadSet }>;
  /** URNs whose ancestors are asked for. */
  readonly climbs: Map<string, Collector>;
};

export function emptyReadSet(): ReadSet {
  return { aspects: new Set(), everything: false, hops: new Map(), climbs: new Map() };
}

/** What the leaves read. `status` is always read: it says whether an entity is soft-deleted. */
export function readSetOf(leaves: Iterable<Leaf>): ReadSet {
  const readSet = emptyReadSet();
  readSet.aspects.add('status');
  for (const leaf of leaves) addSteps(readSet, leaf.path.steps, leaf.operator === 'within');
  return readSet;
}

/** Adds what `other` reads to `readSet`. */
export function mergeReadSet(readSet: ReadSet, other: ReadSet): void {
  for (const aspect of other.aspects) readSet.aspects.add(aspect);
  readSet.everything ||= other.everything;
  for (const [path, collect] of other.climbs) readSet.climbs.set(path, collect);
  for (const [path, { collect, target }] of other.hops) {
    let hop = readSet.hops.get(path);
    if (hop === undefined) {
      hop = { collect, target: emptyReadSet() };
      readSet.hops.set(path, hop);
    }
    mergeReadSet(hop.target, target);
  }
}

function addSteps(readSet: ReadSet, steps: readonly PathStep[], climbs: boolean): void {
  const hopAt = steps.findIndex((step) => step.kind === 'Hop');
  const own = hopAt === -1 ? steps : steps.slice(0, hopAt);
  addOwn(readSet, own);
  const path = JSON.stringify(own);
  if (hopAt === -1) {
    if (climbs) readSet.climbs.set(path, collectorOf(own));
    return;
  }
  let hop = readSet.hops.get(path);
  if (hop === undefined) {
    hop = { collect: collectorOf(own), target: emptyReadSet() };
    hop.target.aspects.add('status');
    readSet.hops.set(path, hop);
  }
  addSteps(hop.target, steps.slice(hopAt + 1), climbs);
}

function addOwn(readSet: ReadSet, steps: readonly PathStep[]): void {
  const [first] = steps;
  if (first?.kind === 'Aspect') readSet.aspects.add(first.name);
  if (first?.kind !== 'Virtual') return;
  if (first.name.startsWith('__')) readSet.everything = true;
  if (first.name.startsWith('schemaFields')) for (const aspect of columnAspects) readSet.aspects.add(aspect);
}

function collectorOf(steps: readonly PathStep[]): Collector {
  const walk = compileWalk(
    steps,
    (value, run) => {
      if (typeof value === 'string') run.found?.add(value);
      return false;
    },
    false,
  );
  return (entity, facts, found) => {
    walk(entity, { facts, notes: new Set(), budget: 0, found });
  };
}
