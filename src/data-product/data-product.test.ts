import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import {
  customers,
  orders,
  pii,
  seedShop,
  unauthorized,
  unknownDataset,
} from '../../test/sample-metadata.ts';
import { batchAddToDataProducts, batchRemoveFromDataProducts, batchSetDataProduct } from './change-assets.ts';
import { createDataProduct } from './create-data-product.ts';
import { deleteDataProduct } from './delete-data-product.ts';
import { updateDataProduct } from './update-data-product.ts';

const stamp = { time: 1_790_000_000_000, actor: 'urn:li:corpuser:editor' };
const sales = 'urn:li:domain:sales';
const first = 'urn:li:dataProduct:first';
const second = 'urn:li:dataProduct:second';

async function openShop(): Promise<TestCatalogue> {
  const shop = await openTestCatalogue({ now: () => stamp.time, newId: () => 'random' });
  await seedShop(shop);
  await shop.seed(sales, { domainProperties: { name: 'Sales' } });
  for (const id of ['first', 'second']) {
    await shop.execute(createDataProduct, { id, domainUrn: sales, properties: { name: id } });
  }
  return shop;
}

async function assetsOf(shop: TestCatalogue, product: string): Promise<readonly unknown[]> {
  const assets = (await shop.body(product, 'dataProductProperties'))?.['assets'];
  assert.ok(assets === undefined || Array.isArray(assets));
  return (assets ?? []).map((asset: { readonly destinationUrn: string }) => asset.destinationUrn);
}

describe('a data product', () => {
  it('is made in a domain, with its maker as the owner', async () => {
    await using shop = await openShop();
    const properties = { name: 'Third', description: 'All of it' };
    const urn = await shop.execute(createDataProduct, { domainUrn: sales, properties });
    assert.equal(urn, 'urn:li:dataProduct:random');
    assert.deepEqual(await shop.body(urn, 'dataProductProperties'), properties);
    assert.deepEqual(await shop.body(urn, 'domains'), {
      domains: [sales],
      domainAssociations: [{ domain: sales }],
    });
    const ownership = await shop.body(urn, 'ownership');
    assert.deepEqual(ownership?.['lastModified'], stamp);
    const technical = 'urn:li:ownershipType:__system__technical_owner';
    assert.deepEqual(ownership?.['ownerTypes'], { [technical]: [stamp.actor] });
  });

  it('is not made twice, without a domain, or without a name', async () => {
    await using shop = await openShop();
    const input = { id: 'first', domainUrn: sales, properties: { name: 'First' } };
    await shop.refuses(createDataProduct, input, {
      code: 'ALREADY_EXISTS',
      message: /already exists.*first/,
    });
    const nowhere = { ...input, id: 'new', domainUrn: 'urn:li:domain:no' };
    await shop.refuses(createDataProduct, nowhere, {
      code: 'ENTITY_NOT_FOUND',
      message: /urn:li:domain:no does not/,
    });
    await shop.refuses(
      createDataProduct,
      { ...input, domainUrn: pii },
      { code: 'ENTITY_NOT_FOUND', message: /pii does not/ },
    );
    const nameless = { ...input, properties: { name: ' ' } };
    await shop.refuses(createDataProduct, nameless, { code: 'BAD_REQUEST', message: /The name is blank/ });
    await shop.refuses(createDataProduct, nowhere, unauthorized, shop.reader);
  });

  it('is renamed and described, and keeps its assets', async () => {
    await using shop = await openShop();
    await shop.execute(batchSetDataProduct, { dataProductUrn: first, resourceUrns: [orders] });
    assert.equal(await shop.execute(updateDataProduct, { urn: first, name: 'One', description: 'd' }), first);
    const body = await shop.body(first, 'dataProductProperties');
    assert.deepEqual([body?.['name'], body?.['description']], ['One', 'd']);
    assert.deepEqual(await assetsOf(shop, first), [orders]);
    await shop.changesNothing(updateDataProduct, { urn: first, name: 'One' });
    const missing = { code: 'ENTITY_NOT_FOUND', message: /no.*does not exist/ } as const;
    await shop.refuses(updateDataProduct, { urn: 'urn:li:dataProduct:no', name: 'x' }, missing);
    await shop.refuses(
      updateDataProduct,
      { urn: first, name: '' },
      { code: 'BAD_REQUEST', message: /The name is blank/ },
    );
    await shop.refuses(updateDataProduct, { urn: first, name: 'x' }, unauthorized, shop.reader);
  });

  it('is deleted while its assets stay', async () => {
    await using shop = await openShop();
    await shop.execute(batchSetDataProduct, { dataProductUrn: first, resourceUrns: [orders] });
    await shop.execute(deleteDataProduct, { urn: first });
    assert.equal(await shop.body(first, 'dataProductProperties'), undefined);
    assert.ok(await shop.body(orders, 'datasetProperties'));
    const missing = { code: 'MISSING_FOR_DELETE', message: /does not exist: .*first/ } as const;
    await shop.refuses(deleteDataProduct, { urn: first }, missing);
    await shop.refuses(deleteDataProduct, { urn: orders }, { ...missing, message: /orders/ });
    await shop.refuses(deleteDataProduct, { urn: second }, unauthorized, shop.reader);
  });
});

