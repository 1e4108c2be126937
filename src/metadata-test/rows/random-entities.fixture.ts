import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../aspect/json.ts';
import {
  tags,
  terms,
  domains,
  containers,
  owners,
  ownershipTypes,
  legacyTypes,
  platforms,
  instances,
  properties,
  upstreams,
  stamp,
} from './referred-world.fixture.ts';

const texts = [
  '',
  '  ',
  'a',
  'abc',
  ' abc\n',
  'snow\u{1F600}',
  'x'.repeat(19),
  'x'.repeat(20),
  `${'y'.repeat(19)}\n `,
];
const text = fc.constantFrom(...texts);
export const pick = (from: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...from);
const lists = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { maxLength: 3 });

/** A record with required members, and sometimes with further ones or one that is null. */
function recordOf(
  required: Readonly<Record<string, fc.Arbitrary<JsonValue>>>,
  optional: Readonly<Record<string, fc.Arbitrary<JsonValue>>> = {},
): fc.Arbitrary<JsonObject> {
  return fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required) });
}

const stamps = fc.constant(stamp());
const context = { context: text, unheardOf: fc.constantFrom<JsonValue>(1, null, '', ['x']) };
/** Says something that no test asks a row for. */
const more = { unheardOf: fc.constantFrom<JsonValue>(1, '', null) };
const globalTags = recordOf({ tags: lists(recordOf({ tag: pick(tags) }, context)) }, more);
const glossaryTerms = recordOf({
  terms: lists(recordOf({ urn: pick(terms) }, context)),
  auditStamp: stamps,
});

const column = recordOf(
  { nativeDataType: pick(['VARCHAR', 'INT', '', 'number(10)']) },
  { description: text, globalTags, glossaryTerms, ...more },
);
const editedColumn = recordOf({}, { description: text, globalTags, glossaryTerms, ...more });
const columnPaths = ['id', 'email', 'address.city', '[version=2.0].[type=string].email', ' '];
/** Exact and simple paths of columns, several for one of them, and paths that no column has. */
const editPaths = [
  ...columnPaths.slice(1),
  '[version=2.0].[type=int].email',
  '[version=2.0].[type=string].address.[type=string].city',
  '[version=2.0]. ',
  '[version=2.0]',
  'elsewhere',
];

