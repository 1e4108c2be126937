import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startTestServer, type Answer, type TestServer } from '../../test/server.ts';
import type { JsonObject } from '../aspect/json.ts';
import { definitionMd5 } from './canonical-text.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const json = JSON.stringify({ on: { types: ['dataset'] }, rules: [] });
const needsOwner = JSON.stringify({
  on: { types: ['dataset'] },
  rules: [{ property: 'ownership.owners.owner', operator: 'exists' }],
});

let server: TestServer;
before(async () => {
  server = await startTestServer();
  await server.ingest(orders, 'datasetProperties', { name: 'orders' });
  await server.ingest('urn:li:test:active', 'testInfo', {
    name: 'a',
    category: 'c',
    definition: { type: 'JSON', json },
  });
  await server.ingest('urn:li:test:failing', 'testInfo', {
    name: 'f',
    category: 'c',
    definition: { type: 'JSON', json: needsOwner },
  });
  await server.ingest('urn:li:test:inactive', 'testInfo', {
    name: 'i',
    category: 'c',
    definition: { type: 'JSON', json },
    status: { mode: 'INACTIVE' },
    somethingOfANewerVersion: { kept: true },
  });
});
after(() => server.close());

const evaluate = (body: object): Promise<Answer> =>
  server.send('POST', '/test?action=evaluate', { body: { urn: orders, ...body } });

const warningOf = (answer: Answer): string => answer.headers.get('x-postil-warning') ?? '';

function testsIn(answer: Answer, list: 'passing' | 'failing'): readonly unknown[] {
  const value = (answer.body as JsonObject)['value'] as JsonObject;
  return (value[list] as JsonObject[]).map((entry) => entry['test']);
}

it('answers every result with the hash of its definition, when it was computed and for whom, stored or not', async () => {
  const earliest = Date.now();
  for (const shouldPush of [false, true]) {
    const { body } = await evaluate({ shouldPush });
    const { failing, passing } = (body as JsonObject)['value'] as {
      failing: JsonObject[];
      passing: JsonObject[];
    };
    for (const [entry, type, text] of [
      [failing[0], 'FAILURE', needsOwner],
      [passing[0], 'SUCCESS', json],
    ] as const) {
      const { lastComputed, ...rest } = entry ?? {};
      const test = type === 'SUCCESS' ? 'urn:li:test:active' : 'urn:li:test:failing';
      assert.deepEqual(rest, { test, type, testDefinitionMd5: definitionMd5(text) });
      const { time, actor } = lastComputed as JsonObject;
      assert.ok(Number(time) >= earliest && Number(time) <= Date.now());
      assert.equal(actor, 'urn:li:corpuser:editor');
    }
  }
});

it('lets the documented spelling win over another one, and says so in a header', async () => {
  const answer = await evaluate({ testUrns: ['urn:li:test:active'], tests: ['urn:li:test:failing'] });
  assert.deepEqual([testsIn(answer, 'passing'), testsIn(answer, 'failing')], [['urn:li:test:active'], []]);
  assert.match(warningOf(answer), /'testUrns' counts/);
  const sequence = await server.lastSequence();
  const kept = await evaluate({ shouldPush: false, push: true });
  assert.match(warningOf(kept), /'shouldPush' counts/);
  assert.equal(await server.lastSequence(), sequence, 'nothing was stored');
  assert.equal(warningOf(await evaluate({})), '');
});

it('ignores unknown tests and names them in a header, in whatever script; strictly they are refused', async () => {
  const testUrns = ['urn:li:test:active', 'urn:li:test:試験'];
  const answer = await evaluate({ testUrns });
  assert.deepEqual([answer.status, testsIn(answer, 'passing')], [200, ['urn:li:test:active']]);
  assert.match(warningOf(answer), /^Unknown tests: urn:li:test:/);
  const refused = await evaluate({ testUrns, strict: true });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /Unknown tests: urn:li:test:試験/);
});

