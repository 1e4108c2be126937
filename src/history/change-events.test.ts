import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { orders, schemaOf } from '../../test/sample-metadata.ts';
import type { JsonObject } from '../aspect/json.ts';
import { parseUrn } from '../urn/urn.ts';
import { changeEventsOf } from './change-events.ts';

const dataset = parseUrn(orders);
const tags = (names: readonly string[]): JsonObject => ({
  tags: names.map((name) => ({ tag: `urn:li:tag:${name}` })),
});
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'));

test('events say exactly what has to be added and removed to come from one value to the other', () => {
  fc.assert(
    fc.property(names, names, (before, after) => {
      const left = new Set<string>(before);
      for (const { operation, modifier = '' } of changeEventsOf(
        dataset,
        'globalTags',
        tags(before),
        tags(after),
      )) {
        const name = modifier.slice('urn:li:tag:'.length);
        if (operation === 'ADD') assert.ok(!left.has(name), 'only what was not there is added');
        else assert.ok(left.has(name), 'only what was there is removed');
        if (operation === 'ADD') left.add(name);
        else left.delete(name);
      }
      assert.deepEqual([...left].toSorted(), [...after].toSorted());
    }),
  );
});

test('an equal value has no events, whatever aspect it is of', () => {
  const bodies: Readonly<Record<string, JsonObject>> = {
    globalTags: tags(['a']),
    schemaMetadata: schemaOf([{ fieldPath: 'id', description: 'd' }]),
    ownership: { owners: [{ owner: 'urn:li:corpuser:ana', type: 'DATAOWNER' }] },
    datasetProperties: { description: 'd' },
    status: { removed: true },
  };
  for (const [aspect, body] of Object.entries(bodies)) {
    assert.deepEqual(changeEventsOf(dataset, aspect, body, structuredClone(body)), [], aspect);
  }
});

test('what somebody wrote on a column and what was ingested for it are told of the column', () => {
  const field = { fieldPath: 'id', description: 'Number', globalTags: tags(['a']) };
  for (const [aspect, list] of [
    ['schemaMetadata', 'fields'],
    ['editableSchemaMetadata', 'editableSchemaFieldInfo'],
  ] as const) {
    const events = changeEventsOf(dataset, aspect, { [list]: [{ fieldPath: 'id' }] }, { [list]: [field] });
    assert.deepEqual(
      events.map(({ urn, category, operation }) => [urn, category, operation]),
      [
        [`urn:li:schemaField:(${orders},id)`, 'DOCUMENTATION', 'ADD'],
        [`urn:li:schemaField:(${orders},id)`, 'TAG', 'ADD'],
      ],
      aspect,
    );
  }
});

test('whatever is stored, nothing is thrown', () => {
  const value = fc.dictionary(
    fc.constantFrom(
      'tags',
      'terms',
      'owners',
      'fields',
      'domains',
      'description',
      'removed',
      'elements',
      'properties',
    ),
    fc.jsonValue(),
  );
  const aspect = fc.constantFrom(
    'globalTags',
    'glossaryTerms',
    'ownership',
    'schemaMetadata',
    'structuredProperties',
    'status',
  );
  fc.assert(
    fc.property(aspect, value, value, (name, before, after) => {
      changeEventsOf(dataset, name, before as JsonObject, after as JsonObject);
    }),
  );
});
