import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../../../test/server.ts';
import type { JsonObject, JsonValue } from '../../aspect/json.ts';

const hive = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const column = (dataset: string, name: string): string => `urn:li:schemaField:(${dataset},${name})`;
const [raw, clean, sums, report, lost, beyond, twin] = [
  'raw',
  'clean',
  'sums',
  'report',
  'lost',
  'beyond',
  'twin',
].map(hive) as [string, string, string, string, string, string, string];
const job = 'urn:li:dataJob:(urn:li:dataFlow:(airflow,daily,prod),load)';
const chart = 'urn:li:chart:(looker,1)';
const dashboard = 'urn:li:dashboard:(looker,1)';
const stamp = { time: 0, actor: 'urn:li:corpuser:unknown' };
const stamps = { created: stamp, lastModified: stamp };

let server: TestServer;

const upstreamsOf = (...datasets: string[]): JsonObject => ({
  upstreams: datasets.map((dataset) => ({ auditStamp: stamp, dataset, type: 'TRANSFORMED' })),
});
const madeOf = (upstreams: string[], downstreams: string[]): JsonObject => ({
  upstreamType: 'FIELD_SET',
  upstreams,
  downstreamType: 'FIELD_SET',
  downstreams,
});

before(async () => {
  server = await startTestServer();
  for (const urn of [raw, clean, sums, report, lost, beyond, twin]) {
    await server.ingest(urn, 'datasetProperties', { name: urn.split(',')[1] ?? '', customProperties: {} });
  }
  // raw -> clean -> sums -> report, raw -> twin -> sums, and a circle from report to raw.
  await server.ingest(clean, 'upstreamLineage', {
    ...upstreamsOf(raw),
    fineGrainedLineages: [
      madeOf([column(raw, 'id')], [column(clean, 'order_id')]),
      madeOf([column(raw, 'a'), column(raw, 'b')], [column(clean, 'c')]),
    ],
  });
  await server.ingest(twin, 'upstreamLineage', upstreamsOf(raw));
  await server.ingest(sums, 'upstreamLineage', {
    ...upstreamsOf(clean, twin),
    fineGrainedLineages: [
      madeOf([column(clean, '[version=2.0].[type=string].order_id')], [column(sums, 'orders')]),
    ],
  });
  await server.ingest(report, 'upstreamLineage', {
    upstreams: [
      {
        auditStamp: { time: 1_700_000_000_000, actor: 'urn:li:corpuser:ana' },
        dataset: sums,
        type: 'TRANSFORMED',
        properties: { source: 'UI' },
      },
    ],
  });
  await server.ingest(raw, 'upstreamLineage', upstreamsOf(report));
  // A job reads report and writes a table that nobody stored; what reads that table is lineage all the same.
  await server.ingest(job, 'dataJobInfo', { name: 'load', type: 'COMMAND', customProperties: {} });
  await server.ingest(job, 'dataJobInputOutput', {
    inputDatasets: [report],
    outputDatasets: [hive('ghost')],
  });
  await server.ingest(chart, 'chartInfo', {
    title: 'Totals',
    description: '',
    lastModified: stamps,
    inputs: [{ string: hive('ghost') }],
    customProperties: {},
  });
  await server.ingest(dashboard, 'dashboardInfo', {
    title: 'Board',
    description: '',
    charts: [chart],
    datasets: [],
    lastModified: stamps,
    customProperties: {},
  });
  // What is removed, and what is only reached through it.
  await server.ingest(lost, 'upstreamLineage', upstreamsOf(clean));
  await server.ingest(lost, 'status', { removed: true });
  await server.ingest(beyond, 'upstreamLineage', upstreamsOf(lost));
});
after(() => server.close());

const path = (value: JsonValue | undefined, ...steps: (string | number)[]): JsonValue | undefined =>
  steps.reduce<JsonValue | undefined>((at, step) => {
    if (Array.isArray(at) && typeof step === 'number') return at[step];
    return typeof at === 'object' && at !== null ? (at as JsonObject)[step] : undefined;
  }, value);

async function lineage(
  input: object,
  selection = 'searchResults { degree entity { urn } }',
): Promise<JsonValue | undefined> {
  const data = await server.data(
    `query l($input: SearchAcrossLineageInput!) { searchAcrossLineage(input: $input) { start count total isTruncated ${selection} } }`,
    { input },
  );
  return data['searchAcrossLineage'];
}

/** Found entities and how far they are. */
async function found(input: object): Promise<Record<string, number>> {
  const results = path(await lineage({ count: 100, ...input }), 'searchResults');
  assert.ok(Array.isArray(results));
  return Object.fromEntries(
    results.map((result: JsonValue) => [path(result, 'entity', 'urn'), path(result, 'degree')]),
  ) as Record<string, number>;
}

