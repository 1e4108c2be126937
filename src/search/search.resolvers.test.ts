import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../../test/server.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';

const hive = (name: string, origin = 'PROD'): string =>
  `urn:li:dataset:(urn:li:dataPlatform:hive,${name},${origin})`;
const orders = hive('shop.orders');
const ordersDev = hive('shop.orders', 'DEV');
const customers = hive('shop.customers');
const gone = hive('shop.gone');
const pii = 'urn:li:tag:pii';
const revenue = 'urn:li:glossaryTerm:Shop.Revenue';
const finance = 'urn:li:glossaryNode:finance';
const stamp = { time: 1_700_000_000_000, actor: 'urn:li:corpuser:ana' };

let server: TestServer;

before(async () => {
  server = await startTestServer();
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
});
after(() => server.close());

const path = (value: JsonValue | undefined, ...steps: (string | number)[]): JsonValue | undefined =>
  steps.reduce<JsonValue | undefined>((at, step) => {
    if (Array.isArray(at) && typeof step === 'number') return at[step];
    return typeof at === 'object' && at !== null ? (at as JsonObject)[step] : undefined;
  }, value);

const urnsIn = (results: JsonValue | undefined): JsonValue[] =>
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

async function scrolled(variables: object): Promise<JsonValue[]> {
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

async function across(
  input: object,
  selection = 'searchResults { entity { urn } }',
): Promise<JsonValue | undefined> {
  const data = await server.data(
    `query s($input: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $input) { start count total ${selection} } }`,
    { input },
  );
  return data['searchAcrossEntities'];
}

async function refusal(operation: string, type: string, input: object): Promise<string> {
  const { errors } = await server.graphql(
    `query s($input: ${type}!) { ${operation}(input: $input) { __typename } }`,
    { input },
  );
  assert.equal(errors?.[0]?.extensions.code, 400, JSON.stringify(errors));
  return errors[0].message;
}

describe('the Python client', () => {
  const env = [
    { and: [{ field: 'origin', condition: 'EQUAL', values: ['PROD'] }] },
    { and: [{ field: 'customProperties', condition: 'EQUAL', values: ['env=PROD', 'instance=PROD'] }] },
    { and: [{ field: 'env', condition: 'EQUAL', values: ['PROD'] }] },
  ];
  const notRemoved = { field: 'removed', condition: 'EQUAL', values: ['true'], negated: true };

  it('scrolls to the URNs of a filter that is compiled to alternatives', async () => {
    const orFilters = env.map(({ and }) => ({
      and: [
        { field: 'platform.keyword', condition: 'EQUAL', values: ['urn:li:dataPlatform:hive'] },
        notRemoved,
        ...and,
      ],
    }));
    assert.deepEqual(new Set(await scrolled({ orFilters })), new Set([orders, customers]));
  });

  it('scrolls one by one and meets everything once', async () => {
    const found = await scrolled({ batchSize: 1 });
    assert.equal(found.length, 3);
    assert.deepEqual(new Set(found), new Set([orders, ordersDev, customers]));
  });

  it('finds what is soft-deleted when it filters for that alone', async () => {
    const orFilters = [{ and: [{ field: 'removed', condition: 'EQUAL', values: ['true'] }] }];
    assert.deepEqual(await scrolled({ orFilters }), [gone]);
  });

  it('finds what is soft-deleted only by the alternative that asks for it', async () => {
    const orFilters = [
      {
        and: [
          { field: 'removed', values: ['true'] },
          { field: 'name', values: ['Customers'] },
        ],
      },
      { and: [{ field: 'name', condition: 'CONTAIN', values: ['orders'] }] },
    ];
    assert.deepEqual(new Set(await scrolled({ orFilters })), new Set([orders, ordersDev]));
  });

  it('is given the values of fields that it asks for', async () => {
    const result = await across(
      {
        query: '*',
        types: ['DATASET'],
        searchFlags: { fetchExtraFields: ['name', 'tags', 'typeNames'] },
        orFilters: [{ and: [{ field: 'urn', values: [orders] }] }],
      },
      'searchResults { extraProperties { name value } }',
    );
    assert.deepEqual(path(result, 'searchResults', 0, 'extraProperties'), [
      { name: 'name', value: '"Orders"' },
      { name: 'tags', value: `"${pii}"` },
      { name: 'typeNames', value: '"Table"' },
    ]);
  });
});

describe('the MCP server', () => {
  it('searches with its mark, its facets and what it wants to know of each entity', async () => {
    const data = await server.data(
      `query search($types: [EntityType!], $query: String!, $orFilters: [AndFilterInput!], $count: Int!, $start: Int,
         $viewUrn: String, $sortInput: SearchSortInput) {
         searchAcrossEntities(input: {query: $query, count: $count, start: $start, types: $types, orFilters: $orFilters,
           viewUrn: $viewUrn, sortInput: $sortInput,
           searchFlags: {skipHighlighting: true, maxAggValues: 5, filterNonLatestVersions: true}}) {
           start count total
           searchResults { entity { urn type __typename
             ... on Dataset { name properties { name description } platform { urn name properties { displayName } }
               tags { tags { tag { urn properties { name } } } } glossaryTerms { terms { term { urn properties { name } } } }
               deprecation { deprecated } domain { domain { urn } } ownership { owners { owner { ... on CorpUser { urn } } } } }
             ... on GlossaryTerm { properties { name description } } } }
           facets { field displayName aggregations { value count displayName entity { urn type } } } } }`,
      {
        query: '/q every+order',
        types: [],
        orFilters: [],
        count: 10,
        start: 0,
        viewUrn: null,
        sortInput: null,
      },
    );
    const found = data['searchAcrossEntities'];
    assert.equal(path(found, 'total'), 1);
    assert.deepEqual(path(found, 'searchResults', 0, 'entity', 'tags', 'tags', 0, 'tag'), {
      urn: pii,
      properties: { name: 'Personal data' },
    });
  });
});

describe('a search', () => {
  it('of one type has what is found, with the fields in which the text stands and the counts of facets', async () => {
    const data = await server.data(`{
      search(input: {type: DATASET, query: "orders", start: 0, count: 10}) {
        start count total
        searchResults { entity { urn type ... on Dataset { properties { name } } } matchedFields { name value entity { urn } } insights { text } }
        facets { field displayName aggregations { value count displayName entity { urn } } }
        suggestions { text } } }`);
    assert.equal(path(data, 'search', 'total'), 3);
    assert.deepEqual(
      new Set(urnsIn(path(data, 'search', 'searchResults'))),
      new Set([orders, ordersDev, customers]),
    );
    const first = path(data, 'search', 'searchResults', 0);
    assert.equal(path(first, 'entity', 'properties', 'name'), 'Orders');
    assert.deepEqual(path(first, 'insights'), []);
    const facets = path(data, 'search', 'facets');
    assert.ok(Array.isArray(facets));
    const platform = facets.find((facet: JsonValue) => path(facet, 'field') === 'platform');
    assert.deepEqual(path(platform, 'aggregations'), [
      {
        value: 'urn:li:dataPlatform:hive',
        count: 3,
        displayName: 'Hive',
        entity: { urn: 'urn:li:dataPlatform:hive' },
      },
    ]);
  });

  it('across types has types in facets and filters as clients know them', async () => {
    const result = await across({ query: '*' }, 'facets { field aggregations { value count } }');
    const facets = path(result, 'facets');
    assert.ok(Array.isArray(facets));
    const types = facets.find((facet: JsonValue) => path(facet, 'field') === '_entityType');
    const values = path(types, 'aggregations');
    assert.ok(Array.isArray(values));
    assert.deepEqual(
      values.find((each: JsonValue) => path(each, 'value') === 'DATASET'),
      {
        value: 'DATASET',
        count: 3,
      },
    );
    const found = await across({
      query: '*',
      orFilters: [{ and: [{ field: '_entityType', values: ['GLOSSARY_TERM'] }] }],
    });
    assert.deepEqual(urnsIn(path(found, 'searchResults')), [revenue]);
  });

  it('has no facets and no matched fields when they are not wanted', async () => {
    const result = await across(
      { query: 'orders', searchFlags: { skipAggregates: true, skipHighlighting: true } },
      'searchResults { matchedFields { name } } facets { field }',
    );
    assert.deepEqual(path(result, 'facets'), []);
    assert.deepEqual(path(result, 'searchResults', 0, 'matchedFields'), []);
  });

  it('takes the AND list and the alternatives together', async () => {
    const result = await across({
      query: '*',
      filters: [{ field: 'tags', values: [pii] }],
      orFilters: [
        { and: [{ field: 'glossaryTerms', values: [revenue] }] },
        { and: [{ field: 'urn', values: [ordersDev] }] },
      ],
    });
    assert.deepEqual(urnsIn(path(result, 'searchResults')), [orders]);
  });

  it('finds what bears a term below a node only when it is asked to look below', async () => {
    const find = async (condition: string): Promise<JsonValue[]> =>
      urnsIn(
        path(
          await across({
            query: '*',
            orFilters: [{ and: [{ field: 'glossaryTerms', condition, values: [finance] }] }],
          }),
          'searchResults',
        ),
      );
    assert.deepEqual(await find('EQUAL'), []);
    assert.deepEqual(await find('DESCENDANTS_INCL'), [orders]);
  });

  it('shows what is soft-deleted only to those who ask, and says so', async () => {
    const flags = { searchFlags: { includeSoftDeleted: true } };
    const query = { query: 'orders of old', types: ['DATASET'] };
    assert.equal(path(await across(query), 'total'), 0);
    const found = await across({ ...query, ...flags }, 'searchResults { entity { urn } insights { text } }');
    assert.deepEqual(path(found, 'searchResults'), [
      { entity: { urn: gone }, insights: [{ text: 'Marked as removed' }] },
    ]);
  });

  it('sorts by fields, both ways', async () => {
    const sorted = async (sortOrder: string): Promise<JsonValue[]> =>
      urnsIn(
        path(
          await across({
            query: '*',
            types: ['DATASET'],
            sortInput: {
              sortCriteria: [
                { field: 'name', sortOrder },
                { field: 'origin', sortOrder },
              ],
            },
          }),
          'searchResults',
        ),
      );
    assert.deepEqual(await sorted('ASCENDING'), [customers, ordersDev, orders]);
    assert.deepEqual(await sorted('DESCENDING'), [orders, ordersDev, customers]);
  });

  it('suggests names that are spelt alike when nothing is found', async () => {
    const result = await across(
      { query: 'custommers', types: ['DATASET'], searchFlags: { getSuggestions: true } },
      'suggestions { text score frequency }',
    );
    assert.deepEqual(path(result, 'suggestions'), [{ text: 'Customers', score: 1, frequency: 1 }]);
  });

  it('counts facets alone', async () => {
    const data = await server.data(
      `{ aggregateAcrossEntities(input: {query: "*", types: [DATASET], facets: ["tags", "origin"]}) {
           facets { field aggregations { value count } } } }`,
    );
    assert.deepEqual(path(data, 'aggregateAcrossEntities', 'facets'), [
      { field: 'tags', aggregations: [{ value: pii, count: 2 }] },
      {
        field: 'origin',
        aggregations: [
          { value: 'PROD', count: 2 },
          { value: 'DEV', count: 1 },
        ],
      },
    ]);
  });

  it('counts entities by type, without those that are soft-deleted', async () => {
    const data = await server.data(
      '{ getEntityCounts(input: {types: [DATASET, GLOSSARY_NODE, CHART]}) { counts { entityType count } } }',
    );
    assert.deepEqual(path(data, 'getEntityCounts', 'counts'), [
      { entityType: 'DATASET', count: 3 },
      { entityType: 'GLOSSARY_NODE', count: 1 },
      { entityType: 'CHART', count: 0 },
    ]);
  });
});

describe('completion', () => {
  it('has names and entities of one type, with how often each is used', async () => {
    const data = await server.data(
      '{ autoComplete(input: {type: TAG, query: "pers", limit: 5}) { query suggestions entities { urn } usage } }',
    );
    assert.deepEqual(data['autoComplete'], {
      query: 'pers',
      suggestions: ['Personal data'],
      entities: [{ urn: pii }],
      usage: [2],
    });
  });

  it('of several types leaves out those without any', async () => {
    const data = await server.data(
      `{ autoCompleteForMultiple(input: {types: [GLOSSARY_TERM, CHART, DATASET], query: "rev", limit: 5}) {
           query suggestions { type suggestions entities { urn } usage } } }`,
    );
    assert.deepEqual(path(data, 'autoCompleteForMultiple', 'suggestions'), [
      { type: 'GLOSSARY_TERM', suggestions: ['Revenue'], entities: [{ urn: revenue }], usage: [1] },
    ]);
  });
});

describe('whatever was written is found by the next request', () => {
  it('and no longer found when it is taken away', async () => {
    const tag = 'urn:li:tag:fresh';
    const bearers = async (): Promise<JsonValue | undefined> =>
      path(await across({ query: '*', orFilters: [{ and: [{ field: 'tags', values: [tag] }] }] }), 'total');
    await server.ingest(tag, 'tagProperties', { name: 'fresh' });
    for (let round = 0; round < 20; round += 1) {
      const urn = hive(`round.${round}`);
      await server.ingest(urn, 'globalTags', { tags: [{ tag }] });
      assert.equal(await bearers(), round + 1);
    }
    for (let round = 0; round < 20; round += 1) {
      await server.ingest(hive(`round.${round}`), 'status', { removed: true });
      assert.equal(await bearers(), 19 - round);
    }
  });
});

describe('what is wrong is refused and says why', () => {
  const everything = { query: '*' };
  it('negative, long and distant pages', async () => {
    for (const page of [
      { count: -1 },
      { start: -1 },
      { count: 1001 },
      { count: 2_147_483_647 },
      { start: 9_995 },
    ]) {
      await refusal('searchAcrossEntities', 'SearchAcrossEntitiesInput', { ...everything, ...page });
    }
    await refusal('scrollAcrossEntities', 'ScrollAcrossEntitiesInput', { ...everything, count: -1 });
  });

  it('but a scroll for more than a page has is answered with a page', async () => {
    assert.equal((await scrolled({ batchSize: 2_147_483_647 })).length, 3);
  });

  it('bad cursors, unknown fields and views', async () => {
    const scroll = 'ScrollAcrossEntitiesInput';
    for (const scrollId of ['x', 'AAAA', '"', '{}']) {
      await refusal('scrollAcrossEntities', scroll, { ...everything, scrollId });
    }
    const orFilters = [{ and: [{ field: 'platfrom', values: ['x'] }] }];
    assert.match(
      await refusal('searchAcrossEntities', 'SearchAcrossEntitiesInput', { ...everything, orFilters }),
      /platfrom.*platform/,
    );
    assert.match(
      await refusal('scrollAcrossEntities', scroll, { ...everything, viewUrn: 'urn:li:dataHubView:x' }),
      /no view urn:li:dataHubView:x/,
    );
    await refusal('searchAcrossEntities', 'SearchAcrossEntitiesInput', {
      ...everything,
      sortInput: { sortCriterion: { field: 'nope', sortOrder: 'ASCENDING' } },
    });
    await refusal('searchAcrossEntities', 'SearchAcrossEntitiesInput', {
      ...everything,
      searchFlags: { maxAggValues: 5_000 },
    });
    await refusal('autoComplete', 'AutoCompleteInput', { query: 'x', limit: -1 });
  });

  it('types that cannot be read, when there are no others', async () => {
    assert.match(
      await refusal('searchAcrossEntities', 'SearchAcrossEntitiesInput', {
        ...everything,
        types: ['NOTEBOOK'],
      }),
      /NOTEBOOK cannot be read through GraphQL/,
    );
    assert.equal(path(await across({ query: '*', types: ['NOTEBOOK', 'GLOSSARY_TERM'] }), 'total'), 1);
  });

  it('a filter without values finds nothing, never everything', async () => {
    for (const criterion of [{ field: 'tags' }, { field: 'tags', values: [] }]) {
      assert.equal(path(await across({ ...everything, orFilters: [{ and: [criterion] }] }), 'total'), 0);
    }
  });
});
