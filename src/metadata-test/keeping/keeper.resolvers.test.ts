import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer, type TestServer } from '../../../test/server.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)';
const read =
  '{ testEngineStatus { activity sequence queued evaluating { done of } counters { evaluations } problem } }';

async function untilRunsAre(server: TestServer, count: number): Promise<void> {
  const runs = '{ test(urn: "urn:li:test:t") { batchRunEvents { batchRunEvents { status } } } }';
  for (;;) {
    const data = JSON.stringify(await server.data(runs));
    if (data.split('COMPLETE').length - 1 >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('a manager has one test or all of them evaluated again, and everybody who may see tests sees how far it is', async () => {
  await using server = await startTestServer();
  await server.ingest(orders, 'datasetProperties', { name: 'orders' });
  const definition = { on: { types: ['dataset'] }, rules: [{ property: 'urn', operator: 'exists' }] };
  const input = { id: 't', name: 't', category: 'c', definition: { json: JSON.stringify(definition) } };
  await server.data('mutation create($input: CreateTestInput!) { createTest(input: $input) }', { input });
  await untilRunsAre(server, 1);
  const again = 'mutation again($urn: String) { reevaluateTests(urn: $urn) }';
  assert.deepEqual(await server.data(again, { urn: 'urn:li:test:t' }), { reevaluateTests: true });
  await untilRunsAre(server, 2);
  assert.deepEqual(await server.data(again), { reevaluateTests: true });
  await untilRunsAre(server, 3);

  const { testEngineStatus } = await server.data(read);
  const sequence = await server.lastSequence();
  assert.deepEqual(
    { ...(testEngineStatus as object), counters: undefined, activity: undefined },
    { sequence, queued: 0, evaluating: null, problem: null, counters: undefined, activity: undefined },
  );
  const { errors } = await server.graphql(again, { urn: 'urn:li:test:nowhere' });
  assert.match(errors?.[0]?.message ?? '', /There is no test urn:li:test:nowhere/);
});

test('where results are not kept, the status says so, and nothing is evaluated again', async () => {
  await using server = await startTestServer({ keepsVerdicts: false });
  const { testEngineStatus } = await server.data(read);
  assert.equal((testEngineStatus as { activity: string }).activity, 'STOPPED');
  const { errors } = await server.graphql('mutation { reevaluateTests }');
  assert.match(errors?.[0]?.message ?? '', /--metadata-tests on/);
});