const degree = (...values: string[]): object => ({
  orFilters: [{ and: [{ field: 'degree', condition: 'EQUAL', values }] }],
});

describe('lineage is searched', () => {
  it('to the end, over datasets, jobs, charts and dashboards, through what nobody stored, and circles end', async () => {
    assert.deepEqual(await found({ urn: raw, direction: 'DOWNSTREAM' }), {
      [clean]: 1,
      [twin]: 1,
      [sums]: 2,
      [report]: 3,
      [job]: 4,
      [chart]: 6,
      [dashboard]: 7,
    });
    assert.deepEqual(await found({ urn: dashboard, direction: 'UPSTREAM' }), {
      [chart]: 1,
      [job]: 3,
      [report]: 4,
      [sums]: 5,
      [clean]: 6,
      [twin]: 6,
      [raw]: 7,
    });
  });

  it('over models, features and their tables', async () => {
    const feature = 'urn:li:mlFeature:(orders,amount)';
    const table = 'urn:li:mlFeatureTable:(urn:li:dataPlatform:feast,orders)';
    const model = 'urn:li:mlModel:(urn:li:dataPlatform:mlflow,forecast,PROD)';
    const group = 'urn:li:mlModelGroup:(urn:li:dataPlatform:mlflow,forecasts,PROD)';
    const source = hive('features');
    await server.ingest(source, 'status', { removed: false });
    await server.ingest(feature, 'mlFeatureProperties', { sources: [source], customProperties: {} });
    await server.ingest(table, 'mlFeatureTableProperties', { mlFeatures: [feature], customProperties: {} });
    await server.ingest(group, 'mlModelGroupProperties', { customProperties: {} });
    await server.ingest(model, 'mlModelProperties', {
      mlFeatures: [feature],
      groups: [group],
      customProperties: {},
    });
    assert.deepEqual(await found({ urn: source, direction: 'DOWNSTREAM' }), {
      [feature]: 1,
      [table]: 2,
      [model]: 2,
      [group]: 3,
    });
    assert.deepEqual(await found({ urn: group, direction: 'UPSTREAM' }), {
      [model]: 1,
      [feature]: 2,
      [source]: 3,
    });
  });

  it('without what is soft-deleted and what only it leads to, unless asked for', async () => {
    const all = await found({
      urn: clean,
      direction: 'DOWNSTREAM',
      searchFlags: { includeSoftDeleted: true },
    });
    assert.equal(all[lost], 1);
    assert.equal(all[beyond], 2);
    const usual = await found({ urn: clean, direction: 'DOWNSTREAM' });
    assert.equal(usual[lost], undefined);
    assert.equal(usual[beyond], undefined);
  });

  it('by degree', async () => {
    const downstream = { urn: raw, direction: 'DOWNSTREAM' };
    assert.deepEqual(await found({ ...downstream, ...degree('1') }), { [clean]: 1, [twin]: 1 });
    assert.deepEqual(await found({ ...downstream, ...degree('2') }), { [sums]: 2 });
    assert.deepEqual(await found({ ...downstream, ...degree('3+') }), {
      [report]: 3,
      [job]: 4,
      [chart]: 6,
      [dashboard]: 7,
    });
    assert.deepEqual(await found({ ...downstream, ...degree('1', '2') }), {
      [clean]: 1,
      [twin]: 1,
      [sums]: 2,
    });
    const alternatives = [
      {
        and: [
          { field: 'degree', values: ['1'] },
          { field: 'name', values: ['twin'] },
        ],
      },
      { and: [{ field: 'degree', values: ['2'] }] },
    ];
    assert.deepEqual(await found({ ...downstream, orFilters: alternatives }), { [twin]: 1, [sums]: 2 });
  });

  it('by types, text and fields', async () => {
    const downstream = { urn: raw, direction: 'DOWNSTREAM' };
    assert.deepEqual(await found({ ...downstream, types: ['CHART', 'DASHBOARD'] }), {
      [chart]: 6,
      [dashboard]: 7,
    });
    assert.deepEqual(await found({ ...downstream, query: 'totals' }), { [chart]: 6 });
    const orFilters = [{ and: [{ field: 'platform', values: ['urn:li:dataPlatform:looker'] }] }];
    assert.deepEqual(await found({ ...downstream, orFilters }), { [chart]: 6, [dashboard]: 7 });
  });

  it('with all shortest paths, both ends included', async () => {
    const result = await lineage(
      { urn: raw, direction: 'DOWNSTREAM', ...degree('2') },
      'searchResults { paths { path { urn type } } }',
    );
    const paths = path(result, 'searchResults', 0, 'paths');
    const dataset = (urn: string): object => ({ urn, type: 'DATASET' });
    assert.deepEqual(
      new Set(Array.isArray(paths) ? paths.map((each: JsonValue) => JSON.stringify(each)) : []),
      new Set(
        [clean, twin].map((between) =>
          JSON.stringify({ path: [dataset(raw), dataset(between), dataset(sums)] }),
        ),
      ),
    );
  });

  it('with facets of what is found, degrees first', async () => {
    const result = await lineage(
      { urn: raw, direction: 'DOWNSTREAM', count: 1 },
      'facets { field aggregations { value count } }',
    );
    assert.equal(path(result, 'total'), 7);
    assert.equal(path(result, 'count'), 1);
    assert.equal(path(result, 'isTruncated'), false);
    const facets = path(result, 'facets');
    assert.ok(Array.isArray(facets));
    assert.deepEqual(facets[0], {
      field: 'degree',
      aggregations: [
        { value: '1', count: 2 },
        { value: '2', count: 1 },
        { value: '3+', count: 4 },
      ],
    });
    const types = facets.find((facet: JsonValue) => path(facet, 'field') === '_entityType');
    assert.deepEqual(path(types, 'aggregations', 0), { value: 'DATASET', count: 4 });
  });

  it('page by page with scroll ids, whatever is written meanwhile', async () => {
    const urns: JsonValue[] = [];
    let scrollId: JsonValue | undefined = null;
    do {
      const data: JsonObject = await server.data(
        `query l($input: ScrollAcrossLineageInput!) { scrollAcrossLineage(input: $input) {
           nextScrollId count total searchResults { degree entity { urn type } paths { path { urn type } } } } }`,
        {
          input: {
            urn: raw,
            direction: 'DOWNSTREAM',
            count: 2,
            scrollId,
            types: ['DATASET', 'CHART', 'DASHBOARD', 'DATA_JOB'],
            searchFlags: { skipHighlighting: true, skipAggregates: true },
          },
        },
      );
      const results = path(data, 'scrollAcrossLineage', 'searchResults');
      assert.ok(Array.isArray(results));
      urns.push(...results.map((result: JsonValue) => path(result, 'entity', 'urn') ?? null));
      scrollId = path(data, 'scrollAcrossLineage', 'nextScrollId');
      // Another one at degree 1, before everything that is still to come.
      const early = hive(`a${urns.length}`);
      await server.ingest(early, 'upstreamLineage', upstreamsOf(raw));
      await server.ingest(early, 'status', { removed: urns.length % 2 === 1 });
    } while (scrollId !== null);
    const expected = [clean, twin, sums, report, job, chart, dashboard];
    assert.deepEqual(
      urns.filter((urn) => !String(urn).includes('hive,a')),
      expected,
    );
    assert.equal(new Set(urns).size, urns.length);
    for (const count of [2, 4, 6, 8]) {
      await server.ingest(hive(`a${count}`), 'status', { removed: true });
    }
  });

  it('in the document of the MCP server', async () => {
    const data = await server.data(
      `query GetEntityLineage($input: SearchAcrossLineageInput!) {
         searchAcrossLineage(input: $input) {
           start count total
           facets { field displayName aggregations { value count displayName entity { urn } } }
           searchResults { entity { urn type ... on Dataset { name properties { name } platform { urn name } } } degree paths { path { urn } } } } }`,
      {
        input: {
          urn: clean,
          direction: 'UPSTREAM',
          query: '*',
          start: 0,
          count: 30,
          types: [],
          orFilters: [{ and: [{ field: 'degree', condition: 'EQUAL', values: ['1', '2', '3+'] }] }],
          searchFlags: { skipHighlighting: true, maxAggValues: 3 },
        },
      },
    );
    assert.equal(path(data, 'searchAcrossLineage', 'searchResults', 0, 'entity', 'urn'), raw);
  });

  it('and what is written is there in the next request', async () => {
    const start = hive('start');
    await server.ingest(start, 'status', { removed: false });
    for (let count = 1; count <= 10; count += 1) {
      await server.ingest(hive(`next${count}`), 'upstreamLineage', upstreamsOf(start));
      const page = await lineage({ urn: start, direction: 'DOWNSTREAM' });
      assert.equal(path(page, 'total'), count);
    }
  });

  it('unless the start, the degree or the cursor is wrong', async () => {
    const wrong: [object, RegExp][] = [
      [{ urn: 'nonsense', direction: 'UPSTREAM' }, /Invalid urn/],
      [{ direction: 'UPSTREAM' }, /The lineage of what/],
      [
        {
          urn: hive('alone'),
          direction: 'UPSTREAM',
          orFilters: [{ and: [{ field: 'nope', values: ['x'] }] }],
        },
        /no search field "nope"/,
      ],
      [{ urn: raw, direction: 'UPSTREAM', ...degree('many') }, /degree has the values/],
      [
        {
          urn: raw,
          direction: 'UPSTREAM',
          orFilters: [{ and: [{ field: 'degree', condition: 'GREATER_THAN', values: ['1'] }] }],
        },
        /not with GREATER_THAN/,
      ],
      [{ urn: raw, direction: 'UPSTREAM', scrollId: 'x' }, /Bad scrollId "x"/],
      [{ urn: raw, direction: 'UPSTREAM', count: -1 }, /must not be negative/],
    ];
    for (const [input, message] of wrong) {
      const { errors } = await server.graphql(
        'query l($input: ScrollAcrossLineageInput!) { scrollAcrossLineage(input: $input) { total } }',
        { input },
      );
      assert.equal(errors?.[0]?.extensions.code, 400);
      assert.match(errors[0].message, message);
    }
  });
});

