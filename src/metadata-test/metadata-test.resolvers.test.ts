import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../../test/server.ts';
import type { JsonObject } from '../aspect/json.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const on = { types: ['dataset'] };
const hasOwner = { property: 'ownership.owners.owner', operator: 'exists' };
const hasName = { property: 'datasetProperties.name', operator: 'exists' };
const ownerTest = JSON.stringify({ on, rules: [hasOwner] });
const nameTest = JSON.stringify({ on, rules: [hasName] });
const misspelt = '{"on": {"types": ["dataset"]},\n "rules": [{"property": "urn", "operator": "exist"}]}';

let server: TestServer;
before(async () => {
  server = await startTestServer();
  await server.ingest(orders, 'datasetProperties', { name: 'orders' });
});
after(() => server.close());

const create = (id: string, json: string): Promise<JsonObject> =>
  server.data('mutation c($input: CreateTestInput!) { createTest(input: $input) }', {
    input: { id, name: id, category: 'c', definition: { json } },
  });

const resultsOf = async (urn: string): Promise<unknown> => {
  const query = `{ dataset(urn: "${urn}") { testResults { passing { test { urn } } failing { test { urn } } } } }`;
  return ((await server.data(query))['dataset'] as JsonObject)['testResults'];
};

describe('validating', () => {
  const query = 'query v($input: TestDefinitionInput!) { validateTest(input: $input) { isValid messages } }';

  it('answers one line per error, and nothing is stored', async () => {
    const sequence = await server.lastSequence();
    assert.deepEqual(await server.data(query, { input: { json: misspelt } }, server.tokens.Reader), {
      validateTest: {
        isValid: false,
        messages: ["/rules/0/operator: Unsupported operation 'exist'. Did you mean 'exists'? [MT103]"],
      },
    });
    assert.equal(await server.lastSequence(), sequence);
  });

  it('answers no lines for a valid definition, whatever it is warned of', async () => {
    const json = JSON.stringify({ on, rules: { or: [] } });
    assert.deepEqual(await server.data(query, { input: { json } }), {
      validateTest: { isValid: true, messages: [] },
    });
    const missing = await server.data(query, { input: {} });
    assert.equal((missing['validateTest'] as JsonObject)['isValid'], false);
  });

  it('in detail says where, what to do, what was normalised, and what is not portable', async () => {
    const detailed = `query v($input: TestDefinitionInput!) { validateTestDetailed(input: $input) {
      isValid isPortable extensions
      issues { code severity pointer line column message suggestion fix }
      notes { rule pointer } } }`;
    assert.deepEqual(await server.data(detailed, { input: { json: misspelt } }), {
      validateTestDetailed: {
        isValid: false,
        isPortable: true,
        extensions: [],
        issues: [
          {
            code: 'MT103',
            severity: 'ERROR',
            pointer: '/rules/0/operator',
            line: 2,
            column: 44,
            message: "Unsupported operation 'exist'.",
            suggestion: 'exists',
            fix: '[{"op":"replace","path":"/rules/0/operator","value":"exists"}]',
          },
        ],
        notes: [{ rule: 'N6', pointer: '/rules' }],
      },
    });
    const json = JSON.stringify({
      on,
      rules: [{ property: 'globalTags.tags.tag', operator: 'not_equals', values: ['urn:li:tag:nowhere'] }],
    });
    const { validateTestDetailed } = (await server.data(detailed, { input: { json } })) as {
      validateTestDetailed: { isPortable: boolean; extensions: string[]; issues: { code: string }[] };
    };
    assert.equal(validateTestDetailed.isPortable, false);
    assert.deepEqual(validateTestDetailed.extensions, ['/rules/0/operator']);
    assert.deepEqual(
      validateTestDetailed.issues.map(({ code }) => code),
      ['MT208'],
    );
  });

  it('through REST takes the definition itself or as a text, and answers all of it', async () => {
    for (const body of [misspelt, { json: misspelt }]) {
      const answer = await server.send('POST', '/tests/validate', { body, token: server.tokens.Reader });
      assert.equal(answer.status, 200, [answer.text, ...server.problems].join('\n'));
      const { valid, portable, issues } = answer.body as JsonObject & { issues: readonly JsonObject[] };
      assert.deepEqual([valid, portable], [false, true]);
      assert.deepEqual(
        issues.map(({ code, line, column }) => [code, line, column]),
        [['MT103', 2, 44]],
      );
    }
    assert.equal((await server.send('POST', '/tests/validate', { body: '[]' })).status, 400);
    assert.equal((await server.send('POST', '/tests/validate', { body: misspelt, token: null })).status, 401);
  });
});

