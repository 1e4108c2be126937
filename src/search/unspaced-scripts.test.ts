import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestCatalogue } from '../../test/catalogue.ts';
import { systemCaller } from '../auth/system-caller.ts';
import { createSearchEngine } from './create-search-engine.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const customers = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.customers,PROD)';

test('a description without blanks is found by a word in its middle, and a name is completed by one', async () => {
  await using catalogue = await openTestCatalogue();
  await catalogue.seed(orders, {
    datasetProperties: { name: '受注明細', description: '毎日の注文をまとめた表です', customProperties: {} },
  });
  await catalogue.seed(customers, {
    datasetProperties: { name: '顧客', description: 'ลูกค้าทั้งหมด', customProperties: {} },
  });
  const engine = createSearchEngine({ store: catalogue.store });
  const found = async (text: string): Promise<readonly string[]> =>
    (await engine.search({ text, start: 0, count: 10 }, systemCaller)).hits.map(({ urn }) => urn);
  for (const text of ['注文', '注', 'まとめた', '毎日の注文をまとめた表です', '明細']) {
    assert.deepEqual(await found(text), [orders], text);
  }
  assert.deepEqual(await found('顧客'), [customers]);
  assert.deepEqual(await found('ค้า'), [customers]);
  assert.deepEqual(await found('文注'), []);
  const { suggestions } = await engine.complete({ text: '明', limit: 5 }, systemCaller);
  assert.deepEqual(suggestions, ['受注明細']);
});
