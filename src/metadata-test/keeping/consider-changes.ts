import type { AspectReader, Change } from '../../aspect/aspect-store.ts';
import { entityTypeOf } from '../../entity/entity-registry.ts';
import { edgesOf } from '../../relationship/edges.ts';
import { type Urn, urnType } from '../../urn/urn.ts';
import { parentAspect } from '../hierarchy.ts';
import { lineageEdge } from '../lineage.ts';
import { assertionEdge } from '../load-series.ts';
import type { FarChain, FarReads } from './far-reads.ts';
import { referrersAlong, referrersMax, withDescendants } from './find-referrers.ts';
import type { Pace } from './pace.ts';
import type { AnchoredTests, IndexedTest, TestIndex } from './test-index.ts';

/** All changes of one entity in one batch. */
export type ChangedEntity = {
  readonly urn: Urn;
  readonly type: string;
  readonly aspects: ReadonlySet<string>;
  /** It came into being or went, or both. */
  readonly isExistence: boolean;
  /** The versions between which the aspects changed. */
  readonly versions: ReadonlyMap<string, ReadonlySet<number>>;
};

/** What changes may alter: pairs of an entity and a test, and tests of which everything has to be evaluated again. */
export type Concern = {
  readonly pairs: ReadonlyMap<Urn, ReadonlySet<IndexedTest>>;
  readonly whole: ReadonlySet<IndexedTest>;
};

type Reader = Pick<AspectReader, 'readMany' | 'readVersion' | 'relationships'>;

/** One entry for each entity, in the order of the first change of each. */
export function changedEntities(changes: readonly Change[]): ReadonlyMap<Urn, ChangedEntity> {
  type Growing = Omit<ChangedEntity, 'aspects' | 'versions'> & {
    readonly aspects: Set<string>;
    readonly versions: Map<string, Set<number>>;
  };
  const entities = new Map<Urn, Growing>();
  for (const { urn, aspect, versionBefore, versionAfter } of changes) {
    const type = urnType(urn);
    const isExistence = entityTypeOf(type)?.keyAspect === aspect;
    const before = entities.get(urn);
    const entity: Growing = {
      urn,
      type,
      aspects: before?.aspects ?? new Set(),
      isExistence: isExistence || before?.isExistence === true,
      versions: before?.versions ?? new Map<string, Set<number>>(),
    };
    entities.set(urn, entity);
    entity.aspects.add(aspect);
    const versions = entity.versions.get(aspect) ?? new Set<number>();
    entity.versions.set(aspect, versions);
    versions.add(versionBefore).add(versionAfter);
  }
  return entities;
}

/**
 * Finds what the changes may alter, by what tests read. What a change left behind is found through the versions it replaced; what is
 * stored now may be newer than the changes, and then there will be changes that say so.
 */
export async function concernOf(
  reader: Reader,
  index: TestIndex,
  entities: Iterable<ChangedEntity>,
  pace: Pace,
): Promise<Concern> {
  const pairs = new Map<Urn, Set<IndexedTest>>();
  const whole = new Set<IndexedTest>();
  const farCounts = new Map<IndexedTest, number>();
  const add = (urn: Urn, test: IndexedTest): void => {
    const tests = pairs.get(urn) ?? new Set();
    pairs.set(urn, tests);
    tests.add(test);
  };
  const addFar = (tests: readonly IndexedTest[], referrers: ReadonlySet<Urn> | undefined): void => {
    for (const test of tests) {
      const count = (farCounts.get(test) ?? 0) + (referrers?.size ?? Infinity);
      farCounts.set(test, count);
      if (count > referrersMax) whole.add(test);
      else for (const urn of referrers ?? []) if (isFor(test, urn)) add(urn, test);
    }
  };
  for (const entity of entities) {
    for await (const test of nearTests(reader, index, entity)) add(entity.urn, test);
    for await (const effect of farEffects(reader, index, entity, pace)) {
      const open = [...effect.tests].filter((test) => !whole.has(test));
      if (open.length > 0) addFar(open, await startsOf(reader, effect, pace));
    }
    await pace();
  }
  return { pairs, whole };
}

/** Who sees the effect; `undefined`: too many. */
async function startsOf(
  reader: Reader,
  { chain, starts }: FarEffect,
  pace: Pace,
): Promise<ReadonlySet<Urn> | undefined> {
  return starts === undefined ? undefined : referrersAlong(reader, starts, chain, pace);
}