describe('running one definition', () => {
  const mutation = `mutation r($urn: String!, $json: String, $mode: TestEvaluationMode) {
    runTestDefinition(urn: $urn, test: { json: $json }, mode: $mode) { status } }`;
  const status = async (json: string, mode?: string, token?: string): Promise<unknown> => {
    const answer = await server.data(mutation, { urn: orders, json, mode }, token);
    return (answer['runTestDefinition'] as JsonObject)['status'];
  };

  it('answers PASS, FAIL or NONE and stores nothing in mode EVALUATE_ONLY, which every reader may use', async () => {
    await create('stored-name', nameTest);
    const sequence = await server.lastSequence();
    const other = JSON.stringify({ on: { types: ['chart'] }, rules: [] });
    const reader = server.tokens.Reader;
    assert.equal(await status(nameTest, 'EVALUATE_ONLY', reader), 'PASS');
    assert.equal(await status(ownerTest, 'EVALUATE_ONLY', reader), 'FAIL');
    assert.equal(await status(other, 'EVALUATE_ONLY', reader), 'NONE');
    assert.equal(await server.lastSequence(), sequence);
  });

  it('stores the result in mode DEFAULT for the stored test that has this definition, and for no other', async () => {
    const sequence = await server.lastSequence();
    assert.equal(await status(ownerTest), 'FAIL');
    assert.equal(await server.lastSequence(), sequence, 'no stored test has this definition');
    const refused = await server.graphql(
      mutation,
      { urn: orders, json: nameTest, mode: 'DEFAULT' },
      server.tokens.Reader,
    );
    assert.equal(refused.errors?.[0]?.extensions.code, 403);
    assert.equal(await server.lastSequence(), sequence);
    assert.equal(await status(nameTest, 'DEFAULT'), 'PASS');
    assert.deepEqual(await resultsOf(orders), {
      passing: [{ test: { urn: 'urn:li:test:stored-name' } }],
      failing: [],
    });
  });

  it('fails for a definition that is not valid, for an entity that does not exist, and without a verdict', async () => {
    const sequence = await server.lastSequence();
    const messageOf = async (urn: string, json: string): Promise<string> =>
      (await server.graphql(mutation, { urn, json })).errors?.[0]?.message ?? '';
    const missing = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.nowhere,PROD)';
    assert.match(await messageOf(orders, misspelt), /Did you mean 'exists'\? \[MT103\]/);
    assert.match(await messageOf(missing, nameTest), /There is no entity .*shop\.nowhere/);
    assert.match(
      await messageOf('urn:li:dataPlatform:hive', nameTest),
      /unsupported entity type dataPlatform/,
    );
    const values = Array.from({ length: 10_000 }, (_, index) => `needle ${index}`);
    await server.ingest(orders, 'editableDatasetProperties', { description: 'x'.repeat(200_000) });
    const rule = { property: 'editableDatasetProperties.description', operator: 'contains_str', values };
    const answer = await server.graphql(mutation, {
      urn: orders,
      json: JSON.stringify({ on, rules: [rule] }),
    });
    assert.match(answer.errors?.[0]?.message ?? '', /more steps than a test may take/);
    assert.equal(await server.lastSequence(), sequence + 1, 'the description only');
  });
});

describe('running all tests of an entity', () => {
  const mutation = 'mutation r($urn: String!) { runTests(urn: $urn) }';

  it('stores every result, and is true as long as none fails', async () => {
    assert.deepEqual(await server.data(mutation, { urn: orders }), { runTests: true });
    await create('stored-owner', ownerTest);
    assert.deepEqual(await server.data(mutation, { urn: orders }), { runTests: false });
    assert.deepEqual(await resultsOf(orders), {
      passing: [{ test: { urn: 'urn:li:test:stored-name' } }],
      failing: [{ test: { urn: 'urn:li:test:stored-owner' } }],
    });
    const sequence = await server.lastSequence();
    const refused = await server.graphql(mutation, { urn: orders }, server.tokens.Reader);
    assert.equal(refused.errors?.[0]?.extensions.code, 403);
    await server.data(mutation, { urn: orders });
    assert.equal(await server.lastSequence(), sequence, 'a confirmed result stores nothing');
  });
});

