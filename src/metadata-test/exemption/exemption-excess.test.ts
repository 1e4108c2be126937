import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../../../test/server.ts';
import { objectIn } from '../../entity/stored-member.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const owned = { property: 'ownership.owners.owner', operator: 'exists' };
const tagged = { property: 'globalTags.tags.tag', operator: 'exists' };
const hour = 3_600_000;

let server: TestServer;
let serial = 0;

before(async () => {
  server = await startTestServer();
  await server.ingest(orders, 'datasetProperties', { name: 'orders' });
});
after(() => server.close());

const definitionOf = (parts: object): string =>
  JSON.stringify({ on: { types: ['dataset'] }, rules: [{ id: 'owned', ...owned }], ...parts });

async function newTest(parts: object = {}): Promise<string> {
  serial += 1;
  const input = { id: `x${serial}`, name: 't', category: 'c', definition: { json: definitionOf(parts) } };
  await server.data('mutation c($input: CreateTestInput!) { createTest(input: $input) }', { input });
  return `urn:li:test:x${serial}`;
}

async function edited(urn: string, parts: object): Promise<void> {
  const input = { name: 't', category: 'c', definition: { json: definitionOf(parts) } };
  const query =
    'mutation u($urn: String!, $input: UpdateTestInput!) { updateTest(urn: $urn, input: $input) }';
  await server.data(query, { urn, input });
}

/** What was answered: the id, or the message of the refusal. */
async function asked(kind: 'request' | 'create', input: object): Promise<string> {
  const name = `${kind}TestExemption`;
  const query = `mutation e($input: TestExemptionInput!) { ${name}(input: $input) }`;
  const whole = { reason: 'r', expires: Date.now() + hour, ...input };
  const { data, errors } = await server.graphql(query, { input: whole });
  return errors?.[0]?.message ?? String(data?.[name]);
}

async function approval(testUrn: string, id: string): Promise<string> {
  const query = `mutation { approveTestExemption(testUrn: "${testUrn}", id: "${id}") }`;
  const { errors } = await server.graphql(query);
  return errors?.[0]?.message ?? 'approved';
}

async function verdict(test: string): Promise<unknown> {
  const query = `{ explainTestResult(urn: "${orders}", testUrn: "${test}") { verdict } }`;
  return objectIn(await server.data(query), 'explainTestResult')?.['verdict'];
}

describe('an exemption that would excuse too much', () => {
  it('is refused when its filter asks for nothing, and selects nobody when it was ingested', async () => {
    const test = await newTest();
    for (const filter of ['null', '[]', '{"and": []}', '{"or": [{"and": []}]}']) {
      assert.match(await asked('create', { testUrn: test, filter }), /filter/i, filter);
    }
    const stored = { id: 'e', filter: [], reason: 'r', requestedBy: 'urn:li:corpuser:a' };
    const exemptions = [{ ...stored, approvedBy: 'urn:li:corpuser:b', createdAt: 1 }];
    await server.ingest(test, 'testExemptions', { exemptions });
    assert.equal(await verdict(test), 'FAIL');
  });

  it('is refused when its end is further away than ten years, or its filter longer than anybody reads', async () => {
    const test = await newTest();
    const late = { testUrn: test, entityUrn: orders, expires: Date.now() + 3651 * 24 * hour };
    assert.match(await asked('create', late), /within 3650 days/);
    const filter = JSON.stringify({ property: 'urn', operator: 'equals', values: ['u'.repeat(10_000)] });
    assert.match(await asked('create', { testUrn: test, filter }), /at most 10000 characters/);
  });

  it('is refused for a rule without a name, because an edit puts another rule in its place', async () => {
    const test = await newTest({ rules: [owned, tagged] });
    const input = { testUrn: test, entityUrn: orders, rule: 'rule-1' };
    assert.match(await asked('create', input), /give the rule an 'id'/);
  });

  it('is not approved when the test, as it is by now, would refuse it', async () => {
    const closed = await newTest();
    const entity = await asked('request', { testUrn: closed, entityUrn: orders });
    await edited(closed, { exemptionPolicy: { allowed: false } });
    assert.match(await approval(closed, entity), /allows no exemptions/);
    const renamed = await newTest();
    const rule = await asked('request', { testUrn: renamed, entityUrn: orders, rule: 'owned' });
    await edited(renamed, { rules: [{ id: 'named', ...owned }] });
    assert.match(await approval(renamed, rule), /no rule "owned"/);
    await edited(renamed, {});
    assert.equal(await approval(renamed, rule), 'approved');
  });

  it('is not asked for without end, so that there is room for those that are approved', async () => {
    const test = await newTest();
    const asking = { entity: orders, reason: 'r', requestedBy: 'urn:li:corpuser:a', createdAt: 1 };
    const exemptions = Array.from({ length: 500 }, (_, index) => ({ ...asking, id: `e${index}` }));
    await server.ingest(test, 'testExemptions', { exemptions });
    assert.match(await asked('request', { testUrn: test, entityUrn: orders }), /500 are the limit/);
    assert.equal(await verdict(test), 'FAIL');
    await asked('create', { testUrn: test, entityUrn: orders });
    assert.equal(await verdict(test), 'EXEMPT');
  });

  it('is not ingested by who may not leave out its end', async () => {
    const test = await newTest();
    const exemption = {
      id: 'e',
      entity: orders,
      reason: 'r',
      requestedBy: 'urn:li:corpuser:a',
      createdAt: 1,
    };
    const exemptions = [{ ...exemption, approvedBy: 'urn:li:corpuser:admin' }];
    const value = JSON.stringify({ exemptions });
    const proposal = {
      entityType: 'test',
      entityUrn: test,
      changeType: 'UPSERT',
      aspectName: 'testExemptions',
      aspect: { contentType: 'application/json', value },
    };
    const answer = await server.send('POST', '/aspects?action=ingestProposal', {
      body: { proposal },
      token: server.tokens.Editor,
    });
    assert.equal(answer.status, 403);
    assert.equal(await verdict(test), 'FAIL');
  });
});
