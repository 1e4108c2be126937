import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../aspect/json.ts';
import { parseUrn, urnType } from '../../urn/urn.ts';
import type { TestRow } from '../../verdict/test-row.ts';
import { aspectsFrom } from '../conformance.fixture.ts';
import { rowAspects, testRowOf } from './test-row-of.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:kafka,orders,PROD)';
const stamp = { time: 5, actor: 'urn:li:corpuser:ana' };

function rowOf(bodies: JsonObject, urn = orders): TestRow {
  const aspects = aspectsFrom(bodies);
  const removed = aspects.get('status')?.body['removed'] === true;
  return testRowOf({ urn, type: urnType(parseUrn(urn)), aspects, exists: true, removed });
}

test('an entity without aspects has a row of nothing', () => {
  const { urn, type, removed, lists, numbers } = rowOf({});
  assert.deepEqual([urn, type, removed], [orders, 'dataset', false]);
  assert.ok(Object.values(lists).every((texts) => texts.length === 0));
  assert.ok(Object.values(numbers).every((number) => number === 0));
});

test('a list column holds the elements of its aspect, without stamps, each once', () => {
  const { lists, removed } = rowOf({
    status: { removed: true },
    globalTags: {
      tags: [{ tag: 'urn:li:tag:a', context: 'x' }, { tag: 'urn:li:tag:a' }, { tag: 'urn:li:tag:b' }],
    },
    glossaryTerms: {
      terms: [{ urn: 'urn:li:glossaryTerm:t', actor: 'urn:li:corpuser:ana' }],
      auditStamp: stamp,
    },
    ownership: {
      owners: [{ typeUrn: 'urn:li:ownershipType:x', owner: 'urn:li:corpuser:ana', type: 'CUSTOM' }],
    },
    domains: { domains: ['urn:li:domain:d'] },
    subTypes: { typeNames: ['View', ' ', 'View'] },
    container: { container: 'urn:li:container:c' },
    dataPlatformInstance: { platform: 'urn:li:dataPlatform:kafka' },
    deprecation: { deprecated: false, note: 'soon', actor: 'urn:li:corpuser:ana' },
    structuredProperties: {
      properties: [{ propertyUrn: 'urn:li:structuredProperty:p', values: [{ double: 3 }, { string: 'x' }] }],
    },
  });
  assert.equal(removed, true);
  assert.deepEqual(lists, {
    tags: ['{"tag":"urn:li:tag:a"}', '{"tag":"urn:li:tag:b"}'],
    terms: ['{"urn":"urn:li:glossaryTerm:t"}'],
    owners: ['{"owner":"urn:li:corpuser:ana"}'],
    ownerships: ['{"owner":"urn:li:corpuser:ana","type":"CUSTOM","typeUrn":"urn:li:ownershipType:x"}'],
    domains: ['"urn:li:domain:d"'],
    subTypes: ['"View"'],
    container: ['"urn:li:container:c"'],
    platformInstance: ['{"platform":"urn:li:dataPlatform:kafka"}'],
    deprecation: ['{"deprecated":false}'],
    structuredProperties: [
      '{"propertyUrn":"urn:li:structuredProperty:p","values":[{"double":3}]}',
      '{"propertyUrn":"urn:li:structuredProperty:p","values":[{"string":"x"}]}',
    ],
    columnProfiles: [],
  });
});

test('columns that are alike to tests share one profile, with what is ingested and what is edited', () => {
  const column = (fieldPath: string, more: JsonObject = {}): JsonObject => ({
    fieldPath,
    nativeDataType: 'INT',
    ...more,
  });
  const tagged = (...tags: readonly string[]): JsonObject => ({
    globalTags: { tags: tags.map((tag) => ({ tag })) },
  });
  const { lists, numbers } = rowOf({
    schemaMetadata: {
      fields: [
        column('a', { description: 'Known', ...tagged('urn:li:tag:b') }),
        column('[version=2.0].[type=int].b', tagged('urn:li:tag:b', 'urn:li:tag:a')),
        column('c', { description: ' ' }),
        column('d'),
      ],
    },
    editableSchemaMetadata: {
      editableSchemaFieldInfo: [
        { fieldPath: 'a', ...tagged('urn:li:tag:a') },
        { fieldPath: 'b', description: 'Edited' },
      ],
    },
  });
  assert.deepEqual(lists.columnProfiles, [
    '{"nativeDataType":"INT","described":true,"tags":["urn:li:tag:b"],"edits":[{"tags":["urn:li:tag:a"]}]}',
    '{"nativeDataType":"INT","tags":["urn:li:tag:a","urn:li:tag:b"],"edits":[{"described":true}]}',
    '{"nativeDataType":"INT"}',
  ]);
  assert.deepEqual([numbers.columns, numbers.describedColumns], [4, 2]);
});

