import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReadModel } from '../../test/read-model.ts';

const query = 'urn:li:query:q';
const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const column = `urn:li:schemaField:(${orders},id)`;
const stamp = { time: 5, actor: 'urn:li:corpuser:ana' };

test('a query is read with what it says and what it is about', async () => {
  await using model = await openReadModel();
  await model.seed(query, {
    queryProperties: {
      statement: { value: 'select 1', language: 'SQL' },
      source: 'MANUAL',
      name: 'n',
      description: 'd',
      created: stamp,
      lastModified: stamp,
      origin: orders,
      customProperties: { a: '1' },
    },
    querySubjects: { subjects: [{ entity: orders }, { entity: column }, { entity: 'urn:li:tag:x' }] },
    dataPlatformInstance: { platform: 'urn:li:dataPlatform:hive' },
  });
  const { data, errors } = await model.ask(
    `{ entity(urn: "${query}") { urn type ... on QueryEntity { exists platform { urn name }
       properties { statement { value language } source name description created { time actor } lastModified { actor }
         origin { urn } customProperties { key value } }
       subjects { dataset { urn type } schemaField { urn fieldPath } } } } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data?.['entity'], {
    urn: query,
    type: 'QUERY',
    exists: true,
    platform: { urn: 'urn:li:dataPlatform:hive', name: 'hive' },
    properties: {
      statement: { value: 'select 1', language: 'SQL' },
      source: 'MANUAL',
      name: 'n',
      description: 'd',
      created: stamp,
      lastModified: { actor: stamp.actor },
      origin: { urn: orders },
      customProperties: [{ key: 'a', value: '1' }],
    },
    subjects: [
      { dataset: { urn: orders, type: 'DATASET' }, schemaField: null },
      { dataset: { urn: orders, type: 'DATASET' }, schemaField: { urn: column, fieldPath: 'id' } },
    ],
  });
});

test('a query of which nothing is stored is null but for its URN', async () => {
  await using model = await openReadModel();
  const { data, errors } = await model.ask(
    `{ entity(urn: "${query}") { ... on QueryEntity { exists platform { urn } properties { name } subjects { dataset { urn } } } } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data?.['entity'], { exists: false, platform: null, properties: null, subjects: null });
});