describe('lineage of columns is searched', () => {
  it('to the end, by either form of a path', async () => {
    const direction = 'DOWNSTREAM';
    assert.deepEqual(await found({ urn: column(raw, 'id'), direction }), {
      [column(clean, 'order_id')]: 1,
      [column(sums, 'orders')]: 2,
    });
    assert.deepEqual(await found({ urn: column(clean, 'c'), direction: 'UPSTREAM' }), {
      [column(raw, 'a')]: 1,
      [column(raw, 'b')]: 1,
    });
    assert.deepEqual(
      await found({ urn: column(raw, '[version=2.0].[type=long].id'), direction, types: ['SCHEMA_FIELD'] }),
      { [column(clean, 'order_id')]: 1, [column(sums, 'orders')]: 2 },
    );
  });

  it('with text and filters about the datasets that they are part of', async () => {
    const downstream = { urn: column(raw, 'id'), direction: 'DOWNSTREAM' };
    assert.deepEqual(await found({ ...downstream, query: 'sums' }), { [column(sums, 'orders')]: 2 });
    assert.deepEqual(await found({ ...downstream, ...degree('1') }), { [column(clean, 'order_id')]: 1 });
    const result = await lineage(
      downstream,
      'searchResults { entity { urn type ... on SchemaFieldEntity { fieldPath parent { urn } } } } facets { field }',
    );
    assert.deepEqual(path(result, 'searchResults', 0, 'entity'), {
      urn: column(clean, 'order_id'),
      type: 'SCHEMA_FIELD',
      fieldPath: 'order_id',
      parent: { urn: clean },
    });
    assert.deepEqual(path(result, 'facets'), [{ field: 'degree' }]);
  });
});

