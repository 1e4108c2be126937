import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReadModel } from '../../test/read-model.ts';
import { isJsonObject, type JsonObject } from '../aspect/json.ts';

const dashboard = 'urn:li:dashboard:(looker,sales)';
const chart = 'urn:li:chart:(looker,orders)';
const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const column = `urn:li:schemaField:(${orders},id)`;
const ana = 'urn:li:corpuser:ana';
const stamp = { time: 1_700_000_000_000, actor: ana };
const stamps = { created: stamp, lastModified: { time: 1_700_000_000_001, actor: ana } };

const facets = {
  globalTags: { tags: [{ tag: 'urn:li:tag:x' }] },
  glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:t' }], auditStamp: stamp },
  ownership: { owners: [{ owner: ana, type: 'DATAOWNER' }], lastModified: stamp },
  domains: { domains: ['urn:li:domain:d'] },
  deprecation: { deprecated: true, note: 'old', actor: ana },
  institutionalMemory: { elements: [{ url: 'https://a.example', description: 'l', createStamp: stamp }] },
  status: { removed: false },
  subTypes: { typeNames: ['Tile'] },
  container: { container: 'urn:li:container:c' },
  browsePaths: { paths: ['/looker/sales'] },
  browsePathsV2: { path: [{ id: 'c', urn: 'urn:li:container:c' }] },
};

const facetSelection = `exists lastIngested tags { tags { tag { urn } } } globalTags { tags { tag { urn } } }
  glossaryTerms { terms { term { urn } } } ownership { owners { owner { ... on CorpUser { urn } } type } }
  domain { domain { urn } } deprecation { deprecated note } institutionalMemory { elements { url } } status { removed }
  subTypes { typeNames } container { urn } parentContainers { count } browsePaths { path }
  browsePathV2 { path { name entity { urn } } }
  platform { urn } dataPlatformInstance { urn } relationships(input: {types: ["TaggedWith"], direction: OUTGOING}) { total }`;

const tags = { tags: [{ tag: { urn: 'urn:li:tag:x' } }] };
const facetsRead = {
  exists: true,
  lastIngested: null,
  tags,
  globalTags: tags,
  glossaryTerms: { terms: [{ term: { urn: 'urn:li:glossaryTerm:t' } }] },
  ownership: { owners: [{ owner: { urn: ana }, type: 'DATAOWNER' }] },
  domain: { domain: { urn: 'urn:li:domain:d' } },
  deprecation: { deprecated: true, note: 'old' },
  institutionalMemory: { elements: [{ url: 'https://a.example' }] },
  status: { removed: false },
  subTypes: { typeNames: ['Tile'] },
  container: { urn: 'urn:li:container:c' },
  parentContainers: { count: 1 },
  browsePaths: [{ path: ['looker', 'sales'] }],
  browsePathV2: { path: [{ name: 'c', entity: { urn: 'urn:li:container:c' } }] },
  platform: { urn: 'urn:li:dataPlatform:looker' },
  dataPlatformInstance: null,
  relationships: { total: 1 },
};

const propertiesSelection = `name description externalUrl access lastRefreshed customProperties { key value }
  created { time actor } lastModified { time actor } deleted { time }`;
const propertiesRead = {
  name: 'Sales',
  description: 'd',
  externalUrl: 'https://looker.example/1',
  access: 'PUBLIC',
  lastRefreshed: 7,
  customProperties: [{ key: 'a', value: '1' }],
  created: stamps.created,
  lastModified: stamps.lastModified,
  deleted: null,
};

const info: JsonObject = {
  title: 'Sales',
  description: 'd',
  access: 'PUBLIC',
  lastRefreshed: 7,
  customProperties: { a: '1' },
  lastModified: stamps,
};

