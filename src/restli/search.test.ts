import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../test/server.ts';
import type { Answer, TestServer } from '../../test/server.ts';
import { isJsonObject } from '../aspect/json.ts';
import type { JsonObject } from '../aspect/json.ts';

let server: TestServer;

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const finance = 'urn:li:domain:finance';
const container = 'urn:li:container:warehouse';

before(async () => {
  server = await startTestServer({ keepsVerdicts: false });
  await server.ingest(finance, 'domainProperties', { name: 'Finance and Tax' });
  await server.ingest('urn:li:domain:tax', 'domainProperties', { name: 'Tax' });
  await server.ingest('urn:li:dataProduct:ledger', 'dataProductProperties', { name: 'Ledger' });
  await server.ingest(container, 'containerProperties', {
    name: 'warehouse',
    customProperties: { instance: 'PROD' },
  });
  await server.ingest(container, 'subTypes', { typeNames: ['Schema'] });
  for (const name of ['shop.orders', 'shop.customers', 'shop.gone']) {
    await server.ingest(dataset(name), 'datasetProperties', { name, description: 'd', customProperties: {} });
  }
  await server.ingest(dataset('shop.gone'), 'status', { removed: true });
  await server.ingest(dataset('shop.orders'), 'domains', { domains: [finance] });
});
after(() => server.close());

const ask = (action: string, body: object, token = server.tokens.Reader): Promise<Answer> =>
  server.send('POST', `/entities?action=${action}`, { body, token });

async function value(action: string, body: object): Promise<JsonObject> {
  const answer = await ask(action, body);
  assert.equal(answer.status, 200, answer.text);
  assert.ok(isJsonObject(answer.body) && isJsonObject(answer.body['value']), answer.text);
  return answer.body['value'];
}

async function found(body: object, action = 'search'): Promise<string[]> {
  const { entities } = await value(action, body);
  assert.ok(Array.isArray(entities));
  return entities.map((each) => String(isJsonObject(each) ? each['entity'] : each)).toSorted();
}

async function refused(action: string, body: object, ...words: string[]): Promise<void> {
  const answer = await ask(action, body);
  assert.equal(answer.status, 400, answer.text);
  assert.equal(answer.headers.get('x-restli-error-response'), 'true');
  for (const word of words) assert.ok(answer.text.includes(word), answer.text);
}

const only = (...and: object[]): object => ({ or: [{ and }] });

test('a search answers as DataHub does: where the page is, how many there are, and what was found in which fields', async () => {
  const body = { entity: 'domain', input: 'finance', start: 0, count: 10 };
  const { metadata, ...page } = await value('search', body);
  assert.deepEqual(page, {
    from: 0,
    pageSize: 10,
    numEntities: 1,
    entities: [
      {
        entity: finance,
        matchedFields: [
          { name: 'name', value: 'Finance and Tax' },
          { name: 'id', value: 'finance' },
        ],
      },
    ],
  });
  assert.ok(isJsonObject(metadata) && Array.isArray(metadata['aggregations']));
});

test('facets are counted, unless the flags say that nobody wants them', async () => {
  const body = { entity: 'dataset', input: '*' };
  const { metadata } = await value('search', body);
  assert.ok(isJsonObject(metadata) && Array.isArray(metadata['aggregations']));
  const domains = metadata['aggregations'].find((each) => isJsonObject(each) && each['name'] === 'domains');
  assert.deepEqual(domains, {
    name: 'domains',
    displayName: 'Domain',
    aggregations: { [finance]: 1 },
    filterValues: [{ value: finance, facetCount: 1 }],
  });
  const without = await value('search', { ...body, searchFlags: { skipAggregates: true } });
  assert.deepEqual(without['metadata'], { aggregations: [] });
});

test('a domain and a data product are found by their whole names, as values or as the one value of old clients', async () => {
  for (const sent of [{ values: ['Tax'] }, { value: 'Tax' }, { value: '', values: ['Tax'] }]) {
    const filter = only({ field: 'name', condition: 'EQUAL', ...sent });
    assert.deepEqual(await found({ entity: 'domain', input: '*', filter }), ['urn:li:domain:tax']);
  }
  const filter = only({ field: 'name', values: ['Ledger'], condition: 'EQUAL' });
  assert.deepEqual(await found({ entity: 'dataProduct', input: '*', filter }), ['urn:li:dataProduct:ledger']);
});

test('containers are found by a custom property and a subtype, in pages as long as clients ask for', async () => {
  const instance = { field: 'customProperties', values: ['instance=PROD'], condition: 'EQUAL' };
  const or = ['Database', 'Schema'].map((name) => ({
    and: [instance, { field: 'typeNames', values: [name], condition: 'EQUAL' }],
  }));
  const body = { entity: 'container', input: '*', start: 0, count: 5000, filter: { or } };
  assert.deepEqual(await found(body), [container]);
});

