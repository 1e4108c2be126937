import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { entityTypes, keyBodyOf } from './entity-registry.ts';
import { parseUrn } from '../urn/urn.ts';
import { shapeOf } from './shapes/aspect-shapes.ts';
import { validateAspect } from './validate-aspect.ts';

const stamp = { time: 0, actor: 'urn:li:corpuser:unknown' };
const hive = 'urn:li:dataPlatform:hive';
const dataset = `urn:li:dataset:(${hive},shop.orders,PROD)`;
const column = `urn:li:schemaField:(${dataset},customer_id)`;

const field = {
  fieldPath: 'customer_id',
  nullable: true,
  type: { type: { 'com.linkedin.schema.StringType': {} } },
  nativeDataType: 'string',
  recursive: false,
  globalTags: { tags: [{ tag: 'urn:li:tag:pii' }] },
  glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:Shop.Customer' }], auditStamp: stamp },
};
const schema = {
  schemaName: 'shop.orders',
  platform: hive,
  version: 0,
  hash: '',
  platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
  fields: [field],
  foreignKeys: [{ name: 'fk', foreignFields: [column], sourceFields: [column], foreignDataset: dataset }],
};

const valid: { readonly [aspect: string]: JsonObject } = {
  schemaMetadata: schema,
  datasetProperties: { description: 'One row per order', created: { time: 1 } },
  editableDatasetProperties: { description: 'x' },
  editableSchemaMetadata: { editableSchemaFieldInfo: [{ fieldPath: 'customer_id', description: 'a\nb' }] },
  glossaryTerms: { terms: [], auditStamp: stamp },
  glossaryTermInfo: { definition: '', termSource: '' },
  glossaryNodeInfo: { definition: '', parentNode: 'urn:li:glossaryNode:x' },
  institutionalMemory: { elements: [{ url: 'https://x.example', description: 'd', createStamp: stamp }] },
  ownership: {
    owners: [{ owner: 'urn:li:corpGroup:g', type: 'DATAOWNER', source: { type: 'MANUAL' } }],
    ownerTypes: { 'urn:li:ownershipType:x': ['urn:li:corpuser:a'] },
  },
  status: {},
  deprecation: { deprecated: true, actor: 'urn:li:corpuser:a' },
  testInfo: { name: 'n', category: 'c', definition: { type: 'JSON', json: '{}' } },
  testResults: { failing: [], passing: [{ test: 'urn:li:test:t', type: 'SUCCESS' }] },
  upstreamLineage: { upstreams: [{ dataset, type: 'COPY' }] },
  structuredProperties: {
    properties: [{ propertyUrn: 'urn:li:structuredProperty:p', values: [{ double: 90 }, { string: 'x' }] }],
  },
  dataJobInfo: { name: 'j', type: { string: 'COMMAND' } },
  chartInfo: { title: 't', description: '', lastModified: {}, inputs: [{ string: dataset }] },
  operation: { timestampMillis: 1, operationType: 'INSERT', lastUpdatedTimestamp: 2 },
};

test('what DataHub writes is valid, with defaults left out, unknown members and nulls', () => {
  for (const [aspect, body] of Object.entries(valid)) {
    assert.deepEqual(validateAspect(aspect, body), [], aspect);
    assert.deepEqual(
      validateAspect(aspect, { ...body, somethingNew: { a: [1] }, another: null }),
      [],
      aspect,
    );
  }
});

test('what is wrong is told with a pointer to it', () => {
  const wrong: readonly (readonly [aspect: string, body: JsonValue, pointer: string, message: RegExp])[] = [
    ['status', 'x', '', /must be an object, not "x"/],
    ['status', [], '', /must be an object, not a list/],
    ['status', { removed: 'no' }, '/removed', /must be true or false, not "no"/],
    ['glossaryTermInfo', { termSource: '' }, '/definition', /is required/],
    ['glossaryTermInfo', { termSource: '', definition: null }, '/definition', /is required/],
    ['glossaryTermInfo', { termSource: 1, definition: '' }, '/termSource', /must be a string, not 1/],
    ['glossaryTerms', { terms: [] }, '/auditStamp', /is required/],
    ['glossaryTerms', { terms: {}, auditStamp: stamp }, '/terms', /must be a list, not an object/],
    ['glossaryTerms', { terms: [null], auditStamp: stamp }, '/terms/0', /must not be null/],
    ['glossaryTerms', { terms: [{ urn: 'x' }], auditStamp: stamp }, '/terms/0/urn', /must be a urn, not "x"/],
    [
      'glossaryTerms',
      { terms: [{ urn: 'urn:li:tag:x' }], auditStamp: stamp },
      '/terms/0/urn',
      /must be a glossaryTerm urn, not "urn:li:tag:x"/,
    ],
    [
      'upstreamLineage',
      { upstreams: [{ dataset: column, type: 'COPY' }] },
      '/upstreams/0/dataset',
      /a dataset urn/,
    ],
    [
      'upstreamLineage',
      { upstreams: [{ dataset, type: 'CLONE' }] },
      '/upstreams/0/type',
      /one of COPY, TRANSF/,
    ],
    [
      'ownership',
      { owners: [{ owner: hive, type: 'NONE' }] },
      '/owners/0/owner',
      /corpuser or corpGroup urn/,
    ],
    [
      'datasetProperties',
      { customProperties: { 'a/b~': 1 } },
      '/customProperties/a~1b~0',
      /must be a string/,
    ],
    ['datasetProfile', { timestampMillis: 1.5 }, '/timestampMillis', /must be an integer, not 1.5/],
    [
      'schemaMetadata',
      { ...schema, fields: [{ ...field, fieldPath: '' }] },
      '/fields/0/fieldPath',
      /be empty/,
    ],
    ['schemaMetadata', { ...schema, fields: [field, field] }, '/fields/1/fieldPath', /repeats "customer_id"/],
    [
      'schemaMetadata',
      { ...schema, fields: [{ ...field, type: { type: { 'com.linkedin.schema.OddType': {} } } }] },
      '/fields/0/type/type',
      /exactly one of/,
    ],
    ['schemaMetadata', { ...schema, platformSchema: {} }, '/platformSchema', /exactly one of/],
    [
      'editableSchemaMetadata',
      { editableSchemaFieldInfo: [{ fieldPath: 'a' }, { fieldPath: 'a' }] },
      '/editableSchemaFieldInfo/1/fieldPath',
      /repeats "a"/,
    ],
    ['datasetKey', { platform: hive, name: 'x', origin: 'NOWHERE' }, '/origin', /one of DEV/],
  ];
  for (const [aspect, body, pointer, message] of wrong) {
    const issues = validateAspect(aspect, body);
    assert.equal(issues.length, 1, `${aspect} ${JSON.stringify(issues)}`);
    assert.equal(issues[0]?.pointer, pointer);
    assert.match(issues[0]?.message ?? '', message);
  }
});

