import { Aspect, type EntityAspects } from '../aspect/aspect.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../aspect/json.ts';
import { listIn, objectsIn, textsIn } from '../entity/stored-member.ts';
import { simpleFieldPath } from '../urn/field-path.ts';
import { isEmptyValue } from './emptiness.ts';
import { type LoadedEntity, type LoadedFacts, type Run, spend } from './facts.ts';
import type { PathStep, TestDefinition } from './predicate.ts';
import { mergesSiblings } from './read-keys.ts';
import { type Collector, emptyReadSet, mergeReadSet, type ReadSet } from './read-set.ts';

/** Siblings of siblings belong to the group too, so that the ones around a primary see each other. */
const groupDistance = 2;

/** What merging one element of a list costs, and one aspect. */
const elementSteps = 400;
const aspectSteps = 1_000;

/** More entities than these are no group of siblings; a test that merges them cannot be decided. */
const maxGroup = 100;

/** Lists that are united, by what makes two elements the same one. Of all other fields the first sibling's counts. */
const united: { readonly [aspect: string]: { readonly [list: string]: (element: JsonObject) => unknown } } = {
  globalTags: { tags: ({ tag }) => tag },
  glossaryTerms: { terms: ({ urn }) => urn },
  ownership: { owners: ({ owner, type, typeUrn }) => JSON.stringify([owner, typeUrn ?? type]) },
  structuredProperties: { properties: ({ propertyUrn }) => propertyUrn },
  institutionalMemory: { elements: ({ url }) => url },
  upstreamLineage: { upstreams: ({ dataset }) => dataset },
  schemaMetadata: { fields: columnName },
  editableSchemaMetadata: { editableSchemaFieldInfo: columnName },
};

/** Lists of plain texts that are united. */
const unitedTexts: { readonly [aspect: string]: string | undefined } = { domains: 'domains' };

function columnName({ fieldPath }: JsonObject): unknown {
  if (typeof fieldPath !== 'string') return undefined;
  const simple = simpleFieldPath(fieldPath);
  return simple === '' ? fieldPath : simple;
}

/** What a test reads of an entity and of its siblings: the hop through the aspect `siblings` leads to the same again. */
export function withSiblings(readSet: ReadSet, distance = groupDistance): ReadSet {
  const all = emptyReadSet();
  mergeReadSet(all, readSet);
  // Also of the last ones: which of them is the primary one decides what the others' fields count for.
  all.aspects.add('siblings');
  if (distance === 0) return all;
  all.hops.set(siblingsPath, { collect: collectSiblings, target: withSiblings(readSet, distance - 1) });
  return all;
}

/** As in every read set: the steps to the URNs. */
const siblingsPath = JSON.stringify([
  { kind: 'Aspect', name: 'siblings' },
  { kind: 'Field', name: 'siblings' },
  { kind: 'Flatten' },
] satisfies readonly PathStep[]);

const collectSiblings: Collector = (entity, _facts, found) => {
  for (const urn of siblingUrns(entity)) found.add(urn);
};

function siblingUrns(entity: LoadedEntity): readonly string[] {
  return textsIn(entity.aspects.get('siblings')?.body, 'siblings') ?? [];
}

/**
 * What a test judges (S18): the entity itself, or, when the test merges siblings, one view of it and them, the same for each
 * of them. Throws LIMIT_EXCEEDED when that takes more than an evaluation may take.
 */
export function subjectOf(
  definition: TestDefinition,
  entity: LoadedEntity,
  facts: LoadedFacts,
  run: Pick<Run, 'budget'>,
): LoadedEntity {
  if (!mergesSiblings(definition) || entity.removed) return entity;
  const group = groupOf(entity, facts);
  const [first] = group;
  if (first === undefined || group.length === 1) return entity;
  spend(run, group.length > maxGroup ? Infinity : stepsOf(group));
  let views = viewsByFacts.get(facts);
  if (views === undefined) {
    views = new Map();
    viewsByFacts.set(facts, views);
  }
  const key = group.map(({ urn }) => urn).join(' ');
  let view = views.get(key);
  if (view === undefined) {
    view = viewOf(first, group);
    views.set(key, view);
  }
  return view;
}

/** Many tests look at one view. */
const viewsByFacts = new WeakMap<LoadedFacts, Map<string, LoadedEntity>>();

/** The entity and its siblings as far as they count: the primary one first, then by URN. */
function groupOf(entity: LoadedEntity, facts: LoadedFacts): readonly LoadedEntity[] {
  const group = new Map([[entity.urn, entity]]);
  let level: readonly LoadedEntity[] = [entity];
  for (let distance = 1; distance <= groupDistance; distance += 1) {
    const next: LoadedEntity[] = [];
    for (const urn of level.flatMap(siblingUrns)) {
      const sibling = facts.get(urn);
      if (sibling === undefined || group.has(urn) || !sibling.exists || sibling.removed) continue;
      if (sibling.type !== entity.type) continue;
      group.set(urn, sibling);
      next.push(sibling);
      if (group.size > maxGroup) return [...group.values()];
    }
    level = next;
  }
  const rank = (member: LoadedEntity): number =>
    member.aspects.get('siblings')?.body['primary'] === true ? 0 : 1;
  return [...group.values()].toSorted(
    (left, right) => rank(left) - rank(right) || (left.urn < right.urn ? -1 : 1),
  );
}

