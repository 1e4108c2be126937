import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../test/server.ts';
import type { Answer, SendOptions, TestServer } from '../../test/server.ts';
import { isJsonObject } from '../aspect/json.ts';
import type { JsonObject } from '../aspect/json.ts';
import { parseUrn } from '../urn/urn.ts';
import { parseList } from './restli-uri.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer();
});

after(async () => {
  await server.close();
});

const datasetUrn = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const everything = (urn: string): string =>
  encodeURIComponent(urn).replaceAll(/[()]/g, (character) => (character === '(' ? '%28' : '%29'));

function proposal(entityUrn: string, aspectName: string, value: string, others: JsonObject = {}): JsonObject {
  const entityType = entityUrn.split(':')[2];
  return {
    entityType,
    entityUrn,
    changeType: 'UPSERT',
    aspectName,
    aspect: { value, contentType: 'application/json' },
    ...others,
  };
}

const ingest = (one: JsonObject, options: SendOptions = {}): Promise<Answer> =>
  server.send('POST', '/aspects?action=ingestProposal', {
    body: { proposal: one, async: 'false' },
    ...options,
  });

function refused(answer: Answer, status: number, ...words: string[]): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers.get('x-restli-error-response'), 'true');
  assert.ok(isJsonObject(answer.body));
  assert.equal(answer.body['exceptionClass'], 'com.linkedin.restli.server.RestLiServiceException');
  assert.equal(answer.body['status'], status);
  for (const word of words) assert.ok(String(answer.body['message']).includes(word), answer.text);
}

async function unchanged(work: () => Promise<void>): Promise<void> {
  const last = await server.lastSequence();
  await work();
  assert.equal(await server.lastSequence(), last);
}

test('a proposal is stored and read back at once, at every base path and with a slash before the question mark', async () => {
  for (const [index, base] of ['', '/gms', '/api/gms'].entries()) {
    const urn = datasetUrn(`orders${index}`);
    const body = { proposal: proposal(urn, 'datasetProperties', '{"description":"One row per order"}') };
    const written = await server.send('POST', `${base}/aspects/?action=ingestProposal`, { body });
    assert.deepEqual([written.status, written.body], [200, { value: urn }]);
    const read = await server.send(
      'GET',
      `${base}/aspects/${everything(urn)}?aspect=datasetProperties&version=0`,
    );
    assert.deepEqual(read.body, {
      version: 0,
      aspect: { 'com.linkedin.dataset.DatasetProperties': { description: 'One row per order' } },
      systemMetadata: { version: '1' },
    });
  }
});

test('a batch is stored wholly or not at all, and the error names the proposal', async () => {
  const batch = (proposals: readonly JsonObject[]): Promise<Answer> =>
    server.send('POST', '/aspects?action=ingestProposalBatch', { body: { proposals, async: 'true' } });
  const good = proposal(datasetUrn('batch'), 'status', '{"removed":false}');
  const answer = await batch([good, proposal(datasetUrn('batch2'), 'status', '{"removed":true}')]);
  assert.deepEqual([answer.status, answer.body], [200, { value: 'success' }]);
  const other = proposal(datasetUrn('never'), 'status', '{"removed":false}');
  await unchanged(async () => {
    refused(
      await batch([other, proposal(datasetUrn('x'), 'status', '{')]),
      422,
      'Proposal 2 of 2',
      datasetUrn('x'),
    );
    refused(
      await batch([other, proposal(datasetUrn('x'), 'state', '{}')]),
      400,
      'Proposal 2 of 2',
      '"state"',
      '"status"',
    );
    refused(
      await batch([other, proposal(datasetUrn('x'), 'status', '{"removed":7}')]),
      422,
      datasetUrn('x'),
      '/removed',
    );
    refused(await server.send('POST', '/aspects?action=ingestProposalBatch', { body: {} }), 400, 'proposals');
  });
});

