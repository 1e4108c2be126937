import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { isJsonObject } from '../aspect/json.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { aspectSpecOf } from '../entity/entity-registry.ts';
import { parseUrn } from '../urn/urn.ts';
import { edgesOf, removeReferences } from './edges.ts';
import { referenceTable } from './reference-table.ts';

const a = parseUrn('urn:li:glossaryTerm:a');
const b = parseUrn('urn:li:glossaryTerm:b');
const dataset = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)');

function association(...urns: readonly string[]): JsonObject {
  return { terms: urns.map((urn) => ({ urn })), auditStamp: { time: 0, actor: 'urn:li:corpuser:x' } };
}

test('the terms of a dataset are edges without a path', () => {
  assert.deepEqual(edgesOf('glossaryTerms', association(a, b)), [
    { kind: 'TermedWith', destination: a, path: '' },
    { kind: 'TermedWith', destination: b, path: '' },
  ]);
});

test('the terms and tags of columns are edges with the field path as it is stored', () => {
  const path = '[version=2.0].[type=string].id';
  const tag = 'urn:li:tag:pii';
  const field = { fieldPath: path, glossaryTerms: association(a), globalTags: { tags: [{ tag }] } };
  const expected = [
    { kind: 'TermedWith', destination: a, path },
    { kind: 'TaggedWith', destination: tag, path },
  ];
  assert.deepEqual(edgesOf('schemaMetadata', { fields: [field] }), expected);
  assert.deepEqual(edgesOf('editableSchemaMetadata', { editableSchemaFieldInfo: [field] }), expected);
});

test('half a character in a field path is replaced, as it is in every store', () => {
  const [edge] = edgesOf('schemaMetadata', {
    fields: [{ fieldPath: 'a\ud800', glossaryTerms: association(a) }],
  });
  assert.equal(edge?.path, 'a\ufffd');
});

test('an edge that occurs several times is there once', () => {
  const many = Array.from({ length: 40 }, (_, index) => `urn:li:glossaryTerm:${index % 20}`);
  assert.equal(edgesOf('glossaryTerms', association(a, a)).length, 1);
  assert.equal(edgesOf('glossaryTerms', association(...many)).length, 20);
});

test('what is no urn makes no edge, and neither does anything unexpected', () => {
  const strange: readonly JsonObject[] = [
    association('', 'x', 'urn:li:glossaryTerm:'),
    { terms: 'urn:li:glossaryTerm:a' },
    { terms: [null, 1, 'x', [], { urn: null }, { urn: { string: a } }] },
    {},
  ];
  for (const body of strange) assert.deepEqual(edgesOf('glossaryTerms', body), []);
  assert.deepEqual(edgesOf('schemaMetadata', { fields: [{ glossaryTerms: association(a) }] }), []);
  assert.deepEqual(edgesOf('constructor', association(a)), []);
});

test('every row of the table makes its edge and loses it again', () => {
  for (const [aspect, rows] of Object.entries(referenceTable)) {
    assert.notEqual(aspectSpecOf(aspect), undefined, aspect);
    for (const { kind, path, column } of rows) {
      const body = bodyWith(path.replace('?', ''), dataset);
      const expected = { kind, destination: dataset, path: column === true ? 'col' : '' };
      assert.deepEqual(edgesOf(aspect, body), kind === undefined ? [] : [expected], `${aspect} ${path}`);
      assert.equal(JSON.stringify(body).includes(dataset), true);
      assert.equal(JSON.stringify(removeReferences(aspect, body, dataset)).includes(dataset), false, path);
    }
  }
});

test('removing a term leaves the others, and an empty list where it was the last', () => {
  const stamp = { time: 0, actor: 'urn:li:corpuser:x' };
  assert.deepEqual(removeReferences('glossaryTerms', association(a, b, a), a), association(b));
  assert.deepEqual(removeReferences('glossaryTerms', association(a), a), { terms: [], auditStamp: stamp });
  const body = {
    editableSchemaFieldInfo: [{ fieldPath: 'x', description: 'd', glossaryTerms: association(a) }],
  };
  assert.deepEqual(removeReferences('editableSchemaMetadata', body, a), {
    editableSchemaFieldInfo: [{ fieldPath: 'x', description: 'd', glossaryTerms: association() }],
  });
});

