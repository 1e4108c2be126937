import type { EntityAspects } from '../aspect/aspect.ts';
import { isUrn, type Urn, urnType } from '../urn/urn.ts';
import type { FactSource, LoadedEntity, LoadedFacts } from './facts.ts';
import { maxAncestors, parentAspect, parentOf } from './hierarchy.ts';
import { lineageEdge, maxDownstream } from './lineage.ts';
import { loadAssertions, loadSeries } from './load-series.ts';
import type { ReadSet } from './read-set.ts';

/** Entities that one path may lead to, at each of its hops; a test that goes on beyond cannot be decided. */
const maxTargets = 10_000;

/** Entities that are read alike: at one distance from where reading began. */
type Frontier = readonly { readonly readSet: ReadSet; readonly urns: ReadonlySet<string> }[];

/**
 * Loads all that the read set asks for about one entity: one call for the entity itself and one for each level of hops
 * and of ancestors, however many tests ask.
 */
export async function loadFacts(source: FactSource, urn: Urn, readSet: ReadSet): Promise<LoadedFacts> {
  return (await loadTogether(source, [urn], readSet)).facts;
}

/**
 * The same for several entities, in as many calls as for one. `undefined` when a limit of what one evaluation may read
 * was reached: which of the entities may still be decided has to be asked of each alone.
 */
export async function loadFactsOfMany(
  source: FactSource,
  urns: readonly Urn[],
  readSet: ReadSet,
): Promise<LoadedFacts | undefined> {
  const { facts, isCut } = await loadTogether(source, urns, readSet);
  return isCut ? undefined : facts;
}

/**
 * Loads what the read set asks for behind entities that are there already, for all of them with the same calls. Their
 * names need not be URNs.
 */
export async function loadFactsBehind(
  source: FactSource,
  entities: readonly LoadedEntity[],
  readSet: ReadSet,
): Promise<LoadedFacts> {
  const facts = new Map(entities.map((entity) => [entity.urn, entity]));
  const loading: Loading = { facts, targetsMax: maxTargets * entities.length, isCut: false };
  await loadBehind(source, [{ readSet, urns: new Set(facts.keys()) }], loading);
  return facts;
}

type Loading = {
  readonly facts: Map<string, LoadedEntity>;
  readonly targetsMax: number;
  /** Not everything was loaded. */
  isCut: boolean;
};

async function loadTogether(source: FactSource, urns: readonly Urn[], readSet: ReadSet): Promise<Loading> {
  const loading: Loading = { facts: new Map(), targetsMax: maxTargets, isCut: false };
  const frontier: Frontier = [{ readSet, urns: new Set(urns) }];
  await loadFrontier(source, frontier, loading, false);
  await loadBehind(source, frontier, loading);
  return loading;
}

/** Goes on from a frontier that is loaded, hop by hop, and then up the hierarchies. */
async function loadBehind(source: FactSource, start: Frontier, loading: Loading): Promise<void> {
  const { facts } = loading;
  const climbed = new Set<string>();
  let frontier = start;
  while (frontier.length > 0) {
    for (const { readSet: asked, urns } of frontier) {
      for (const entity of entitiesOf(urns, facts)) {
        for (const collect of asked.climbs.values()) collect(entity, facts, climbed);
      }
    }
    frontier = nextFrontier(frontier, loading);
    if (frontier.length > 0) await loadFrontier(source, frontier, loading, true);
  }
  await loadAncestors(source, climbed, facts);
}

async function loadFrontier(
  source: FactSource,
  frontier: Frontier,
  loading: Loading,
  isHop: boolean,
): Promise<void> {
  const urns = new Set<string>();
  const names = new Set<string>();
  for (const { readSet, urns: some } of frontier) {
    for (const urn of some) urns.add(urn);
    for (const name of readSet.aspects) names.add(name);
  }
  const everything = frontier.some(({ readSet }) => readSet.everything);
  await load(source, urns, everything ? undefined : names, loading.facts, isHop);
  for (const { readSet, urns: some } of frontier) {
    if (readSet.downstream) await loadDownstream(source, some, loading);
    const { facts } = loading;
    if (readSet.assertions) await loadAssertions(source, [...entitiesOf(some, facts)], facts);
    if (readSet.series.size > 0)
      await loadSeries(source, [...entitiesOf(some, facts)], readSet.series, facts);
  }
}

