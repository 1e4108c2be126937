import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openReadModel } from '../../test/read-model.ts';
import type { ReadModel } from '../../test/read-model.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const returns = 'urn:li:glossaryTerm:Finance.RateOfReturn';
const stamp = { time: 1_700_000_000_000, actor: 'urn:li:corpuser:ana' };
const userName = '[version=2.0].[type=Order].[type=string].user_name';

function field(fieldPath: string, type: string, more: JsonObject = {}): JsonObject {
  return { fieldPath, type: { type: { [`com.linkedin.schema.${type}`]: {} } }, nativeDataType: 'x', ...more };
}

function schema(...fields: readonly JsonObject[]): JsonObject {
  return {
    schemaName: 'orders',
    platform: 'urn:li:dataPlatform:hive',
    version: 3,
    hash: 'abc',
    platformSchema: { 'com.linkedin.schema.MySqlDDL': { tableSchema: 'create table orders' } },
    fields,
  };
}

const terms = (...urns: readonly string[]): JsonObject => ({
  terms: urns.map((urn) => ({ urn })),
  auditStamp: stamp,
});
const tags = (...urns: readonly string[]): JsonObject => ({ tags: urns.map((tag) => ({ tag })) });

describe('a dataset is read back', () => {
  let model: ReadModel;

  before(async () => {
    model = await openReadModel();
    await model.seed(orders, {
      datasetProperties: {
        name: 'Orders',
        description: 'ingested',
        customProperties: { team: 'shop' },
        externalUrl: 'https://wiki.example/orders',
        created: { time: 5 },
        tags: [],
      },
      editableDatasetProperties: { description: 'edited\n*text*' },
      glossaryTerms: { terms: [{ urn: returns, actor: stamp.actor }], auditStamp: stamp },
      globalTags: tags('urn:li:tag:pii'),
      status: { removed: true },
      schemaMetadata: {
        ...schema(
          field('id', 'NumberType', { description: 'Primary key', isPartOfKey: true }),
          field(userName, 'StringType', {
            description: 'ingested',
            glossaryTerms: terms(returns, 'urn:li:glossaryTerm:b'),
            globalTags: tags('urn:li:tag:pii'),
          }),
        ),
        primaryKeys: ['id'],
      },
      editableSchemaMetadata: {
        editableSchemaFieldInfo: [
          {
            fieldPath: 'user_name',
            description: 'edited\n\n- *markdown*',
            glossaryTerms: terms('urn:li:glossaryTerm:b', 'urn:li:glossaryTerm:c'),
            globalTags: tags('urn:li:tag:pii', 'urn:li:tag:new'),
          },
          { fieldPath: 'gone', description: 'of a column that vanished' },
        ],
      },
      siblings: { siblings: ['urn:li:dataset:(urn:li:dataPlatform:dbt,shop.orders,PROD)'], primary: true },
      browsePathsV2: { path: [{ id: 'shop' }, { id: 'c', urn: 'urn:li:container:c' }] },
      container: { container: 'urn:li:container:c' },
      domains: { domains: ['urn:li:domain:sales', 'urn:li:domain:other'] },
      subTypes: { typeNames: ['Table'] },
      dataPlatformInstance: { platform: 'urn:li:dataPlatform:hive' },
    });
    await model.seed(returns, {
      glossaryTermInfo: { name: 'Rate of Return', definition: 'What it yields.', termSource: '' },
    });
    await model.seed('urn:li:container:c', { container: { container: 'urn:li:container:d' } });
    await model.seed('urn:li:container:d', { containerProperties: { name: 'Shop' } });
  });
  after(() => model.close());

  async function dataset(selection: string, urn: string = orders): Promise<JsonValue | undefined> {
    const answer = await model.ask(`query q($urn: String!) { dataset(urn: $urn) { ${selection} } }`, { urn });
    assert.equal(answer.errors, undefined);
    return answer.data?.['dataset'];
  }

  it('as the specification asks for it', async () => {
    const read = await dataset(
      `glossaryTerms { terms { term { urn glossaryTermInfo { name description } } } } properties { description }
       schemaMetadata { fields { fieldPath description } }`,
    );
    assert.deepEqual(read, {
      glossaryTerms: {
        terms: [
          {
            term: {
              urn: returns,
              glossaryTermInfo: { name: 'Rate of Return', description: 'What it yields.' },
            },
          },
        ],
      },
      properties: { description: 'ingested' },
      schemaMetadata: {
        fields: [
          { fieldPath: 'id', description: 'Primary key' },
          { fieldPath: userName, description: 'edited\n\n- *markdown*' },
        ],
      },
    });
  });

  it('with ingested and edited descriptions apart, and the one that a reader should see', async () => {
    assert.deepEqual(
      await dataset(
        'description effectiveDescription properties { description } editableProperties { description name }',
      ),
      {
        description: 'ingested',
        effectiveDescription: 'edited\n*text*',
        properties: { description: 'ingested' },
        editableProperties: { description: 'edited\n*text*', name: null },
      },
    );
  });

  it('with its properties, and time 0 where nobody knows when it was changed', async () => {
    const read = await dataset(
      `properties { name origin qualifiedName externalUrl created createdActor lastModified { time actor }
       customProperties { key value associatedUrn } }`,
    );
    assert.deepEqual(read, {
      properties: {
        name: 'Orders',
        origin: 'PROD',
        qualifiedName: null,
        externalUrl: 'https://wiki.example/orders',
        created: 5,
        createdActor: null,
        lastModified: { time: 0, actor: null },
        customProperties: [{ key: 'team', value: 'shop', associatedUrn: orders }],
      },
    });
  });

  it('with its columns, where terms and tags are the ingested and the edited ones, each once', async () => {
    const read = await dataset(
      `schemaMetadata { aspectVersion name version hash primaryKeys platformSchema { ... on TableSchema { schema } }
         fields { fieldPath type nullable isPartOfKey sourceDescription tags { tags { tag { urn } associatedUrn } }
           glossaryTerms { terms { term { urn } associatedUrn } } schemaFieldEntity { urn fieldPath parent { urn } } } }`,
    );
    const column = `urn:li:schemaField:(${orders},${userName})`;
    assert.deepEqual(read, {
      schemaMetadata: {
        aspectVersion: 0,
        name: 'orders',
        version: 3,
        hash: 'abc',
        primaryKeys: ['id'],
        platformSchema: { schema: 'create table orders' },
        fields: [
          {
            fieldPath: 'id',
            type: 'NUMBER',
            nullable: false,
            isPartOfKey: true,
            sourceDescription: 'Primary key',
            tags: null,
            glossaryTerms: null,
            schemaFieldEntity: {
              urn: `urn:li:schemaField:(${orders},id)`,
              fieldPath: 'id',
              parent: { urn: orders },
            },
          },
          {
            fieldPath: userName,
            type: 'STRING',
            nullable: false,
            isPartOfKey: false,
            sourceDescription: 'ingested',
            tags: {
              tags: ['pii', 'new'].map((tag) => ({
                tag: { urn: `urn:li:tag:${tag}` },
                associatedUrn: orders,
              })),
            },
            glossaryTerms: {
              terms: [returns, 'urn:li:glossaryTerm:b', 'urn:li:glossaryTerm:c'].map((urn) => ({
                term: { urn },
                associatedUrn: orders,
              })),
            },
            schemaFieldEntity: { urn: column, fieldPath: userName, parent: { urn: orders } },
          },
        ],
      },
    });
  });

  it('with what people set on columns as it is stored', async () => {
    const read = await dataset(
      `editableSchemaMetadata { editableSchemaFieldInfo { fieldPath description tags { tags { tag { urn } } }
         glossaryTerms { terms { term { urn } } } } }`,
    );
    assert.deepEqual(read, {
      editableSchemaMetadata: {
        editableSchemaFieldInfo: [
          {
            fieldPath: 'user_name',
            description: 'edited\n\n- *markdown*',
            tags: { tags: [{ tag: { urn: 'urn:li:tag:pii' } }, { tag: { urn: 'urn:li:tag:new' } }] },
            glossaryTerms: {
              terms: [{ term: { urn: 'urn:li:glossaryTerm:b' } }, { term: { urn: 'urn:li:glossaryTerm:c' } }],
            },
          },
          { fieldPath: 'gone', description: 'of a column that vanished', tags: null, glossaryTerms: null },
        ],
      },
    });
  });

  it('with what it is in, what it is like and where it belongs', async () => {
    const read = await dataset(
      `platform { urn name } dataPlatformInstance { urn } status { removed } exists subTypes { typeNames }
       container { urn } parentContainers { count containers { urn properties { name } } } domain { domain { id } }
       browsePathV2 { path { name entity { urn } } } siblings { isPrimary siblings { urn __typename } }`,
    );
    assert.deepEqual(read, {
      platform: { urn: 'urn:li:dataPlatform:hive', name: 'hive' },
      dataPlatformInstance: null,
      status: { removed: true },
      exists: true,
      subTypes: { typeNames: ['Table'] },
      container: { urn: 'urn:li:container:c' },
      parentContainers: {
        count: 2,
        containers: [
          { urn: 'urn:li:container:c', properties: null },
          { urn: 'urn:li:container:d', properties: { name: 'Shop' } },
        ],
      },
      domain: { domain: { id: 'sales' } },
      browsePathV2: {
        path: [
          { name: 'shop', entity: null },
          { name: 'c', entity: { urn: 'urn:li:container:c' } },
        ],
      },
      siblings: {
        isPrimary: true,
        siblings: [
          { urn: 'urn:li:dataset:(urn:li:dataPlatform:dbt,shop.orders,PROD)', __typename: 'Dataset' },
        ],
      },
    });
  });

  it('in an earlier version of its schema, without what people set since', async () => {
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.versions,PROD)';
    await model.seed(urn, { schemaMetadata: schema(field('id', 'NumberType', { description: 'old' })) });
    await model.seed(urn, {
      schemaMetadata: schema(field('id', 'StringType', { description: 'new' })),
      editableSchemaMetadata: { editableSchemaFieldInfo: [{ fieldPath: 'id', description: 'edited' }] },
    });
    const columns = '{ aspectVersion fields { type description } }';
    assert.deepEqual(
      await dataset(
        `latest: schemaMetadata ${columns} zero: schemaMetadata(version: 0) ${columns} one: schemaMetadata(version: 1) ${columns}
         two: schemaMetadata(version: 2) ${columns} three: schemaMetadata(version: 3) ${columns}`,
        urn,
      ),
      {
        latest: { aspectVersion: 0, fields: [{ type: 'STRING', description: 'edited' }] },
        zero: { aspectVersion: 0, fields: [{ type: 'STRING', description: 'edited' }] },
        one: { aspectVersion: 1, fields: [{ type: 'NUMBER', description: 'old' }] },
        two: { aspectVersion: 2, fields: [{ type: 'STRING', description: 'new' }] },
        three: null,
      },
    );
  });

  it('from its URN alone when it was never stored', async () => {
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:s3,my (odd), name,DEV)';
    const read = await dataset(
      `urn type name origin platform { name } exists properties { name } glossaryTerms { terms { term { urn } } }
       schemaMetadata { name } editableSchemaMetadata { editableSchemaFieldInfo { fieldPath } } effectiveDescription
       parentContainers { count } lastIngested aspects { aspectName } status { removed }`,
      urn,
    );
    assert.deepEqual(read, {
      urn,
      type: 'DATASET',
      name: 'my (odd), name',
      origin: 'DEV',
      platform: { name: 's3' },
      exists: false,
      properties: null,
      glossaryTerms: null,
      schemaMetadata: null,
      editableSchemaMetadata: null,
      effectiveDescription: null,
      parentContainers: { count: 0 },
      lastIngested: null,
      aspects: [],
      status: null,
    });
  });

  it('unless its URN is malformed or is that of something else', async () => {
    for (const urn of ['shop.orders', 'urn:li:dataset:shop.orders', 'urn:li:tag:pii']) {
      const { data, errors } = await model.ask('query q($urn: String!) { dataset(urn: $urn) { urn } }', {
        urn,
      });
      assert.deepEqual(data, { dataset: null });
      assert.match(errors?.[0]?.message ?? '', new RegExp(`^Invalid urn "${urn}"`));
      assert.equal(errors?.[0]?.extensions.code, 400);
    }
  });
});
