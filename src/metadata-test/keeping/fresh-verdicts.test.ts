import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../../test/server.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)';

test('whoever saves a test, or writes to an entity, finds what that made of the verdicts in the next answer', async () => {
  await using server = await startTestServer();
  await server.ingest(orders, 'datasetProperties', { name: 'orders' });
  const definition = {
    on: { types: ['dataset'] },
    rules: [{ property: 'effective.description', operator: 'exists' }],
  };
  const input = { id: 't', name: 't', category: 'c', definition: { json: JSON.stringify(definition) } };
  const create = 'mutation create($input: CreateTestInput!) { createTest(input: $input) }';
  const describe = 'mutation edit($input: DescriptionUpdateInput!) { updateDescription(input: $input) }';
  const read = `{ dataset(urn: "${orders}") { testResults { passing { test { urn } } failing { test { urn } } } }
      test(urn: "urn:li:test:t") { results { passingCount failingCount } } }`;
  const named = [{ test: { urn: 'urn:li:test:t' } }];
  await server.data(create, { input });
  assert.deepEqual(await server.data(read), {
    dataset: { testResults: { passing: [], failing: named } },
    test: { results: { passingCount: 0, failingCount: 1 } },
  });
  for (let round = 0; round < 20; round += 1) {
    const isDescribed = round % 2 === 0;
    await server.data(describe, {
      input: { resourceUrn: orders, description: isDescribed ? `Round ${round}` : '' },
    });
    assert.deepEqual(await server.data(read), {
      dataset: {
        testResults: isDescribed ? { passing: named, failing: [] } : { passing: [], failing: named },
      },
      test: { results: { passingCount: isDescribed ? 1 : 0, failingCount: isDescribed ? 0 : 1 } },
    });
  }
});
