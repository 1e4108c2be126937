import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import type { JsonObject } from '../aspect/json.ts';
import { normaliseAspect } from './normalise-aspect.ts';
import { validateAspect } from './validate-aspect.ts';

test('an aspect in the form of the server is returned as it is', () => {
  const bodies: readonly (readonly [aspect: string, body: JsonObject])[] = [
    ['datasetProperties', { description: 'x', customProperties: { string: 'x', map: 'y' }, tags: [] }],
    [
      'structuredProperties',
      { properties: [{ propertyUrn: 'p', values: [{ double: 1 }, { string: 'x' }] }] },
    ],
    [
      'schemaMetadata',
      { fields: [{ type: { type: { 'com.linkedin.schema.ArrayType': { nestedType: ['x'] } } } }] },
    ],
    ['dataJobInfo', { name: 'j', type: { string: 'COMMAND' } }],
    ['chartInfo', { inputs: [{ string: 'urn:li:dataset:x' }] }],
    ['mlModelProperties', { type: { string: 'x' } }],
  ];
  for (const [aspect, body] of bodies) assert.equal(normaliseAspect(aspect, body), body);
});

test('nullable unions of Avro become plain values where the shape has plain values', () => {
  const properties = {
    description: { string: 'x' },
    customProperties: { map: { a: 'b' } },
    tags: { array: ['t'] },
    created: { 'com.linkedin.pegasus2avro.common.TimeStamp': { time: { long: 5 }, actor: { string: 'a' } } },
  };
  assert.deepEqual(normaliseAspect('datasetProperties', properties), {
    description: 'x',
    customProperties: { a: 'b' },
    tags: ['t'],
    created: { time: 5, actor: 'a' },
  });
  assert.deepEqual(normaliseAspect('corpUserInfo', { active: { boolean: true }, departmentId: { int: 1 } }), {
    active: true,
    departmentId: 1,
  });
  const owner = {
    owner: { string: 'urn:li:corpuser:a' },
    type: { 'com.linkedin.common.OwnershipType': 'NONE' },
  };
  assert.deepEqual(normaliseAspect('ownership', { owners: { array: [owner] } }), {
    owners: [{ owner: 'urn:li:corpuser:a', type: 'NONE' }],
  });
});

test('class names of real unions lose pegasus2avro, and their insides are normalised', () => {
  const old = {
    schemaName: 'x',
    platform: 'urn:li:dataPlatform:kafka',
    version: 0,
    hash: '',
    cluster: null,
    platformSchema: {
      'com.linkedin.pegasus2avro.schema.KafkaSchema': { documentSchema: 'd', keySchema: { string: 'k' } },
    },
    fields: [
      {
        fieldPath: 'a',
        jsonPath: null,
        description: { string: 'd' },
        type: { type: { 'com.linkedin.pegasus2avro.schema.ArrayType': { nestedType: { array: ['x'] } } } },
        nativeDataType: 'x',
        globalTags: { 'com.linkedin.pegasus2avro.common.GlobalTags': { tags: [{ tag: 'urn:li:tag:t' }] } },
      },
    ],
  };
  const now = normaliseAspect('schemaMetadata', old);
  assert.deepEqual(now, {
    schemaName: 'x',
    platform: 'urn:li:dataPlatform:kafka',
    version: 0,
    hash: '',
    platformSchema: { 'com.linkedin.schema.KafkaSchema': { documentSchema: 'd', keySchema: 'k' } },
    fields: [
      {
        fieldPath: 'a',
        description: 'd',
        type: { type: { 'com.linkedin.schema.ArrayType': { nestedType: ['x'] } } },
        nativeDataType: 'x',
        globalTags: { tags: [{ tag: 'urn:li:tag:t' }] },
      },
    ],
  });
  assert.deepEqual(validateAspect('schemaMetadata', now), []);
});

test('nulls and pegasus2avro go from aspects without a shape too, and from members that no shape names', () => {
  const nested = { a: null, union: { 'com.linkedin.pegasus2avro.x.Y': { b: null, c: 1 } }, list: [null, 1] };
  const expected = { union: { 'com.linkedin.x.Y': { c: 1 } }, list: [null, 1] };
  assert.deepEqual(normaliseAspect('mlModelProperties', nested), expected);
  assert.deepEqual(normaliseAspect('status', { removed: false, nested }), {
    removed: false,
    nested: expected,
  });
});

test('a member called __proto__ is kept as a member', () => {
  const body: JsonObject = JSON.parse('{"customProperties":{"__proto__":"x","a":null},"description":null}');
  const text = JSON.stringify(normaliseAspect('datasetProperties', body));
  assert.equal(text, '{"customProperties":{"__proto__":"x"}}');
});

test('normalising twice changes nothing more, and the body given is never changed', () => {
  const wrapper = fc.constantFrom(
    'string',
    'int',
    'boolean',
    'array',
    'map',
    'com.linkedin.pegasus2avro.a.B',
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 5 },
      fc.jsonValue({ maxDepth: 1 }),
      fc.tuple(wrapper, tie('any')).map(([name, inner]) => ({ [name]: inner })),
      fc.tuple(wrapper, tie('any')).map(([name, inner]) => ({ none: null, [name]: inner })),
      fc.array(tie('any'), { maxLength: 3 }),
    ),
  })).any;
  const members = [
    'description',
    'customProperties',
    'tags',
    'created',
    'owners',
    'fields',
    'platformSchema',
  ];
  const aspects = fc.constantFrom('datasetProperties', 'ownership', 'schemaMetadata', 'mlModelProperties');
  fc.assert(
    fc.property(aspects, fc.constantFrom(...members), value, (aspect, member, inner) => {
      const text = JSON.stringify({ [member]: inner });
      const body: JsonObject = JSON.parse(text);
      const once = normaliseAspect(aspect, body);
      assert.equal(normaliseAspect(aspect, once), once);
      assert.equal(JSON.stringify(body), text);
    }),
    { numRuns: 500 },
  );
});
