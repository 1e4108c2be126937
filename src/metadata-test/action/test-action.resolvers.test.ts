import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestServer, type TestServer } from '../../../test/server.ts';
import type { JsonObject } from '../../aspect/json.ts';
import { listIn, objectIn, objectsIn } from '../../entity/stored-member.ts';
import { addTags, gold, silver, tagged, tier1, written } from './action.fixture.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const test = 'urn:li:test:gold';

let server: TestServer;

before(async () => {
  server = await startTestServer();
  await server.ingest(orders, 'status', { removed: false });
  const input = {
    id: 'gold',
    name: 'Gold',
    category: 'c',
    definition: { json: written({ passing: [addTags(gold)] }) },
  };
  await server.data('mutation ($input: CreateTestInput!) { createTest(input: $input) }', { input });
});

after(() => server.close());

const planQuery = `query ($urn: String!) {
  testActionPlan(urn: $urn) {
    test { urn } isActivated entities scope isComplete removedOfPeople
    writes { action count } sample { entity verdict changes }
    run { id status pausedFor } quarantine { flips }
  }
}`;

const plan = async (): Promise<JsonObject> =>
  objectIn(await server.data(planQuery, { urn: test }, server.tokens.Reader), 'testActionPlan') ?? {};

/** What happens beside the requests has happened soon. */
async function eventually<T>(what: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const found = await what();
    if (found !== undefined) return found;
    await delay(25);
  }
  throw new Error('It did not happen within five seconds.');
}

const tagsOf = async (): Promise<readonly string[]> => {
  const data = await server.data(
    'query ($urn: String!) { dataset(urn: $urn) { tags { tags { tag { urn } } } } }',
    { urn: orders },
  );
  const tags = objectsIn(objectIn(objectIn(data, 'dataset'), 'tags'), 'tags');
  return tags.map((each) => String(objectIn(each, 'tag')?.['urn']));
};

const change = (mutation: string, runId: string, token?: string): ReturnType<TestServer['graphql']> =>
  server.graphql(`mutation ($urn: String!, $runId: String!) { ${mutation} }`, { urn: test, runId }, token);

describe('actions through GraphQL', () => {
  it('A9, A10: a test is saved, shows its plan, acts once it is approved, and is taken back', async () => {
    const run = await eventually(async () => {
      const found = await plan();
      return found['entities'] === 1 ? objectIn(found, 'run') : undefined;
    });
    const { quarantine, writes, sample, ...shown } = await plan();
    assert.deepEqual(shown, {
      test: { urn: test },
      isActivated: false,
      entities: 1,
      scope: 1,
      isComplete: true,
      removedOfPeople: 0,
      run: { id: run['id'], status: 'PAUSED', pausedFor: 'ACTIVATION' },
    });
    assert.equal(quarantine, null);
    assert.deepEqual(writes, [{ action: 'add_tags', count: 1 }]);
    assert.deepEqual(sample, [{ entity: orders, verdict: 'PASS', changes: [`+ globalTags.tags ${gold}`] }]);
    assert.deepEqual(await tagsOf(), []);

    const id = String(run['id']);
    const refused = await change(
      'approveTestActions(urn: $urn, runId: $runId) { id }',
      id,
      server.tokens.Reader,
    );
    assert.equal(refused.errors?.[0]?.extensions.code, 403);
    const approved = await change('approveTestActions(urn: $urn, runId: $runId) { approvedBy }', id);
    assert.equal(approved.errors, undefined);
    await eventually(async () => ((await tagsOf()).length > 0 ? true : undefined));
    assert.deepEqual(await tagsOf(), [gold]);

    const done = await eventually(async () => {
      const data = await server.data(
        'query ($urn: String!) { testActionRuns(urn: $urn) { total runs { status done log { entity outcome depth changes } } } }',
        { urn: test },
      );
      const [first] = objectsIn(objectIn(data, 'testActionRuns'), 'runs');
      return first?.['status'] === 'DONE' ? first : undefined;
    });
    assert.equal(done['done'], 1);
    assert.deepEqual(listIn(done, 'log'), [
      { entity: orders, outcome: 'DONE', depth: 0, changes: [`+ globalTags.tags ${gold}`] },
    ]);

    const undone = await change('undoTestActions(urn: $urn, runId: $runId) { entities undone kept }', id);
    assert.deepEqual(undone.data?.['undoTestActions'], { entities: 1, undone: 1, kept: 0 });
    assert.deepEqual(await tagsOf(), []);
  });

  it('of a verdict that is evaluated and pushed are taken, and evaluating without storing takes none', async () => {
    const id = 'pushed';
    const definition = {
      json: written({ rules: [tagged(silver)], passing: [addTags(tier1)] }),
    };
    const input = { id, name: id, category: 'c', definition };
    await server.data('mutation ($input: CreateTestInput!) { createTest(input: $input) }', { input });
    const urn = `urn:li:test:${id}`;
    const run = await eventually(async () => {
      const data = await server.data(planQuery, { urn });
      return objectIn(objectIn(data, 'testActionPlan'), 'run');
    });
    const approve = `mutation { approveTestActions(urn: "${urn}", runId: "${String(run['id'])}") { id } }`;
    await server.data(approve);
    const evaluate = async (shouldPush: boolean): Promise<void> => {
      const body = { urn: orders, shouldPush, testUrns: [urn] };
      assert.equal((await server.send('POST', '/test?action=evaluate', { body })).status, 200);
    };
    const sequence = await server.lastSequence();
    await evaluate(false);
    await delay(100);
    assert.equal(await server.lastSequence(), sequence);
    await server.ingest(orders, 'globalTags', { tags: [{ tag: silver }] });
    await evaluate(true);
    await eventually(async () => ((await tagsOf()).includes(tier1) ? true : undefined));
  });

  it('evaluating with shouldPush false takes no action, and refusals say why', async () => {
    const tagsBefore = await tagsOf();
    const answer = await server.send('POST', '/test?action=evaluate', {
      body: { urn: orders, shouldPush: false },
    });
    assert.equal(answer.status, 200);
    assert.deepEqual(await tagsOf(), tagsBefore);
    const unknown = await change('rejectTestActions(urn: $urn, runId: $runId) { id }', 'nothing');
    assert.match(unknown.errors?.[0]?.message ?? '', /have no run nothing/);
    const idle = await server.graphql(`mutation { releaseTestActions(urn: "${test}") }`);
    assert.match(idle.errors?.[0]?.message ?? '', /not quarantined/);
    const missing = await server.graphql('{ testActionPlan(urn: "urn:li:test:none") { entities } }');
    assert.match(missing.errors?.[0]?.message ?? '', /no test urn:li:test:none/);
  });
});