describe('one step of lineage', () => {
  async function oneStep(urn: string, input: string): Promise<JsonValue | undefined> {
    const data = await server.data(
      `{ entity(urn: "${urn}") { ... on EntityWithRelationships { lineage(input: ${input}) {
           start count total filtered
           relationships { type degree isManual createdOn updatedOn updatedActor { urn } entity { urn } paths { path { urn } } } } } } }`,
    );
    return path(data, 'entity', 'lineage');
  }

  it('says who said so and when', async () => {
    assert.deepEqual(await oneStep(report, '{direction: UPSTREAM, start: 0, count: 10}'), {
      start: 0,
      count: 1,
      total: 1,
      filtered: 0,
      relationships: [
        {
          type: 'DownstreamOf',
          degree: 1,
          isManual: true,
          createdOn: null,
          updatedOn: 1_700_000_000_000,
          updatedActor: { urn: 'urn:li:corpuser:ana' },
          entity: { urn: sums },
          paths: [{ path: [{ urn: report }, { urn: sums }] }],
        },
      ],
    });
  });

  it('leaves out what was only named or is removed, and counts it', async () => {
    const upstream = await oneStep(chart, '{direction: UPSTREAM}');
    assert.equal(path(upstream, 'total'), 0);
    assert.equal(path(upstream, 'filtered'), 1);
    const withGhosts = await oneStep(chart, '{direction: UPSTREAM, includeGhostEntities: true}');
    assert.equal(path(withGhosts, 'relationships', 0, 'entity', 'urn'), hive('ghost'));
    const downstream = await oneStep(clean, '{direction: DOWNSTREAM}');
    assert.equal(path(downstream, 'total'), 1);
    assert.equal(path(downstream, 'filtered'), 1);
  });
});