function isFor({ compiled }: IndexedTest, urn: Urn): boolean {
  return compiled.definition.types.includes(urnType(urn));
}

async function* nearTests(
  reader: Reader,
  index: TestIndex,
  entity: ChangedEntity,
): AsyncGenerator<IndexedTest> {
  if (!index.types.has(entity.type)) return;
  const { free, anchored } = index.near(entity.type, entity.isExistence ? 'all' : entity.aspects);
  yield* free;
  for (const tests of anchored) yield* await anchoredTests(reader, entity, tests);
}

/** Those whose anchor the entity has, or had before the changes. */
async function anchoredTests(
  reader: Reader,
  { urn, versions }: ChangedEntity,
  { property, byValue }: AnchoredTests,
): Promise<ReadonlySet<IndexedTest>> {
  const now = (await reader.readMany([urn], [property.aspect])).get(urn);
  const values = new Set(now === undefined ? [] : property.valuesIn(urn, now));
  for (const version of versions.get(property.aspect) ?? []) {
    const aspect = version === 0 ? undefined : await reader.readVersion(urn, property.aspect, version);
    if (aspect === undefined) continue;
    for (const value of property.valuesIn(urn, new Map([[property.aspect, aspect]]))) values.add(value);
  }
  return new Set([...values].flatMap((value) => byValue.get(value) ?? []));
}

type FarEffect = {
  readonly tests: ReadonlySet<IndexedTest>;
  readonly chain: FarChain;
  /** Where the chain ends; `undefined`: in too many entities. */
  readonly starts: ReadonlySet<Urn> | undefined;
};

/** Which tests see the change from afar, and along which chains. */
async function* farEffects(
  reader: Reader,
  index: TestIndex,
  entity: ChangedEntity,
  pace: Pace,
): AsyncGenerator<FarEffect> {
  const { urn } = entity;
  let upstreams: ReadonlySet<Urn> | undefined;
  let below: ReadonlySet<Urn> | 'TOO_MANY' | undefined;
  const climbs = isOfHierarchy(entity);
  for (const reads of index.far) {
    const { chain } = reads;
    if (chain.length > 0) {
      const tests = readersOf(reads, entity);
      if (tests.size > 0) yield { tests, chain, starts: new Set([urn]) };
    }
    if (reads.downstream.size > 0 && entity.aspects.has('upstreamLineage')) {
      upstreams ??= await namedIn(reader, entity, 'upstreamLineage', lineageEdge);
      yield { tests: reads.downstream, chain, starts: upstreams };
    }
    if (reads.assertions.size > 0 && entity.aspects.has('assertionInfo')) {
      const asserted = await namedIn(reader, entity, 'assertionInfo', assertionEdge);
      yield { tests: reads.assertions, chain, starts: asserted };
    }
    if (!climbs || reads.climbs.size === 0) continue;
    below ??= (await withDescendants(reader, urn, pace)) ?? 'TOO_MANY';
    for (const climb of reads.climbs.values()) {
      yield { ...climb, starts: below === 'TOO_MANY' ? undefined : below };
    }
  }
}

function readersOf(
  { byAspect, everything, all }: FarReads<IndexedTest>,
  { aspects, isExistence }: ChangedEntity,
): ReadonlySet<IndexedTest> {
  if (isExistence) return all;
  const tests = new Set(everything);
  for (const aspect of aspects) for (const test of byAspect.get(aspect) ?? []) tests.add(test);
  return tests;
}

/** Whether chains of ancestors that lead through the entity may lead elsewhere now. */
function isOfHierarchy({ type, aspects, isExistence }: ChangedEntity): boolean {
  const parent = parentAspect(type);
  return parent !== undefined && (isExistence || aspects.has('status') || aspects.has(parent));
}

/** Everything that the aspect leads to, now or in a version that the changes replaced. */
async function namedIn(
  reader: Reader,
  { urn, versions }: ChangedEntity,
  name: string,
  kind: string,
): Promise<ReadonlySet<Urn>> {
  const current = (await reader.readMany([urn], [name])).get(urn)?.get(name);
  const aspects = [current];
  for (const version of versions.get(name) ?? []) {
    if (version > 0) aspects.push(await reader.readVersion(urn, name, version));
  }
  const edges = aspects.flatMap((aspect) => (aspect === undefined ? [] : edgesOf(name, aspect.body)));
  return new Set(edges.filter((edge) => edge.kind === kind).map(({ destination }) => destination));
}
