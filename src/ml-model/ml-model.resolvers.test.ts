import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReadModel } from '../../test/read-model.ts';

const model = 'urn:li:mlModel:(urn:li:dataPlatform:mlflow,churn,PROD)';
const group = 'urn:li:mlModelGroup:(urn:li:dataPlatform:mlflow,churn,PROD)';
const table = 'urn:li:mlFeatureTable:(urn:li:dataPlatform:feast,users)';
const feature = 'urn:li:mlFeature:(users,age)';
const key = 'urn:li:mlPrimaryKey:(users,id)';
const users = 'urn:li:dataset:(urn:li:dataPlatform:hive,users,PROD)';

test('a model and its group are read with their properties, and what they refer to', async () => {
  await using catalogue = await openReadModel();
  await catalogue.seed(model, {
    mlModelProperties: {
      name: 'Churn',
      description: 'd',
      date: 5,
      version: { versionTag: '7' },
      type: 'Bayes',
      hyperParams: [{ name: 'rate', value: '0.1' }],
      trainingMetrics: [{ name: 'loss', value: '2', createdAt: 3 }],
      mlFeatures: [feature],
      tags: ['x'],
      groups: [group],
      customProperties: { a: '1' },
      externalUrl: 'https://a.example',
    },
    editableMlModelProperties: { description: 'edited' },
    globalTags: { tags: [{ tag: 'urn:li:tag:x' }] },
  });
  await catalogue.seed(group, {
    mlModelGroupProperties: { name: 'Churns', description: 'g', createdAt: 4, version: { versionTag: '8' } },
  });
  const { data, errors } = await catalogue.ask(
    `{ mlModel(urn: "${model}") { urn type name origin description exists platform { urn } editableProperties { description }
         properties { name description date version type hyperParams { name value } trainingMetrics { name value createdAt } mlFeatures tags
           groups { urn properties { name } } customProperties { key value } externalUrl }
         tags { tags { tag { urn } } } glossaryTerms { terms { term { urn } } } domain { domain { urn } } }
       mlModelGroup(urn: "${group}") { name origin description platform { urn } properties { name createdAt version { versionTag } }
         relationships(input: {types: ["MemberOf"], direction: INCOMING}) { relationships { entity { urn } } } } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data, {
    mlModel: {
      urn: model,
      type: 'MLMODEL',
      name: 'churn',
      origin: 'PROD',
      description: 'd',
      exists: true,
      platform: { urn: 'urn:li:dataPlatform:mlflow' },
      editableProperties: { description: 'edited' },
      properties: {
        name: 'Churn',
        description: 'd',
        date: 5,
        version: '7',
        type: 'Bayes',
        hyperParams: [{ name: 'rate', value: '0.1' }],
        trainingMetrics: [{ name: 'loss', value: '2', createdAt: 3 }],
        mlFeatures: [feature],
        tags: ['x'],
        groups: [{ urn: group, properties: { name: 'Churns' } }],
        customProperties: [{ key: 'a', value: '1' }],
        externalUrl: 'https://a.example',
      },
      tags: { tags: [{ tag: { urn: 'urn:li:tag:x' } }] },
      glossaryTerms: null,
      domain: null,
    },
    mlModelGroup: {
      name: 'churn',
      origin: 'PROD',
      description: 'g',
      platform: { urn: 'urn:li:dataPlatform:mlflow' },
      properties: { name: 'Churns', createdAt: 4, version: { versionTag: '8' } },
      relationships: { relationships: [{ entity: { urn: model } }] },
    },
  });
});

test('a table of features is read with its features and keys, and these with the datasets they are made of', async () => {
  await using catalogue = await openReadModel();
  await catalogue.seed(table, {
    mlFeatureTableProperties: { description: 't', mlFeatures: [feature], mlPrimaryKeys: [key] },
  });
  await catalogue.seed(feature, {
    mlFeatureProperties: {
      description: 'f',
      dataType: 'ORDINAL',
      sources: [users],
      version: { versionTag: '1' },
    },
    editableMlFeatureProperties: { description: 'edited' },
  });
  await catalogue.seed(key, {
    mlPrimaryKeyProperties: { description: 'k', dataType: 'made up', sources: [users] },
  });
  const { data, errors } = await catalogue.ask(
    `{ mlFeatureTable(urn: "${table}") { name description platform { urn } featureTableProperties { description }
         properties { mlFeatures { name featureNamespace description dataType editableProperties { description }
             properties { dataType version { versionTag } sources { urn } } }
           mlPrimaryKeys { name featureNamespace description dataType properties { sources { urn } } } } }
       mlFeature(urn: "${feature}") { relationships(input: {types: ["Contains"], direction: INCOMING}) { total } }
       mlPrimaryKey(urn: "urn:li:mlPrimaryKey:(users,none)") { name exists properties { description } description dataType } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data, {
    mlFeatureTable: {
      name: 'users',
      description: 't',
      platform: { urn: 'urn:li:dataPlatform:feast' },
      featureTableProperties: { description: 't' },
      properties: {
        mlFeatures: [
          {
            name: 'age',
            featureNamespace: 'users',
            description: 'f',
            dataType: 'ORDINAL',
            editableProperties: { description: 'edited' },
            properties: { dataType: 'ORDINAL', version: { versionTag: '1' }, sources: [{ urn: users }] },
          },
        ],
        mlPrimaryKeys: [
          {
            name: 'id',
            featureNamespace: 'users',
            description: 'k',
            dataType: null,
            properties: { sources: [{ urn: users }] },
          },
        ],
      },
    },
    mlFeature: { relationships: { total: 1 } },
    mlPrimaryKey: { name: 'none', exists: false, properties: null, description: null, dataType: null },
  });
});
