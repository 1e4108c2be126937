import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer, type Answer, type TestServer } from '../../test/server.ts';
import type { JsonObject } from '../aspect/json.ts';
import { parseUrn } from '../urn/urn.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer();
});

after(() => server.close());

type Report = { readonly urn: string; readonly aspect: string; readonly body: JsonObject };

const executor = '__datahub_cli_';

function sourceOf(urn: string, config: JsonObject): Report {
  const body = { name: 'shop', type: 'postgres', config: { recipe: '{"a":1}', version: '1.6.0', ...config } };
  return { urn, aspect: 'dataHubIngestionSourceInfo', body };
}

function inputOf(urn: string, members: JsonObject): Report {
  const source = { type: 'MANUAL_INGESTION_SOURCE', ingestionSource: 'urn:li:dataHubIngestionSource:shop' };
  const body = { task: 'RUN_INGEST', args: { recipe: '{}' }, source, requestedAt: 1, ...members };
  return { urn, aspect: 'dataHubExecutionRequestInput', body };
}

function resultOf(urn: string, type: string): Report {
  const structuredReport = { type, serializedValue: '{}', contentType: 'application/json' };
  return {
    urn,
    aspect: 'dataHubExecutionRequestResult',
    body: { status: 'SUCCESS', startTimeMs: 1, structuredReport },
  };
}

const classNames: Readonly<Record<string, string>> = {
  dataHubIngestionSourceInfo: 'com.linkedin.ingestion.DataHubIngestionSourceInfo',
  dataHubExecutionRequestInput: 'com.linkedin.execution.ExecutionRequestInput',
  dataHubExecutionRequestResult: 'com.linkedin.execution.ExecutionRequestResult',
};

function proposalOf({ urn, aspect, body }: Report, changeType = 'UPSERT'): JsonObject {
  return {
    entityType: urn.split(':')[2] ?? '',
    entityUrn: urn,
    aspectName: aspect,
    changeType,
    aspect: { value: JSON.stringify(body), contentType: 'application/json' },
  };
}

/** Every way in which a client can write an aspect. */
const doors: Readonly<Record<string, (report: Report, token?: string) => Promise<Answer>>> = {
  proposal: (report, token) =>
    post('/aspects?action=ingestProposal', { proposal: proposalOf(report) }, token),
  restatement: (report, token) =>
    post('/aspects?action=ingestProposal', { proposal: proposalOf(report, 'RESTATE') }, token),
  batch: (report, token) =>
    post('/aspects?action=ingestProposalBatch', { proposals: [proposalOf(report)] }, token),
  snapshot: (report, token) => post('/entities?action=ingest', { entity: snapshotOf(report) }, token),
  snapshots: (report, token) =>
    post('/entities?action=batchIngest', { entities: [snapshotOf(report)] }, token),
};

function snapshotOf({ urn, aspect, body }: Report): JsonObject {
  const aspects = [{ [classNames[aspect] ?? '']: body }];
  return { value: { 'com.linkedin.metadata.snapshot.DatasetSnapshot': { urn, aspects } } };
}

function post(path: string, body: object, token?: string): Promise<Answer> {
  return server.send('POST', path, { body, ...(token === undefined ? {} : { token }) });
}

async function stored({ urn, aspect }: Report): Promise<unknown> {
  return (await server.catalogue.store.read(parseUrn(urn), [aspect])).get(aspect)?.body;
}

async function store(report: Report): Promise<void> {
  await server.ingest(report.urn, report.aspect, report.body);
}

test('what somebody has ordered is not replaced by a report of a command line, over any door', async () => {
  const source = sourceOf('urn:li:dataHubIngestionSource:shop', { executorId: 'default' });
  const planned = sourceOf('urn:li:dataHubIngestionSource:planned', { executorId: executor });
  const nightly = {
    ...planned,
    body: { ...planned.body, schedule: { interval: '0 0 * * *', timezone: 'UTC' } },
  };
  const run = inputOf('urn:li:dataHubExecutionRequest:shop-1', { executorId: 'default' });
  const finished = resultOf(run.urn, 'RUN_INGEST');
  for (const each of [source, nightly, run]) await store(each);
  const lies = [
    [source, sourceOf(source.urn, { executorId: executor, recipe: '{"a":2}' })],
    [nightly, planned],
    [run, inputOf(run.urn, { executorId: executor })],
    [run, resultOf(run.urn, 'CLI_INGEST')],
  ] as const;
  const tellAll = async (): Promise<void> => {
    for (const [door, send] of Object.entries(doors)) {
      for (const [truth, lie] of lies) {
        const before = await server.lastSequence();
        const answer = await send(lie);
        assert.equal(answer.status, 403, `${door} ${lie.aspect}: ${answer.text}`);
        assert.match(answer.text, new RegExp(truth.urn));
        assert.deepEqual(await stored(truth), truth.body);
        assert.equal(await server.lastSequence(), before);
      }
    }
  };
  await tellAll();
  await store(finished);
  await tellAll();
  assert.deepEqual(await stored(finished), finished.body);
});

test('a command line reports its own source and runs, again and again', async () => {
  for (const [door, send] of Object.entries(doors)) {
    const source = `urn:li:dataHubIngestionSource:cli-${door}`;
    const run = `urn:li:dataHubExecutionRequest:postgres-${door}`;
    const reports = [
      sourceOf(source, { executorId: executor }),
      inputOf(run, { executorId: executor, task: 'CLI Ingestion' }),
      resultOf(run, 'CLI_INGEST'),
      sourceOf(source, { executorId: executor, recipe: '{"a":3}' }),
      inputOf(run, { executorId: executor, task: 'CLI Ingestion', requestedAt: 2 }),
      resultOf(run, 'CLI_INGEST'),
    ];
    for (const report of reports) {
      const answer = await send(report);
      assert.equal(answer.status, 200, `${door} ${report.aspect}: ${answer.text}`);
      assert.deepEqual(await stored(report), report.body);
    }
  }
});

test('one batch cannot put an order in the place of its own report', async () => {
  const source = 'urn:li:dataHubIngestionSource:cli-twice';
  const proposals = [
    proposalOf(sourceOf(source, { executorId: executor })),
    proposalOf(sourceOf(source, { executorId: 'default' })),
  ];
  const answer = await post('/aspects?action=ingestProposalBatch', { proposals });
  assert.equal(answer.status, 403);
  assert.equal((await server.catalogue.store.read(parseUrn(source))).size, 0);
});

test('whoever may order ingestion may hand a source over to a command line', async () => {
  const source = sourceOf('urn:li:dataHubIngestionSource:handed-over', { executorId: 'default' });
  await store(source);
  const report = sourceOf(source.urn, { executorId: executor });
  const answer = await doors['proposal']?.(report, server.tokens.Admin);
  assert.equal(answer?.status, 200);
  assert.deepEqual(await stored(report), report.body);
});