/** Who names these entities as upstreams: the edges in the other direction, which no aspect holds. */
async function loadDownstream(
  source: FactSource,
  urns: ReadonlySet<string>,
  loading: Loading,
): Promise<void> {
  const { facts } = loading;
  let count = 0;
  for (const entity of entitiesOf(urns, facts)) {
    if (entity.downstream !== undefined || !entity.exists || !isUrn(entity.urn)) continue;
    count += 1;
    if (count > maxDownstream) {
      loading.isCut = true;
      return;
    }
    const { items, total } = await source.relationships({
      urn: entity.urn,
      direction: 'INCOMING',
      kinds: [lineageEdge],
      start: 0,
      count: maxDownstream,
      distinct: true,
    });
    const downstream = total > maxDownstream ? 'TOO_MANY' : items.map(({ urn }) => urn);
    facts.set(entity.urn, { ...entity, downstream });
  }
}

function nextFrontier(frontier: Frontier, loading: Loading): Frontier {
  const { facts, targetsMax } = loading;
  return frontier.flatMap(({ readSet, urns }) =>
    [...readSet.hops.values()].flatMap(({ collect, target }) => {
      const found = new Set<string>();
      for (const entity of entitiesOf(urns, facts)) {
        if (found.size <= targetsMax) collect(entity, facts, found);
      }
      if (found.size > targetsMax) loading.isCut = true;
      const targets = found.size > targetsMax ? new Set([...found].slice(0, targetsMax)) : found;
      return targets.size === 0 ? [] : [{ readSet: target, urns: targets }];
    }),
  );
}

/** Climbs all chains at once, a level per call, until no chain goes on. */
async function loadAncestors(
  source: FactSource,
  start: ReadonlySet<string>,
  facts: Map<string, LoadedEntity>,
): Promise<void> {
  const seen = new Set<string>();
  let level = [...start];
  for (let climbed = 0; climbed < maxAncestors && level.length > 0; climbed += 1) {
    const names = new Set(['status']);
    const hierarchical = level.filter((text) => {
      seen.add(text);
      const aspect = isUrn(text) ? parentAspect(urnType(text)) : undefined;
      if (aspect !== undefined) names.add(aspect);
      return aspect !== undefined;
    });
    await load(source, new Set(hierarchical), names, facts, false);
    const parents = hierarchical.map((text) => {
      const entity = facts.get(text);
      return entity === undefined ? undefined : parentOf(entity);
    });
    level = [...new Set(parents.filter((parent) => parent !== undefined))].filter(
      (parent) => !seen.has(parent),
    );
  }
}

async function load(
  source: FactSource,
  texts: ReadonlySet<string>,
  names: ReadonlySet<string> | undefined,
  facts: Map<string, LoadedEntity>,
  checkExistence: boolean,
): Promise<void> {
  const urns = [...texts].filter(isUrn);
  if (urns.length === 0) return;
  const [aspects, existing] = await Promise.all([
    source.readMany(urns, names === undefined ? undefined : [...names]),
    checkExistence ? source.existing(urns) : undefined,
  ]);
  for (const urn of urns) {
    const before = facts.get(urn);
    const found = merged(before?.aspects, aspects.get(urn) ?? new Map());
    facts.set(urn, {
      ...before,
      urn,
      type: urnType(urn),
      aspects: found,
      exists: existing?.has(urn) ?? before?.exists ?? true,
      removed: found.get('status')?.body['removed'] === true,
    });
  }
}

/** An entity may be read at several levels, for different aspects each time. */
function merged(before: EntityAspects | undefined, now: EntityAspects): EntityAspects {
  return before === undefined || before.size === 0 ? now : new Map([...before, ...now]);
}

function* entitiesOf(urns: ReadonlySet<string>, facts: LoadedFacts): Generator<LoadedEntity> {
  for (const urn of urns) {
    const entity = facts.get(urn);
    if (entity !== undefined) yield entity;
  }
}