test('refusals have the status of the wire protocol and change nothing', async () => {
  const urn = datasetUrn('refused');
  await unchanged(async () => {
    refused(await ingest(proposal('orders', 'status', '{}')), 400, '"orders"');
    refused(await ingest(proposal('urn:li:FOOBAR:x', 'status', '{}')), 400, 'FOOBAR');
    refused(await ingest(proposal(urn, 'status', '{}', { entityType: 'chart' })), 400, '"chart"');
    refused(
      await ingest(proposal(urn, 'globalTags', '[]', { changeType: 'PATCH' })),
      400,
      'PATCH',
      'globalTags',
    );
    refused(await ingest(proposal(urn, 'status', '{"removed":7}')), 422, '/removed');
    const headers = { 'If-Version-Match': '3' };
    refused(
      await ingest(proposal(urn, 'status', '{"removed":true}', { headers })),
      422,
      'Expected version 3, actual version -1',
    );
    refused(await ingest(proposal(urn, 'status', '{"removed":true}'), { token: server.tokens.Reader }), 403);
    refused(await ingest(proposal(urn, 'status', '{"removed":true}'), { token: 'nonsense' }), 401);
    refused(
      await ingest(proposal('urn:li:dataHubAccessToken:x', 'dataHubAccessTokenInfo', '{}')),
      403,
      'createAccessToken',
    );
    refused(await ingest(proposal('urn:li:corpuser:editor', 'roleMembership', '{"roles":[]}')), 403);
    refused(await server.send('POST', '/aspects?action=ingestProposal', { body: '{"proposal":' }), 400);
    refused(
      await server.send('POST', '/aspects?action=ingestProposal', { body: {} }),
      400,
      "'proposal' is required",
    );
    assert.equal((await server.send('POST', '/aspects?action=nothing', { body: {} })).status, 400);
    const tooLarge = proposal(
      urn,
      'datasetProperties',
      JSON.stringify({ description: 'x'.repeat(17_000_000) }),
    );
    assert.equal((await ingest(tooLarge)).status, 413);
  });
});

test('snapshots are stored, one and several, with an empty answer', async () => {
  const entity = (name: string): JsonObject => ({
    value: {
      'com.linkedin.metadata.snapshot.DatasetSnapshot': {
        urn: datasetUrn(name),
        aspects: [
          { 'com.linkedin.common.Status': { removed: false } },
          { 'com.linkedin.dataset.DatasetProperties': { description: name, customProperties: {}, tags: [] } },
        ],
      },
    },
  });
  const one = await server.send('POST', '/entities?action=ingest', {
    body: { entity: entity('one'), systemMetadata: { runId: 'r1' } },
  });
  assert.deepEqual([one.status, one.text], [200, '']);
  const several = await server.send('POST', '/entities?action=batchIngest', {
    body: { entities: [entity('two'), entity('three')], systemMetadata: [{ runId: 'r2' }, { runId: 'r3' }] },
  });
  assert.deepEqual([several.status, several.text], [200, '']);
  for (const [name, runId] of [
    ['one', 'r1'],
    ['two', 'r2'],
    ['three', 'r3'],
  ] as const) {
    const read = await server.send(
      'GET',
      `/aspects/${everything(datasetUrn(name))}?aspect=datasetProperties`,
    );
    assert.deepEqual(read.body, {
      version: 0,
      aspect: {
        'com.linkedin.dataset.DatasetProperties': { description: name, customProperties: {}, tags: [] },
      },
      systemMetadata: { runId, version: '1' },
    });
  }
  await unchanged(async () => {
    const broken = { value: { 'com.linkedin.metadata.snapshot.DatasetSnapshot': { urn: 'x', aspects: [] } } };
    const body = { entities: [entity('four'), broken] };
    refused(await server.send('POST', '/entities?action=batchIngest', { body }), 400, 'Entity 2 of 2');
    refused(await server.send('POST', '/entities?action=ingest', { body: {} }), 400, "'entity' is required");
  });
});

