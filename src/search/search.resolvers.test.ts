import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestServer } from '../../test/server.ts';
import type { JsonValue } from '../aspect/json.ts';
import {
  hive,
  orders,
  ordersDev,
  customers,
  gone,
  pii,
  revenue,
  finance,
  path,
  urnsIn,
  scrolled,
  across,
  startSearchedShop,
} from './searched-shop.fixture.ts';

let server: TestServer;

before(async () => {
  server = await startSearchedShop();
});
after(() => server.close());

async function refusal(operation: string, type: string, input: object): Promise<string> {
  const { errors } = await server.graphql(
    `query s($input: ${type}!) { ${operation}(input: $input) { __typename } }`,
    { input },
  );
  assert.equal(errors?.[0]?.extensions.code, 400, JSON.stringify(errors));
  return errors[0].message;
}

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
    const result = await across(server, { query: '*' }, 'facets { field aggregations { value count } }');
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
    const found = await across(server, {
      query: '*',
      orFilters: [{ and: [{ field: '_entityType', values: ['GLOSSARY_TERM'] }] }],
    });
    assert.deepEqual(urnsIn(path(found, 'searchResults')), [revenue]);
  });

  it('has no facets and no matched fields when they are not wanted', async () => {
    const result = await across(
      server,
      { query: 'orders', searchFlags: { skipAggregates: true, skipHighlighting: true } },
      'searchResults { matchedFields { name } } facets { field }',
    );
    assert.deepEqual(path(result, 'facets'), []);
    assert.deepEqual(path(result, 'searchResults', 0, 'matchedFields'), []);
  });

  it('takes the AND list and the alternatives together', async () => {
    const result = await across(server, {
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
          await across(server, {
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
    assert.equal(path(await across(server, query), 'total'), 0);
    const found = await across(
      server,
      { ...query, ...flags },
      'searchResults { entity { urn } insights { text } }',
    );
    assert.deepEqual(path(found, 'searchResults'), [
      { entity: { urn: gone }, insights: [{ text: 'Marked as removed' }] },
    ]);
  });

  it('sorts by fields, both ways', async () => {
    const sorted = async (sortOrder: string): Promise<JsonValue[]> =>
      urnsIn(
        path(
          await across(server, {
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
      server,
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
      path(
        await across(server, { query: '*', orFilters: [{ and: [{ field: 'tags', values: [tag] }] }] }),
        'total',
      );
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
    assert.equal((await scrolled(server, { batchSize: 2_147_483_647 })).length, 3);
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
    assert.equal(
      path(await across(server, { query: '*', types: ['NOTEBOOK', 'GLOSSARY_TERM'] }), 'total'),
      1,
    );
  });

  it('a filter without values finds nothing, never everything', async () => {
    for (const criterion of [{ field: 'tags' }, { field: 'tags', values: [] }]) {
      assert.equal(
        path(await across(server, { ...everything, orFilters: [{ and: [criterion] }] }), 'total'),
        0,
      );
    }
  });
});
