import { PostilError } from '../errors/postil-error.ts';
import { columnAspects } from '../entity/column.ts';
import { compileCollect } from './compile-path.ts';
import { sourcesOf } from './derive-aspects.ts';
import { descriptionPairs } from './effective-description.ts';
import { type LoadedEntity, type LoadedFacts, runOn } from './facts.ts';
import { type ForEach, partsOf, type PathStep, type Predicate } from './predicate.ts';

/** Puts the URNs at the end of a path into `found`. */
export type Collector = (entity: LoadedEntity, facts: LoadedFacts, found: Set<string>) => void;

/** What evaluation reads of an entity, and of the entities behind its URNs: the read set of one or many tests. */
export type ReadSet = {
  readonly aspects: Set<string>;
  /** Every aspect, because the property is about all of them. */
  everything: boolean;
  /** Who names the entity as an upstream. */
  downstream: boolean;
  /** Which assertions are about the entity. */
  assertions: boolean;
  /** Those of `aspects` that are time series whose earlier measurements count. */
  readonly series: Set<string>;
  /** By the path that leads to the URNs. */
  readonly hops: Map<string, { readonly collect: Collector; readonly target: ReadSet }>;
  /** URNs whose ancestors are asked for. */
  readonly climbs: Map<string, Collector>;
};

export function emptyReadSet(): ReadSet {
  return {
    aspects: new Set(),
    everything: false,
    downstream: false,
    assertions: false,
    series: new Set(),
    hops: new Map(),
    climbs: new Map(),
  };
}

/** What predicates read. `status` is always read: it says whether an entity is soft-deleted. */
export function readSetOf(predicates: Iterable<Predicate>): ReadSet {
  const readSet = emptyReadSet();
  readSet.aspects.add('status');
  for (const predicate of predicates) addPredicate(readSet, predicate, { entity: [[]], element: [] });
  return readSet;
}

/** Where a predicate stands: every way from the entity under test to what its paths start from. */
type Standpoint = { readonly entity: readonly Steps[]; readonly element: readonly Steps[] };

type Steps = readonly PathStep[];

function addPredicate(readSet: ReadSet, predicate: Predicate, from: Standpoint): void {
  if (predicate.kind === 'Leaf') {
    const climbs = predicate.operator === 'within';
    for (const steps of waysAlong(predicate.path.steps, from)) addSteps(readSet, steps, climbs);
    return;
  }
  const inside = predicate.kind === 'ForEach' ? addCollection(readSet, predicate, from) : from;
  for (const part of partsOf(predicate)) addPredicate(readSet, part, inside);
}

function addCollection(readSet: ReadSet, { collection, elements }: ForEach, from: Standpoint): Standpoint {
  const ways = waysAlong(collection.steps, from);
  for (const steps of ways) addSteps(readSet, steps, false);
  if (elements === 'value') return { entity: from.entity, element: ways };
  const hop: PathStep = { kind: 'Hop', types: collection.urnTypes };
  const entity = ways.map((steps) => [...steps, hop]);
  // Even if nothing is asked of them: whether they exist is.
  for (const steps of entity) addSteps(readSet, [...steps, { kind: 'Aspect', name: 'status' }], false);
  return { entity, element: ways };
}

/** A path as ways from the entity under test; lineage over several edges is a way for each distance. */
function waysAlong(steps: Steps, from: Standpoint): readonly Steps[] {
  const [first, ...rest] = steps;
  if (first?.kind === 'Root') return waysAlong(rest, { entity: [[]], element: [] });
  if (first?.kind === 'Element') return from.element.map((way) => [...way, ...rest]);
  const starts = first?.kind === 'Lineage' ? lineageWays(first).map((way) => [...way, ...rest]) : [steps];
  return from.entity.flatMap((way) => starts.map((start) => [...way, ...start]));
}

function lineageWays({ direction, hops }: Extract<PathStep, { readonly kind: 'Lineage' }>): readonly Steps[] {
  const edge: Steps =
    direction === 'downstream'
      ? [{ kind: 'Lineage', direction, hops: 1 }]
      : [
          { kind: 'Aspect', name: 'upstreamLineage' },
          { kind: 'Field', name: 'upstreams' },
          { kind: 'Flatten' },
          { kind: 'Field', name: 'dataset' },
        ];
  const ways: Steps[] = [edge];
  for (let distance = 2; distance <= hops; distance += 1) {
    ways.push([...(ways.at(-1) ?? []), { kind: 'Hop', types: [] }, ...edge]);
  }
  return ways;
}

/** Whether measurements over time are read, of the entity or behind it: then time alone may change the verdict. */
export function readsSeries({ series, hops }: ReadSet): boolean {
  return series.size > 0 || [...hops.values()].some(({ target }) => readsSeries(target));
}

/** Adds what `other` reads to `readSet`. */
export function mergeReadSet(readSet: ReadSet, other: ReadSet): void {
  for (const aspect of other.aspects) readSet.aspects.add(aspect);
  readSet.everything ||= other.everything;
  readSet.downstream ||= other.downstream;
  readSet.assertions ||= other.assertions;
  for (const name of other.series) readSet.series.add(name);
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
  if (first?.kind === 'Aspect') {
    readSet.aspects.add(first.name);
    addSources(readSet, first.name);
  }
  if (first?.kind === 'Lineage') readSet.downstream = true;
  if (first?.kind !== 'Virtual') return;
  if (first.name.startsWith('__')) readSet.everything = true;
  if (first.name === 'columns' || first.name.startsWith('schemaFields')) {
    for (const aspect of columnAspects) readSet.aspects.add(aspect);
  }
  if (first.name === 'effective.description') {
    for (const { edited, ingested } of descriptionPairs.values()) {
      readSet.aspects.add(edited).add(ingested);
    }
  }
}

/** What a derived aspect is made from is read, and evaluates the test again when it changes. */
function addSources(readSet: ReadSet, aspect: string): void {
  const { series, assertions } = sourcesOf(aspect);
  for (const name of series) {
    readSet.aspects.add(name);
    readSet.series.add(name);
  }
  if (!assertions) return;
  readSet.assertions = true;
  const target = emptyReadSet();
  for (const name of ['status', 'assertionInfo', 'assertionRunEvent']) target.aspects.add(name);
  target.series.add('assertionRunEvent');
  const steps: Steps = [{ kind: 'Assertions' }];
  const hops = new Map([[JSON.stringify(steps), { collect: collectAssertions, target }]]);
  mergeReadSet(readSet, { ...emptyReadSet(), hops });
}

const collectAssertions: Collector = ({ assertions }, _facts, found) => {
  if (assertions !== undefined && assertions !== 'TOO_MANY') for (const urn of assertions) found.add(urn);
};

/** Where a path leads may be asked with other facts than are evaluated, so that there is room. */
const collectBudget = 200_000_000;

function collectorOf(steps: readonly PathStep[]): Collector {
  const valuesOf = compileCollect(steps);
  return (entity, facts, found) => {
    try {
      for (const value of valuesOf(entity, runOn(entity, facts, 0, collectBudget))) {
        if (typeof value === 'string') found.add(value);
      }
    } catch (error) {
      // An evaluation that gets here takes too many steps as well.
      if (!(error instanceof PostilError)) throw error;
    }
  };
}