test('versions count from the oldest, 0 is the latest, and what is absent is 404', async () => {
  const urn = datasetUrn('versions');
  for (const text of ['a', 'b', 'b']) await server.ingest(urn, 'datasetProperties', { description: text });
  const read = async (version: string): Promise<unknown> => {
    const { status, body } = await server.send(
      'GET',
      `/aspects/${everything(urn)}?aspect=datasetProperties&version=${version}`,
    );
    if (status !== 200 || !isJsonObject(body) || !isJsonObject(body['aspect'])) return status;
    return [body['version'], Object.values(body['aspect'])[0]];
  };
  assert.deepEqual(await read('0'), [0, { description: 'b' }]);
  assert.deepEqual(await read('1'), [1, { description: 'a' }]);
  assert.deepEqual(await read('2'), [2, { description: 'b' }]);
  assert.equal(await read('3'), 404);
  assert.equal(await read('-1'), 400);
  refused(await server.send('GET', `/aspects/${everything(urn)}?aspect=status`), 404, 'status', urn);
  refused(await server.send('GET', `/aspects/${everything(datasetUrn('nowhere'))}?aspect=datasetKey`), 404);
  refused(await server.send('GET', `/aspects/${everything(urn)}`), 400, "'aspect' is required");
  refused(await server.send('GET', `/aspects/${everything(urn)}?aspect=statu`), 400, '"status"');
  refused(await server.send('GET', '/aspects/urn%3Ali%ZZ?aspect=status'), 400, 'percent');
  refused(await server.send('GET', '/aspects/orders?aspect=status'), 400, '"orders"');
});

test('numbers are answered as they were written', async () => {
  const urn = 'urn:li:mlModel:(urn:li:dataPlatform:x,numbers,PROD)';
  const value = '{"a":60.0,"b":12345678901234567890,"c":1e3}';
  assert.equal((await ingest(proposal(urn, 'mlModelProperties', value))).status, 200);
  const read = await server.send('GET', `/aspects/${everything(urn)}?aspect=mlModelProperties`);
  assert.ok(read.text.includes(value), read.text);
  assert.ok((await server.send('GET', `/entitiesV2/${everything(urn)}`)).text.includes(value));
});

test('names with slashes, commas and letters beyond ASCII keep their identity', async () => {
  for (const name of ['a/b', 'a%2Cb', 'grün ü', '100%25']) {
    const urn = datasetUrn(name);
    await server.ingest(urn, 'status', { removed: false });
    const path = `/aspects/${everything(urn)}?aspect=status`;
    assert.equal((await server.send('GET', path)).status, 200, path);
    const batch = await server.send('GET', `/entitiesV2?ids=List(${everything(urn)})&aspects=List(status)`);
    assert.ok(isJsonObject(batch.body) && isJsonObject(batch.body['results']));
    assert.deepEqual(Object.keys(batch.body['results']), [urn]);
  }
});

