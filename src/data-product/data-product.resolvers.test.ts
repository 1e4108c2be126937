import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReadModel } from '../../test/read-model.ts';
import { customers, orders, seedShop } from '../../test/sample-metadata.ts';

test('a data product is made, filled, found from its assets, and deleted', async () => {
  await using model = await openReadModel();
  await seedShop(model);
  await model.seed('urn:li:domain:sales', { domainProperties: { name: 'Sales' } });
  const ask = async (query: string): Promise<unknown> => {
    const { data, errors } = await model.ask(query);
    assert.equal(errors, undefined);
    return data;
  };
  const urn = 'urn:li:dataProduct:shop';
  const created =
    await ask(`mutation { createDataProduct(input: {id: "shop", domainUrn: "urn:li:domain:sales",
    properties: {name: "Shop"}}) { urn type exists properties { name description numAssets externalUrl customProperties { key } } } }`);
  assert.deepEqual(created, {
    createDataProduct: {
      urn,
      type: 'DATA_PRODUCT',
      exists: true,
      properties: {
        name: 'Shop',
        description: null,
        numAssets: 0,
        externalUrl: null,
        customProperties: null,
      },
    },
  });
  await ask(
    `mutation { batchSetDataProduct(input: {dataProductUrn: "${urn}", resourceUrns: ["${orders}", "${customers}"]}) }`,
  );
  await ask(
    `mutation { batchRemoveFromDataProducts(input: {dataProductUrns: ["${urn}"], resourceUrns: ["${customers}"]}) }`,
  );
  await ask(
    `mutation { batchAddToDataProducts(input: {dataProductUrns: ["${urn}"], resourceUrns: ["${orders}"]}) }`,
  );
  const updated = await ask(`mutation { updateDataProduct(urn: "${urn}", input: {description: "d"}) {
    properties { name description numAssets } } }`);
  assert.deepEqual(updated, {
    updateDataProduct: { properties: { name: 'Shop', description: 'd', numAssets: 1 } },
  });
  const query = `{ dataset(urn: "${orders}") { dataProduct: relationships(input: {types: ["DataProductContains"],
    direction: INCOMING}) { total relationships { entity { urn ... on DataProduct { properties { name } } } } } } }`;
  assert.deepEqual(await ask(query), {
    dataset: {
      dataProduct: { total: 1, relationships: [{ entity: { urn, properties: { name: 'Shop' } } }] },
    },
  });
  assert.deepEqual(await ask(`mutation { deleteDataProduct(urn: "${urn}") }`), { deleteDataProduct: true });
  assert.deepEqual(await ask(query), { dataset: { dataProduct: { total: 0, relationships: [] } } });
  assert.deepEqual(await ask(`{ dataProduct(urn: "${urn}") { exists properties { name } } }`), {
    dataProduct: { exists: false, properties: null },
  });
});
