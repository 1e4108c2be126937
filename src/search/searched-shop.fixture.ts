import { startTestServer, type TestServer } from '../../test/server.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';

export const hive = (name: string, origin = 'PROD'): string =>
  `urn:li:dataset:(urn:li:dataPlatform:hive,${name},${origin})`;
export const orders = hive('shop.orders');
export const ordersDev = hive('shop.orders', 'DEV');
export const customers = hive('shop.customers');
export const gone = hive('shop.gone');
export const pii = 'urn:li:tag:pii';
export const revenue = 'urn:li:glossaryTerm:Shop.Revenue';
export const finance = 'urn:li:glossaryNode:finance';
const stamp = { time: 1_700_000_000_000, actor: 'urn:li:corpuser:ana' };

/** A server with a shop to search: two datasets that are found, one of another environment and one that is soft-deleted. */
export async function startSearchedShop(): Promise<TestServer> {
  const server = await startTestServer();
  await server.ingest('urn:li:dataPlatform:hive', 'dataPlatformInfo', {
    name: 'hive',
    displayName: 'Hive',
    type: 'FILE_SYSTEM',
    datasetNameDelimiter: '.',
  });
  await server.ingest(finance, 'glossaryNodeInfo', { name: 'Finance', definition: '' });
  await server.ingest(revenue, 'glossaryTermInfo', {
    name: 'Revenue',
    definition: 'Money that came in',
    termSource: 'INTERNAL',
    parentNode: finance,
  });
  await server.ingest(pii, 'tagProperties', { name: 'Personal data' });
  await server.ingest(orders, 'datasetProperties', {
    name: 'Orders',
    description: 'Every order of the shop',
    customProperties: { instance: 'PROD' },
  });
  await server.ingest(orders, 'globalTags', { tags: [{ tag: pii }] });
  await server.ingest(orders, 'glossaryTerms', { terms: [{ urn: revenue }], auditStamp: stamp });
  await server.ingest(orders, 'subTypes', { typeNames: ['Table'] });
  await server.ingest(ordersDev, 'datasetProperties', { name: 'Orders', customProperties: {} });
  await server.ingest(customers, 'datasetProperties', {
    name: 'Customers',
    description: 'Who orders',
    customProperties: {},
  });
  await server.ingest(customers, 'globalTags', { tags: [{ tag: pii }] });
  await server.ingest(gone, 'datasetProperties', { name: 'Orders of old', customProperties: {} });
  await server.ingest(gone, 'status', { removed: true });
  return server;
}

/** What stands at these steps in an answer. */
export const path = (value: JsonValue | undefined, ...steps: (string | number)[]): JsonValue | undefined =>
  steps.reduce<JsonValue | undefined>((at, step) => {
    if (Array.isArray(at) && typeof step === 'number') return at[step];
    return typeof at === 'object' && at !== null ? (at as JsonObject)[step] : undefined;
  }, value);

/** Of search results. */
export const urnsIn = (results: JsonValue | undefined): JsonValue[] =>
  Array.isArray(results) ? results.map((result: JsonValue) => path(result, 'entity', 'urn') ?? null) : [];

/** What the Python client sends for `get_urns_by_filter`. */
const scrollDocument = `
  query scrollUrnsWithFilters($types: [EntityType!], $query: String!, $orFilters: [AndFilterInput!], $batchSize: Int!,
    $scrollId: String, $skipCache: Boolean!) {
    scrollAcrossEntities(input: { query: $query, count: $batchSize, scrollId: $scrollId, types: $types,
      orFilters: $orFilters,
      searchFlags: { skipHighlighting: true, skipAggregates: true, skipCache: $skipCache } }) {
      nextScrollId
      searchResults { entity { urn } }
    } }`;

/** All URNs that the Python client scrolls to. */
export async function scrolled(server: TestServer, variables: object): Promise<JsonValue[]> {
  const found: JsonValue[] = [];
  let scrollId: JsonValue | undefined = null;
  do {
    const data: JsonObject = await server.data(scrollDocument, {
      types: ['DATASET'],
      query: '*',
      skipCache: true,
      batchSize: 5_000,
      scrollId,
      ...variables,
    });
    found.push(...urnsIn(path(data, 'scrollAcrossEntities', 'searchResults')));
    scrollId = path(data, 'scrollAcrossEntities', 'nextScrollId');
  } while (scrollId !== null);
  return found;
}

/** A search across types, with what is selected of its answer. */
export async function across(
  server: TestServer,
  input: object,
  selection = 'searchResults { entity { urn } }',
): Promise<JsonValue | undefined> {
  const data = await server.data(
    `query s($input: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $input) { start count total ${selection} } }`,
    { input },
  );
  return data['searchAcrossEntities'];
}