test('several issues are all told, up to fifty', () => {
  const issues = validateAspect('testInfo', { name: 1, definition: {} });
  assert.deepEqual(
    issues.map((issue) => issue.pointer),
    ['/name', '/definition/type', '/category'],
  );
  const many = { tags: Array.from({ length: 500 }, () => ({ tag: 'x' })) };
  assert.equal(validateAspect('globalTags', many).length, 50);
});

test('texts that people write have the size that reliability-security sets, counted in bytes', () => {
  const description = (length: number): JsonObject => ({ description: 'é'.repeat(length) });
  assert.deepEqual(validateAspect('editableDatasetProperties', description(128 * 1024)), []);
  assert.equal(validateAspect('editableDatasetProperties', description(128 * 1024 + 1)).length, 1);
  assert.deepEqual(validateAspect('datasetProperties', description(128 * 1024 + 1)), []);
  const term = { definition: '', termSource: '', name: 'x'.repeat(1025) };
  assert.equal(validateAspect('glossaryTermInfo', term)[0]?.pointer, '/name');
});

test('an aspect without a shape only has to be an object', () => {
  assert.deepEqual(validateAspect('dataHubPolicyInfo', { anything: [1, null] }), []);
  assert.equal(validateAspect('dataHubPolicyInfo', [1]).length, 1);
});

test('every aspect of the datasets, columns, terms and other entities of the first tier has a shape', () => {
  const tier = 'dataset schemaField glossaryTerm glossaryNode corpuser tag dataPlatform test container'.split(
    ' ',
  );
  for (const type of entityTypes().filter(({ name }) => tier.includes(name))) {
    for (const aspect of type.aspects) assert.notEqual(shapeOf(aspect), undefined, `${type.name}.${aspect}`);
  }
});

test('computed key aspects are valid', () => {
  for (const text of [
    dataset,
    column,
    'urn:li:glossaryTerm:a.b',
    'urn:li:container:x',
    'urn:li:chart:(a,b)',
  ]) {
    const urn = parseUrn(text);
    const type = entityTypes().find(({ name }) => text.startsWith(`urn:li:${name}:`));
    assert.deepEqual(validateAspect(type?.keyAspect ?? '', keyBodyOf(urn)), [], text);
  }
});

test('no body breaks the check', () => {
  const aspects = Object.keys(valid);
  fc.assert(
    fc.property(fc.constantFrom(...aspects), fc.jsonValue(), (aspect, value) => {
      const body = Object.fromEntries(Object.keys(valid[aspect] ?? {}).map((name) => [name, value]));
      const issues = validateAspect(aspect, JSON.parse(JSON.stringify(body)));
      for (const issue of issues) assert.match(issue.pointer, /^\//);
    }),
  );
});

test('no aspect leads a reader to what runs when it is followed, at whatever door it came in', () => {
  const links = {
    institutionalMemory: (url: string) => ({
      elements: [{ url, description: '', createStamp: { time: 0, actor: 'urn:li:corpuser:ana' } }],
    }),
    datasetProperties: (externalUrl: string) => ({ externalUrl }),
    containerProperties: (externalUrl: string) => ({ name: 'c', externalUrl }),
    glossaryTermInfo: (sourceUrl: string) => ({ definition: 'd', termSource: 'EXTERNAL', sourceUrl }),
    embed: (renderUrl: string) => ({ renderUrl }),
  };
  for (const [aspect, holding] of Object.entries(links)) {
    for (const url of [
      'javascript:alert(1)',
      ' JavaScript:alert(1)',
      'java\nscript:alert(1)',
      'data:text/html,x',
    ]) {
      const [issue] = validateAspect(aspect, holding(url));
      assert.match(issue?.message ?? '', /^must be a link to a page/, `${aspect} ${url}`);
    }
    for (const url of [
      'https://example.org/?q=javascript:x',
      'mailto:a@example.org',
      'wiki/page',
      'javascript',
      '',
    ]) {
      assert.deepEqual(validateAspect(aspect, holding(url)), [], `${aspect} ${url}`);
    }
  }
});
