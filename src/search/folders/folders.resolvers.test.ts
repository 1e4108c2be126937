import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../../../test/server.ts';
import type { JsonValue } from '../../aspect/json.ts';

const hive = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const shop = 'urn:li:container:shop';

let server: TestServer;

before(async () => {
  server = await startTestServer();
  await server.ingest(shop, 'containerProperties', { name: 'Shop', customProperties: {} });
  const places: [string, string[]][] = [
    ['a', ['prod', shop]],
    ['b', ['prod', shop]],
    ['c', ['prod', shop, 'deep']],
    ['d', ['prod']],
    ['e', ['production']],
    ['gone', ['prod', 'old']],
  ];
  for (const [name, folders] of places) {
    await server.ingest(hive(name), 'browsePathsV2', {
      path: folders.map((id) => (id === shop ? { id, urn: id } : { id })),
    });
  }
  await server.ingest(hive('gone'), 'status', { removed: true });
  await server.ingest(hive('nowhere'), 'browsePaths', { paths: ['/old/style'] });
});
after(() => server.close());

async function folders(path: readonly string[]): Promise<JsonValue | undefined> {
  const data = await server.data(
    `query b($path: [String!]) { browseV2(input: {type: DATASET, path: $path, query: "*"}) {
       start count total metadata { path totalNumEntities }
       groups { name count hasSubGroups entity { urn ... on Container { properties { name } } } } } }`,
    { path },
  );
  return data['browseV2'];
}

describe('folders', () => {
  it('are counted with everything below them, those with most first', async () => {
    assert.deepEqual(await folders([]), {
      start: 0,
      count: 3,
      total: 3,
      metadata: { path: [], totalNumEntities: 6 },
      groups: [
        { name: 'prod', count: 4, hasSubGroups: true, entity: null },
        { name: 'Default', count: 1, hasSubGroups: false, entity: null },
        { name: 'production', count: 1, hasSubGroups: false, entity: null },
      ],
    });
  });

  it('are opened one by one; some of them are containers, and one does not open another that begins alike', async () => {
    assert.deepEqual(await folders(['prod']), {
      start: 0,
      count: 1,
      total: 1,
      metadata: { path: ['prod'], totalNumEntities: 4 },
      groups: [
        { name: shop, count: 3, hasSubGroups: true, entity: { urn: shop, properties: { name: 'Shop' } } },
      ],
    });
  });

  it('agree with the write before', async () => {
    await server.ingest(hive('new'), 'browsePathsV2', { path: [{ id: 'fresh' }] });
    const data = await server.data(
      '{ browseV2(input: {path: ["fresh"]}) { metadata { totalNumEntities } } }',
    );
    assert.deepEqual(data['browseV2'], { metadata: { totalNumEntities: 1 } });
    await server.ingest(hive('new'), 'status', { removed: true });
  });

  it('show what is directly in them', async () => {
    const data = await server.data(
      `{ browse(input: {type: DATASET, path: ["prod"], start: 0, count: 10}) {
           start count total entities { urn } groups { name count } metadata { path totalNumEntities } } }`,
    );
    assert.deepEqual(data['browse'], {
      start: 0,
      count: 1,
      total: 1,
      entities: [{ urn: hive('d') }],
      groups: [{ name: shop, count: 3 }],
      metadata: { path: ['prod'], totalNumEntities: 4 },
    });
  });

  it('show what nobody put into one below Default, wherever places are asked for', async () => {
    const data = await server.data(
      `{ inFolder: browse(input: {type: DATASET, path: ["Default"]}) {
           total entities { urn } groups { name } metadata { totalNumEntities } }
         root: browse(input: {type: DATASET}) { total entities { urn } }
         found: search(input: {type: DATASET, query: "*",
           orFilters: [{and: [{field: "browsePathV2", condition: START_WITH, values: ["␟Default"]}]}]}) {
           total searchResults { entity { urn } } }
         facets: aggregateAcrossEntities(input: {query: "*", facets: ["browsePathV2"],
           orFilters: [{and: [{field: "browsePathV2", values: ["␟Default", "␟prod"]}]}]}) {
           facets { aggregations { value count } } }
         first: searchAcrossEntities(input: {types: [DATASET], query: "*", count: 1,
           sortInput: {sortCriterion: {field: "browsePathV2", sortOrder: ASCENDING}}}) {
           searchResults { entity { urn } } }
         tags: browseV2(input: {type: TAG, path: []}) { total metadata { totalNumEntities } } }`,
    );
    const nowhere = { urn: hive('nowhere') };
    assert.deepEqual(data['inFolder'], {
      total: 1,
      entities: [nowhere],
      groups: [],
      metadata: { totalNumEntities: 1 },
    });
    assert.deepEqual(data['root'], { total: 0, entities: [] });
    assert.deepEqual(data['found'], { total: 1, searchResults: [{ entity: nowhere }] });
    assert.deepEqual(data['facets'], {
      facets: [
        {
          aggregations: [
            { value: '␟Default', count: 2 },
            { value: '␟prod', count: 1 },
          ],
        },
      ],
    });
    assert.deepEqual(data['first'], { searchResults: [{ entity: nowhere }] });
    assert.deepEqual(data['tags'], { total: 0, metadata: { totalNumEntities: 0 } });
  });

  it('of what lies below Default take it in and let it go with the write that says so', async () => {
    const total = async (): Promise<JsonValue | undefined> =>
      (
        await server.data(
          '{ browseV2(input: {type: DATASET, path: ["Default"]}) { metadata { totalNumEntities } } }',
        )
      )['browseV2'];
    const passing = hive('passing');
    await server.ingest(passing, 'status', { removed: false });
    assert.deepEqual(await total(), { metadata: { totalNumEntities: 2 } });
    const told = await server.data(
      `{ dataset(urn: "${passing}") { browsePathV2 { path { name entity { urn } } } }
         never: dataset(urn: "${hive('never')}") { browsePathV2 { path { name } } }
         browsePaths(input: {type: DATASET, urn: "${passing}"}) { path }
         unknown: browsePaths(input: {type: DATASET, urn: "${hive('never')}"}) { path } }`,
    );
    assert.deepEqual(told, {
      dataset: { browsePathV2: { path: [{ name: 'Default', entity: null }] } },
      never: { browsePathV2: null },
      browsePaths: [{ path: ['Default'] }],
      unknown: [],
    });
    await server.ingest(passing, 'browsePathsV2', { path: [{ id: 'prod' }] });
    assert.deepEqual(await total(), { metadata: { totalNumEntities: 1 } });
    await server.ingest(passing, 'status', { removed: true });
  });

  it('of an entity are told, the older form where there is no newer one', async () => {
    const data = await server.data(
      `{ deep: browsePaths(input: {type: DATASET, urn: "${hive('c')}"}) { path }
         old: browsePaths(input: {type: DATASET, urn: "${hive('nowhere')}"}) { path } }`,
    );
    assert.deepEqual(data, { deep: [{ path: ['prod', shop, 'deep'] }], old: [{ path: ['old', 'style'] }] });
    const { errors } = await server.graphql(
      `{ browsePaths(input: {type: CHART, urn: "${hive('c')}"}) { path } }`,
    );
    assert.match(errors?.[0]?.message ?? '', /is of type DATASET, not of type CHART/);
  });
});
