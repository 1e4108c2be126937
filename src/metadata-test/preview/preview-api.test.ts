import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../../../test/server.ts';
import type { JsonObject } from '../../aspect/json.ts';
import { text } from '../definition.fixture.ts';
import { admitPreview } from './preview-admission.ts';

const urnOf = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const ownership = { owners: [{ owner: 'urn:li:corpuser:ana', type: 'DATAOWNER' }] };
const owned = {
  on: { types: ['dataset'] },
  rules: [{ id: 'owned', property: 'ownership.owners.owner', operator: 'exists' }],
};
const all = { on: { types: ['dataset'] }, rules: [] };

const counts = 'counts { inScope passing failing exempt undecided }';
const explanation = 'entity verdict why toPass definitionMd5 test { urn } exemption { id }';

describe('previews of a server', () => {
  let server: TestServer;
  let testUrn: string;
  before(async () => {
    server = await startTestServer();
    for (const name of ['a', 'b', 'c']) await server.ingest(urnOf(name), 'status', { removed: false });
    await server.ingest(urnOf('a'), 'ownership', ownership);
    const input = { name: 'all', category: 'x', definition: { json: text(all) } };
    const { createTest } = await server.data(
      'mutation ($input: CreateTestInput!) { createTest(input: $input) }',
      { input },
      server.tokens.Admin,
    );
    testUrn = String(createTest);
  });
  after(async () => {
    assert.deepEqual(server.problems, []);
    await server.close();
  });

  const preview = async (input: object, members = counts): Promise<JsonObject> => {
    const query = `query ($input: PreviewTestInput!) { previewTest(input: $input) { ${members} } }`;
    return (await server.data(query, { input }, server.tokens.Reader))['previewTest'] as JsonObject;
  };
  const post = async (path: string, body: object, token?: string | null): ReturnType<TestServer['send']> =>
    server.send('POST', path, { body, token: token === undefined ? server.tokens.Reader : token });

  it('are open to readers, through GraphQL and REST, and store nothing', async () => {
    const before = await server.lastSequence();
    const found = await preview(
      { json: text(owned), testUrn },
      `${counts} test { urn } sequence isComplete isOfOneMoment notLookedAt definitionMd5
       rules { id pointer failing failingAlone } platforms { urn passing failing } domains { urn failing }
       owners { urn passing } failing { ${explanation} } passing { entity } nearlyPassing { entity toPass }
       difference { newlyFailing { count urns } newlyPassing { count } entering { count } leaving { count } }
       cost { plan entities evaluated beyondRows estimatedMilliseconds milliseconds } issues { code } json`,
    );
    assert.deepEqual(found['counts'], { inScope: 3, passing: 1, failing: 2, exempt: 0, undecided: 0 });
    assert.deepEqual(found['test'], { urn: testUrn });
    assert.deepEqual(found['rules'], [{ id: 'owned', pointer: '/rules/0', failing: 2, failingAlone: 2 }]);
    assert.deepEqual(found['platforms'], [{ urn: 'urn:li:dataPlatform:hive', passing: 1, failing: 2 }]);
    assert.deepEqual(found['domains'], [{ urn: null, failing: 2 }]);
    assert.deepEqual(found['difference'], {
      newlyFailing: { count: 2, urns: ['b', 'c'].map(urnOf) },
      newlyPassing: { count: 0 },
      entering: { count: 0 },
      leaving: { count: 0 },
    });
    const [failing] = found['failing'] as readonly JsonObject[];
    assert.deepEqual([failing?.['entity'], failing?.['toPass']], [urnOf('b'), ['Set an owner.']]);
    const rest = await post('/tests/preview', { definition: owned, testUrn });
    assert.equal(rest.status, 200, rest.text);
    const withoutTime = (json: string): unknown => {
      const { cost, ...known } = JSON.parse(json) as JsonObject & { readonly cost: JsonObject };
      return { ...known, cost: { ...cost, milliseconds: 0 } };
    };
    // The text is the same JSON, whether it was sent as an object or as a text.
    assert.deepEqual(withoutTime(rest.text), withoutTime(String(found['json'])));
    const byUrn = await post(`/tests/${encodeURIComponent(testUrn)}/preview`, {});
    assert.deepEqual((byUrn.body as JsonObject)['counts'], {
      inScope: 3,
      passing: 3,
      failing: 0,
      exempt: 0,
      undecided: 0,
    });
    assert.equal(await server.lastSequence(), before);
  });

  it('refuse callers without a token, and definitions that are not valid', async () => {
    assert.equal((await post('/tests/preview', { definition: owned }, null)).status, 401);
    const wrong = { ...owned, rules: [{ property: 'urn', operator: 'equal' }] };
    const refused = await post('/tests/preview', { definition: wrong });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /MT103/);
    const { errors } = await server.graphql(
      'query ($input: PreviewTestInput!) { previewTest(input: $input) { sequence } }',
      { input: { json: text(wrong) } },
    );
    assert.match(errors?.[0]?.message ?? '', /Did you mean 'equals'/);
    for (const body of [
      {},
      { definition: 3 },
      { definition: owned, sampleSize: 'all' },
      { types: 'dataset' },
    ]) {
      const { status, text: answer } = await post('/tests/preview', body);
      assert.equal(status, 400, answer);
    }
    assert.equal((await post('/tests/urn%3Ali%3Atest%3Anone/preview', {})).status, 404);
    assert.equal((await post('/tests/urn%3Ali%3Atag%3Anone/preview', {})).status, 400);
  });

  it('run one at a time for a caller, whichever door is asked', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { verdicts } = server.catalogue.store;
    const running = admitPreview(verdicts, 'urn:li:corpuser:reader', () => promise);
    const busy = await post('/tests/preview', { definition: owned });
    assert.deepEqual([busy.status, busy.headers.get('retry-after')], [429, '1']);
    const { errors } = await server.graphql(
      'query ($input: PreviewTestInput!) { previewTest(input: $input) { sequence } }',
      { input: { json: text(owned) } },
      server.tokens.Reader,
    );
    assert.match(errors?.[0]?.message ?? '', /Another preview of yours is running/);
    assert.equal((await post('/tests/preview', { definition: owned }, server.tokens.Editor)).status, 200);
    resolve();
    await running;
    assert.equal((await post('/tests/preview', { definition: owned })).status, 200);
  });

  it('tell before publishing what would fail', async () => {
    const body = { aspects: [{ aspectName: 'ownership', json: ownership }] };
    const path = `/entities/${encodeURIComponent(urnOf('new'))}/tests/proposed`;
    const rest = await post(path, body);
    assert.equal(rest.status, 200, rest.text);
    const { exists, passes, newlyPassing } = rest.body as JsonObject;
    assert.deepEqual([exists, passes, newlyPassing], [false, true, [testUrn]]);
    const query = `query ($input: EvaluateProposedInput!) { evaluateProposed(input: $input) {
      entity exists passes newlyFailing { urn } newlyPassing { urn }
      results { test { urn } before verdict explanation { ${explanation} } } } }`;
    const input = { urn: urnOf('a'), aspects: [{ aspectName: 'status', json: '{"removed": true}' }] };
    const { evaluateProposed } = await server.data(query, { input }, server.tokens.Reader);
    const { results } = evaluateProposed as JsonObject & { readonly results: readonly JsonObject[] };
    assert.deepEqual([results[0]?.['before'], results[0]?.['verdict']], ['PASS', 'NONE']);
    const wrong = await post(path, { aspects: [{ aspectName: 'ownership', json: { owners: 3 } }] });
    assert.equal(wrong.status, 422, wrong.text);
    for (const aspects of [undefined, 3, [3], [{ aspectName: 'status' }]]) {
      assert.equal((await post(path, { aspects })).status, 400);
    }
    assert.equal((await post(path, body, null)).status, 401);
  });

  it('tell what a definition would have said at a moment', async () => {
    const time = Date.now();
    await new Promise((resolve) => void setTimeout(resolve, 5));
    await server.ingest(urnOf('b'), 'ownership', ownership);
    const body = { definition: owned, urns: ['a', 'b'].map(urnOf), time };
    const rest = await post('/tests/as-of', body);
    assert.equal(rest.status, 200, rest.text);
    const expected = [
      { entity: urnOf('a'), verdict: 'PASS', verdictNow: 'PASS' },
      { entity: urnOf('b'), verdict: 'FAIL', verdictNow: 'PASS' },
    ];
    assert.deepEqual((rest.body as JsonObject)['verdicts'], expected);
    const { evaluateTestAsOf } = await server.data(
      `query ($input: EvaluateTestAsOfInput!) { evaluateTestAsOf(input: $input) {
        time sequence definitionMd5 verdicts { entity verdict verdictNow } } }`,
      { input: { json: text(owned), urns: body.urns, time } },
    );
    assert.deepEqual((evaluateTestAsOf as JsonObject)['verdicts'], expected);
    assert.equal((await post('/tests/as-of', { ...body, time: 'then' })).status, 400);
    assert.equal((await post('/tests/as-of', { ...body, urns: undefined })).status, 400);
  });

  it('tell readers which entities were changed, in parts', async () => {
    const get = (
      query: string,
      token: string | null = server.tokens.Reader,
    ): ReturnType<TestServer['send']> => server.send('GET', `/tests/changed?${query}`, { token });
    const first = await get('since=0&count=2');
    assert.equal(first.status, 200, first.text);
    const { urns, cursor } = first.body as { readonly urns: readonly string[]; readonly cursor: string };
    assert.equal(urns.length, 2);
    const second = await get(`cursor=${cursor}&count=1000`);
    const more = (second.body as { readonly urns: readonly string[] }).urns;
    for (const name of ['a', 'b', 'c']) assert.ok([...urns, ...more].includes(urnOf(name)), name);
    for (const query of [
      '',
      'since=0&cursor=1-2',
      'since=yesterday',
      'since=0&count=0',
      'since=0&count=many',
    ]) {
      assert.equal((await get(query)).status, 400, query);
    }
    assert.equal((await get('since=0', null)).status, 401);
  });
});

it('a server that keeps no rows says so, and does not guess', async () => {
  await using server = await startTestServer({ keepsVerdicts: false });
  const { status, text: answer } = await server.send('POST', '/tests/preview', { body: { definition: all } });
  assert.equal(status, 503);
  assert.match(answer, /keeping them is switched off on this node; .*POSTIL_METADATA_TESTS=on/);
});
