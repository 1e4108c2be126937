import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestCatalogue } from '../../test/catalogue.ts';
import type { JsonObject } from '../aspect/json.ts';
import type { Caller } from '../auth/caller.ts';
import { parseUrn } from '../urn/urn.ts';
import { parseProposal } from './proposal.ts';
import type { Proposal } from './proposal.ts';
import { ingestAll } from './ingest-proposals.ts';
import {
  orders,
  proposal,
  event,
  model,
  sent,
  described,
  ingest,
  description,
  version,
  refusedUnchanged,
} from './ingest-proposals.fixture.ts';

test('the first aspect brings the entity with its key', async () => {
  await using catalogue = await openTestCatalogue();
  await ingest(catalogue, [proposal()]);
  assert.deepEqual(await catalogue.body(orders, 'datasetKey'), {
    platform: 'urn:li:dataPlatform:hive',
    name: 'shop.orders',
    origin: 'PROD',
  });
});

test('a new entity has the platform of its URN, unless the same request says more', async () => {
  await using catalogue = await openTestCatalogue();
  const platform = 'urn:li:dataPlatform:hive';
  const systemMetadata = { runId: 'r1' };
  await ingest(catalogue, [proposal({ systemMetadata })]);
  const added = (await catalogue.store.read(orders)).get('dataPlatformInstance');
  assert.deepEqual([added?.body, added?.systemMetadata], [{ platform }, systemMetadata]);

  const instance = `urn:li:dataPlatformInstance:(${platform},prod)`;
  const other = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,shop.others,PROD)');
  const told = { platform, instance };
  await ingest(catalogue, [
    proposal({ urn: other }),
    proposal({ urn: other, aspect: 'dataPlatformInstance', body: told }),
  ]);
  assert.deepEqual(await catalogue.body(other, 'dataPlatformInstance'), told);
});

test('an entity that exists is given nothing, and neither is one of a type without a platform', async () => {
  await using catalogue = await openTestCatalogue();
  await ingest(catalogue, [proposal()]);
  await ingest(catalogue, [{ urn: orders, aspect: 'dataPlatformInstance', changeType: 'DELETE' }]);
  await ingest(catalogue, [described('b')]);
  assert.equal(await catalogue.body(orders, 'dataPlatformInstance'), undefined);
  const container = parseUrn('urn:li:container:c');
  await ingest(catalogue, [{ urn: container, aspect: 'status', changeType: 'UPSERT', body: {} }]);
  assert.deepEqual([...(await catalogue.store.read(container)).keys()].sort(), ['containerKey', 'status']);
});

test('a batch is stored wholly or not at all', async () => {
  await using catalogue = await openTestCatalogue();
  const bad = proposal({ aspect: 'status', body: { removed: 'yes' } });
  await refusedUnchanged(
    catalogue,
    () => ingest(catalogue, [proposal(), bad]),
    'INVALID_ASPECT',
    '/removed',
    orders,
  );
});

test('several proposals for one aspect are applied in order', async () => {
  await using catalogue = await openTestCatalogue();
  await ingest(catalogue, [described('a'), described('b'), described('c')]);
  assert.equal(await description(catalogue), 'c');
});

test('the same batch again changes nothing but the run that was last seen', async () => {
  await using catalogue = await openTestCatalogue();
  await ingest(catalogue, [described('a', { systemMetadata: { runId: 'r1' } })]);
  const before = await catalogue.lastSequence();
  await ingest(catalogue, [described('a', { systemMetadata: { runId: 'r2' } })]);
  assert.equal(await catalogue.lastSequence(), before);
  const stored = (await catalogue.store.read(orders)).get('datasetProperties');
  assert.deepEqual(stored?.systemMetadata, { runId: 'r2', lastRunId: 'r1' });
});

test('what a proposal needs depends on the aspect', async () => {
  await using catalogue = await openTestCatalogue();
  const to = (urn: string, aspect: string, body: JsonObject): Proposal =>
    proposal({ urn: parseUrn(urn), aspect, body });
  const guarded = [
    to('urn:li:corpuser:ana', 'roleMembership', { roles: ['urn:li:dataHubRole:Admin'] }),
    to('urn:li:corpuser:ana', 'corpUserStatus', {
      status: 'ACTIVE',
      lastModified: { time: 0, actor: orders },
    }),
    to('urn:li:corpuser:ana', 'corpUserCredentials', {}),
    to('urn:li:dataHubPolicy:x', 'dataHubPolicyInfo', {}),
    { urn: parseUrn('urn:li:corpuser:ana'), aspect: 'corpUserKey', changeType: 'DELETE' } as const,
  ];
  for (const each of guarded) {
    await refusedUnchanged(catalogue, () => ingest(catalogue, [proposal(), each]), 'FORBIDDEN');
  }
  await refusedUnchanged(catalogue, () => ingest(catalogue, [proposal()], catalogue.reader), 'FORBIDDEN');
  const token = to('urn:li:dataHubAccessToken:x', 'dataHubAccessTokenInfo', {});
  await refusedUnchanged(
    catalogue,
    () => ingest(catalogue, [token], catalogue.admin),
    'FORBIDDEN',
    'createAccessToken',
  );

  const ofGlossary: Caller = { ...catalogue.reader, privileges: new Set(['MANAGE_GLOSSARIES']) };
  const term = to('urn:li:glossaryTerm:t', 'glossaryTermInfo', { definition: 'd', termSource: 'INTERNAL' });
  await ingest(catalogue, [term], ofGlossary);
  await refusedUnchanged(catalogue, () => ingest(catalogue, [proposal()], ofGlossary), 'FORBIDDEN');
});

