import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReadModel } from '../../test/read-model.ts';
import { orders, pii, seedShop } from '../../test/sample-metadata.ts';

const stewards = 'urn:li:structuredProperty:stewards';
const column = `urn:li:schemaField:(${orders},user_name)`;

test('a property is defined, given to a dataset and a column, shown with its meaning, and deleted', async () => {
  await using model = await openReadModel();
  await seedShop(model);
  const ask = async (query: string): Promise<unknown> => {
    const { data, errors } = await model.ask(query, {}, model.admin);
    assert.equal(errors, undefined);
    return data;
  };
  const created = await ask(`mutation { createStructuredProperty(input: {
    id: "stewards", displayName: "Stewards", valueType: "urn:li:dataType:datahub.urn", cardinality: MULTIPLE,
    typeQualifier: {allowedTypes: ["urn:li:entityType:datahub.corpuser"]},
    entityTypes: ["urn:li:entityType:datahub.dataset", "urn:li:entityType:datahub.schemaField"],
    settings: {showAsAssetBadge: true} }) {
      urn type exists settings { isHidden showAsAssetBadge lastModified { actor { username } } }
      definition { qualifiedName displayName description cardinality immutable created { actor { urn } }
        allowedValues { description } valueType { urn type info { type qualifiedName displayName } }
        typeQualifier { allowedTypes { info { type } } } entityTypes { urn info { type qualifiedName } } } } }`);
  assert.deepEqual(created, {
    createStructuredProperty: {
      urn: stewards,
      type: 'STRUCTURED_PROPERTY',
      exists: true,
      settings: { isHidden: false, showAsAssetBadge: true, lastModified: { actor: { username: 'admin' } } },
      definition: {
        qualifiedName: 'stewards',
        displayName: 'Stewards',
        description: null,
        cardinality: 'MULTIPLE',
        immutable: false,
        created: { actor: { urn: 'urn:li:corpuser:admin' } },
        allowedValues: null,
        valueType: {
          urn: 'urn:li:dataType:datahub.urn',
          type: 'DATA_TYPE',
          info: { type: 'URN', qualifiedName: 'datahub.urn', displayName: 'Urn' },
        },
        typeQualifier: { allowedTypes: [{ info: { type: 'CORP_USER' } }] },
        entityTypes: [
          {
            urn: 'urn:li:entityType:datahub.dataset',
            info: { type: 'DATASET', qualifiedName: 'datahub.dataset' },
          },
          {
            urn: 'urn:li:entityType:datahub.schemaField',
            info: { type: 'SCHEMA_FIELD', qualifiedName: 'datahub.schemaField' },
          },
        ],
      },
    },
  });

  const entry = (associatedUrn: string): object => ({
    properties: [
      {
        structuredProperty: { urn: stewards, definition: { displayName: 'Stewards' } },
        values: [{ stringValue: 'urn:li:corpuser:ana' }],
        valueEntities: [{ urn: 'urn:li:corpuser:ana' }],
        associatedUrn,
      },
    ],
  });
  const selection = `{ properties { structuredProperty { urn definition { displayName } } associatedUrn
    values { ... on StringValue { stringValue } ... on NumberValue { numberValue } } valueEntities { urn } } }`;
  for (const asset of [orders, column]) {
    const answer = await ask(`mutation { upsertStructuredProperties(input: {assetUrn: "${asset}",
      structuredPropertyInputParams: [{structuredPropertyUrn: "${stewards}",
        values: [{stringValue: "urn:li:corpuser:ana"}]}]}) ${selection} }`);
    assert.deepEqual(answer, { upsertStructuredProperties: entry(asset) });
  }
  const query = `{ dataset(urn: "${orders}") { structuredProperties ${selection} }
    entity(urn: "${column}") { ... on SchemaFieldEntity { structuredProperties ${selection} } } }`;
  assert.deepEqual(await ask(query), {
    dataset: { structuredProperties: entry(orders) },
    entity: { structuredProperties: entry(column) },
  });

  const removed = await ask(`mutation { removeStructuredProperties(input: {assetUrn: "${orders}",
    structuredPropertyUrns: ["${stewards}"]}) ${selection} }`);
  assert.deepEqual(removed, { removeStructuredProperties: { properties: [] } });
  const updated =
    await ask(`mutation { updateStructuredProperty(input: {urn: "${stewards}", description: "Who"}) {
    definition { description } } }`);
  assert.deepEqual(updated, { updateStructuredProperty: { definition: { description: 'Who' } } });
  assert.deepEqual(await ask(`mutation { deleteStructuredProperty(input: {urn: "${stewards}"}) }`), {
    deleteStructuredProperty: true,
  });
  assert.deepEqual(await ask(`{ structuredProperty(urn: "${stewards}") { urn } }`), {
    structuredProperty: null,
  });
  assert.deepEqual(await ask(query), {
    dataset: { structuredProperties: { properties: [] } },
    entity: { structuredProperties: { properties: [] } },
  });
});

test('values of a property that is not defined are left out, and entities without any have none', async () => {
  await using model = await openReadModel();
  await seedShop(model);
  await model.seed(orders, {
    structuredProperties: {
      properties: [{ propertyUrn: stewards, values: [{ string: 'a' }, { double: 1.5 }] }],
    },
  });
  const query = `{ dataset(urn: "${orders}") { structuredProperties { properties {
    values { ... on StringValue { stringValue } ... on NumberValue { numberValue } } valueEntities { urn } } } }
    corpUser(urn: "urn:li:corpuser:ana") { structuredProperties { properties { associatedUrn } } } }`;
  const none = { corpUser: { structuredProperties: null } };
  const before = { dataset: { structuredProperties: { properties: [] } }, ...none };
  assert.deepEqual((await model.ask(query)).data, before);
  const definition = {
    qualifiedName: 'stewards',
    valueType: 'urn:li:dataType:ours.thing',
    entityTypes: ['urn:li:entityType:datahub.dataset'],
    allowedValues: [{ value: { double: 1.5 }, description: 'one and a half' }],
  };
  await model.seed(stewards, { propertyDefinition: definition });
  const values = [{ stringValue: 'a' }, { numberValue: 1.5 }];
  const shown = {
    dataset: { structuredProperties: { properties: [{ values, valueEntities: [] }] } },
    ...none,
  };
  assert.deepEqual((await model.ask(query)).data, shown);
  const { data } = await model.ask(`{ structuredProperty(urn: "${stewards}") { definition {
    valueType { info { type qualifiedName } } allowedValues { value { ... on NumberValue { numberValue } } description } } } }`);
  assert.deepEqual(data, {
    structuredProperty: {
      definition: {
        valueType: { info: { type: 'OTHER', qualifiedName: 'ours.thing' } },
        allowedValues: [{ value: { numberValue: 1.5 }, description: 'one and a half' }],
      },
    },
  });
  await model.seed(stewards, { status: { removed: true } });
  assert.deepEqual((await model.ask(query)).data, before);
  const { errors } = await model.ask(`{ structuredProperty(urn: "${pii}") { urn } }`);
  assert.match(errors?.[0]?.message ?? '', /expected the urn of a structuredProperty/);
});