describe('the assets of data products', () => {
  it('are put into one product and out of all others', async () => {
    await using shop = await openShop();
    const both = { dataProductUrns: [first, second], resourceUrns: [orders, customers] };
    await shop.execute(batchAddToDataProducts, both);
    await shop.changesNothing(batchAddToDataProducts, both);
    const set = { dataProductUrn: first, resourceUrns: [orders] };
    await shop.execute(batchSetDataProduct, set);
    assert.deepEqual(await assetsOf(shop, first), [orders, customers]);
    assert.deepEqual(await assetsOf(shop, second), [customers]);
    await shop.changesNothing(batchSetDataProduct, set);
    const assets = (await shop.body(first, 'dataProductProperties'))?.['assets'];
    assert.ok(Array.isArray(assets));
    assert.deepEqual(assets[0], { destinationUrn: orders, created: stamp, lastModified: stamp });
  });

  it('are taken out of some products, or out of all', async () => {
    await using shop = await openShop();
    await shop.execute(batchAddToDataProducts, {
      dataProductUrns: [first, second],
      resourceUrns: [orders, customers],
    });
    const removal = { dataProductUrns: [first], resourceUrns: [orders] };
    await shop.execute(batchRemoveFromDataProducts, removal);
    assert.deepEqual(await assetsOf(shop, first), [customers]);
    await shop.changesNothing(batchRemoveFromDataProducts, removal);
    await shop.execute(batchSetDataProduct, { resourceUrns: [customers] });
    assert.deepEqual([await assetsOf(shop, first), await assetsOf(shop, second)], [[], [orders]]);
  });

  it('are refused all together when one thing is wrong', async () => {
    await using shop = await openShop();
    const missing = (message: RegExp): { code: 'ENTITY_NOT_FOUND'; message: RegExp } => ({
      code: 'ENTITY_NOT_FOUND',
      message,
    });
    for (const command of [batchAddToDataProducts, batchRemoveFromDataProducts]) {
      const input = { dataProductUrns: [first], resourceUrns: [orders, unknownDataset] };
      await shop.refuses(command, input, missing(/nothing.*does not exist/));
      await shop.refuses(
        command,
        { ...input, dataProductUrns: [first, sales] },
        missing(/domain:sales does not exist/),
      );
      await shop.refuses(
        command,
        { ...input, resourceUrns: [pii] },
        { code: 'UNSUPPORTED_RESOURCE_TYPE', message: /pii cannot be in one/ },
      );
      await shop.refuses(command, input, unauthorized, shop.reader);
    }
    const input = { dataProductUrn: first, resourceUrns: [orders, unknownDataset] };
    await shop.refuses(batchSetDataProduct, input, missing(/nothing.*does not exist/));
    await shop.refuses(batchSetDataProduct, input, unauthorized, shop.reader);
  });

  it('may be changed by whoever may change the data products of all of them', async () => {
    await using shop = await openShop();
    const caller = { ...shop.reader, privileges: new Set(['EDIT_ENTITY_DATA_PRODUCTS'] as const) };
    const input = { dataProductUrn: first, resourceUrns: [orders] };
    assert.equal(await shop.execute(batchSetDataProduct, input, caller), true);
  });
});
