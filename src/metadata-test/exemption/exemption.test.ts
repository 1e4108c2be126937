import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../../../test/server.ts';
import type { JsonObject } from '../../aspect/json.ts';

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,shop.${name},PROD)`;
const orders = dataset('orders');
const legacy = dataset('legacy');
const rules = [
  { id: 'owned', property: 'ownership.owners.owner', operator: 'exists' },
  { id: 'tagged', property: 'globalTags.tags.tag', operator: 'exists' },
];
const definition = JSON.stringify({ on: { types: ['dataset'] }, rules });
const taggedOnly = { property: 'globalTags.tags.tag', operator: 'exists' };
const hour = 3_600_000;

let server: TestServer;
let serial = 0;

before(async () => {
  server = await startTestServer();
  await server.ingest(orders, 'datasetProperties', { name: 'orders' });
  await server.ingest(legacy, 'globalTags', { tags: [{ tag: 'urn:li:tag:Legacy' }] });
});
after(() => server.close());

/** A new test; its URN. */
async function newTest(json = definition): Promise<string> {
  serial += 1;
  const input = { id: `t${serial}`, name: 't', category: 'c', definition: { json } };
  await server.data('mutation c($input: CreateTestInput!) { createTest(input: $input) }', { input });
  return `urn:li:test:t${serial}`;
}

type Input = { readonly [member: string]: string | number | boolean | undefined };

const soon = (): number => Date.now() + hour;

async function exempt(kind: 'request' | 'create', input: Input, token?: string): Promise<string> {
  const name = `${kind}TestExemption`;
  const query = `mutation e($input: TestExemptionInput!) { ${name}(input: $input) }`;
  const data = await server.data(
    query,
    { input: { reason: 'Migrated in spring', expires: soon(), ...input } },
    token,
  );
  return String(data[name]);
}

async function refusal(kind: 'request' | 'create', input: Input, token?: string): Promise<string> {
  const before = await server.lastSequence();
  const query = `mutation e($input: TestExemptionInput!) { ${kind}TestExemption(input: $input) }`;
  const { errors } = await server.graphql(
    query,
    { input: { reason: 'Migrated in spring', expires: soon(), ...input } },
    token,
  );
  assert.equal(await server.lastSequence(), before, 'nothing changed');
  return errors?.[0]?.message ?? 'accepted';
}

async function explained(test: string, urn: string): Promise<JsonObject> {
  const query = `{ explainTestResult(urn: "${urn}", testUrn: "${test}") {
    verdict notes exemption { id reason status } rules { id } } }`;
  return (await server.data(query))['explainTestResult'] as JsonObject;
}

const verdict = async (test: string, urn: string): Promise<unknown> =>
  (await explained(test, urn))['verdict'];

/** Stores what no command would: exemptions with times of one's choice. */
async function store(test: string, exemption: object): Promise<void> {
  const whole = {
    id: 'e',
    entity: orders,
    reason: 'r',
    requestedBy: 'urn:li:corpuser:ana',
    approvedBy: 'urn:li:corpuser:bo',
    createdAt: 1,
  };
  await server.ingest(test, 'testExemptions', { exemptions: [{ ...whole, ...exemption }] });
}

describe('an exemption', () => {
  it('excuses nobody until it is approved, and from then on the verdict is EXEMPT and names it', async () => {
    const test = await newTest();
    const id = await exempt('request', { testUrn: test, entityUrn: orders });
    assert.equal(await verdict(test, orders), 'FAIL');
    await server.data(`mutation { approveTestExemption(testUrn: "${test}", id: "${id}") }`);
    assert.deepEqual(await explained(test, orders), {
      verdict: 'EXEMPT',
      notes: [],
      exemption: { id, reason: 'Migrated in spring', status: 'EXPIRING' },
      rules: [{ id: 'owned' }, { id: 'tagged' }],
    });
    assert.equal(await verdict(test, legacy), 'FAIL', 'others are not excused');
  });

  it('is absent from both lists of an evaluation, stored or not, and removing it brings the failure back', async () => {
    const test = await newTest();
    const evaluate = async (shouldPush: boolean): Promise<readonly (readonly unknown[])[]> => {
      const body = { urn: orders, testUrns: [test], shouldPush };
      const answer = await server.send('POST', '/test?action=evaluate', { body });
      const { passing, failing } = (answer.body as JsonObject)['value'] as JsonObject;
      return [passing as unknown[], (failing as JsonObject[]).map((entry) => entry['test'])];
    };
    assert.deepEqual(await evaluate(true), [[], [test]]);
    const id = await exempt('create', { testUrn: test, entityUrn: orders });
    assert.deepEqual(await evaluate(true), [[], []]);
    const query = `{ dataset(urn: "${orders}") { testResults { failing { test { urn } } } } }`;
    assert.ok(!JSON.stringify(await server.data(query)).includes(test), 'the stored failure is gone');
    await server.data(`mutation { removeTestExemption(testUrn: "${test}", id: "${id}") }`);
    assert.deepEqual(await evaluate(false), [[], [test]]);
  });

  it('is told by an evaluation of several entities, which has no such list for those who are not excused', async () => {
    const test = await newTest();
    await exempt('create', { testUrn: test, entityUrn: orders });
    const body = { urns: [orders, legacy], testUrns: [test] };
    const answer = await server.send('POST', '/test?action=batchEvaluate', { body });
    const { results } = (answer.body as JsonObject)['value'] as { results: { [urn: string]: JsonObject } };
    assert.deepEqual(results[orders], { failing: [], passing: [], exempt: [test] });
    assert.deepEqual(Object.keys(results[legacy] ?? {}), ['failing', 'passing']);
  });

  it('of one rule excuses only who fails no other', async () => {
    const test = await newTest();
    await exempt('create', { testUrn: test, entityUrn: legacy, rule: 'owned' });
    await exempt('create', { testUrn: test, entityUrn: orders, rule: 'owned' });
    assert.equal(await verdict(test, legacy), 'EXEMPT', 'it has a tag');
    assert.equal(await verdict(test, orders), 'FAIL', 'it has no tag either');
    await exempt('create', { testUrn: test, entityUrn: orders, rule: 'tagged' });
    assert.equal(await verdict(test, orders), 'EXEMPT');
  });

  it('with a filter excuses whoever the filter selects, by aspects that the test does not read', async () => {
    const test = await newTest(JSON.stringify({ on: { types: ['dataset'] }, rules: rules.slice(0, 1) }));
    await exempt('create', { testUrn: test, filter: JSON.stringify(taggedOnly) });
    assert.equal(await verdict(test, legacy), 'EXEMPT');
    assert.equal(await verdict(test, orders), 'FAIL');
  });

  it('that has ended returns the verdict to FAIL, and the explanation says so', async () => {
    const test = await newTest();
    await store(test, { expires: Date.now() - hour });
    const { verdict: now, notes, exemption } = await explained(test, orders);
    assert.deepEqual([now, notes, exemption], ['FAIL', ['EXEMPTION_EXPIRED'], null]);
  });

  it('excuses nobody before it begins, nor with a filter that cannot be read', async () => {
    const test = await newTest();
    await store(test, { createdAt: Date.now() + hour, expires: Date.now() + 2 * hour });
    assert.equal(await verdict(test, orders), 'FAIL');
    await server.ingest(test, 'testExemptions', {
      exemptions: [
        {
          id: 'e',
          filter: { no: 1 },
          reason: 'r',
          requestedBy: 'urn:li:corpuser:a',
          approvedBy: 'urn:li:corpuser:a',
          createdAt: 1,
        },
      ],
    });
    assert.equal(await verdict(test, orders), 'FAIL');
  });

  it('leaves a test that passes as it is', async () => {
    const test = await newTest(JSON.stringify({ on: { types: ['dataset'] }, rules: [] }));
    await exempt('create', { testUrn: test, entityUrn: orders });
    assert.equal(await verdict(test, orders), 'PASS');
  });

  it('does not count for a definition that is only tried', async () => {
    const test = await newTest();
    await exempt('create', { testUrn: test, entityUrn: orders });
    const query =
      'mutation r($urn: String!, $test: TestDefinitionInput!) { runTestDefinition(urn: $urn, test: $test, mode: EVALUATE_ONLY) { status } }';
    const tried = await server.data(query, { urn: orders, test: { json: definition } });
    assert.deepEqual(tried, { runTestDefinition: { status: 'FAIL' } });
  });
});

describe('asking for exemptions', () => {
  it('refuses what lacks a reason or an end, or has an end in the past, and nothing changes', async () => {
    const test = await newTest();
    const input = { testUrn: test, entityUrn: orders };
    assert.match(await refusal('request', { ...input, reason: '  ' }), /needs a reason/);
    assert.match(await refusal('request', { ...input, expires: undefined }), /needs an end/);
    assert.match(await refusal('create', { ...input, expires: undefined }), /needs an end/);
    assert.match(await refusal('request', { ...input, expires: Date.now() - 1 }), /lies in the future/);
    assert.match(
      await refusal('request', { ...input, expires: undefined, withoutEnd: true }),
      /needs an end/,
    );
  });

  it('refuses tests, entities, rules and filters that are unknown, and names them', async () => {
    const test = await newTest();
    assert.match(
      await refusal('create', { testUrn: 'urn:li:test:nobody', entityUrn: orders }),
      /no test urn:li:test:nobody/,
    );
    assert.match(
      await refusal('create', { testUrn: test, entityUrn: dataset('ordres') }),
      /no entity .*ordres/,
    );
    assert.match(await refusal('create', { testUrn: test, entityUrn: 'urn:li:tag:x' }), /is for dataset/);
    assert.match(
      await refusal('create', { testUrn: test, entityUrn: orders, rule: 'owner' }),
      /no rule "owner".*owned/,
    );
    assert.match(await refusal('create', { testUrn: test }), /either an 'entityUrn' or a 'filter'/);
    assert.match(await refusal('create', { testUrn: test, filter: '{' }), /JSON text of a predicate/);
    const misspelt = JSON.stringify({ property: 'urn', operator: 'exist' });
    assert.match(await refusal('create', { testUrn: test, filter: misspelt }), /filter\/operator: .*MT103/);
  });

  it('lets only administrators leave out the end, and only on purpose', async () => {
    const test = await newTest();
    const input = { testUrn: test, entityUrn: orders, expires: undefined, withoutEnd: true };
    assert.match(await refusal('create', input, server.tokens.Editor), /Unauthorized/);
    await exempt('create', input, server.tokens.Admin);
    assert.equal(await verdict(test, orders), 'EXEMPT');
  });

  it('keeps to what the definition says about exemptions', async () => {
    const withPolicy = (exemptionPolicy: object): Promise<string> =>
      newTest(JSON.stringify({ on: { types: ['dataset'] }, rules, exemptionPolicy }));
    const none = await withPolicy({ allowed: false });
    assert.match(await refusal('create', { testUrn: none, entityUrn: orders }), /allows no exemptions/);
    const short = { testUrn: await withPolicy({ maxDays: 2 }), entityUrn: orders };
    const late = { ...short, expires: Date.now() + 49 * hour };
    assert.match(await refusal('request', late), /at most 2 days/);
    const endless = { ...short, expires: undefined, withoutEnd: true };
    assert.match(await refusal('create', endless, server.tokens.Admin), /at most 2 days/);
    await exempt('create', short);
    assert.equal(await verdict(short.testUrn, orders), 'EXEMPT');
  });

  it('keeps at most 1,000 exemptions of a test', async () => {
    const test = await newTest();
    const exemptions = Array.from({ length: 1_000 }, (_, index) => ({
      id: String(index),
      entity: orders,
      reason: 'r',
      requestedBy: 'urn:li:corpuser:a',
      createdAt: 1,
    }));
    await server.ingest(test, 'testExemptions', { exemptions });
    assert.match(await refusal('create', { testUrn: test, entityUrn: orders }), /1000 are the limit/);
  });

  it('takes rejected ones out, but not those that were approved', async () => {
    const test = await newTest();
    const asked = await exempt('request', { testUrn: test, entityUrn: orders });
    await server.data(`mutation { rejectTestExemption(testUrn: "${test}", id: "${asked}") }`);
    const { errors } = await server.graphql(
      `mutation { approveTestExemption(testUrn: "${test}", id: "${asked}") }`,
    );
    assert.match(errors?.[0]?.message ?? '', /has no exemption/);
    const made = await exempt('create', { testUrn: test, entityUrn: orders });
    const refused = await server.graphql(
      `mutation { rejectTestExemption(testUrn: "${test}", id: "${made}") }`,
    );
    assert.match(refused.errors?.[0]?.message ?? '', /is approved; removeTestExemption/);
  });

  it('does not approve what has expired', async () => {
    const test = await newTest();
    await server.ingest(test, 'testExemptions', {
      exemptions: [
        { id: 'e', entity: orders, reason: 'r', requestedBy: 'urn:li:corpuser:a', createdAt: 1, expires: 2 },
      ],
    });
    const { errors } = await server.graphql(`mutation { approveTestExemption(testUrn: "${test}", id: "e") }`);
    assert.match(errors?.[0]?.message ?? '', /has expired/);
  });
});

describe('listing exemptions', () => {
  it('of a test: by status, those that end first coming first, page by page, to every reader', async () => {
    const test = await newTest();
    const input = { testUrn: test, entityUrn: orders };
    await exempt('create', { ...input, reason: 'long', expires: Date.now() + 1_000 * hour });
    await exempt('create', { ...input, reason: 'short' });
    await exempt('request', { ...input, reason: 'asked' });
    const list = async (args: string): Promise<unknown> => {
      const query = `{ test(urn: "${test}") { exemptions(${args}) { total exemptions { reason status } } } }`;
      const { exemptions } = (await server.data(query, {}, server.tokens.Reader))['test'] as JsonObject;
      return exemptions;
    };
    assert.deepEqual(await list('status: ACTIVE'), {
      total: 2,
      exemptions: [
        { reason: 'short', status: 'EXPIRING' },
        { reason: 'long', status: 'ACTIVE' },
      ],
    });
    assert.deepEqual(await list('status: EXPIRING, count: 1'), {
      total: 1,
      exemptions: [{ reason: 'short', status: 'EXPIRING' }],
    });
    assert.deepEqual(await list('status: PENDING'), {
      total: 1,
      exemptions: [{ reason: 'asked', status: 'PENDING' }],
    });
    assert.deepEqual(await list('start: 2, count: 5'), {
      total: 3,
      exemptions: [{ reason: 'long', status: 'ACTIVE' }],
    });
    assert.deepEqual(await list('status: EXPIRED'), { total: 0, exemptions: [] });
  });

  it('of an entity: by name and by filter, whatever their state', async () => {
    const customers = dataset('customers');
    await server.ingest(customers, 'globalTags', { tags: [{ tag: 'urn:li:tag:Legacy' }] });
    const [byName, byFilter, other] = [await newTest(), await newTest(), await newTest()];
    await exempt('request', { testUrn: byName, entityUrn: customers });
    await exempt('create', { testUrn: byFilter, filter: JSON.stringify(taggedOnly) });
    await exempt('create', { testUrn: other, entityUrn: orders });
    const query = `{ exemptions(urn: "${customers}") { test { urn } entityUrn filter status } }`;
    const { exemptions } = await server.data(query, {}, server.tokens.Reader);
    const found = (exemptions as JsonObject[]).filter(({ test }) =>
      [byName, byFilter, other].includes(String((test as JsonObject)['urn'])),
    );
    assert.deepEqual(found, [
      { test: { urn: byName }, entityUrn: customers, filter: null, status: 'PENDING' },
      { test: { urn: byFilter }, entityUrn: null, filter: JSON.stringify(taggedOnly), status: 'EXPIRING' },
    ]);
  });
});
