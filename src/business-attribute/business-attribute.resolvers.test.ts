import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReadModel } from '../../test/read-model.ts';

const attribute = 'urn:li:businessAttribute:email';
const column = 'urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,users,PROD),email)';
const stamp = { time: 5, actor: 'urn:li:corpuser:ana' };

test('a column is read with its business attribute, descriptions and where they came from', async () => {
  await using model = await openReadModel();
  await model.seed(attribute, {
    businessAttributeInfo: {
      name: 'E-mail',
      description: 'd',
      fieldPath: 'email',
      type: { type: { 'com.linkedin.schema.StringType': {} } },
      globalTags: { tags: [{ tag: 'urn:li:tag:pii' }] },
      glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:mail' }], auditStamp: stamp },
      created: stamp,
      lastModified: stamp,
      customProperties: { a: '1' },
    },
  });
  await model.seed(column, {
    businessAttributes: { businessAttribute: { businessAttributeUrn: attribute } },
    documentation: {
      documentations: [
        { documentation: 'by hand' },
        {
          documentation: 'inferred',
          attribution: { ...stamp, source: 'urn:li:test:t', sourceDetail: { inferred: 'true' } },
        },
      ],
    },
  });
  const { data, errors } = await model.ask(
    `{ entity(urn: "${column}") { ... on SchemaFieldEntity { fieldPath
         businessAttributes { businessAttribute { associatedUrn businessAttribute { urn type exists properties { name description type
           created { time actor } lastModified { time } deleted { time } customProperties { key value }
           tags { tags { tag { urn } } } glossaryTerms { terms { term { urn } } } } } } }
         documentation { documentations { documentation attribution { time actor { urn } source { urn } sourceDetail { key value } } } } } }
       businessAttribute(urn: "urn:li:businessAttribute:none") { exists properties { name } } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data, {
    entity: {
      fieldPath: 'email',
      businessAttributes: {
        businessAttribute: {
          associatedUrn: column,
          businessAttribute: {
            urn: attribute,
            type: 'BUSINESS_ATTRIBUTE',
            exists: true,
            properties: {
              name: 'E-mail',
              description: 'd',
              type: 'STRING',
              created: stamp,
              lastModified: { time: 5 },
              deleted: null,
              customProperties: [{ key: 'a', value: '1' }],
              tags: { tags: [{ tag: { urn: 'urn:li:tag:pii' } }] },
              glossaryTerms: { terms: [{ term: { urn: 'urn:li:glossaryTerm:mail' } }] },
            },
          },
        },
      },
      documentation: {
        documentations: [
          { documentation: 'by hand', attribution: null },
          {
            documentation: 'inferred',
            attribution: {
              time: 5,
              actor: { urn: stamp.actor },
              source: { urn: 'urn:li:test:t' },
              sourceDetail: [{ key: 'inferred', value: 'true' }],
            },
          },
        ],
      },
    },
    businessAttribute: { exists: false, properties: null },
  });
});

test('domains and terms are read with how they are shown', async () => {
  await using model = await openReadModel();
  const icon = { iconLibrary: 'MATERIAL', name: 'Home', style: 'Outlined' };
  await model.seed('urn:li:domain:d', { displayProperties: { colorHex: '#e02020', icon } });
  const { data, errors } = await model.ask(
    `{ domain(urn: "urn:li:domain:d") { displayProperties { colorHex icon { iconLibrary name style } } }
       glossaryNode(urn: "urn:li:glossaryNode:n") { displayProperties { colorHex } } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data, {
    domain: { displayProperties: { colorHex: '#e02020', icon } },
    glossaryNode: { displayProperties: null },
  });
});
