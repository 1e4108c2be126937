import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../test/server.ts';
import type { Answer, TestServer } from '../../test/server.ts';

let server: TestServer;

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const [raw, clean, report] = [dataset('raw'), dataset('clean'), dataset('report')];
const somebody = 'urn:li:corpuser:somebody';
const everything = (urn: string): string =>
  encodeURIComponent(urn).replaceAll(/[()]/g, (character) => (character === '(' ? '%28' : '%29'));

before(async () => {
  server = await startTestServer({ keepsVerdicts: false });
  for (const downstream of [clean, report]) {
    const upstreams = [{ dataset: raw, type: 'TRANSFORMED' }];
    await server.ingest(downstream, 'upstreamLineage', { upstreams });
  }
  const owners = [{ owner: somebody, type: 'DATAOWNER' }];
  await server.ingest(clean, 'ownership', { owners });
  await server.ingest('urn:li:dataHubPolicy:p', 'dataHubPolicyInfo', {
    displayName: 'p',
    description: '',
    type: 'PLATFORM',
    state: 'INACTIVE',
    privileges: [],
    actors: { users: [somebody] },
  });
});
after(() => server.close());

const get = (path: string, token: string | null = server.tokens.Reader): Promise<Answer> =>
  server.send('GET', path, { token });

/** The same question at both routes. */
const questions = (
  urn: string,
  direction: string,
  kinds: readonly string[],
  page = '',
): readonly [string, string] => [
  `/relationships?direction=${direction}&urn=${everything(urn)}&types=List(${kinds.join(',')})${page}`,
  `/openapi/relationships/v1/?urn=${everything(urn)}&direction=${direction}` +
    `${kinds.map((kind) => `&relationshipTypes=${kind}`).join('')}${page}`,
];

async function answers(...question: Parameters<typeof questions>): Promise<unknown[]> {
  const both = await Promise.all(questions(...question).map((path) => get(path)));
  for (const answer of both) assert.equal(answer.status, 200, answer.text);
  return both.map(({ body }) => body);
}

test('relationships are told in the shapes of rest.li and of OpenAPI, seen from the entity', async () => {
  assert.deepEqual(await answers(clean, 'OUTGOING', ['DownstreamOf', 'OwnedBy']), [
    {
      start: 0,
      count: 2,
      total: 2,
      relationships: [
        { type: 'DownstreamOf', entity: raw },
        { type: 'OwnedBy', entity: somebody },
      ],
    },
    {
      start: 0,
      count: 2,
      total: 2,
      entities: [
        { urn: raw, relationshipType: 'DownstreamOf', via: null },
        { urn: somebody, relationshipType: 'OwnedBy', via: null },
      ],
    },
  ]);
});

test('whoever asks for the next page as long as one has entries gets every relationship once', async () => {
  const seen: string[] = [];
  for (const start of [0, 1, 2]) {
    const [page, same] = await answers(raw, 'INCOMING', ['DownstreamOf'], `&start=${start}&count=1`);
    assert.ok(typeof page === 'object' && page !== null && 'relationships' in page && 'total' in page);
    assert.ok(typeof same === 'object' && same !== null && 'entities' in same && 'count' in same);
    assert.ok(Array.isArray(page.relationships) && Array.isArray(same.entities));
    assert.equal(page.total, 2);
    assert.equal(same.count, start < 2 ? 1 : 0);
    assert.deepEqual(
      page.relationships.map(({ entity }) => entity),
      same.entities.map(({ urn }) => urn),
    );
    seen.push(...page.relationships.map(({ entity }) => String(entity)));
  }
  assert.deepEqual(seen.toSorted(), [clean, report]);
});

test('entities that are soft-deleted are told as well', async () => {
  await server.ingest(report, 'status', { removed: true });
  for (const answer of await answers(raw, 'INCOMING', ['DownstreamOf'])) {
    assert.ok(JSON.stringify(answer).includes(report), JSON.stringify(answer));
  }
});

test('a list of types may be encoded as a whole, and one type needs no list', async () => {
  for (const types of ['List%28DownstreamOf%2COwnedBy%29', 'DownstreamOf']) {
    const answer = await get(`/gms/relationships?urn=${everything(raw)}&direction=INCOMING&types=${types}`);
    assert.equal(answer.status, 200, answer.text);
    assert.ok(answer.text.includes('"total":2'), answer.text);
  }
});

test('whom policies are for is told to who manages policies', async () => {
  for (const path of questions(somebody, 'INCOMING', ['IsAssociatedWithUser', 'OwnedBy'])) {
    const [reader, administrator] = [await get(path), await get(path, server.tokens.Admin)];
    assert.ok(reader.text.includes('"total":1') && !reader.text.includes('dataHubPolicy'), reader.text);
    assert.ok(administrator.text.includes('"total":2'), administrator.text);
    assert.ok(administrator.text.includes('urn:li:dataHubPolicy:p'), administrator.text);
  }
  for (const path of questions('urn:li:dataHubPolicy:p', 'OUTGOING', ['IsAssociatedWithUser'])) {
    assert.equal((await get(path)).status, 403);
    assert.equal((await get(path, server.tokens.Admin)).status, 200);
    assert.equal((await get(path, null)).status, 401);
  }
});

test('questions that cannot be answered are refused by what is wrong with them', async () => {
  const cases: readonly (readonly [Parameters<typeof questions>, string])[] = [
    [['urn:li:datset:x', 'INCOMING', ['OwnedBy']], 'datset'],
    [['orders', 'INCOMING', ['OwnedBy']], 'orders'],
    [[raw, 'UPWARDS', ['OwnedBy']], 'UPWARDS'],
    [[raw, '', ['OwnedBy']], "'direction'"],
    [['', 'INCOMING', ['OwnedBy']], "'urn'"],
    [[raw, 'INCOMING', []], 'ypes'],
    [[raw, 'INCOMING', ['OwnedBy'], '&start=-1'], "'start'"],
    [[raw, 'INCOMING', ['OwnedBy'], '&count=ten'], "'count'"],
    [[raw, 'INCOMING', ['OwnedBy'], '&count=1001'], '1001'],
    [[raw, 'INCOMING', Array.from({ length: 101 }, (_, at) => `Kind${at}`)], '101'],
  ];
  for (const [question, word] of cases) {
    for (const path of questions(...question)) {
      const answer = await get(path);
      assert.equal(answer.status, 400, `${path}\n${answer.text}`);
      assert.equal(answer.headers.get('x-restli-error-response'), 'true');
      assert.ok(answer.text.includes(word), answer.text);
    }
  }
});
