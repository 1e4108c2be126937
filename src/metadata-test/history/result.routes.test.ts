import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startTestServer, type TestServer } from '../../../test/server.ts';
import type { JsonObject } from '../../aspect/json.ts';
import { parseUrn, type Urn } from '../../urn/urn.ts';
import { definitionMd5 } from '../canonical-text.ts';
import { testRunRecord } from '../keeping/test-state.ts';
import { arrive, putState } from './history.fixture.ts';

const dataset = (name: string): Urn =>
  parseUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,shop.${name},PROD)`);
const test = parseUrn('urn:li:test:owned');
const term = parseUrn('urn:li:glossaryTerm:Order');
const names = ['a', 'b', 'c'];
const json = JSON.stringify({
  on: { types: ['dataset', 'glossaryTerm'] },
  rules: [{ property: 'ownership.owners.owner', operator: 'exists' }],
  graceDays: 3650,
});
const md5 = definitionMd5(json);
const since = Date.now() - 60_000;

let server: TestServer;
before(async () => {
  server = await startTestServer({ keepsVerdicts: false });
  for (const name of names) await server.ingest(dataset(name), 'datasetProperties', { name });
  await server.ingest(term, 'glossaryTermInfo', { definition: 'd', termSource: 'INTERNAL' });
  await server.ingest(test, 'testInfo', { name: 't', category: 'c', definition: { type: 'JSON', json } });
  const { store } = server.catalogue;
  const verdicts = new Map(names.map((name) => [dataset(name), 'FAIL'] as const));
  await arrive(store, test, since, new Map([...verdicts, [term, 'FAIL']]), md5);
  await arrive(store, test, since + 10, new Map([[dataset('b'), 'EXEMPT']]), md5);
  await putState(store, test, {
    definitionMd5: md5,
    startedAt: since,
    completedAt: since + 5,
    confirmedAt: since + 5,
  });
  const run = { startedAt: since, completedAt: since + 5, status: 'COMPLETE', kind: 'full-pass' } as const;
  await store.verdicts.transact((transaction) =>
    transaction.putRecords([
      testRunRecord(test, { ...run, passing: 0, failing: 4, exempt: 0, undecided: 0, changed: 4 }),
    ]),
  );
});
after(() => server.close());

const results = `/tests/${encodeURIComponent(test)}/results`;

it('GET /tests/{urn}/results lists who fails, page by page, to every reader', async () => {
  const token = server.tokens.Reader;
  const first = await server.send('GET', `${results}?verdict=FAIL&count=2`, { token });
  assert.equal(first.status, 200);
  const { entities, cursor, total } = first.body as JsonObject;
  const pendingUntil = since + 3_650 * 86_400_000;
  assert.deepEqual(entities, [
    { urn: dataset('a'), since, pending: true, pendingUntil },
    { urn: dataset('c'), since, pending: true, pendingUntil },
  ]);
  assert.equal(total, 3);
  const second = await server.send('GET', `${results}?count=2&cursor=${String(cursor)}`, { token });
  const { entities: rest, cursor: end } = second.body as JsonObject;
  assert.deepEqual([(rest as JsonObject[]).map(({ urn }) => urn), end], [[term], null]);
});

it('GET /tests/{urn}/results refuses what it cannot answer, and says why', async () => {
  const refused = async (path: string): Promise<readonly [number, string]> => {
    const answer = await server.send('GET', path);
    return [answer.status, answer.text];
  };
  for (const [path, status, says] of [
    [`${results}?cursor=nonsense`, 400, /cursor/],
    [`${results}?verdict=MAYBE`, 400, /PASS, FAIL, EXEMPT, ERROR/],
    [`${results}?count=many`, 400, /whole number/],
    [`${results}?count=1001`, 400, /1 to 1000/],
    ['/tests/urn%3Ali%3Atest%3Anobody/results', 404, /no test urn:li:test:nobody/],
    ['/tests/urn%3Ali%3Atag%3Ax/results', 400, /not the URN of a test/],
    ['/tests/%/results', 400, /percent sign/],
  ] as const) {
    const [found, text] = await refused(path);
    assert.equal(found, status, path);
    assert.match(text, says, path);
  }
});

it('GraphQL answers counts, evaluations and the same pages', async () => {
  const query = `{ test(urn: "${test}") { isActive
      results { passingCount failingCount exemptCount undecidedCount definitionMd5 lastComputed evaluatedPercent previous { failingCount } }
      batchRunEvents(limit: 5) { batchRunEvents { timestampMillis status result { passingCount failingCount } } } }
    testResultEntities(input: {testUrn: "${test}", verdict: EXEMPT}) { total cursor entities { urn entity { urn type } since pending } } }`;
  assert.deepEqual(await server.data(query, {}, server.tokens.Reader), {
    test: {
      isActive: true,
      results: {
        passingCount: 0,
        failingCount: 3,
        exemptCount: 1,
        undecidedCount: 0,
        definitionMd5: md5,
        lastComputed: since + 5,
        evaluatedPercent: 100,
        previous: null,
      },
      batchRunEvents: {
        batchRunEvents: [
          { timestampMillis: since + 5, status: 'COMPLETE', result: { passingCount: 0, failingCount: 4 } },
        ],
      },
    },
    testResultEntities: {
      total: 1,
      cursor: null,
      entities: [
        {
          urn: dataset('b'),
          entity: { urn: dataset('b'), type: 'DATASET' },
          since: since + 10,
          pending: false,
        },
      ],
    },
  });
});

it('GraphQL tells the history of a test and of one entity, and refuses a verdict that is not listed', async () => {
  const whole = `{ testHistory(input: {testUrn: "${test}", startTimeMillis: ${since - 10}, endTimeMillis: ${since + 10}, buckets: 2}) {
      test { urn } passRates { timeMillis passingCount failingCount exemptCount passRate } runs { startedAt kind status changedCount } changes { verdict } verdict } }`;
  assert.deepEqual((await server.data(whole))['testHistory'], {
    test: { urn: test },
    passRates: [
      { timeMillis: since, passingCount: 0, failingCount: 4, exemptCount: 0, passRate: 0 },
      { timeMillis: since + 10, passingCount: 0, failingCount: 3, exemptCount: 1, passRate: 0 },
    ],
    runs: [{ startedAt: since, kind: 'FULL_PASS', status: 'COMPLETE', changedCount: 4 }],
    changes: [],
    verdict: null,
  });
  const one = `{ testHistory(input: {testUrn: "${test}", entityUrn: "${dataset('b')}"}) {
      passRates { passRate } changes { timeMillis verdict definitionMd5 } verdict since } }`;
  assert.deepEqual((await server.data(one))['testHistory'], {
    passRates: [],
    changes: [
      { timeMillis: since + 10, verdict: 'EXEMPT', definitionMd5: md5 },
      { timeMillis: since, verdict: 'FAIL', definitionMd5: md5 },
    ],
    verdict: 'EXEMPT',
    since: since + 10,
  });
  const { errors } = await server.graphql(
    `{ testResultEntities(input: {testUrn: "${test}", verdict: NONE}) { total } }`,
  );
  assert.match(errors?.[0]?.message ?? '', /verdict NONE are not listed/);
});

it('explaining tells since when a kept verdict holds, and until when it is pending', async () => {
  const query = `{ explainTestResult(urn: "${dataset('a')}", testUrn: "${test}") { verdict since pending pendingUntil } }`;
  assert.deepEqual((await server.data(query))['explainTestResult'], {
    verdict: 'FAIL',
    since,
    pending: true,
    pendingUntil: since + 3_650 * 86_400_000,
  });
  const path = `/entities/${encodeURIComponent(dataset('a'))}/tests/${encodeURIComponent(test)}/explain`;
  assert.equal(((await server.send('GET', path)).body as JsonObject)['since'], since);
});

it('every type that has results shows them, the kept verdict first, and no answer is kept', async () => {
  const query = `{ dataset(urn: "${dataset('c')}") { testResults { failing { test { urn } type } passing { type } } }
    glossaryTerm(urn: "${term}") { testResults { failing { test { urn } } } }
    none: dataset(urn: "${dataset('zzz')}") { testResults { failing { type } } } }`;
  const failing = [{ test: { urn: test } }];
  assert.deepEqual(await server.data(query), {
    dataset: { testResults: { failing: [{ test: { urn: test }, type: 'FAILURE' }], passing: [] } },
    glossaryTerm: { testResults: { failing } },
    none: { testResults: null },
  });
  await arrive(server.catalogue.store, test, Date.now(), new Map([[dataset('c'), 'PASS']]), md5);
  const after = await server.data(query);
  assert.deepEqual((after['dataset'] as JsonObject)['testResults'], {
    failing: [],
    passing: [{ type: 'SUCCESS' }],
  });
});

it('rest.li reads show the same, whether one aspect, some, or all are asked for', async () => {
  const urn = encodeURIComponent(dataset('a'));
  const failing = [
    {
      test,
      type: 'FAILURE',
      testDefinitionMd5: md5,
      lastComputed: { time: since + 5, actor: 'urn:li:corpuser:__datahub_system' },
    },
  ];
  const one = await server.send('GET', `/aspects/${urn}?aspect=testResults&version=0`);
  const aspect = (one.body as JsonObject)['aspect'] as JsonObject;
  assert.deepEqual(aspect['com.linkedin.test.TestResults'], { failing, passing: [] });
  for (const path of [`/entitiesV2/${urn}`, `/entitiesV2/${urn}?aspects=List(testResults)`]) {
    const { aspects } = (await server.send('GET', path)).body as { aspects: Record<string, JsonObject> };
    assert.deepEqual(aspects['testResults']?.['value'], { failing, passing: [] }, path);
  }
  const many = await server.send('GET', `/entitiesV2?ids=List(${urn})&aspects=List(testResults)`);
  assert.match(many.text, /"testResults":\{"name":"testResults"/);
  const others = await server.send('GET', `/entitiesV2/${urn}?aspects=List(datasetProperties)`);
  assert.doesNotMatch(others.text, /testResults/);
});