test('a column has all edits of its path in any spelling, and an edit of no column is one for itself', () => {
  const terms = (...urns: readonly string[]): JsonObject => ({
    glossaryTerms: { terms: urns.map((urn) => ({ urn })) },
  });
  const [email, phone] = ['urn:li:glossaryTerm:email', 'urn:li:glossaryTerm:phone'];
  const { lists, numbers } = rowOf({
    schemaMetadata: {
      fields: [{ fieldPath: 'a' }, { fieldPath: '[version=2.0].[type=int].a', ...terms(email) }],
    },
    editableSchemaMetadata: {
      editableSchemaFieldInfo: [
        { fieldPath: 'a', ...terms(phone, email) },
        { fieldPath: '[version=2.0].[type=int].a', description: 'Edited' },
        { fieldPath: '[version=2.0].[type=text].a', description: 'Edited too' },
        { fieldPath: 'gone', description: 'Of a column that was there once' },
        { fieldPath: 'b', globalTags: { tags: [] }, glossaryTerms: { terms: [], auditStamp: stamp } },
        { fieldPath: ' ', globalTags: { tags: [], more: 'something' } },
      ],
    },
  });
  const edits = `"edits":[{"described":true},{"terms":["${email}","${phone}"]}]`;
  assert.deepEqual(lists.columnProfiles, [
    `{${edits}}`,
    `{"terms":["${email}"],${edits}}`,
    '{"stray":true,"edits":[{"described":true}]}',
    '{"stray":true,"edits":[{}]}',
    '{"stray":true,"edits":[{"path":" ","+":true,"tags":{"+":true}}]}',
  ]);
  assert.deepEqual([numbers.columns, numbers.describedColumns], [2, 2]);
});

test('lengths are those of the texts in code points, 0 for blank ones', () => {
  const { numbers } = rowOf({
    datasetProperties: { description: ' \u{1F600}é\n' },
    editableDatasetProperties: { description: ' \n ' },
    upstreamLineage: { upstreams: [{ dataset: orders }, { dataset: orders }, { dataset: `${orders}2` }] },
  });
  assert.deepEqual(
    [
      numbers.ingestedLength,
      numbers.ingestedTrimmedLength,
      numbers.editedLength,
      numbers.editedTrimmedLength,
    ],
    [4, 2, 0, 0],
  );
  assert.equal(numbers.upstreams, 2);
  const dashboard = rowOf(
    { editableDashboardProperties: { description: ['a'] } },
    'urn:li:dashboard:(looker,d)',
  );
  assert.equal(dashboard.numbers.editedLength, -1, 'what is no text has no length');
});

test('what only says something that no test asks a row for is not nothing', () => {
  const { lists } = rowOf({
    deprecation: { note: 'soon' },
    globalTags: { tags: [{ context: 'x' }, {}, { tag: '' }] },
  });
  assert.deepEqual([lists.deprecation, lists.tags], [['{"+":true}'], ['{"+":true}']]);
});

test('only types that tests can be evaluated for have rows', () => {
  assert.deepEqual(rowAspects('dataset').toSorted(), [
    'container',
    'dataPlatformInstance',
    'datasetProperties',
    'deprecation',
    'domains',
    'editableDatasetProperties',
    'editableSchemaMetadata',
    'globalTags',
    'glossaryTerms',
    'ownership',
    'schemaMetadata',
    'status',
    'structuredProperties',
    'subTypes',
    'upstreamLineage',
  ]);
  assert.ok(!rowAspects('tag').includes('globalTags'));
  assert.deepEqual(rowAspects('dataPlatform'), []);
  assert.deepEqual(rowAspects('unheardOf'), []);
});
