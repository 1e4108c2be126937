import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestServer } from '../../test/server.ts';
import {
  orders,
  ordersDev,
  customers,
  gone,
  pii,
  path,
  scrolled,
  across,
  startSearchedShop,
} from './searched-shop.fixture.ts';

let server: TestServer;

before(async () => {
  server = await startSearchedShop();
});
after(() => server.close());

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
    assert.deepEqual(new Set(await scrolled(server, { orFilters })), new Set([orders, customers]));
  });

  it('scrolls one by one and meets everything once', async () => {
    const found = await scrolled(server, { batchSize: 1 });
    assert.equal(found.length, 3);
    assert.deepEqual(new Set(found), new Set([orders, ordersDev, customers]));
  });

  it('finds what is soft-deleted when it filters for that alone', async () => {
    const orFilters = [{ and: [{ field: 'removed', condition: 'EQUAL', values: ['true'] }] }];
    assert.deepEqual(await scrolled(server, { orFilters }), [gone]);
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
    assert.deepEqual(new Set(await scrolled(server, { orFilters })), new Set([orders, ordersDev]));
  });

  it('is given the values of fields that it asks for', async () => {
    const result = await across(
      server,
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