function columnsAt(paths: readonly string[], each: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject[]> {
  return fc
    .tuple(fc.subarray([...paths]), fc.array(each, { minLength: paths.length, maxLength: paths.length }))
    .map(([chosen, columns]) => chosen.map((fieldPath, index) => ({ fieldPath, ...columns[index] })));
}

const schemaMetadata = columnsAt(columnPaths, column).map((fields) => ({
  schemaName: 'schema',
  platform: 'urn:li:dataPlatform:kafka',
  version: 0,
  hash: '',
  platformSchema: { 'com.linkedin.schema.Schemaless': {} },
  fields: fields.map((field) => ({ type: { type: { 'com.linkedin.schema.StringType': {} } }, ...field })),
}));
const description = recordOf({}, { description: text });
/** Aspects without a known shape may hold anything. */
const anyDescription = recordOf(
  {},
  { description: fc.oneof(text, fc.constantFrom<JsonValue>(5, ['abc', 'x'], [], { a: 1 }, null)) },
);

const aspects: Readonly<Record<string, fc.Arbitrary<JsonObject>>> = {
  status: recordOf({}, { removed: fc.boolean() }),
  globalTags,
  glossaryTerms,
  ownership: recordOf({
    owners: lists(
      recordOf(
        { owner: pick(owners), type: pick(legacyTypes) },
        { typeUrn: pick(ownershipTypes), source: fc.constant({ type: 'MANUAL' }) },
      ),
    ),
    lastModified: stamps,
  }),
  domains: recordOf({ domains: lists(pick(domains)) }),
  subTypes: recordOf({ typeNames: lists(pick(['Table', 'View', '', ' ', 'table', 'urn:li:tag:a%20b'])) }),
  container: recordOf({ container: pick(containers) }),
  dataPlatformInstance: recordOf({ platform: pick(platforms) }, { instance: pick(instances) }),
  deprecation: recordOf(
    { deprecated: fc.boolean(), actor: pick(owners) },
    { note: text, decommissionTime: fc.constant(5) },
  ),
  structuredProperties: recordOf({
    properties: lists(
      recordOf({
        propertyUrn: pick(properties),
        values: lists(
          fc.oneof(
            pick(['CC-1204', '30', '', 'high', 'urn:li:tag:a%20b', 'urn:li:tag:PII']).map((string) => ({
              string,
            })),
            fc.constantFrom(0, 30, 30.5, 4_000).map((double) => ({ double })),
          ),
        ),
      }),
    ),
  }),
  schemaMetadata,
  editableSchemaMetadata: columnsAt(editPaths, editedColumn).map((editableSchemaFieldInfo) => ({
    editableSchemaFieldInfo,
  })),
  upstreamLineage: recordOf({
    upstreams: lists(
      recordOf({ dataset: pick(upstreams), type: fc.constant('TRANSFORMED'), auditStamp: stamps }),
    ),
  }),
  datasetProperties: description,
  editableDatasetProperties: description,
  containerProperties: description.map((body) => ({ name: 'container', ...body })),
  editableContainerProperties: description,
  editableDashboardProperties: anyDescription,
  editableDataJobProperties: anyDescription,
  mlModelProperties: anyDescription,
  editableMlModelProperties: anyDescription,
};

const dataset = 'urn:li:dataset:(urn:li:dataPlatform:kafka,NAME,PROD)';

const byType: Readonly<Record<string, { readonly urn: string; readonly aspects: readonly string[] }>> = {
  dataset: {
    urn: dataset,
    aspects: [
      'datasetProperties',
      'editableDatasetProperties',
      'schemaMetadata',
      'editableSchemaMetadata',
      'upstreamLineage',
    ],
  },
  container: {
    urn: 'urn:li:container:NAME',
    aspects: ['containerProperties', 'editableContainerProperties'],
  },
  dashboard: { urn: 'urn:li:dashboard:(looker,NAME)', aspects: ['editableDashboardProperties'] },
  dataJob: {
    urn: 'urn:li:dataJob:(urn:li:dataFlow:(airflow,flow,PROD),NAME)',
    aspects: ['editableDataJobProperties'],
  },
  mlModel: {
    urn: 'urn:li:mlModel:(urn:li:dataPlatform:science,NAME,PROD)',
    aspects: ['mlModelProperties', 'editableMlModelProperties'],
  },
  tag: { urn: 'urn:li:tag:NAME', aspects: [] },
  glossaryTerm: { urn: 'urn:li:glossaryTerm:NAME', aspects: ['schemaMetadata'] },
};

const widespread = [
  'status',
  'globalTags',
  'glossaryTerms',
  'ownership',
  'domains',
  'subTypes',
  'container',
  'dataPlatformInstance',
  'deprecation',
  'structuredProperties',
];
/** What the registry does not let these types have. */
const foreign: Readonly<Record<string, readonly string[]>> = {
  tag: [
    'globalTags',
    'glossaryTerms',
    'domains',
    'subTypes',
    'container',
    'dataPlatformInstance',
    'structuredProperties',
  ],
  glossaryTerm: ['globalTags', 'glossaryTerms', 'container', 'dataPlatformInstance'],
};

/** A few datasets with columns, edits and nothing else. */
export function randomSchemas(maxLength: number): fc.Arbitrary<Readonly<Record<string, JsonObject>>> {
  return entitiesOf(dataset, ['schemaMetadata', 'editableSchemaMetadata'], maxLength);
}

/** Types that entities are made of; datasets most often. */
export const randomType: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constant('dataset') },
  { weight: 3, arbitrary: pick(Object.keys(byType)) },
);

/** A few entities of one type, as bodies by URN. */
export function randomEntities(
  type: string,
  maxLength: number,
): fc.Arbitrary<Readonly<Record<string, JsonObject>>> {
  const kind = byType[type] ?? { urn: `urn:li:${type}:NAME`, aspects: [] };
  const names = [...widespread.filter((name) => foreign[type]?.includes(name) !== true), ...kind.aspects];
  return entitiesOf(kind.urn, names, maxLength);
}

function entitiesOf(
  urn: string,
  names: readonly string[],
  maxLength: number,
): fc.Arbitrary<Readonly<Record<string, JsonObject>>> {
  const one = fc.record(Object.fromEntries(names.map((name) => [name, aspects[name] ?? fc.constant({})])), {
    requiredKeys: [],
  });
  return fc
    .array(one, { minLength: 1, maxLength })
    .map((bodies) =>
      Object.fromEntries(bodies.map((body, index) => [urn.replace('NAME', `random${index}`), body])),
    );
}
