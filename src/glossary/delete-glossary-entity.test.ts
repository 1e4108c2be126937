import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import {
  customer,
  customers,
  orders,
  revenue,
  schemaOf,
  seedShop,
  termInfo,
  unauthorized,
  unknownStamp,
  unknownTerm,
} from '../../test/sample-metadata.ts';
import type { JsonObject } from '../aspect/json.ts';
import { parseUrn } from '../urn/urn.ts';
import { deleteGlossaryEntity } from './delete-glossary-entity.ts';

const finance = 'urn:li:glossaryNode:Finance';
const risk = 'urn:li:glossaryNode:Risk';

async function openShop(): Promise<TestCatalogue> {
  const shop = await openTestCatalogue();
  await seedShop(shop);
  return shop;
}

const termsOf = (...urns: string[]): { terms: { urn: string }[]; auditStamp: typeof unknownStamp } => ({
  terms: urns.map((urn) => ({ urn })),
  auditStamp: unknownStamp,
});

describe('deleteGlossaryEntity', () => {
  it('deletes a term and detaches it from datasets, edited and ingested columns and other terms', async () => {
    await using shop = await openShop();
    const schema = (...urns: string[]): JsonObject =>
      schemaOf([{ fieldPath: 'user_name', glossaryTerms: termsOf(...urns) }, 'other']);
    const editable = (...urns: string[]): JsonObject => ({
      editableSchemaFieldInfo: [
        { fieldPath: 'user_name', description: 'x', glossaryTerms: termsOf(...urns) },
      ],
    });
    await shop.seed(orders, {
      glossaryTerms: termsOf(revenue, customer),
      schemaMetadata: schema(revenue, customer),
      editableSchemaMetadata: editable(revenue, customer),
    });
    await shop.seed(customers, { glossaryTerms: termsOf(revenue) });
    await shop.seed(customer, { glossaryRelatedTerms: { isRelatedTerms: [revenue] } });
    const before = await shop.lastSequence();

    assert.equal(await shop.execute(deleteGlossaryEntity, { urn: revenue }), true);

    assert.deepEqual(await shop.body(orders, 'glossaryTerms'), termsOf(customer));
    assert.deepEqual(await shop.body(orders, 'schemaMetadata'), schema(customer));
    assert.deepEqual(await shop.body(orders, 'editableSchemaMetadata'), editable(customer));
    assert.deepEqual(await shop.body(customers, 'glossaryTerms'), termsOf());
    assert.deepEqual(await shop.body(customer, 'glossaryRelatedTerms'), { isRelatedTerms: [] });
    const urn = parseUrn(revenue);
    assert.equal((await shop.store.read(urn)).size, 0);
    assert.equal((await shop.store.existing([urn])).size, 0);
    const query = { urn, direction: 'INCOMING', start: 0, count: 10, distinct: false } as const;
    assert.equal((await shop.store.relationships(query)).total, 0);
    const changes = await shop.store.changes({ after: before, count: 100 });
    assert.equal(new Set(changes.map(({ commit }) => commit)).size, 1, 'one command stored it all');
  });

  it('finds every referrer, also more than one page of them', async () => {
    await using shop = await openShop();
    const urns = Array.from(
      { length: 1003 },
      (_, index) => `urn:li:dataset:(urn:li:dataPlatform:hive,many.t${index},PROD)`,
    );
    await Promise.all(urns.map((urn) => shop.seed(urn, { glossaryTerms: termsOf(revenue) })));
    await shop.execute(deleteGlossaryEntity, { urn: revenue });
    const stored = await shop.store.readMany(urns.map(parseUrn), ['glossaryTerms']);
    for (const aspects of stored.values()) {
      assert.deepEqual(aspects.get('glossaryTerms')?.body, termsOf());
    }
  });

  it('lets what stood below a node stand at the root', async () => {
    await using shop = await openShop();
    await shop.seed(finance, { glossaryNodeInfo: { name: 'Finance', definition: '' } });
    await shop.seed(risk, { glossaryNodeInfo: { name: 'Risk', definition: '', parentNode: finance } });
    await shop.seed(revenue, { glossaryTermInfo: termInfo('Revenue', finance) });
    await shop.execute(deleteGlossaryEntity, { urn: finance });
    assert.deepEqual(await shop.body(risk, 'glossaryNodeInfo'), { name: 'Risk', definition: '' });
    assert.deepEqual(await shop.body(revenue, 'glossaryTermInfo'), termInfo('Revenue'));
    const page = { parent: undefined, start: 0, count: 10 };
    assert.deepEqual((await shop.store.children({ type: 'glossaryNode', ...page })).items, [risk]);
    assert.deepEqual((await shop.store.children({ type: 'glossaryTerm', ...page })).items, [
      customer,
      revenue,
    ]);
  });

  it('finds references in texts that were kept verbatim, escapes included', async () => {
    await using shop = await openShop();
    const term = 'urn:li:glossaryTerm:a"quoted"';
    await shop.seed(term, { glossaryTermInfo: termInfo('Quoted') });
    await shop.seed(orders, { glossaryTerms: termsOf(term) });
    await shop.execute(deleteGlossaryEntity, { urn: term });
    assert.deepEqual(await shop.body(orders, 'glossaryTerms'), termsOf());
  });

  it('lets the same urn be created again', async () => {
    await using shop = await openShop();
    await shop.execute(deleteGlossaryEntity, { urn: revenue });
    await shop.seed(revenue, { glossaryTermInfo: termInfo('Again') });
    assert.deepEqual(await shop.body(revenue, 'glossaryTermInfo'), termInfo('Again'));
  });

  it('refuses what is not there, what is no term or node, and callers without the privilege', async () => {
    await using shop = await openShop();
    await shop.refuses(
      deleteGlossaryEntity,
      { urn: unknownTerm },
      { code: 'MISSING_FOR_DELETE', message: `This urn does not exist: ${unknownTerm}` },
    );
    await shop.refuses(
      deleteGlossaryEntity,
      { urn: orders },
      {
        code: 'UNSUPPORTED_RESOURCE_TYPE',
        message: `Failed to delete ${orders}. Only glossary terms and glossary nodes can be deleted here.`,
      },
    );
    await shop.refuses(deleteGlossaryEntity, { urn: revenue }, unauthorized, shop.reader);
  });
});
