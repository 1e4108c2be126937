import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import {
  customers,
  longOrderId,
  orders,
  pii,
  revenue,
  schemaOf,
  seedShop,
  unauthorized,
  unknownDataset,
  unknownStamp,
} from '../../test/sample-metadata.ts';
import { updateDescription } from './update-description.ts';

const stamp = { time: 1_790_000_000_000, actor: 'urn:li:corpuser:editor' };
const container = 'urn:li:container:5f2a';
const node = 'urn:li:glossaryNode:Finance';
const domain = 'urn:li:domain:sales';
const platform = 'urn:li:dataPlatform:hive';
const markdown = '# Orders\n\n- one\n- *two*\n';

async function openShop(): Promise<TestCatalogue> {
  const shop = await openTestCatalogue({ now: () => stamp.time });
  await seedShop(shop);
  return shop;
}

const ofColumn = (
  subResource: string,
  description: string,
): { description: string; resourceUrn: string; subResourceType: 'DATASET_FIELD'; subResource: string } => ({
  description,
  resourceUrn: orders,
  subResourceType: 'DATASET_FIELD',
  subResource,
});

describe('updateDescription of a column', () => {
  it('stores the text as it is, apart from what ingestion said, and keeps the rest of the column', async () => {
    await using shop = await openShop();
    const schema = await shop.body(orders, 'schemaMetadata');
    const glossaryTerms = { terms: [{ urn: revenue }], auditStamp: unknownStamp };
    const record = { fieldPath: 'user_name', glossaryTerms };
    await shop.seed(orders, { editableSchemaMetadata: { editableSchemaFieldInfo: [record] } });
    assert.equal(await shop.execute(updateDescription, ofColumn('user_name', markdown)), true);
    assert.deepEqual(await shop.body(orders, 'editableSchemaMetadata'), {
      editableSchemaFieldInfo: [{ ...record, description: markdown }],
    });
    assert.deepEqual(await shop.body(orders, 'schemaMetadata'), schema);
    assert.equal(await shop.changesNothing(updateDescription, ofColumn('user_name', markdown)), true);
  });

  it('finds the column by its simple path and prefers the one that is no key', async () => {
    await using shop = await openShop();
    await shop.execute(updateDescription, ofColumn('order_id', 'the id'));
    await shop.seed(orders, {
      schemaMetadata: schemaOf([
        longOrderId,
        '[version=2.0].[key=True].[type=int].k',
        '[version=2.0].[type=int].k',
      ]),
    });
    await shop.execute(updateDescription, ofColumn('k', 'the value'));
    assert.deepEqual(await shop.body(orders, 'editableSchemaMetadata'), {
      editableSchemaFieldInfo: [
        { fieldPath: longOrderId, description: 'the id' },
        { fieldPath: '[version=2.0].[type=int].k', description: 'the value' },
      ],
    });
  });

  it('takes the edit away when the text is empty, and nothing else of the column', async () => {
    await using shop = await openShop();
    assert.equal(await shop.changesNothing(updateDescription, ofColumn('user_name', '')), true);
    const tags = { globalTags: { tags: [{ tag: pii }] } };
    await shop.seed(orders, {
      editableSchemaMetadata: {
        editableSchemaFieldInfo: [
          { fieldPath: 'user_name', description: 'edited', ...tags },
          { fieldPath: 'customer.id', description: 'edited' },
        ],
      },
    });
    await shop.execute(updateDescription, ofColumn('user_name', ''));
    await shop.execute(updateDescription, ofColumn('customer.id', ''));
    assert.deepEqual(await shop.body(orders, 'editableSchemaMetadata'), {
      editableSchemaFieldInfo: [{ fieldPath: 'user_name', ...tags }],
    });
  });

  it('refuses a dataset, a schema or a column that is not there', async () => {
    await using shop = await openShop();
    await shop.refuses(
      updateDescription,
      { ...ofColumn('x', 'text'), resourceUrn: unknownDataset },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to update ${unknownDataset}. ${unknownDataset} does not exist.`,
      },
    );
    await shop.refuses(
      updateDescription,
      { ...ofColumn('x', 'text'), resourceUrn: customers },
      {
        code: 'COLUMN_NOT_FOUND',
        message: `Failed to update ${customers} & field x. ${customers} has no schema.`,
      },
    );
    await shop.refuses(updateDescription, ofColumn('user_names', 'text'), {
      code: 'COLUMN_NOT_FOUND',
      message:
        `Failed to update ${orders} & field user_names. Field user_names does not exist in the datasets schema. ` +
        'Did you mean "user_name"?',
    });
    await shop.refuses(
      updateDescription,
      { description: 'text', resourceUrn: orders, subResourceType: 'DATASET_FIELD' },
      {
        code: 'COLUMN_NOT_FOUND',
        message: `Failed to update ${orders} & field null. Field null does not exist in the datasets schema.`,
      },
    );
    await shop.refuses(updateDescription, ofColumn('twice', 'text'), {
      code: 'AMBIGUOUS_COLUMN',
      message: /^Failed to update .* & field twice\. Field twice means 2 columns/,
    });
  });

  it('refuses a column without its type instead of describing the dataset', async () => {
    await using shop = await openShop();
    await shop.refuses(
      updateDescription,
      { description: 'text', resourceUrn: orders, subResource: 'user_name' },
      {
        code: 'BAD_REQUEST',
        message:
          `Failed to updates resource with urn ${orders}. ` +
          'SubResource (user_name) provided without a subResourceType.',
      },
    );
  });

  it('demands the privilege for columns, before it looks at anything', async () => {
    await using shop = await openShop();
    const docs = { ...shop.reader, privileges: new Set(['EDIT_ENTITY_DOCS'] as const) };
    const columns = { ...shop.reader, privileges: new Set(['EDIT_DATASET_COL_DESCRIPTION'] as const) };
    await shop.refuses(updateDescription, ofColumn('no', 'text'), unauthorized, docs);
    assert.equal(await shop.execute(updateDescription, ofColumn('user_name', 'text'), columns), true);
    await shop.refuses(
      updateDescription,
      { description: 'text', resourceUrn: orders },
      unauthorized,
      columns,
    );
  });
});

describe('updateDescription of an entity', () => {
  it('writes the edited description of a dataset and keeps its edited name', async () => {
    await using shop = await openShop();
    await shop.seed(orders, { editableDatasetProperties: { name: 'Orders', created: unknownStamp } });
    await shop.execute(updateDescription, { description: markdown, resourceUrn: orders });
    assert.deepEqual(await shop.body(orders, 'editableDatasetProperties'), {
      name: 'Orders',
      description: markdown,
      created: unknownStamp,
      lastModified: stamp,
    });
    assert.deepEqual(await shop.body(orders, 'datasetProperties'), {
      description: 'All orders, as ingested',
    });
    await shop.execute(updateDescription, { description: '', resourceUrn: orders });
    const { description } = (await shop.body(orders, 'editableDatasetProperties')) ?? {};
    assert.equal(description, undefined);
    assert.equal(
      await shop.changesNothing(updateDescription, { description: '', resourceUrn: customers }),
      true,
    );
  });

  it('writes descriptions of containers, terms, nodes, tags and domains where each keeps them', async () => {
    await using shop = await openShop();
    const untagged = 'urn:li:tag:new';
    await shop.seed(container, { containerProperties: { name: 'shop' } });
    await shop.seed(node, { glossaryNodeInfo: { definition: 'old', name: 'Finance' } });
    await shop.seed(domain, { domainProperties: { name: 'Sales' } });
    await shop.seed(untagged);
    for (const resourceUrn of [container, revenue, node, pii, untagged, domain]) {
      assert.equal(await shop.execute(updateDescription, { description: 'new', resourceUrn }), true);
      assert.equal(await shop.changesNothing(updateDescription, { description: 'new', resourceUrn }), true);
    }
    assert.deepEqual(await shop.body(container, 'editableContainerProperties'), { description: 'new' });
    assert.deepEqual(await shop.body(revenue, 'glossaryTermInfo'), {
      name: 'Revenue',
      definition: 'new',
      termSource: 'INTERNAL',
    });
    assert.deepEqual(await shop.body(node, 'glossaryNodeInfo'), { definition: 'new', name: 'Finance' });
    assert.deepEqual(await shop.body(pii, 'tagProperties'), { name: 'pii', description: 'new' });
    assert.deepEqual(await shop.body(untagged, 'tagProperties'), { name: 'new', description: 'new' });
    assert.deepEqual(await shop.body(domain, 'domainProperties'), { name: 'Sales', description: 'new' });
  });

  it('writes descriptions of notebooks, models, groups and products beside what was ingested', async () => {
    await using shop = await openShop();
    const product = await shop.seed('urn:li:dataProduct:orders', {
      dataProductProperties: { name: 'Orders' },
    });
    const written = [
      ['urn:li:notebook:(zeppelin,1)', 'editableNotebookProperties', { created: stamp, lastModified: stamp }],
      ['urn:li:mlModel:(urn:li:dataPlatform:mlflow,churn,PROD)', 'editableMlModelProperties', {}],
      ['urn:li:corpGroup:team', 'corpGroupEditableInfo', {}],
      [product, 'dataProductProperties', { name: 'Orders' }],
    ] as const;
    for (const [resourceUrn, aspect, rest] of written) {
      if (resourceUrn !== product) await shop.seed(resourceUrn);
      assert.equal(await shop.execute(updateDescription, { description: 'new', resourceUrn }), true);
      assert.equal(await shop.changesNothing(updateDescription, { description: 'new', resourceUrn }), true);
      assert.deepEqual(await shop.body(resourceUrn, aspect), { description: 'new', ...rest });
    }
  });

  it('keeps an empty definition, which is required, and drops other empty descriptions', async () => {
    await using shop = await openShop();
    await shop.seed(node, { glossaryNodeInfo: { definition: 'old' } });
    await shop.seed(domain, { domainProperties: { name: 'Sales', description: 'old' } });
    await shop.execute(updateDescription, { description: '', resourceUrn: node });
    await shop.execute(updateDescription, { description: '', resourceUrn: domain });
    assert.deepEqual(await shop.body(node, 'glossaryNodeInfo'), { definition: '' });
    assert.deepEqual(await shop.body(domain, 'domainProperties'), { name: 'Sales' });
  });

  it('refuses terms, nodes and domains of which nothing else is known', async () => {
    await using shop = await openShop();
    const bare = [
      ['urn:li:glossaryTerm:bare', 'Glossary Term'],
      [node, 'Glossary Node'],
      [domain, 'Domain'],
    ] as const;
    for (const [resourceUrn, title] of bare) {
      await shop.seed(resourceUrn);
      await shop.refuses(
        updateDescription,
        { description: 'text', resourceUrn },
        { code: 'BAD_REQUEST', message: `Properties for this ${title} do not yet exist!` },
      );
    }
  });

  it('refuses entities that do not exist, and types that have no description to write', async () => {
    await using shop = await openShop();
    await shop.refuses(
      updateDescription,
      { description: 'text', resourceUrn: container },
      { code: 'ENTITY_NOT_FOUND', message: `Failed to update ${container}. ${container} does not exist.` },
    );
    await shop.refuses(
      updateDescription,
      { description: 'text', resourceUrn: platform },
      {
        code: 'UNSUPPORTED_RESOURCE_TYPE',
        message: `Failed to update description. Unsupported resource type ${platform} provided.`,
      },
      shop.reader,
    );
    await shop.refuses(
      updateDescription,
      { description: 'text', resourceUrn: 'orders' },
      { code: 'INVALID_URN', message: /^Invalid urn "orders"/ },
    );
    await shop.refuses(
      updateDescription,
      { description: 'text', resourceUrn: container },
      unauthorized,
      shop.reader,
    );
  });

  it('refuses a text beyond 256 KiB', async () => {
    await using shop = await openShop();
    const input = { description: 'x'.repeat(256 * 1024 + 1), resourceUrn: orders };
    await shop.refuses(updateDescription, input, {
      code: 'INVALID_ASPECT',
      message: /longer than 262144 bytes/,
    });
  });
});
