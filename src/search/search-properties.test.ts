import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import { schemaForEachTest } from '../../test/postgres-schemas.ts';
import { postgresUnavailable } from '../../test/postgres-server.ts';
import { figure, seededRandom, type SeededRandom } from '../../test/reliability/seeded-random.ts';
import { openPostgresStore } from '../storage/postgres/postgres-aspect-store.ts';
import { createSearchEngine } from './create-search-engine.ts';
import { haltedScan } from './halted-scan.fixture.ts';
import { classOf, PlainSearch } from './plain-search.fixture.ts';
import {
  randomFilter,
  randomText,
  randomWrites,
  searchedTestTypes,
  writeAspects,
} from './random-catalogue.fixture.ts';
import type { SearchEngine, SearchHit, SearchQuery, SearchSort } from './search-engine.ts';

const facets = [
  '_entityType',
  '_entityType\u241ftypeNames',
  'tags',
  'owners',
  'removed',
  'hasTags',
  'name',
  'browsePathV2',
];

function randomQuery(random: SeededRandom): SearchQuery {
  return {
    text: randomText(random),
    types: searchedTestTypes.filter(() => random.between(0, 3) > 0),
    filter: randomFilter(random),
    includeSoftDeleted: random.between(0, 3) === 0,
    start: 0,
    count: 100,
    facets,
    facetValuesMax: 1_000,
    ...(random.between(0, 3) === 0 ? { sort: randomSort(random) } : {}),
  };
}

function randomSort(random: SeededRandom): readonly SearchSort[] {
  const fields = ['name', 'urn', 'typeNames', 'tags', 'removed', '_entityType', 'browsePathV2'];
  return Array.from({ length: random.between(1, 2) }, () => ({
    field: random.pick(fields),
    descending: random.between(0, 1) === 0,
  }));
}

async function assertAsPlain(
  catalogue: TestCatalogue,
  engine: SearchEngine,
  query: SearchQuery,
): Promise<void> {
  const plain = await PlainSearch.over(catalogue.store, searchedTestTypes);
  const expected = plain.find(query);
  const page = await engine.search(query, catalogue.admin);
  const shown = JSON.stringify(query);
  assert.deepEqual(
    page.hits.map(({ urn }) => urn).toSorted(),
    expected.map(({ urn }) => urn).toSorted(),
    shown,
  );
  assert.equal(page.total, expected.length, shown);
  const found = page.hits.flatMap(({ urn }) => expected.find((each) => each.urn === urn) ?? []);
  if (query.sort === undefined) {
    const classes = found.map((entity) => classOf(entity, query.text));
    assert.deepEqual(
      classes,
      classes.toSorted((one, other) => one - other),
      shown,
    );
  } else {
    const numbers = await catalogue.store.search.numbersOf(found.map(({ urn }) => urn));
    assert.deepEqual(found, plain.sorted(found, query.sort, numbers), shown);
  }
  for (const { field, counts } of page.facets) {
    const byValue = new Map(counts.map(({ value, count }) => [value, count]));
    assert.deepEqual(byValue, plain.counts(expected, field), `${field} of ${shown}`);
  }
  await assertPaged(catalogue, engine, query, page.hits);
}

/** Page by page, by number and by cursor, everything comes as in one page. */
async function assertPaged(
  { admin }: TestCatalogue,
  engine: SearchEngine,
  query: SearchQuery,
  hits: readonly SearchHit[],
): Promise<void> {
  const byCursor: SearchHit[] = [];
  let cursor: string | undefined;
  do {
    const asked = { ...query, count: 4, facets: [], ...(cursor === undefined ? {} : { cursor }) };
    const page = await engine.search(asked, admin);
    byCursor.push(...page.hits);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  assert.deepEqual(byCursor, hits, JSON.stringify(query));
  const second = await engine.search({ ...query, start: 3, count: 5, facets: [] }, admin);
  assert.deepEqual(second.hits, hits.slice(3, 8));
}

/** Random writes, each followed by random questions of an engine that remembers and of one that has just begun. */
async function assertRandomSearches(
  catalogue: TestCatalogue,
  engines: readonly SearchEngine[],
  random: SeededRandom,
  rounds: number,
): Promise<number> {
  let questions = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (let writes = random.between(1, 6); writes > 0; writes -= 1) {
      await catalogue.execute(writeAspects, randomWrites(random), catalogue.admin);
    }
    for (const engine of engines) {
      await assertAsPlain(catalogue, engine, randomQuery(random));
      questions += 1;
    }
  }
  return questions;
}

/** Random writes while the store is read into memory, page by page; what is found then is what they left. */
async function assertSearchesWhileReading(
  catalogue: TestCatalogue,
  random: SeededRandom,
  rounds: number,
): Promise<void> {
  const { store, goOn } = haltedScan(catalogue.store);
  goOn();
  const { engine } = catalogue;
  const told = createSearchEngine({ store, onCommit: (listener) => engine.onCommit(listener) });
  const asking = createSearchEngine({ store });
  for (let round = 0; round < rounds; round += 1) {
    for (const searching of [told, asking]) searching.forget();
    const reading = Promise.all([told.prepare(), asking.prepare()]);
    for (let writes = random.between(1, 12); writes > 0; writes -= 1) {
      await catalogue.execute(writeAspects, randomWrites(random), catalogue.admin);
    }
    await reading;
    for (const searching of [told, asking]) await assertAsPlain(catalogue, searching, randomQuery(random));
  }
}

describe('random catalogues, filters and texts', () => {
  const rounds = 120;

  test('what is written while an embedded store is read into memory is found', async (context) => {
    await using catalogue = await openTestCatalogue();
    await assertSearchesWhileReading(catalogue, seededRandom('embedded readings'), rounds);
    figure(context, 'Search', `${rounds * 2} readings while others wrote, each followed by an exact answer`);
  });

  test('an embedded store is searched as by going through all aspects', async (context) => {
    await using catalogue = await openTestCatalogue();
    const { store, engine } = catalogue;
    const told = createSearchEngine({ store, onCommit: (listener) => engine.onCommit(listener) });
    const asking = createSearchEngine({ store, rankedMax: 3 });
    const random = seededRandom('embedded searches');
    const questions = await assertRandomSearches(catalogue, [told, asking], random, rounds);
    figure(context, 'Search', `${questions} random questions are answered as by reading everything`);
  });

  describe('a shared store', { skip: postgresUnavailable() }, () => {
    const database = schemaForEachTest('searches');

    test('is searched as by going through all aspects, by whichever connection', async (context) => {
      await using catalogue = await openTestCatalogue({ store: await openPostgresStore(database.url) });
      const other = await openPostgresStore(database.url);
      try {
        const engines = [catalogue.store, other].map((store) => createSearchEngine({ store }));
        const random = seededRandom('shared searches');
        const questions = await assertRandomSearches(catalogue, engines, random, rounds / 2);
        figure(context, 'Search', `${questions} random questions are answered as by reading everything`);
      } finally {
        await other.close();
      }
    });

    test('what is written while it is read into memory is found', async (context) => {
      await using catalogue = await openTestCatalogue({ store: await openPostgresStore(database.url) });
      await assertSearchesWhileReading(catalogue, seededRandom('shared readings'), rounds / 4);
      figure(
        context,
        'Search',
        `${rounds / 2} readings while others wrote, each followed by an exact answer`,
      );
    });
  });
});