test('an entity is answered with its aspects, the key always among them', async () => {
  const urn = datasetUrn('entity');
  await server.ingest(urn, 'status', { removed: false });
  await server.ingest(urn, 'datasetProperties', { description: 'd' });
  await server.ingest(urn, 'datasetProfile', { timestampMillis: 1 });
  const { time, actor } = (await server.catalogue.store.read(parseUrn(urn))).get('status')?.stamp ?? {};
  const namesOf = (answer: Answer): unknown =>
    isJsonObject(answer.body) && isJsonObject(answer.body['aspects'])
      ? Object.keys(answer.body['aspects']).sort()
      : answer.status;
  const some = await server.send('GET', `/entitiesV2/${everything(urn)}?aspects=List(status,nothing)`);
  assert.ok(isJsonObject(some.body) && isJsonObject(some.body['aspects']));
  assert.equal(some.body['entityName'], 'dataset');
  assert.equal(some.body['urn'], urn);
  assert.deepEqual(some.body['aspects']['status'], {
    name: 'status',
    type: 'VERSIONED',
    version: 0,
    value: { removed: false },
    created: { time, actor },
    systemMetadata: { version: '1' },
  });
  assert.deepEqual(namesOf(some), ['datasetKey', 'status']);
  assert.deepEqual(namesOf(await server.send('GET', `/entitiesV2/${everything(urn)}`)), [
    'dataPlatformInstance',
    'datasetKey',
    'datasetProperties',
    'status',
  ]);
  refused(await server.send('GET', `/entitiesV2/${everything(urn)}?aspects=List(nothing)`), 400, '"nothing"');

  const unknown = `/entitiesV2/${everything(datasetUrn('nowhere'))}`;
  assert.deepEqual(namesOf(await server.send('GET', unknown)), ['datasetKey']);
  refused(await server.send('GET', `${unknown}?alwaysIncludeKeyAspect=false`), 404);

  const ids = [urn, datasetUrn('nowhere'), 'urn:li:tag:pii'].map(everything).join(',');
  const batch = await server.send('GET', `/entitiesV2?ids=List(${ids})&aspects=List(status)`, {
    headers: { 'X-RestLi-Method': 'batch_get' },
  });
  assert.ok(isJsonObject(batch.body) && isJsonObject(batch.body['results']));
  assert.deepEqual(Object.keys(batch.body), ['results', 'statuses', 'errors']);
  assert.deepEqual(Object.keys(batch.body['results']), [urn, datasetUrn('nowhere'), 'urn:li:tag:pii']);
  assert.deepEqual(batch.body['results'][urn], some.body);
});

test('an entity is deleted with all that it has, or one aspect alone, and what is gone once more without harm', async () => {
  const urn = datasetUrn('to-delete');
  const remove = (body: JsonObject, options: SendOptions = {}): Promise<Answer> =>
    server.send('POST', '/entities?action=delete', { body, ...options });
  await server.ingest(urn, 'status', { removed: false });
  await server.ingest(urn, 'datasetProperties', { description: 'd' });
  await server.ingest(urn, 'datasetProfile', { timestampMillis: 1 });
  await unchanged(async () => {
    refused(await remove({}), 400, "'urn' is required");
    refused(await remove({ urn: 'orders' }), 400, '"orders"');
    refused(await remove({ urn, aspectName: 'statu' }), 400, '"status"');
    refused(await remove({ urn, aspectName: 'datasetProfile', startTimeMillis: 1 }), 400, 'startTimeMillis');
    refused(await remove({ urn }, { token: server.tokens.Reader }), 403);
  });
  assert.deepEqual((await remove({ urn, aspectName: 'status' })).body, {
    value: { urn, rows: 1, timeseriesRows: 0 },
  });
  assert.equal((await server.send('GET', `/aspects/${everything(urn)}?aspect=status`)).status, 404);
  assert.equal((await server.send('GET', `/aspects/${everything(urn)}?aspect=datasetKey`)).status, 200);
  // The key, the properties, and what ingestion adds to every dataset.
  const { store } = server.catalogue;
  const versioned = (await store.read(parseUrn(urn))).size - 1;
  assert.deepEqual((await remove({ urn })).body, { value: { urn, rows: versioned, timeseriesRows: 1 } });
  assert.equal((await store.read(parseUrn(urn))).size, 0);
  await unchanged(async () => {
    assert.deepEqual((await remove({ urn })).body, { value: { urn, rows: 0, timeseriesRows: 0 } });
  });
});