test('an editor may report what a command line has run, but not order anything to be run', async () => {
  await using catalogue = await openTestCatalogue();
  const to = (urn: string, aspect: string, body: JsonObject): Proposal =>
    proposal({ urn: parseUrn(urn), aspect, body });
  const source = (config: JsonObject, others: JsonObject = {}): Proposal =>
    to('urn:li:dataHubIngestionSource:cli-1', 'dataHubIngestionSourceInfo', {
      name: '[CLI] file',
      type: 'file',
      config,
      ...others,
    });
  const request = (aspect: string, body: JsonObject): Proposal =>
    to('urn:li:dataHubExecutionRequest:file-1', aspect, body);
  const input = { task: 'CLI Ingestion', args: {}, requestedAt: 1 };
  const commandLine = { recipe: '{}', executorId: '__datahub_cli_' };
  const reports = [
    source(commandLine),
    request('dataHubExecutionRequestInput', { ...input, executorId: '__datahub_cli_' }),
    request('dataHubExecutionRequestResult', {
      status: 'SUCCESS',
      structuredReport: { type: 'CLI_INGEST', serializedValue: '{}', contentType: 'application/json' },
    }),
  ];
  for (const each of reports) {
    await refusedUnchanged(catalogue, () => ingest(catalogue, [each], catalogue.reader), 'FORBIDDEN');
    await ingest(catalogue, [proposal(), each]);
    assert.deepEqual(await catalogue.body(each.urn, each.aspect), each.body);
  }
  const instructions = [
    source({ recipe: '{}', executorId: 'default' }),
    source(commandLine, { schedule: { interval: '* * * * *' } }),
    request('dataHubExecutionRequestInput', { ...input, executorId: 'default' }),
    request('dataHubExecutionRequestInput', input),
    request('dataHubExecutionRequestResult', { status: 'SUCCESS' }),
    request('dataHubExecutionRequestSignal', { signal: 'KILL', executorId: '__datahub_cli_' }),
  ];
  for (const each of instructions)
    await refusedUnchanged(catalogue, () => ingest(catalogue, [each]), 'FORBIDDEN');
});

test('every event of a timeseries aspect is kept', async () => {
  await using catalogue = await openTestCatalogue();
  await ingestAll([event(1), described('a'), event(2), event(3)], catalogue.execute);
  assert.equal(await version(catalogue, 'datasetProfile'), 3);
  const first = await catalogue.store.readVersion(orders, 'datasetProfile', 1);
  assert.equal(first?.body['rowCount'], 1);
});

test('every event is kept among proposals that depend on what is stored, too', async () => {
  await using catalogue = await openTestCatalogue();
  await ingestAll([event(1), described('a', { changeType: 'CREATE' }), event(2)], catalogue.execute);
  assert.equal(await version(catalogue, 'datasetProfile'), 2);
});

test('events are stored all or not at all, with what else is in the request', async () => {
  await using catalogue = await openTestCatalogue();
  await ingest(catalogue, [described('b')]);
  const late = (body: JsonObject): Proposal => proposal({ aspect: 'datasetProfile', body });
  const bad = late({ text: 'a\u0000b' });
  const all = (proposals: readonly Proposal[], caller?: Caller) => (): Promise<void> =>
    ingestAll(proposals, (command, part) => catalogue.execute(command, part, caller));
  await refusedUnchanged(catalogue, all([event(1), bad]), 'INVALID_ASPECT');
  await refusedUnchanged(
    catalogue,
    all([event(1), event(2), described('c', { changeType: 'CREATE' })]),
    'ALREADY_EXISTS',
  );
  await refusedUnchanged(catalogue, all([event(1), event(2)], catalogue.reader), 'FORBIDDEN');
});

