import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../aspect/json.ts';
import { requireEntityType } from '../../entity/entity-registry.ts';
import { parseUrn, type Urn, urnType } from '../../urn/urn.ts';
import { readTestDefinition } from '../test-definition.ts';

/* A small world in which tests, and everything that they can see from near and far, change at random. */

const urns = (type: string, names: string): readonly Urn[] =>
  names.split('').map((name) => parseUrn(`urn:li:${type}:${name}`));
const datasets = ['a', 'b', 'c'].map((name) =>
  parseUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`),
);
const dashboards = ['x'].map((name) => parseUrn(`urn:li:dashboard:(looker,${name})`));
const terms = urns('glossaryTerm', 'tu');
const nodes = urns('glossaryNode', 'mno');
const domains = urns('domain', 'pqr');
const containers = urns('container', 'gh');
export const users = urns('corpuser', 'ij');
const tags = urns('tag', 'kl');
export const tests = urns('test', '12345678');
export const day = 24 * 3_600_000;

export const world: readonly Urn[] = [
  ...datasets,
  ...dashboards,
  ...terms,
  ...nodes,
  ...domains,
  ...containers,
  ...users,
];

const stamp = { time: 0, actor: 'urn:li:corpuser:x' };
const some = <T>(values: readonly T[], most = 2): fc.Arbitrary<T[]> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant<T[]>([]) },
    { weight: 6, arbitrary: fc.subarray([...values], { minLength: 1, maxLength: most }) },
  );
const text = fc.constantFrom('', ' ', 'a', 'long enough');
const globalTags = some(tags).map((all): JsonObject => ({ tags: all.map((tag) => ({ tag })) }));
const glossaryTerms = some(terms).map((all): JsonObject => ({
  terms: all.map((urn) => ({ urn })),
  auditStamp: stamp,
}));
const column = fc
  .record({
    fieldPath: fc.constantFrom('f', 'g', '[version=2.0].[type=int].h'),
    description: text,
    globalTags,
    glossaryTerms,
  })
  .map((each): JsonObject => ({ ...each }));
const columns = fc.uniqueArray(column, { selector: ({ fieldPath }) => fieldPath, maxLength: 3 });
const removed = fc.boolean().map((value): JsonObject => ({ removed: value }));
const times = fc.integer({ min: -5, max: 1 }).map((days) => 1_700_000_000_000 + days * day);

const facets: Record<string, fc.Arbitrary<JsonObject>> = {
  globalTags,
  glossaryTerms,
  domains: some(domains, 1).map((all) => ({ domains: all })),
  ownership: some(users).map((all) => ({
    owners: all.map((owner) => ({ owner, type: 'DATAOWNER' })),
    lastModified: stamp,
  })),
  container: fc.constantFrom(...containers).map((container) => ({ container })),
  status: removed,
  deprecation: fc.tuple(fc.boolean(), times).map(([deprecated, decommissionTime]) => ({
    deprecated,
    decommissionTime,
    note: '',
    actor: users[0] ?? '',
  })),
};

/** What may be written of each type of entity. */
const bodies: Record<string, Record<string, fc.Arbitrary<JsonObject>>> = {
  dataset: {
    ...facets,
    datasetProperties: fc
      .tuple(text, times)
      .map(([description, time]) => ({ description, lastModified: { time, actor: users[0] ?? '' } })),
    editableDatasetProperties: text.map((description) => ({
      description,
      created: stamp,
      lastModified: stamp,
    })),
    upstreamLineage: some(datasets).map((all) => ({
      upstreams: all.map((dataset) => ({ dataset, type: 'TRANSFORMED', auditStamp: stamp })),
    })),
    schemaMetadata: columns.map((fields) => ({
      schemaName: 's',
      platform: 'urn:li:dataPlatform:hive',
      version: 0,
      hash: '',
      platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
      fields: fields.map((field) => ({
        ...field,
        type: { type: { 'com.linkedin.schema.StringType': {} } },
        nativeDataType: 'text',
      })),
    })),
    editableSchemaMetadata: columns.map((editableSchemaFieldInfo) => ({ editableSchemaFieldInfo })),
    siblings: some(datasets).map((siblings) => ({ siblings, primary: true })),
  },
  dashboard: facets,
  glossaryTerm: {
    glossaryTermInfo: parented('parentNode', nodes, { definition: '', termSource: 'INTERNAL' }),
    ownership: facets['ownership'] ?? globalTags,
    status: removed,
  },
  glossaryNode: { glossaryNodeInfo: parented('parentNode', nodes, { definition: '' }), status: removed },
  domain: { domainProperties: parented('parentDomain', domains, { name: 'd' }), status: removed },
  container: {
    containerProperties: text.map((description) => ({ name: 'c', description })),
    container: fc.constantFrom(...containers).map((container) => ({ container })),
    glossaryTerms,
  },
  corpuser: { corpUserInfo: fc.boolean().map((active) => ({ active })), status: removed },
};

function parented(field: string, parents: readonly Urn[], rest: JsonObject): fc.Arbitrary<JsonObject> {
  return fc
    .option(fc.constantFrom(...parents), { freq: 4, nil: undefined })
    .map((parent) => ({ ...rest, ...(parent === undefined ? {} : { [field]: parent }) }));
}

const leaf = (property: string, operator: string, ...values: readonly string[]): JsonObject => ({
  property,
  operator,
  ...(values.length > 0 ? { values } : {}),
});
export const one = (values: readonly Urn[], index = 0): string => values[index] ?? '';

/** One of each way of reading. */
const leaves: readonly JsonValue[] = [
  leaf('globalTags.tags.tag', 'equals', one(tags)),
  leaf('globalTags.tags.tag', 'contains_any', one(tags), one(tags, 1)),
  leaf('domains.domains', 'equals', one(domains)),
  leaf('domains.domains', 'within', one(domains, 1)),
  leaf('container.container', 'equals', one(containers)),
  leaf('container.container', 'within', one(containers, 1)),
  leaf('container.container.containerProperties.description', 'exists'),
  leaf('container.container.glossaryTerms.terms.urn.glossaryTermInfo.parentNode', 'equals', one(nodes)),
  leaf('glossaryTerms.terms.urn', 'within', one(nodes, 1)),
  leaf('glossaryTerms.terms.urn.glossaryTermInfo.parentNode', 'equals', one(nodes)),
  leaf('glossaryTerms.terms.urn.ownership.owners.owner.corpUserInfo.active', 'is_true'),
  leaf('ownership.owners.owner', 'exists'),
  leaf('ownership.owners.owner', 'count_at_least', '2'),
  leaf('status.removed', 'is_true'),
  leaf('deprecation.deprecated', 'is_false'),
  leaf('deprecation.decommissionTime', 'older_than', 'P2D'),
  leaf('datasetProperties.lastModified.time', 'newer_than', 'P3D'),
  leaf('__lastSynchronized', 'newer_than', 'P1D'),
  leaf('effective.description', 'min_length', '3'),
  leaf('schemaFields', 'schema_fields_have_descriptions'),
  leaf('schemaFields.length', 'greater_than', '1'),
  leaf('upstreamLineage.upstreams', 'exists'),
  leaf('upstreamLineage.upstreams.dataset.globalTags.tags.tag', 'equals', one(tags)),
  leaf('deprecation.actor.corpUserInfo.active', 'is_true'),
  {
    forEach: 'ownership.owners.owner',
    satisfies: leaf('corpUserInfo.active', 'is_true'),
    onEmpty: 'pass',
  },
  {
    forEach: 'lineage.downstream',
    satisfies: leaf('ownership.owners.owner', 'exists'),
    quantifier: 'any',
  },
  { forEach: 'lineage.downstream', hops: 2, satisfies: leaf('globalTags', 'exists'), quantifier: 'any' },
  { forEach: 'lineage.upstream', hops: 2, satisfies: leaf('globalTags', 'exists'), quantifier: 'any' },
  {
    forEach: 'columns',
    where: leaf('tags', 'contains_any', one(tags)),
    satisfies: leaf('terms', 'within', one(nodes, 2)),
    onEmpty: 'pass',
  },
];

/** Those that see other entities; they are tried most. */
const farLeaves = leaves.filter((each) =>
  /within|urn\.|container\.container\.|owner\.corp|lineage|dataset\.|forEach.*owner/.test(
    JSON.stringify(each),
  ),
);

const predicate = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...leaves) },
  { weight: 5, arbitrary: fc.constantFrom(...farLeaves) },
  { weight: 1, arbitrary: fc.constantFrom(...leaves).map((each): JsonValue => ({ not: [each] })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...leaves), fc.constantFrom(...leaves))
      .map((both): JsonValue => ({ or: both })),
  },
);

const definition = fc
  .record({
    types: fc.constantFrom(
      ['dataset'],
      ['dataset'],
      ['dataset', 'dashboard'],
      ['glossaryTerm'],
      ['container'],
    ),
    conditions: fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(predicate, { minLength: 1, maxLength: 2 }) },
    ),
    rules: fc.oneof(
      { weight: 4, arbitrary: fc.array(predicate, { minLength: 1, maxLength: 1 }) },
      { weight: 1, arbitrary: fc.array(predicate, { minLength: 2, maxLength: 2 }) },
    ),
    siblings: fc.constantFrom(...Array.from({ length: 7 }, () => undefined), 'merge'),
  })
  .map(({ types, conditions, rules, siblings }): JsonValue => ({
    on: { types, conditions },
    rules,
    ...(siblings === undefined ? {} : { siblings }),
  }))
  // What is foreign to all of the types cannot be saved.
  .filter((each) => readTestDefinition(JSON.stringify(each)).valid);

export type Write = { readonly urn: Urn; readonly aspect: string; readonly body: JsonObject | undefined };

/** One thing that happens. */
export type Happening =
  /** The world as it is before the first test, and the tests; at once, which is quicker than one after another. */
  | { readonly kind: 'begin'; readonly writes: readonly Write[]; readonly definitions: readonly JsonValue[] }
  | (Write & { readonly kind: 'write' })
  | { readonly kind: 'delete'; readonly urn: Urn }
  | { readonly kind: 'save'; readonly test: Urn; readonly definition: JsonValue; readonly mode: string }
  | { readonly kind: 'deleteTest'; readonly test: Urn }
  | { readonly kind: 'exempt'; readonly test: Urn; readonly entity: Urn; readonly days: number }
  | { readonly kind: 'pass'; readonly hours: number }
  | { readonly kind: 'settle' }
  | { readonly kind: 'restart' };

function bodiesOf(urn: Urn): [string, fc.Arbitrary<JsonObject>][] {
  const { name, aspects } = requireEntityType(urnType(urn));
  return Object.entries(bodies[name] ?? {}).filter(([aspect]) => aspects.has(aspect));
}

/** What leads from one entity to another is written more often, or hardly anything would be seen from afar. */
const linking: ReadonlySet<string> = new Set([
  'glossaryTerms',
  'domains',
  'container',
  'ownership',
  'upstreamLineage',
  'siblings',
  'glossaryTermInfo',
  'glossaryNodeInfo',
  'domainProperties',
  'corpUserInfo',
]);

const write = fc.oneof(
  ...world.flatMap((urn) =>
    bodiesOf(urn).map(([aspect, body]) => ({
      weight: linking.has(aspect) ? 5 : 1,
      arbitrary: fc
        .option(body, { freq: 8, nil: undefined })
        .map((given) => ({ kind: 'write' as const, urn, aspect, body: given })),
    })),
  ),
);

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 140, arbitrary: write },
  { weight: 10, arbitrary: fc.constantFrom(...world).map((urn): Happening => ({ kind: 'delete', urn })) },
  {
    weight: 30,
    arbitrary: fc
      .tuple(fc.constantFrom(...tests), definition, fc.constantFrom('ACTIVE', 'ACTIVE', 'ACTIVE', 'INACTIVE'))
      .map(([test, json, mode]): Happening => ({ kind: 'save', test, definition: json, mode })),
  },
  {
    weight: 5,
    arbitrary: fc.constantFrom(...tests).map((test): Happening => ({ kind: 'deleteTest', test })),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom(...tests), fc.constantFrom(...datasets), fc.integer({ min: -1, max: 3 }))
      .map(([test, entity, days]): Happening => ({ kind: 'exempt', test, entity, days })),
  },
  {
    weight: 10,
    arbitrary: fc.integer({ min: 1, max: 60 }).map((hours): Happening => ({ kind: 'pass', hours })),
  },
  { weight: 20, arbitrary: fc.constant<Happening>({ kind: 'settle' }) },
  { weight: 2, arbitrary: fc.constant<Happening>({ kind: 'restart' }) },
);

/**
 * Sequences of what happens to a world with tests whose verdicts are settled. Without settling in between, everything would be
 * decided by evaluating everything, which is what it is compared with.
 */
export const happenings: fc.Arbitrary<readonly Happening[]> = fc
  .tuple(
    fc.array(write, { minLength: 15, maxLength: 40, size: 'max' }),
    fc.array(definition, { minLength: tests.length, maxLength: tests.length }),
    fc.array(fc.tuple(happening, fc.boolean()), { minLength: 8, maxLength: 25, size: 'max' }),
  )
  .map(([before, definitions, after]) => [
    { kind: 'begin', writes: before, definitions },
    { kind: 'settle' },
    ...after.flatMap(([event, settles]): Happening[] => (settles ? [event, { kind: 'settle' }] : [event])),
  ]);