test('a dashboard is read with its properties, its charts and what is attached to it', async () => {
  await using model = await openReadModel();
  await model.seed(dashboard, {
    dashboardInfo: {
      ...info,
      dashboardUrl: 'https://looker.example/1',
      charts: [chart],
      chartEdges: [{ destinationUrn: chart }, { destinationUrn: 'urn:li:chart:(looker,more)' }],
    },
    editableDashboardProperties: { description: 'edited' },
    embed: { renderUrl: 'https://looker.example/embed/1' },
    ...facets,
  });
  const { data, errors } = await model.ask(
    `{ dashboard(urn: "${dashboard}") { urn type tool dashboardId properties { ${propertiesSelection} }
       info { name charts { urn } } editableProperties { description } editableInfo { description } embed { renderUrl }
       ${facetSelection} } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data?.['dashboard'], {
    urn: dashboard,
    type: 'DASHBOARD',
    tool: 'looker',
    dashboardId: 'sales',
    properties: propertiesRead,
    info: { name: 'Sales', charts: [{ urn: chart }, { urn: 'urn:li:chart:(looker,more)' }] },
    editableProperties: { description: 'edited' },
    editableInfo: { description: 'edited' },
    embed: { renderUrl: 'https://looker.example/embed/1' },
    ...facetsRead,
  });
});

test('a chart is read with its properties, its inputs and what is attached to it', async () => {
  await using model = await openReadModel();
  await model.seed(chart, {
    chartInfo: {
      ...info,
      externalUrl: 'https://looker.example/1',
      chartUrl: 'https://looker.example/other',
      type: 'BAR',
      inputs: [{ string: orders }],
      inputEdges: [{ destinationUrn: orders }, { destinationUrn: chart }],
    },
    editableChartProperties: { description: 'edited' },
    chartQuery: { rawQuery: 'select 1', type: 'SQL' },
    inputFields: {
      fields: [
        {
          schemaFieldUrn: column,
          schemaField: {
            fieldPath: 'id',
            type: { type: { 'com.linkedin.schema.NumberType': {} } },
            nativeDataType: 'int',
            globalTags: { tags: [{ tag: 'urn:li:tag:x' }] },
          },
        },
        { schemaFieldUrn: column },
      ],
    },
    ...facets,
    dataPlatformInstance: { platform: 'urn:li:dataPlatform:looker' },
  });
  const { data, errors } = await model.ask(
    `{ chart(urn: "${chart}") { urn type tool chartId properties { ${propertiesSelection} type }
       info { type inputs { urn } } editableProperties { description } query { rawQuery type }
       inputFields { fields { schemaFieldUrn schemaField { fieldPath type tags { tags { tag { urn } } } schemaFieldEntity { urn } } } }
       ${facetSelection} } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data?.['chart'], {
    urn: chart,
    type: 'CHART',
    tool: 'looker',
    chartId: 'orders',
    properties: { ...propertiesRead, type: 'BAR' },
    info: { type: 'BAR', inputs: [{ urn: orders }] },
    editableProperties: { description: 'edited' },
    query: { rawQuery: 'select 1', type: 'SQL' },
    inputFields: {
      fields: [
        {
          schemaFieldUrn: column,
          schemaField: { fieldPath: 'id', type: 'NUMBER', tags, schemaFieldEntity: { urn: column } },
        },
        { schemaFieldUrn: column, schemaField: null },
      ],
    },
    ...facetsRead,
  });
});

test('a chart of which nothing is stored is what its URN says, and null otherwise', async () => {
  await using model = await openReadModel();
  const { data, errors } = await model.ask(
    `{ chart(urn: "${chart}") { tool chartId exists platform { urn } properties { name } info { name } query { type }
       editableProperties { description } inputFields { fields { schemaFieldUrn } } statsSummary { viewCount }
       tags { tags { tag { urn } } } ownership { owners { type } } container { urn } browsePathV2 { path { name } } } }`,
  );
  assert.equal(errors, undefined);
  assert.ok(isJsonObject(data?.['chart']));
  const { tool, chartId, exists, platform, ...rest } = data['chart'];
  assert.deepEqual([tool, chartId, exists], ['looker', 'orders', false]);
  assert.deepEqual(platform, { urn: 'urn:li:dataPlatform:looker' });
  assert.deepEqual(new Set(Object.values(rest)), new Set([null]));
});

test('views of a dashboard are counted over the last 30 days, and in all', async () => {
  await using model = await openReadModel();
  const day = 24 * 60 * 60 * 1000;
  const now = Date.now();
  const bucket = (daysAgo: number, viewsCount: number): JsonObject => ({
    timestampMillis: now - daysAgo * day,
    eventGranularity: { unit: 'DAY', multiple: 1 },
    viewsCount,
    userCounts: [
      { user: ana, viewsCount: 1 },
      { user: 'urn:li:corpuser:ben', viewsCount },
    ],
  });
  for (const dashboardUsageStatistics of [
    bucket(40, 100),
    bucket(2, 3),
    bucket(1, 4),
    { timestampMillis: now - day, viewsCount: 900 },
  ]) {
    await model.seed(dashboard, { dashboardUsageStatistics });
  }
  const { data, errors } = await model.ask(
    `{ dashboard(urn: "${dashboard}") { statsSummary { viewCount viewCountLast30Days uniqueUserCountLast30Days
       topUsersLast30Days { username } } } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data?.['dashboard'], {
    statsSummary: {
      viewCount: 900,
      viewCountLast30Days: 7,
      uniqueUserCountLast30Days: 2,
      topUsersLast30Days: [{ username: 'ben' }, { username: 'ana' }],
    },
  });
});
