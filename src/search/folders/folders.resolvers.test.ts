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
      count: 2,
      total: 2,
      metadata: { path: [], totalNumEntities: 5 },
      groups: [
        { name: 'prod', count: 4, hasSubGroups: true, entity: null },
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