test('criteria are negated, ask for values that are not there, and are told as a list by clients of old', async () => {
  const orders = dataset('shop.orders');
  const customers = dataset('shop.customers');
  const search = (filter: object): Promise<unknown[]> => found({ entity: 'dataset', input: '*', filter });
  assert.deepEqual(await search(only({ field: 'domains', values: [finance], negated: true })), [customers]);
  assert.deepEqual(await search(only({ field: 'domains', condition: 'IS_NULL' })), [customers]);
  assert.deepEqual(await search(only({ field: 'domains', condition: 'IS_NULL', negated: true })), [orders]);
  assert.deepEqual(await search({ criteria: [{ field: 'domains', value: finance }] }), [orders]);
  assert.deepEqual(await search({ or: [] }), [customers, orders]);
});

test('soft-deleted entities are found only by whom they are asked for', async () => {
  const gone = dataset('shop.gone');
  const all = { entity: 'dataset', input: 'gone' };
  assert.deepEqual(await found(all), []);
  assert.deepEqual(await found({ ...all, searchFlags: { includeSoftDeleted: true } }), [gone]);
  assert.deepEqual(await found({ ...all, filter: only({ field: 'removed', values: ['true'] }) }), [gone]);
});

test('several types are searched at once, and without any those that people look for', async () => {
  const search = (body: object): Promise<unknown[]> =>
    found({ input: 'finance', ...body }, 'searchAcrossEntities');
  assert.deepEqual(await search({}), [finance, dataset('shop.orders')].toSorted());
  assert.deepEqual(await search({ entities: ['domain', 'container'] }), [finance]);
});

test('lists are pages in the order that is asked for, and filters need no text', async () => {
  const sort = { field: 'name', order: 'DESCENDING' };
  const [orders, customers] = [dataset('shop.orders'), dataset('shop.customers')];
  const body = { entity: 'dataset', start: 0, count: 1, sort };
  assert.deepEqual(await value('list', body), { entities: [orders], start: 0, count: 1, total: 2 });
  const next = { ...body, start: 1, sort: undefined, sortCriteria: [sort] };
  assert.deepEqual(await value('list', next), { entities: [customers], start: 1, count: 1, total: 2 });
  const filter = only({ field: 'domains', values: [finance] });
  assert.deepEqual(await found({ entity: 'dataset', filter }, 'filter'), [orders]);
});

test('what cannot be searched is refused by its name', async () => {
  const all = { entity: 'dataset', input: '*' };
  await refused('search', { input: '*' }, "'entity'");
  await refused('search', { entity: 'dataset' }, "'input'");
  await refused('search', { ...all, entity: 'datasets' }, 'datasets', 'dataset');
  await refused('searchAcrossEntities', { input: '*', entities: ['domain', 'domian'] }, 'domian');
  await refused('searchAcrossEntities', { input: '*', entities: 'domain' }, "'entities'");
  await refused('search', { ...all, start: -1 }, "'start'", '-1');
  await refused('search', { ...all, count: 'ten' }, "'count'", 'ten');
  await refused('search', { ...all, start: 9_999, count: 2 }, '10000');
  await refused('list', { entity: 'dataset', sort: { field: 'name', order: 'UP' } }, "'order'", 'name');
  await refused('list', { entity: 'dataset', sort: { field: 'nmae', order: 'ASCENDING' } }, 'nmae');
});

test('a filter that cannot be read is refused, and not left out', async () => {
  const search = (filter: unknown, ...words: string[]): Promise<void> =>
    refused('search', { entity: 'dataset', input: '*', filter }, ...words);
  await search('name', "'filter'");
  await search({ or: {} }, "'or'");
  await search({ or: ['name'] }, "'or'");
  await search({ or: [{ and: 'name' }] }, "'and'");
  await search(only({ values: ['x'] }), "'field'");
  await search(only({ field: 'nmae', values: ['x'] }), 'nmae');
  await search(only({ field: 'name', values: 'x' }), "'values'");
  await search(only({ field: 'name', value: 7 }), "'value'");
  await search(only({ field: 'name', values: ['x'], condition: 'LIKE' }), 'LIKE', 'START_WITH');
  await search(only({ field: 'name', values: ['x'], negated: 'no' }), "'negated'");
});

test('nobody finds what GraphQL does not show: policies, tokens and whatever is let in by its id', async () => {
  for (const entity of ['dataHubPolicy', 'dataHubAccessToken', 'inviteToken', 'dataHubSecret']) {
    for (const action of ['search', 'filter', 'list']) await refused(action, { entity, input: '*' }, entity);
    await refused('searchAcrossEntities', { entities: [entity], input: '*' }, entity);
  }
  assert.equal((await server.send('POST', '/entities?action=search', { body: {}, token: null })).status, 401);
});
