import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReadModel } from '../../test/read-model.ts';

const relation = 'urn:li:erModelRelationship:r';
const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;

test('a relation between datasets is read with the columns that mean the same', async () => {
  await using model = await openReadModel();
  const stamp = { time: 5, actor: 'urn:li:corpuser:ana' };
  await model.seed(relation, {
    erModelRelationshipProperties: {
      name: 'orders to users',
      source: dataset('orders'),
      destination: dataset('users'),
      relationshipFieldMappings: [{ sourceField: 'user_id', destinationField: 'id' }],
      created: stamp,
    },
    editableERModelRelationshipProperties: { description: 'edited' },
    globalTags: { tags: [{ tag: 'urn:li:tag:x' }] },
  });
  const selection = `id exists properties { name source { urn } destination { urn } createdTime createdActor { urn }
    relationshipFieldMappings { sourceField destinationField } } editableProperties { name description } tags { tags { tag { urn } } }`;
  const { data, errors } = await model.ask(
    `{ erModelRelationship(urn: "${relation}") { ${selection} }
       none: erModelRelationship(urn: "urn:li:erModelRelationship:none") { exists properties { name } } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data, {
    erModelRelationship: {
      id: 'r',
      exists: true,
      properties: {
        name: 'orders to users',
        source: { urn: dataset('orders') },
        destination: { urn: dataset('users') },
        createdTime: 5,
        createdActor: { urn: stamp.actor },
        relationshipFieldMappings: [{ sourceField: 'user_id', destinationField: 'id' }],
      },
      editableProperties: { name: null, description: 'edited' },
      tags: { tags: [{ tag: { urn: 'urn:li:tag:x' } }] },
    },
    none: { exists: false, properties: null },
  });
});