function stepsOf(group: readonly LoadedEntity[]): number {
  let steps = 0;
  for (const { aspects } of group) {
    for (const [name, aspect] of aspects) {
      steps += aspectSteps;
      for (const list of Object.keys(united[name] ?? {}))
        steps += listIn(aspect.body, list).length * elementSteps;
    }
  }
  return steps;
}

function viewOf(first: LoadedEntity, group: readonly LoadedEntity[]): LoadedEntity {
  const members = new Set(group.map(({ urn }) => urn));
  const names = new Set(group.flatMap(({ aspects }) => [...aspects.keys()]));
  const aspects = new Map<string, Aspect>();
  for (const name of names) {
    const found = group.map((member) => member.aspects.get(name)).filter((aspect) => aspect !== undefined);
    const aspect = mergedAspect(name, found, members);
    if (aspect !== undefined) aspects.set(name, aspect);
  }
  return {
    urn: first.urn,
    type: first.type,
    aspects: aspects satisfies EntityAspects,
    exists: true,
    removed: false,
    ...mergedDownstream(group, members),
    ...mergedAssertions(group),
    ...(group.some(({ series }) => series !== undefined) ? { series: mergedSeries(group) } : {}),
    siblings: group,
  };
}

function mergedAspect(
  name: string,
  found: readonly Aspect[],
  members: ReadonlySet<string>,
): Aspect | undefined {
  const [first, ...others] = found;
  if (first === undefined) return undefined;
  let body = first.body;
  for (const other of others) body = mergedBody(name, body, other.body);
  if (name === 'upstreamLineage') {
    const upstreams = objectsIn(body, 'upstreams').filter(
      ({ dataset }) => typeof dataset !== 'string' || !members.has(dataset),
    );
    body = { ...body, upstreams };
  }
  return body === first.body
    ? first
    : new Aspect(name, first.version, JSON.stringify(body), first.stamp, first.systemText, body);
}

/** Where the first is empty, the second counts; some lists are united. */
function mergedBody(aspect: string, first: JsonObject, second: JsonObject): JsonObject {
  const merged = filledIn(first, second);
  for (const [list, identity] of Object.entries(united[aspect] ?? {})) {
    if (first[list] === undefined && second[list] === undefined) continue;
    merged[list] = unitedList(listIn(first, list), listIn(second, list), identity);
  }
  const texts = unitedTexts[aspect];
  if (texts !== undefined) merged[texts] = [...new Set([...listIn(first, texts), ...listIn(second, texts)])];
  return merged;
}

function filledIn(first: JsonObject, second: JsonObject): Record<string, JsonValue | undefined> {
  const merged: Record<string, JsonValue | undefined> = { ...first };
  for (const [field, value] of Object.entries(second)) {
    const own = Object.hasOwn(first, field) ? first[field] : undefined;
    if (own === undefined || isEmptyValue(own)) merged[field] = value;
  }
  return merged;
}

function unitedList(
  first: readonly JsonValue[],
  second: readonly JsonValue[],
  identity: (element: JsonObject) => unknown,
): readonly JsonValue[] {
  const elements = new Map<unknown, JsonValue>();
  for (const element of [...first, ...second]) {
    const key = (isJsonObject(element) ? identity(element) : undefined) ?? element;
    const before = elements.get(key);
    const isBoth = before !== undefined && isJsonObject(before) && isJsonObject(element);
    elements.set(key, isBoth ? mergedElement(before, element) : (before ?? element));
  }
  return [...elements.values()];
}

/** One column or association that two siblings have: a column's tags and terms are united in turn. */
function mergedElement(first: JsonObject, second: JsonObject): JsonObject {
  const merged = filledIn(first, second);
  for (const aspect of ['globalTags', 'glossaryTerms']) {
    const [own, other] = [first[aspect], second[aspect]];
    if (isJsonObject(own) && isJsonObject(other)) merged[aspect] = mergedBody(aspect, own, other);
  }
  return merged;
}

/** Siblings are used and profiled each by itself: what is counted is that of the first which has measurements. */
function mergedSeries(group: readonly LoadedEntity[]): LoadedEntity['series'] & object {
  const merged = new Map<string, readonly JsonObject[]>();
  for (const { series } of group) {
    for (const [name, measurements] of series ?? []) if (!merged.has(name)) merged.set(name, measurements);
  }
  return merged;
}

function mergedAssertions(group: readonly LoadedEntity[]): Pick<LoadedEntity, 'assertions'> {
  const found = new Set<string>();
  for (const { assertions } of group) {
    if (assertions === undefined) return {};
    if (assertions === 'TOO_MANY') return { assertions };
    for (const urn of assertions) found.add(urn);
  }
  return { assertions: [...found] };
}

function mergedDownstream(
  group: readonly LoadedEntity[],
  members: ReadonlySet<string>,
): Pick<LoadedEntity, 'downstream'> {
  const found = new Set<string>();
  for (const { downstream } of group) {
    if (downstream === undefined) return {};
    if (downstream === 'TOO_MANY') return { downstream };
    for (const urn of downstream) if (!members.has(urn)) found.add(urn);
  }
  return { downstream: [...found] };
}