test('secrets are read by those who manage access alone, and left out of what others read', async () => {
  const user = 'urn:li:corpuser:secretive';
  await server.ingest(user, 'corpUserCredentials', { salt: 's', hashedPassword: 'h' });
  const token =
    [
      ...(await server.catalogue.store.entities({ type: 'dataHubAccessToken', start: 0, count: 1 })).items,
    ][0] ?? '';
  const paths = [
    `/aspects/${everything(user)}?aspect=corpUserCredentials`,
    `/entitiesV2/${everything(user)}?aspects=List(corpUserCredentials)`,
    `/entitiesV2?ids=List(${everything(user)})&aspects=List(corpUserCredentials)`,
    `/aspects/${everything(token)}?aspect=dataHubAccessTokenKey`,
    `/entitiesV2/${everything(token)}`,
  ];
  for (const path of paths) {
    refused(await server.send('GET', path), 403);
    assert.equal((await server.send('GET', path, { token: server.tokens.Admin })).status, 200, path);
  }
  const all = `/entitiesV2/${everything(user)}`;
  assert.ok(!(await server.send('GET', all)).text.includes('hashedPassword'));
  assert.ok((await server.send('GET', all, { token: server.tokens.Admin })).text.includes('hashedPassword'));
});

test('recipes and settings, which have passwords in them, are secrets too', async () => {
  for (const [urn, aspect] of [
    ['urn:li:globalSettings:0', 'globalSettingsInfo'],
    ['urn:li:dataHubIngestionSource:a', 'dataHubIngestionSourceInfo'],
    ['urn:li:dataHubExecutionRequest:a', 'dataHubExecutionRequestInput'],
  ] as const) {
    await server.ingest(urn, aspect, { password: 'p' });
    refused(await server.send('GET', `/aspects/${everything(urn)}?aspect=${aspect}`), 403, aspect);
    assert.ok(!(await server.send('GET', `/entitiesV2/${everything(urn)}`)).text.includes('password'));
  }
});

test('configuration and health are open to everybody', async () => {
  const config = await server.send('GET', '/config', { token: null });
  assert.equal(config.status, 200);
  assert.ok(isJsonObject(config.body));
  assert.equal(config.body['noCode'], 'true');
  assert.deepEqual(config.body['datahub'], { serverType: 'prod', serverEnv: 'core' });
  assert.equal('userType' in config.body, false);
  assert.match(config.text, /"acryldata\/datahub":\{"version":"v1\.0\.0","commit":"[0-9a-f]{12}"\}/);
  const userType = async (token: string | null): Promise<unknown> => {
    const { body } = await server.send('GET', '/config?verbose=true', { token });
    return isJsonObject(body) ? body['userType'] : undefined;
  };
  assert.deepEqual(
    [await userType(null), await userType(server.tokens.Reader), await userType(server.tokens.Admin)],
    ['anonymous', 'user', 'admin'],
  );
  for (const path of ['/health', '/health/live', '/gms/health']) {
    assert.equal((await server.send('GET', path, { token: null })).status, 200, path);
  }
});

test('lists are split before they are decoded, however a client encoded them', () => {
  const urns = ['urn:li:tag:a', datasetUrn('a%2Cb')];
  assert.deepEqual(parseList(`List(${urns.map(everything).join(',')})`), urns);
  assert.deepEqual(parseList(everything(`List(${urns.join(',')})`)), urns);
  assert.deepEqual(parseList(everything(`List(${urns.map(everything).join(',')})`)), urns);
  assert.deepEqual(parseList('List()'), []);
  assert.deepEqual(parseList('status'), ['status']);
});

test('what is nested too deep is refused, not a failure of the server', async () => {
  await unchanged(async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const value = `{"name":"a","x":${deep}}`;
    refused(await ingest(proposal('urn:li:tag:deep', 'tagProperties', value)), 422, 'levels deep');
    const systemMetadata = `{"runId":"r","x":${deep}}`;
    const others = { systemMetadata };
    refused(
      await ingest(proposal('urn:li:tag:deep', 'tagProperties', '{"name":"a"}', others)),
      422,
      'levels deep',
    );
  });
});