it('evaluates inactive tests only when they are named', async () => {
  const all = await evaluate({});
  assert.deepEqual(testsIn(all, 'passing'), ['urn:li:test:active']);
  const named = await evaluate({ testUrns: ['urn:li:test:inactive'] });
  assert.deepEqual(testsIn(named, 'passing'), ['urn:li:test:inactive']);
});

it('keeps what an update cannot say: an inactive test stays inactive, and unknown members stay', async () => {
  const update =
    'mutation u($urn: String!, $input: UpdateTestInput!) { updateTest(urn: $urn, input: $input) }';
  const input = { name: 'renamed', category: 'c', description: 'd', definition: { json } };
  await server.data(update, { urn: 'urn:li:test:inactive', input });
  const { description: _, ...withoutDescription } = input;
  await server.data(update, { urn: 'urn:li:test:inactive', input: withoutDescription });
  const answer = await server.send('GET', '/aspects/urn%3Ali%3Atest%3Ainactive?aspect=testInfo&version=0');
  const info = ((answer.body as JsonObject)['aspect'] as JsonObject)[
    'com.linkedin.test.TestInfo'
  ] as JsonObject;
  assert.deepEqual(
    [info['name'], info['status'], info['somethingOfANewerVersion'], info['description']],
    ['renamed', { mode: 'INACTIVE' }, { kept: true }, undefined],
  );
  assert.deepEqual(testsIn(await evaluate({}), 'passing'), ['urn:li:test:active']);
});

it('skips no test in pages and in evaluations when inactive ones are among them', async () => {
  const ids = Array.from({ length: 45 }, (_, index) => `paged-${String(index).padStart(2, '0')}`);
  for (const [index, id] of ids.entries()) {
    await server.ingest(`urn:li:test:${id}`, 'testInfo', {
      name: id,
      category: 'c',
      definition: { type: 'JSON', json },
      ...(index % 3 === 0 ? { status: { mode: 'INACTIVE' } } : {}),
    });
  }
  const listed: unknown[] = [];
  for (let start = 0; ; start += 7) {
    const query = `{ listTests(input: {start: ${start}, count: 7, query: "paged-"}) { total tests { urn } } }`;
    const { total, tests } = (await server.data(query))['listTests'] as {
      total: number;
      tests: JsonObject[];
    };
    assert.equal(total, ids.length);
    listed.push(...tests.map(({ urn }) => urn));
    if (tests.length === 0) break;
  }
  assert.deepEqual(
    listed,
    ids.map((id) => `urn:li:test:${id}`),
  );
  const evaluated = testsIn(await evaluate({}), 'passing').filter((urn) => String(urn).includes('paged-'));
  const active = ids.filter((_, index) => index % 3 !== 0).map((id) => `urn:li:test:${id}`);
  assert.deepEqual(evaluated, active);
});

it('reads back at once what was just stored, although kept verdicts follow each change a little later', async () => {
  const urn = orders.replace('orders', 'toggled');
  const query = `{ dataset(urn: "${urn}") { testResults { failing { test { urn } } } } }`;
  for (let round = 0; round < 20; round += 1) {
    const isOwned = round % 2 === 0;
    const owners = isOwned ? [{ owner: 'urn:li:corpuser:ana', type: 'DATAOWNER' }] : [];
    await server.ingest(urn, 'ownership', {
      owners,
      lastModified: { time: 0, actor: 'urn:li:corpuser:ana' },
    });
    await server.send('POST', '/test?action=evaluate', { body: { urn, shouldPush: true } });
    const { testResults } = (await server.data(query))['dataset'] as JsonObject;
    const failing = (testResults as { failing: { test: JsonObject }[] }).failing.map(
      ({ test }) => test['urn'],
    );
    assert.deepEqual(failing, isOwned ? [] : ['urn:li:test:failing'], `round ${round}`);
  }
});
