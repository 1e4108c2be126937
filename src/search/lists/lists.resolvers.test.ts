import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../../../test/server.ts';
import type { JsonObject, JsonValue } from '../../aspect/json.ts';

const hive = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const [orders, customers] = [hive('shop.orders'), hive('shop.customers')] as const;
const stamp = (time: number): JsonObject => ({ time, actor: 'urn:li:corpuser:ana' });

let server: TestServer;

before(async () => {
  server = await startTestServer();
  for (const [id, name, parentDomain] of [
    ['sales', 'Sales', undefined],
    ['marketing', 'Marketing', undefined],
    ['web', 'Web shop', 'urn:li:domain:sales'],
  ]) {
    await server.ingest(`urn:li:domain:${id}`, 'domainProperties', {
      name: name ?? '',
      ...(parentDomain === undefined ? {} : { parentDomain }),
    });
  }
  await server.ingest('urn:li:corpuser:ana', 'corpUserInfo', {
    active: true,
    displayName: 'Ana',
    customProperties: {},
  });
  await server.ingest('urn:li:corpuser:bob', 'corpUserInfo', {
    active: true,
    displayName: 'Bob',
    customProperties: {},
  });
  await server.ingest('urn:li:corpGroup:crew', 'corpGroupInfo', {
    displayName: 'Crew',
    admins: [],
    members: [],
    groups: [],
  });
  await server.ingest('urn:li:ownershipType:expert', 'ownershipTypeInfo', {
    name: 'Expert',
    created: stamp(0),
    lastModified: stamp(0),
  });
  await server.ingest(orders, 'domains', { domains: ['urn:li:domain:sales'] });
  await server.ingest(orders, 'container', { container: 'urn:li:container:shop' });
  await server.ingest('urn:li:container:shop', 'containerProperties', { name: 'shop', customProperties: {} });
  await server.ingest('urn:li:container:shop', 'domains', { domains: ['urn:li:domain:sales'] });
  await server.ingest(customers, 'siblings', { siblings: [orders], primary: true });
  await server.ingest('urn:li:dataProduct:p', 'dataProductProperties', {
    name: 'Product',
    assets: [{ destinationUrn: orders }, { destinationUrn: customers }, { destinationUrn: hive('ghost') }],
  });
  for (const [id, source, subject, time] of [
    ['old', 'MANUAL', orders, 1],
    ['new', 'SYSTEM', orders, 2],
    ['other', 'MANUAL', customers, 3],
  ] as const) {
    await server.ingest(`urn:li:query:${id}`, 'queryProperties', {
      statement: { value: `select ${id}`, language: 'SQL' },
      source,
      name: id,
      created: stamp(time),
      lastModified: stamp(time),
    });
    await server.ingest(`urn:li:query:${id}`, 'querySubjects', { subjects: [{ entity: subject }] });
  }
});
after(() => server.close());

const urns = (entities: JsonValue | undefined): (JsonValue | undefined)[] =>
  Array.isArray(entities) ? entities.map((entity: JsonObject) => entity['urn']) : [];

async function list(field: string, member: string, input: string): Promise<(JsonValue | undefined)[]> {
  const data = await server.data(`{ ${field}(input: ${input}) { start count total ${member} { urn } } }`);
  const { count, [member]: entities } = data[field] as JsonObject;
  const found = urns(entities);
  assert.equal(count, found.length);
  return found;
}

