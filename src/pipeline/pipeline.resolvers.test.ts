import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReadModel } from '../../test/read-model.ts';
import type { JsonObject } from '../aspect/json.ts';

const flow = 'urn:li:dataFlow:(airflow,daily,prod)';
const job = `urn:li:dataJob:(${flow},load)`;
const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const totals = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.totals,PROD)';
const ana = 'urn:li:corpuser:ana';
const tags = { tags: [{ tag: 'urn:li:tag:x' }] };

test('a pipeline is read with its properties and what is attached to it', async () => {
  await using model = await openReadModel();
  await model.seed(flow, {
    dataFlowInfo: {
      name: 'Daily',
      description: 'd',
      project: 'p',
      externalUrl: 'https://a.example',
      customProperties: { a: '1' },
    },
    editableDataFlowProperties: { description: 'edited' },
    globalTags: tags,
    domains: { domains: ['urn:li:domain:d'] },
  });
  const properties = 'name description project externalUrl customProperties { key value }';
  const { data, errors } = await model.ask(
    `{ dataFlow(urn: "${flow}") { urn type orchestrator flowId cluster exists lastIngested properties { ${properties} }
       info { ${properties} } editableProperties { description } platform { urn } tags { tags { tag { urn } } }
       domain { domain { urn } } glossaryTerms { terms { term { urn } } } ownership { owners { type } } deprecation { note }
       health { type status } } }`,
  );
  assert.equal(errors, undefined);
  const read = {
    name: 'Daily',
    description: 'd',
    project: 'p',
    externalUrl: 'https://a.example',
    customProperties: [{ key: 'a', value: '1' }],
  };
  assert.deepEqual(data?.['dataFlow'], {
    urn: flow,
    type: 'DATA_FLOW',
    orchestrator: 'airflow',
    flowId: 'daily',
    cluster: 'prod',
    exists: true,
    lastIngested: null,
    properties: read,
    info: read,
    editableProperties: { description: 'edited' },
    platform: { urn: 'urn:li:dataPlatform:airflow' },
    tags: { tags: [{ tag: { urn: 'urn:li:tag:x' } }] },
    domain: { domain: { urn: 'urn:li:domain:d' } },
    glossaryTerms: null,
    ownership: null,
    deprecation: null,
    health: [{ type: 'INCIDENTS', status: 'PASS' }],
  });
});