test('a lineage patch adds and removes upstreams and columns, and repeats do nothing', async () => {
  await using catalogue = await openTestCatalogue();
  const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
  const column = (name: string, path: string): string => `urn:li:schemaField:(${dataset(name)},${path})`;
  const stamp = { time: 0, actor: 'urn:li:corpuser:etl' };
  const upstream = (name: string): JsonObject => ({
    dataset: dataset(name),
    type: 'COPY',
    auditStamp: stamp,
  });
  const severalDownstreams = {
    upstreamType: 'FIELD_SET',
    upstreams: [column('a', 'x')],
    downstreamType: 'FIELD_SET',
    downstreams: [column('shop.orders', 'x'), column('shop.orders', 'y')],
  };
  const patch = (operations: readonly JsonObject[]): Proposal =>
    parseProposal({
      entityType: 'dataset',
      entityUrn: orders,
      changeType: 'PATCH',
      aspectName: 'upstreamLineage',
      aspect: { value: JSON.stringify(operations), contentType: 'application/json-patch+json' },
    });
  await ingest(catalogue, [
    proposal({
      aspect: 'upstreamLineage',
      body: { upstreams: [upstream('a')], fineGrainedLineages: [severalDownstreams] },
    }),
  ]);
  const add = patch([
    { op: 'add', path: `/upstreams/${dataset('b')}`, value: { type: 'VIEW', auditStamp: stamp } },
    {
      op: 'add',
      path: `/fineGrainedLineages/NONE/${column('shop.orders', 'x')}/NONE/${column('b', 'x~1y')}`,
      value: { confidenceScore: 0.5 },
    },
  ]);
  await ingest(catalogue, [add]);
  const lineage = await catalogue.body(orders, 'upstreamLineage');
  assert.deepEqual(lineage, {
    upstreams: [upstream('a'), { dataset: dataset('b'), type: 'VIEW', auditStamp: stamp }],
    fineGrainedLineages: [
      {
        upstreamType: 'FIELD_SET',
        upstreams: [column('b', 'x/y')],
        downstreamType: 'FIELD',
        downstreams: [column('shop.orders', 'x')],
        transformOperation: 'NONE',
        confidenceScore: 0.5,
      },
      severalDownstreams,
    ],
  });
  const before = await catalogue.lastSequence();
  await ingest(catalogue, [add]);
  assert.equal(await catalogue.lastSequence(), before);

  await ingest(catalogue, [
    patch([
      { op: 'remove', path: `/upstreams/${dataset('a')}` },
      { op: 'remove', path: `/upstreams/${dataset('nowhere')}` },
      { op: 'remove', path: `/fineGrainedLineages/NONE/${column('shop.orders', 'x')}` },
    ]),
  ]);
  const rest = await catalogue.body(orders, 'upstreamLineage');
  assert.deepEqual(rest?.['fineGrainedLineages'], [severalDownstreams]);
  assert.deepEqual(rest?.['upstreams'], [{ dataset: dataset('b'), type: 'VIEW', auditStamp: stamp }]);
});

test('a value that says the same in another way is not written again', async () => {
  const same = [
    ['{"a":60.0}', '{"a":60}'],
    ['{"a":60}', '{"a":60.0}'],
    ['{"a":1e3,"b":-0}', '{"b":0,"a":1000}'],
    ['{"a":1.0,"a":2.0}', '{"a":2}'],
    ['{"a":{},"b":[{}]}', '{"b":[{}],"a":{}}'],
    ['{"a":1,"b":null}', '{"a":1}'],
    // Texts that look as if they held such numbers: version 2 field paths, hashes, versions.
    ['{"path":"[version=2.0].x","b":1}', '{"b":1,"path":"[version=2.0].x"}'],
    ['{"id":"4f5e3b1234567890123456","b":1}', '{"b":1,"id":"4f5e3b1234567890123456"}'],
  ] as const;
  for (const [first, second] of same) {
    await using catalogue = await openTestCatalogue();
    await ingest(catalogue, [sent(first)]);
    const before = await catalogue.lastSequence();
    await ingest(catalogue, [sent(second)]);
    assert.equal(await catalogue.lastSequence(), before, `${first} then ${second}`);
    assert.equal(await version(catalogue, 'cost'), 1);
  }
});

test('a value that differs is written, even where JavaScript sees no difference', async () => {
  const different = [
    ['{"a":9007199254740992}', '{"a":9007199254740993}'],
    ['{"a":123456.789012345678}', '{"a":123456.789012345679}'],
    ['{"a":{}}', '{"a":[]}'],
    ['{"a":{}}', '{}'],
    ['{"a":"1"}', '{"a":1}'],
  ] as const;
  for (const [first, second] of different) {
    await using catalogue = await openTestCatalogue();
    await ingest(catalogue, [sent(first)]);
    await ingest(catalogue, [sent(second)]);
    assert.equal(await version(catalogue, 'cost'), 2, `${first} then ${second}`);
    assert.equal((await catalogue.store.read(model, ['cost'])).get('cost')?.text, second);
  }
});