describe('explaining', () => {
  const query = `query e($urn: String!, $test: String!) { explainTestResult(urn: $urn, testUrn: $test) {
    entity test { urn name } verdict why since toPass notes json
    scope { matched pointer observed }
    rules { id severity outcome why { node pointer outcome leaf { property operator observed notes } } }
    provenance { aspect version changedBy } } }`;
  const explain = async (test: string, token?: string): Promise<JsonObject> => {
    const answer = await server.data(query, { urn: orders, test: `urn:li:test:${test}` }, token);
    return answer['explainTestResult'] as JsonObject;
  };

  it('tells the rule, the values, what to do, and since when, and stores nothing', async () => {
    const sequence = await server.lastSequence();
    const { since, json, ...failing } = await explain('stored-owner', server.tokens.Reader);
    assert.equal(typeof since, 'number');
    assert.equal((JSON.parse(String(json)) as JsonObject)['verdict'], 'FAIL');
    assert.deepEqual(failing, {
      entity: orders,
      test: { urn: 'urn:li:test:stored-owner', name: 'stored-owner' },
      verdict: 'FAIL',
      why: "rule-1: 'ownership.owners.owner' exists is false: there is no value.",
      toPass: ['Set an owner.'],
      notes: [],
      scope: { matched: true, pointer: '/on/conditions', observed: ['dataset'] },
      rules: [
        {
          id: 'rule-1',
          severity: 'error',
          outcome: false,
          why: {
            node: 'leaf',
            pointer: '/rules/0',
            outcome: false,
            leaf: {
              property: 'ownership.owners.owner',
              operator: 'exists',
              observed: [],
              notes: ['MISSING'],
            },
          },
        },
      ],
      provenance: [],
    });
    const passing = await explain('stored-name');
    assert.equal(passing['verdict'], 'PASS');
    const [written] = passing['provenance'] as readonly JsonObject[];
    assert.deepEqual([written?.['aspect'], written?.['version']], ['datasetProperties', 1]);
    assert.match(String(written?.['changedBy']), /^urn:li:corpuser:/);
    assert.equal(await server.lastSequence(), sequence);
  });

  it('through REST answers the same', async () => {
    const path = `/entities/${encodeURIComponent(orders)}/tests/urn:li:test:stored-owner/explain`;
    const answer = await server.send('GET', path, { token: server.tokens.Reader });
    const { json } = await explain('stored-owner');
    assert.deepEqual([answer.status, answer.text], [200, json]);
    assert.equal((await server.send('GET', path, { token: null })).status, 401);
    assert.equal((await server.send('GET', path.replace('stored-owner', 'nowhere'))).status, 404);
    assert.equal((await server.send('GET', '/entities/%/tests/x/explain')).status, 400);
  });

  it('follows the next change at once', async () => {
    const start = Date.now();
    await server.ingest(orders, 'ownership', {
      owners: [{ owner: 'urn:li:corpuser:ana', type: 'DATAOWNER' }],
    });
    const explained = await explain('stored-owner');
    assert.equal(explained['verdict'], 'PASS');
    const { since } = explained;
    // The verdict that was stored is another one; the new one is kept a moment after the change.
    assert.ok(since === null || Number(since) >= start, String(since));
  });

  it('fails for a test or an entity that does not exist', async () => {
    const message = async (urn: string, test: string): Promise<string> =>
      (await server.graphql(query, { urn, test })).errors?.[0]?.message ?? '';
    assert.match(await message(orders, 'urn:li:test:nowhere'), /There is no test urn:li:test:nowhere/);
    assert.match(
      await message(`${orders.slice(0, -6)}x,PROD)`, 'urn:li:test:stored-owner'),
      /There is no entity/,
    );
    assert.match(await message(orders, orders), /is not the URN of a test/);
  });
});
