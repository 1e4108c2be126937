import type { EntityAspects } from '../aspect/aspect.ts';
import { isUrn, type Urn, urnType } from '../urn/urn.ts';
import type { FactSource, LoadedEntity, LoadedFacts } from './facts.ts';
import { maxAncestors, parentAspect, parentOf } from './hierarchy.ts';
import { lineageEdge, maxDownstream } from './lineage.ts';
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
  const facts = new Map<string, LoadedEntity>();
  const climbed = new Set<string>();
  let frontier: Frontier = [{ readSet, urns: new Set([urn]) }];
  for (let level = 0; frontier.length > 0; level += 1) {
    await loadFrontier(source, frontier, facts, level > 0);
    for (const { readSet: asked, urns } of frontier) {
      for (const entity of entitiesOf(urns, facts)) {
        for (const collect of asked.climbs.values()) collect(entity, facts, climbed);
      }
    }
    frontier = nextFrontier(frontier, facts);
  }
  await loadAncestors(source, climbed, facts);
  return facts;
}

async function loadFrontier(
  source: FactSource,
  frontier: Frontier,
  facts: Map<string, LoadedEntity>,
  isHop: boolean,
): Promise<void> {
  const urns = new Set<string>();
  const names = new Set<string>();
  for (const { readSet, urns: some } of frontier) {
    for (const urn of some) urns.add(urn);
    for (const name of readSet.aspects) names.add(name);
  }
  const everything = frontier.some(({ readSet }) => readSet.everything);
  await load(source, urns, everything ? undefined : names, facts, isHop);
  for (const { readSet, urns: some } of frontier) {
    if (readSet.downstream) await loadDownstream(source, some, facts);
  }
}

/** Who names these entities as upstreams: the edges in the other direction, which no aspect holds. */
async function loadDownstream(
  source: FactSource,
  urns: ReadonlySet<string>,
  facts: Map<string, LoadedEntity>,
): Promise<void> {
  let count = 0;
  for (const entity of entitiesOf(urns, facts)) {
    if (entity.downstream !== undefined || !entity.exists || !isUrn(entity.urn)) continue;
    count += 1;
    if (count > maxDownstream) return;
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

function nextFrontier(frontier: Frontier, facts: LoadedFacts): Frontier {
  return frontier.flatMap(({ readSet, urns }) =>
    [...readSet.hops.values()].flatMap(({ collect, target }) => {
      const found = new Set<string>();
      for (const entity of entitiesOf(urns, facts)) {
        if (found.size <= maxTargets) collect(entity, facts, found);
      }
      const targets = found.size > maxTargets ? new Set([...found].slice(0, maxTargets)) : found;
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
      ...(before?.downstream === undefined ? {} : { downstream: before.downstream }),
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