test('a body without the reference is returned as it is', () => {
  const body = association(a);
  assert.equal(removeReferences('glossaryTerms', body, b), body);
  assert.equal(removeReferences('testInfo', body, a), body);
});

test('a single member is dropped alone', () => {
  const node = parseUrn('urn:li:glossaryNode:n');
  const body = { definition: 'd', parentNode: node, termSource: 'INTERNAL' };
  assert.deepEqual(removeReferences('glossaryTermInfo', body, node), {
    definition: 'd',
    termSource: 'INTERNAL',
  });
});

test('an owner is dropped with what was said about the ownership; an ownership type leaves its owners', () => {
  const ana = parseUrn('urn:li:corpuser:ana');
  const type = parseUrn('urn:li:ownershipType:steward');
  const owner = { owner: ana, type: 'CUSTOM', typeUrn: type };
  const body = { owners: [owner], ownerTypes: { [type]: [ana] } };
  assert.deepEqual(removeReferences('ownership', body, ana), { owners: [], ownerTypes: { [type]: [] } });
  assert.deepEqual(removeReferences('ownership', body, type)['owners'], [{ owner: ana, type: 'CUSTOM' }]);
});

test('without references to one urn, all other edges are as they were', () => {
  const urns = Array.from({ length: 6 }, (_, index) => parseUrn(`urn:li:glossaryTerm:${index}`));
  const urn = fc.constantFrom(...urns);
  const terms = fc.array(urn, { maxLength: 8 }).map((all) => association(...all));
  const tags = fc.array(urn, { maxLength: 4 }).map((all) => ({ tags: all.map((tag) => ({ tag })) }));
  const column = fc.record(
    { fieldPath: fc.constantFrom('x', 'y', 'z'), glossaryTerms: terms, globalTags: tags },
    { requiredKeys: ['fieldPath'] },
  );
  const columns = fc.array(column, { maxLength: 6 });
  const bodies: fc.Arbitrary<readonly [aspect: string, body: JsonObject]> = fc.oneof(
    terms.map((body) => ['glossaryTerms', body] as const),
    columns.map((fields) => ['schemaMetadata', { fields }] as const),
    columns.map((all) => ['editableSchemaMetadata', { editableSchemaFieldInfo: all }] as const),
    fc
      .record({ isRelatedTerms: fc.array(urn), values: fc.array(urn) })
      .map((body) => ['glossaryRelatedTerms', body] as const),
  );
  fc.assert(
    fc.property(bodies, urn, ([aspect, body], gone) => {
      const text = JSON.stringify(body);
      const before = edgesOf(aspect, body);
      const after = edgesOf(aspect, removeReferences(aspect, body, gone));
      assert.deepEqual(
        after,
        before.filter((edge) => edge.destination !== gone),
      );
      assert.equal(JSON.stringify(body), text);
    }),
  );
});

test('no body breaks the walk', () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(referenceTable)), fc.jsonValue(), (aspect, value) => {
      const members = (referenceTable[aspect] ?? []).map((row) => row.path.split(/[.[]/)[0] ?? '');
      const body = JSON.parse(JSON.stringify(Object.fromEntries(members.map((name) => [name, value]))));
      edgesOf(aspect, body);
      removeReferences(aspect, body, a);
    }),
  );
});

/** The smallest body that has the reference at this path. */
function bodyWith(path: string, urn: string): JsonObject {
  const steps = path.replaceAll('[]', '.[]').split('.');
  const value = steps.reduceRight<JsonValue>((inner, step) => {
    if (step === '[]') return [isJsonObject(inner) ? { fieldPath: 'col', ...inner } : inner];
    const named = step === 'schemaField' && isJsonObject(inner) ? { fieldPath: 'col', ...inner } : inner;
    return { [step === '*' ? 'key' : step]: named };
  }, urn);
  return value as JsonObject;
}