describe('lists', () => {
  it('of domains are of one level, by name', async () => {
    assert.deepEqual(await list('listDomains', 'domains', '{}'), [
      'urn:li:domain:marketing',
      'urn:li:domain:sales',
    ]);
    assert.deepEqual(await list('listDomains', 'domains', '{parentDomain: "urn:li:domain:sales"}'), [
      'urn:li:domain:web',
    ]);
    assert.deepEqual(await list('listDomains', 'domains', '{start: 1, count: 1}'), ['urn:li:domain:sales']);
  });

  it('of users, groups and ownership types find by name', async () => {
    assert.deepEqual(await list('listUsers', 'users', '{query: "bob"}'), ['urn:li:corpuser:bob']);
    assert.deepEqual(await list('listGroups', 'groups', '{query: "*"}'), ['urn:li:corpGroup:crew']);
    assert.deepEqual(await list('listOwnershipTypes', 'ownershipTypes', '{query: "expert"}'), [
      'urn:li:ownershipType:expert',
    ]);
  });

  it('of queries are the latest first, of one dataset and source', async () => {
    assert.deepEqual(await list('listQueries', 'queries', '{}'), [
      'urn:li:query:other',
      'urn:li:query:new',
      'urn:li:query:old',
    ]);
    assert.deepEqual(await list('listQueries', 'queries', `{datasetUrn: "${orders}", source: MANUAL}`), [
      'urn:li:query:old',
    ]);
    const filter = `{start: 0, count: 10, orFilters: [{and: [{field: "entities", condition: EQUAL, values: ["${orders}"]}]}]}`;
    assert.deepEqual(await list('listQueries', 'queries', filter), ['urn:li:query:new', 'urn:li:query:old']);
  });

  it('agree with the write before', async () => {
    await server.ingest('urn:li:corpGroup:late', 'corpGroupInfo', {
      displayName: 'Late',
      admins: [],
      members: [],
      groups: [],
    });
    assert.deepEqual(await list('listGroups', 'groups', '{query: "late"}'), ['urn:li:corpGroup:late']);
    await server.ingest('urn:li:corpGroup:late', 'status', { removed: true });
    assert.deepEqual(await list('listGroups', 'groups', '{query: "late"}'), []);
  });

  it('are not of everything, however much is asked for', async () => {
    for (const count of [-1, 1001, 2_147_483_647]) {
      const { errors } = await server.graphql(`{ listUsers(input: {count: ${count}}) { total } }`);
      assert.equal(errors?.[0]?.extensions.code, 400);
    }
  });
});

describe('what belongs to an entity is searched', () => {
  async function members(urn: string, selection: string): Promise<[JsonValue | undefined, unknown[]]> {
    const data = await server.data(
      `{ entity(urn: "${urn}") { ${selection.replace('RESULTS', '{ total searchResults { entity { urn } } }')} } }`,
    );
    const [results] = Object.values(data['entity'] as JsonObject);
    const { total, searchResults } = results as JsonObject;
    return [
      total,
      Array.isArray(searchResults)
        ? searchResults.map((result: JsonObject) => (result['entity'] as JsonObject)['urn'])
        : [],
    ];
  }

  it('of a domain, a container, a data product and a dataset with siblings', async () => {
    assert.deepEqual(
      await members(
        'urn:li:domain:sales',
        '... on Domain { entities(input: {filters: [{field: "_entityType", values: ["DATASET"]}]}) RESULTS }',
      ),
      [1, [orders]],
    );
    assert.deepEqual(await members('urn:li:container:shop', '... on Container { entities RESULTS }'), [
      1,
      [orders],
    ]);
    assert.deepEqual(
      await members(
        'urn:li:dataProduct:p',
        '... on DataProduct { entities(input: {query: "customers"}) RESULTS }',
      ),
      [1, [customers]],
    );
    assert.deepEqual(
      await members(customers, '... on Dataset { siblingsSearch(input: {query: "*", count: 5}) RESULTS }'),
      [1, [orders]],
    );
  });

  it('and counted without being shown', async () => {
    const data = await server.data(
      `{ domain(urn: "urn:li:domain:sales") { entities(input: {start: 0, count: 0, query: "*"}) { total } }
         listDataProductAssets(urn: "urn:li:dataProduct:p", input: {query: "*"}) { total } }`,
    );
    assert.deepEqual(data, { domain: { entities: { total: 2 } }, listDataProductAssets: { total: 2 } });
  });
});