test('a task is read with its pipeline and with what it reads and writes', async () => {
  await using model = await openReadModel();
  const column = (dataset: string): string => `urn:li:schemaField:(${dataset},id)`;
  await model.seed(job, {
    dataJobInfo: { name: 'Load', description: 'd', type: 'SQL', flowUrn: flow, customProperties: { a: '1' } },
    editableDataJobProperties: { description: 'edited' },
    dataJobInputOutput: {
      inputDatasets: [orders],
      inputDatasetEdges: [{ destinationUrn: orders }],
      outputDatasetEdges: [{ destinationUrn: totals }],
      inputDatajobs: [`urn:li:dataJob:(${flow},before)`],
      fineGrainedLineages: [
        {
          upstreamType: 'FIELD_SET',
          upstreams: [column(orders)],
          downstreamType: 'FIELD',
          downstreams: [column(totals)],
        },
      ],
    },
    subTypes: { typeNames: ['Task'] },
  });
  const { data, errors } = await model.ask(
    `{ dataJob(urn: "${job}") { urn type jobId dataFlow { urn flowId } properties { name description externalUrl customProperties { key value } }
       editableProperties { description } subTypes { typeNames } dataPlatformInstance { urn }
       inputOutput { inputDatasets { urn } outputDatasets { urn } inputDatajobs { urn }
         fineGrainedLineages { upstreams { urn path } downstreams { urn path } } } }
       dataFlow(urn: "${flow}") { relationships(input: {types: ["IsPartOf"], direction: INCOMING}) { relationships { entity { urn } } } } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data, {
    dataJob: {
      urn: job,
      type: 'DATA_JOB',
      jobId: 'load',
      dataFlow: { urn: flow, flowId: 'daily' },
      properties: {
        name: 'Load',
        description: 'd',
        externalUrl: null,
        customProperties: [{ key: 'a', value: '1' }],
      },
      editableProperties: { description: 'edited' },
      subTypes: { typeNames: ['Task'] },
      dataPlatformInstance: null,
      inputOutput: {
        inputDatasets: [{ urn: orders }],
        outputDatasets: [{ urn: totals }],
        inputDatajobs: [{ urn: `urn:li:dataJob:(${flow},before)` }],
        fineGrainedLineages: [
          { upstreams: [{ urn: orders, path: 'id' }], downstreams: [{ urn: totals, path: 'id' }] },
        ],
      },
    },
    dataFlow: { relationships: { relationships: [{ entity: { urn: job } }] } },
  });
});

const created = (time: number): JsonObject => ({ name: `run ${time}`, created: { time, actor: ana } });

test('runs are read from their task and from their datasets, the latest first, without those that are removed', async () => {
  await using model = await openReadModel();
  for (const time of [2, 3, 1, 4]) {
    await model.seed(`urn:li:dataProcessInstance:r${time}`, {
      dataProcessInstanceProperties: created(time),
      dataProcessInstanceRelationships: { parentTemplate: job, upstreamInstances: [] },
      dataProcessInstanceOutput: { outputs: [totals] },
      status: { removed: time === 4 },
    });
  }
  const { data, errors } = await model.ask(
    `{ dataJob(urn: "${job}") { runs { start count total runs { urn } } page: runs(start: 1, count: 1) { start count total runs { urn } } }
       dataset(urn: "${totals}") { written: runs(direction: OUTGOING) { total } read: runs(direction: INCOMING) { total } } }`,
  );
  assert.equal(errors, undefined);
  const [one, two, three] = [1, 2, 3].map((time) => ({ urn: `urn:li:dataProcessInstance:r${time}` }));
  assert.deepEqual(data, {
    dataJob: {
      runs: { start: 0, count: 3, total: 3, runs: [three, two, one] },
      page: { start: 1, count: 1, total: 3, runs: [two] },
    },
    dataset: { written: { total: 3 }, read: { total: 0 } },
  });
});

test('a run is read with its task, its progress and what was trained in it', async () => {
  await using model = await openReadModel();
  const run = 'urn:li:dataProcessInstance:r';
  const event = (timestampMillis: number, more: JsonObject): JsonObject => ({ timestampMillis, ...more });
  await model.seed(run, {
    dataProcessInstanceProperties: {
      ...created(5),
      externalUrl: 'https://a.example',
      customProperties: { a: '1' },
    },
    dataProcessInstanceRelationships: { parentTemplate: job, upstreamInstances: [] },
    dataProcessInstanceRunEvent: event(10, { status: 'STARTED', attempt: 1 }),
    mlTrainingRunProperties: {
      id: 't',
      outputUrls: ['s3://a'],
      hyperParams: [{ name: 'rate', value: '0.1' }],
      trainingMetrics: [{ name: 'loss', value: '2' }],
    },
    subTypes: { typeNames: ['Training'] },
    container: { container: 'urn:li:container:c' },
    dataPlatformInstance: { platform: 'urn:li:dataPlatform:mlflow' },
  });
  await model.seed(run, {
    dataProcessInstanceRunEvent: event(20, {
      status: 'COMPLETE',
      durationMillis: 10,
      result: { type: 'SUCCESS', nativeResultType: 'ok' },
    }),
  });
  const { data, errors } = await model.ask(
    `{ entity(urn: "${run}") { type ... on DataProcessInstance { exists name externalUrl created { time actor } parentTemplate { urn type }
       properties { name externalUrl created { time } customProperties { key value } } subTypes { typeNames } container { urn }
       platform { urn } dataPlatformInstance { urn }
       mlTrainingRunProperties { id outputUrls hyperParams { name value } trainingMetrics { name value } }
       state { timestampMillis status attempt durationMillis result { resultType nativeResultType } }
       first: state(endTimeMillis: 10) { timestampMillis } last: state(limit: 1) { timestampMillis } } } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data?.['entity'], {
    type: 'DATA_PROCESS_INSTANCE',
    exists: true,
    name: 'run 5',
    externalUrl: 'https://a.example',
    created: { time: 5, actor: ana },
    parentTemplate: { urn: job, type: 'DATA_JOB' },
    properties: {
      name: 'run 5',
      externalUrl: 'https://a.example',
      created: { time: 5 },
      customProperties: [{ key: 'a', value: '1' }],
    },
    subTypes: { typeNames: ['Training'] },
    container: { urn: 'urn:li:container:c' },
    platform: { urn: 'urn:li:dataPlatform:mlflow' },
    dataPlatformInstance: null,
    mlTrainingRunProperties: {
      id: 't',
      outputUrls: ['s3://a'],
      hyperParams: [{ name: 'rate', value: '0.1' }],
      trainingMetrics: [{ name: 'loss', value: '2' }],
    },
    state: [
      {
        timestampMillis: 20,
        status: 'COMPLETE',
        attempt: null,
        durationMillis: 10,
        result: { resultType: 'SUCCESS', nativeResultType: 'ok' },
      },
      { timestampMillis: 10, status: 'STARTED', attempt: 1, durationMillis: null, result: null },
    ],
    first: [{ timestampMillis: 10 }],
    last: [{ timestampMillis: 20 }],
  });
});
