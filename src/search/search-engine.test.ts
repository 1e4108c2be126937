import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import { schemaForEachTest } from '../../test/postgres-schemas.ts';
import { postgresUnavailable } from '../../test/postgres-server.ts';
import { figure, seededRandom } from '../../test/reliability/seeded-random.ts';
import { schemaOf, termInfo } from '../../test/sample-metadata.ts';
import type { JsonObject } from '../aspect/json.ts';
import { keyBodyOf, requireEntityType } from '../entity/entity-registry.ts';
import { rebuildIndex } from '../search-index/rebuild-index.ts';
import { searchEntryOf } from '../search-index/search-entry-of.ts';
import type { EntryOf } from '../search-index/search-index.ts';
import { openPostgresStore } from '../storage/postgres/postgres-aspect-store.ts';
import { parseUrn, urnKey, urnType } from '../urn/urn.ts';
import { addOffset, chunkOf, emptyChunkSet, offsetOf } from '../verdict/chunk-set.ts';
import { createSearchEngine } from './create-search-engine.ts';
import { randomWrites, searchedTestTypes, writeAspects } from './random-catalogue.fixture.ts';
import type { SearchCriterion, SearchEngine, SearchQuery } from './search-engine.ts';

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const pii = 'urn:li:tag:pii';
const ana = 'urn:li:corpuser:ana';
const stamp = { time: 0, actor: ana };

type Searched = {
  readonly catalogue: TestCatalogue;
  readonly engine: SearchEngine;
  /** The keys of the hits' URNs, of datasets their names. */
  found(query: Partial<SearchQuery>): Promise<readonly string[]>;
  total(query: Partial<SearchQuery>): Promise<number>;
};

function searched(catalogue: TestCatalogue): Searched {
  const { store, admin } = catalogue;
  const engine = createSearchEngine({ store, onCommit: (listener) => catalogue.engine.onCommit(listener) });
  const search = (query: Partial<SearchQuery>) =>
    engine.search({ text: '*', start: 0, count: 100, facets: [], ...query }, admin);
  return {
    catalogue,
    engine,
    found: async (query) => (await search(query)).hits.map(({ urn }) => nameOf(urn)),
    total: async (query) => (await search(query)).total,
  };
}

function nameOf(urn: string): string {
  return /,(.*),/.exec(urn)?.[1] ?? urnKey(parseUrn(urn));
}

function where(field: string, values: readonly string[], more: Partial<SearchCriterion> = {}) {
  return { filter: [[{ field, values, condition: 'EQUAL', negated: false, ...more }]] } as const;
}

async function exists({ seed }: TestCatalogue, urn: string): Promise<void> {
  await seed(urn, { [requireEntityType(urnType(parseUrn(urn))).keyAspect]: keyBodyOf(parseUrn(urn)) });
}

/** Entities, in the order of this list, whose best place is asked for below. */
async function seedCorpus(catalogue: TestCatalogue): Promise<void> {
  const seed = async (name: string, properties: JsonObject, more: Record<string, JsonObject> = {}) => {
    await exists(catalogue, dataset(name));
    await catalogue.seed(dataset(name), { datasetProperties: properties, ...more });
  };
  await seed('a.returns', { name: 'returns', description: 'What comes back of an order' });
  await seed('a.order_items', { name: 'order_items', description: 'Items' });
  await seed('a.customers', { name: 'customers', description: 'Customers, and the order of each order' });
  await seed('a.orders', { name: 'orders', description: 'All of them' });
  await seed('a.order', { name: 'order', description: 'One' });
  await seed('a.items', { name: 'items' }, { schemaMetadata: schemaOf(['order_id', 'price']) });
  await seed('a.late_orders', { name: 'LateOrders', description: 'Too late' });
}

/** What holds on every store. */
function searchTests(open: () => Promise<TestCatalogue>): void {
  test('the order is: the exact name, names that begin so, names with all words, all others by relevance', async () => {
    await using catalogue = await open();
    await seedCorpus(catalogue);
    const { found } = searched(catalogue);
    assert.deepEqual(await found({ text: 'order' }), [
      'a.order',
      'a.orders',
      'a.order_items',
      'a.late_orders',
      'a.items',
      'a.customers',
      'a.returns',
    ]);
    assert.deepEqual(await found({ text: 'Order ' }), [
      'a.order',
      'a.order_items',
      'a.items',
      'a.customers',
      'a.returns',
    ]);
    assert.deepEqual(await found({ text: 'order items' }), ['a.order_items', 'a.items']);
    assert.deepEqual(await found({ text: 'late' }), ['a.late_orders']);
  });

  test('every text is searched for literally, or refused', async () => {
    await using catalogue = await open();
    await seedCorpus(catalogue);
    const { found, total } = searched(catalogue);
    assert.equal(await total({ text: '' }), 7);
    assert.equal(await total({ text: ' * ' }), 7);
    for (const text of ['"', '**', '(', '^', '\\', '%', '_', "'", '""""', '\u0000', ')*"', '\ud800', ':']) {
      assert.deepEqual(await found({ text }), [], text);
    }
    for (const text of ['"order items"', 'order*items', '^order:items', 'order\\items', '(order) {items}']) {
      assert.deepEqual(await found({ text }), ['a.order_items', 'a.items'], text);
    }
    for (const text of ['NEAR(order items)', 'col:order', 'order AND items', 'order OR items', 'NOT order']) {
      assert.deepEqual(await found({ text }), [], text);
    }
    assert.deepEqual(await found({ text: 'x'.repeat(4_096) }), []);
    const tooLong = { code: 'BAD_REQUEST', message: /at most 4096/ };
    await assert.rejects(found({ text: 'order '.repeat(2_000) }), tooLong);
    const many = Array.from({ length: 33 }, (_, index) => `w${index}`).join(' ');
    await assert.rejects(found({ text: many }), { code: 'BAD_REQUEST', message: /at most 32/ });
  });

  test('two letters are a word, or the beginning of a word of a name; three are the beginning of any word', async () => {
    await using catalogue = await open();
    await catalogue.seed(dataset('a.items'), { datasetProperties: { description: 'What was ordered' } });
    await catalogue.seed(dataset('a.orders'), { datasetProperties: { name: 'late_orders' } });
    await catalogue.seed(dataset('a.notes'), { datasetProperties: { description: 'All or nothing' } });
    const { found } = searched(catalogue);
    assert.deepEqual(await found({ text: 'or' }), ['a.orders', 'a.notes']);
    assert.deepEqual(await found({ text: 'late or' }), ['a.orders']);
    assert.deepEqual(await found({ text: 'all or' }), ['a.notes']);
    assert.deepEqual(await found({ text: 'or ' }), ['a.notes']);
    assert.deepEqual(await found({ text: 'ord' }), ['a.orders', 'a.items']);
    assert.deepEqual(await found({ text: 'no' }), ['a.notes']);
  });

  test('what was soft-deleted is found when it is asked for, and only then', async () => {
    await using catalogue = await open();
    await seedCorpus(catalogue);
    await catalogue.seed(dataset('a.order'), { status: { removed: true } });
    const { found, total } = searched(catalogue);
    assert.equal((await found({ text: 'order' })).includes('a.order'), false);
    assert.equal((await found({ text: 'order', includeSoftDeleted: true }))[0], 'a.order');
    assert.deepEqual(await found(where('removed', ['true'])), ['a.order']);
    assert.equal(await total(where('removed', ['true'], { negated: true })), 6);
    assert.equal(await total(where('removed', ['false'])), 6);
  });

  test('access tokens are never found without being named, and only by who may see them', async () => {
    await using catalogue = await open();
    await exists(catalogue, 'urn:li:dataHubAccessToken:secret');
    await exists(catalogue, pii);
    const { engine, total } = searched(catalogue);
    assert.equal(await total({}), 1);
    const query = { text: '*', types: ['dataHubAccessToken'], start: 0, count: 10 };
    assert.equal((await engine.search(query, catalogue.admin)).total, 1);
    const unseen = await engine.search(query, catalogue.reader);
    assert.equal(unseen.total, 0);
    assert.deepEqual(unseen.facets[0]?.counts, []);
    assert.equal(
      (await engine.counts(['dataHubAccessToken'], catalogue.reader)).get('dataHubAccessToken'),
      0,
    );
  });

  test('pages, cursors, fields and orders that cannot be are refused, each with what to do', async () => {
    await using catalogue = await open();
    await seedCorpus(catalogue);
    const { engine, found } = searched(catalogue);
    await assert.rejects(found({ start: -1 }), { code: 'BAD_REQUEST' });
    await assert.rejects(found({ count: -1 }), { code: 'BAD_REQUEST' });
    await assert.rejects(found({ count: 2_147_483_647 }), { code: 'LIMIT_EXCEEDED' });
    await assert.rejects(found(where('platfrom', ['x'])), { message: /Did you mean "platform"\?/ });
    await assert.rejects(found({ sort: [{ field: 'nam', descending: false }] }), /Did you mean "name"\?/);
    await assert.rejects(found({ sort: [{ field: 'description', descending: false }] }), /cannot be sorted/);
    await assert.rejects(found({ facets: ['description'] }), { message: /cannot be counted/ });
    await assert.rejects(found({ cursor: 'nonsense' }), { code: 'BAD_REQUEST', message: /Begin again/ });
    const page = await engine.search({ text: 'order', start: 0, count: 2 }, catalogue.admin);
    const cursor = page.nextCursor ?? '';
    await assert.rejects(found({ text: 'items', cursor }), { message: /belongs to another query/ });
    await assert.rejects(found({ text: 'order', cursor: `${cursor.slice(0, -2)}AA` }), {
      code: 'BAD_REQUEST',
    });
  });

  test('a URN as the text finds its entity, first, and in every case only where it is searched for', async () => {
    await using catalogue = await open();
    await seedCorpus(catalogue);
    const { found, total, engine } = searched(catalogue);
    assert.deepEqual(await found({ text: ` ${dataset('a.items')} ` }), ['a.items']);
    assert.equal(await total({ text: dataset('a.items'), types: ['glossaryTerm'] }), 0);
    assert.equal(
      await total({ text: dataset('a.items'), ...where('platform', ['urn:li:dataPlatform:x']) }),
      0,
    );
    assert.equal(await total({ text: dataset('never') }), 0);
    assert.equal(await total({ text: 'urn:li:dataset' }), 0);
    // Of another entity it is words, as ever.
    await exists(catalogue, dataset('z'));
    await catalogue.seed(dataset('z'), {
      datasetProperties: { description: `Made of ${dataset('a.items')}` },
    });
    assert.deepEqual(await found({ text: dataset('a.items') }), ['a.items', 'z']);
    const first = await engine.search(
      { text: dataset('a.items'), start: 0, count: 1, facets: [] },
      catalogue.admin,
    );
    assert.deepEqual(await found({ text: dataset('a.items'), cursor: first.nextCursor ?? '' }), ['z']);
    assert.deepEqual(first.hits[0]?.matched[0], { name: 'urn', value: dataset('a.items') });
  });

  test('a range of numbers or times without a number is refused', async () => {
    await using catalogue = await open();
    await seedCorpus(catalogue);
    const { found } = searched(catalogue);
    for (const value of ['yesterday', 'NaN', 'Infinity', '', '2026-11-22', '1000 days']) {
      for (const condition of ['GREATER_THAN', 'LESS_THAN_OR_EQUAL_TO'] as const) {
        await assert.rejects(found(where('createdAt', [value], { condition })), {
          code: 'BAD_REQUEST',
          message: `createdAt is compared with numbers, and "${value}" is none; times are milliseconds since 1970.`,
        });
      }
    }
    await assert.rejects(found(where('rowCount', ['many'], { condition: 'LESS_THAN' })), {
      message: 'rowCount is compared with numbers, and "many" is none.',
    });
    assert.deepEqual(await found(where('createdAt', ['-1.5e3'], { condition: 'LESS_THAN' })), []);
    assert.deepEqual(await found(where('name', ['b'], { condition: 'LESS_THAN' })), ['a.late_orders']);
  });

  test('a filter that nothing can match finds nothing, and its negation everything', async () => {
    await using catalogue = await open();
    await seedCorpus(catalogue);
    const { total } = searched(catalogue);
    assert.equal(await total(where('tags', [])), 0);
    assert.equal(await total(where('tags', [], { negated: true })), 7);
    assert.equal(await total(where('tags', [pii])), 0);
    assert.equal(await total({ filter: [] }), 7);
    assert.equal(await total(where('_entityType', ['DATASET'])), 7);
    assert.equal(await total(where('_entityType', ['TAG'])), 0);
    assert.equal(await total({ among: [parseUrn(dataset('a.order')), parseUrn(dataset('never'))] }), 1);
    assert.equal(await total({ among: [] }), 0);
  });

  test('ranges compare numbers as numbers, and structured properties are fields', async () => {
    await using catalogue = await open();
    const { seed } = catalogue;
    const property = 'urn:li:structuredProperty:io.retention';
    for (const [name, days, time] of [
      ['a', 90, 900],
      ['b', 365, 10_000],
    ] as const) {
      await exists(catalogue, dataset(name));
      await seed(dataset(name), {
        datasetProperties: { created: { time, actor: ana }, customProperties: { team: name } },
        structuredProperties: { properties: [{ propertyUrn: property, values: [{ double: days }] }] },
      });
    }
    const { found } = searched(catalogue);
    assert.deepEqual(await found(where('createdAt', ['1000'], { condition: 'GREATER_THAN' })), ['b']);
    assert.deepEqual(await found(where('createdAt', ['900'], { condition: 'LESS_THAN_OR_EQUAL_TO' })), ['a']);
    assert.deepEqual(await found(where('customProperties', ['team=a'])), ['a']);
    assert.deepEqual(await found({ sort: [{ field: 'createdAt', descending: true }] }), ['b', 'a']);
    for (const field of ['structuredProperties.io.retention', `structuredProperties.${property}`]) {
      assert.deepEqual(await found(where(field, [], { condition: 'EXISTS' })), ['a', 'b'], field);
      assert.deepEqual(await found(where(field, ['100'], { condition: 'LESS_THAN' })), ['a'], field);
      assert.deepEqual(await found(where(field, ['90.0', '365.5'])), ['a'], field);
      assert.deepEqual(await found({ sort: [{ field, descending: false }] }), ['a', 'b'], field);
    }
  });

  test('a node finds what bears its terms, and a domain what lies in those below it', async () => {
    await using catalogue = await open();
    const { seed } = catalogue;
    const [shop, deep] = ['urn:li:glossaryNode:Shop', 'urn:li:glossaryNode:Deep'];
    await seed(shop, {
      glossaryNodeKey: { name: 'Shop' },
      glossaryNodeInfo: { name: 'Shop', definition: '' },
    });
    await seed(deep, {
      glossaryNodeKey: { name: 'Deep' },
      glossaryNodeInfo: { name: 'Deep', definition: '', parentNode: shop },
    });
    const term = 'urn:li:glossaryTerm:Order';
    await seed(term, { glossaryTermKey: { name: 'Order' }, glossaryTermInfo: termInfo('Order', deep) });
    await exists(catalogue, dataset('a'));
    await seed(dataset('a'), { glossaryTerms: { terms: [{ urn: term }], auditStamp: stamp } });
    const { found } = searched(catalogue);
    assert.deepEqual(await found(where('glossaryTerms', [shop])), []);
    const below = { condition: 'DESCENDANTS_INCL' } as const;
    assert.deepEqual(await found(where('glossaryTerms', [shop], below)), ['a']);
    assert.deepEqual(await found(where('parentNode', [shop], below)), ['Deep', 'Order']);
    assert.deepEqual(await found(where('urn', [term], { condition: 'ANCESTORS_INCL' })), [
      'Shop',
      'Deep',
      'Order',
    ]);
    assert.deepEqual(await found(where('urn', [deep], { condition: 'RELATED_INCL' })), [
      'Shop',
      'Deep',
      'Order',
    ]);
  });

  test('what entities pass and fail can be filtered and counted', async () => {
    await using catalogue = await open();
    await seedCorpus(catalogue);
    const rule = parseUrn('urn:li:test:rule');
    const [passing, failing] = [emptyChunkSet(), emptyChunkSet()];
    const { store } = catalogue;
    const numbers = await store.search.numbersOf(
      ['a.order', 'a.orders'].map((name) => parseUrn(dataset(name))),
    );
    for (const [urn, number] of numbers) {
      assert.equal(chunkOf(number), 0);
      addOffset(urn.includes('orders') ? failing : passing, offsetOf(number));
    }
    const none = emptyChunkSet();
    await exists(catalogue, rule);
    await store.verdicts.transact((transaction) =>
      transaction.putVerdicts(rule, 0, { passing, failing, exempt: none, undecided: none }),
    );
    const { found, engine } = searched(catalogue);
    assert.deepEqual(await found(where('passingTests', [rule])), ['a.order']);
    assert.deepEqual(await found(where('failingTests', [], { condition: 'EXISTS' })), ['a.orders']);
    const [facet] = await engine.facets({ text: 'order' }, ['failingTests'], 10, catalogue.admin);
    assert.deepEqual(facet?.counts, [{ value: rule, count: 1 }]);
  });

  test('a hit says which fields have the words, of long texts what stands around them', async () => {
    await using catalogue = await open();
    const description = `${'Nothing to see here. '.repeat(30)}The secret orders of Zürich ${'and so on '.repeat(30)}`;
    await exists(catalogue, dataset('shop.sales'));
    await catalogue.seed(dataset('shop.sales'), {
      datasetProperties: { name: 'sales', description },
      schemaMetadata: schemaOf(['order_id', 'zurich_code', 'price']),
    });
    const { engine } = searched(catalogue);
    const { hits } = await engine.search({ text: 'zurich', start: 0, count: 1 }, catalogue.admin);
    const matched = new Map(hits[0]?.matched.map(({ name, value }) => [name, value]));
    assert.deepEqual([...matched.keys()].toSorted(), ['description', 'fieldPaths']);
    assert.equal(matched.get('fieldPaths'), 'zurich_code');
    const snippet = matched.get('description') ?? '';
    assert.match(snippet, /^….*The secret orders of Zürich and so on.*…$/);
    assert.ok(snippet.length <= 202, `${snippet.length}`);
    const without = await engine.search(
      { text: 'zurich', start: 0, count: 1, withoutMatches: true },
      catalogue.admin,
    );
    assert.deepEqual(without.hits[0]?.matched, []);
  });

  test('a name is completed by its beginning, by its words, and in spite of typing errors', async () => {
    await using catalogue = await open();
    await seedCorpus(catalogue);
    const { engine } = searched(catalogue);
    const complete = async (text: string, limit = 10, more = {}) =>
      (await engine.complete({ text, limit, ...more }, catalogue.reader)).suggestions;
    assert.deepEqual(await complete('order'), ['order', 'orders', 'order_items', 'LateOrders']);
    assert.deepEqual(await complete('late o'), ['LateOrders']);
    assert.deepEqual(await complete('orders la'), ['LateOrders'], 'words in another order');
    assert.deepEqual(await complete('itms'), ['items', 'order_items']);
    assert.deepEqual(await complete('custmoer'), ['customers']);
    assert.deepEqual(await complete('order', 1), ['order']);
    assert.deepEqual(await complete('order', 10, { types: ['tag'] }), []);
    assert.deepEqual(await complete('"'), []);
    assert.deepEqual(await complete('zzzzzz'), []);
    assert.deepEqual(await complete('hiv', 10, { field: 'platform' }), ['urn:li:dataPlatform:hive']);
    await assert.rejects(complete('a', -1), { code: 'BAD_REQUEST' });
  });

  test('of names that answer alike, the one that is used more comes first', async () => {
    await using catalogue = await open();
    const used = 'urn:li:tag:personal_x';
    for (const [urn, name] of [
      ['urn:li:tag:p', 'Personal'],
      [used, 'Personal data'],
      ['urn:li:tag:q', 'Personality'],
    ] as const) {
      await catalogue.seed(urn, { tagKey: { name: urnKey(parseUrn(urn)) }, tagProperties: { name } });
    }
    const { engine } = searched(catalogue);
    const names = async () =>
      (await engine.complete({ text: 'perso', limit: 5, types: ['tag'] }, catalogue.reader)).suggestions;
    assert.deepEqual(await names(), ['Personal', 'Personality', 'Personal data']);
    await exists(catalogue, dataset('a'));
    await catalogue.seed(dataset('a'), { globalTags: { tags: [{ tag: used }] } });
    assert.deepEqual(await names(), ['Personal data', 'Personal', 'Personality']);
    const { entities, usage } = await engine.complete({ text: 'perso', limit: 1 }, catalogue.reader);
    assert.deepEqual([entities, usage], [[used], [1]]);
  });

  test('a write is found, counted and completed by the next question, on this and on another engine', async (context) => {
    await using catalogue = await open();
    const random = seededRandom('read your writes');
    const engines = [searched(catalogue).engine, createSearchEngine({ store: catalogue.store })];
    let writes = 0;
    for (; writes < 200; writes += 1) {
      const urn = parseUrn(`urn:li:tag:t${random.between(0, 20)}`);
      const name = `name${writes}`;
      await catalogue.seed(urn, { tagKey: { name: urnKey(urn) }, tagProperties: { name } });
      const all = (await catalogue.store.entities({ type: 'tag', start: 0, count: 1 })).total;
      for (const engine of engines) {
        const page = await engine.search({ text: name, start: 0, count: 5, facets: [] }, catalogue.reader);
        assert.deepEqual(
          page.hits.map((hit) => hit.urn),
          [urn],
        );
        assert.equal((await engine.counts(['tag'], catalogue.reader)).get('tag'), all);
        const { suggestions } = await engine.complete({ text: name, limit: 1 }, catalogue.reader);
        assert.deepEqual(suggestions, [name]);
      }
    }
    figure(context, 'Search', `${writes} writes, each found by the next question`);
  });

  test('an index that was mended is read anew', async () => {
    await using catalogue = await open();
    await seedCorpus(catalogue);
    const { search } = catalogue.store;
    const engine = createSearchEngine({ store: catalogue.store });
    const found = async (query: Partial<SearchQuery>) => {
      const asked = { text: 'order ', start: 0, count: 10, ...query };
      return (await engine.search(asked, catalogue.admin)).hits.map(({ urn }) => nameOf(urn));
    };
    const entryOf: EntryOf = (urn, aspect, body) =>
      urn.includes('a.order,') ? undefined : searchEntryOf(urn, aspect, body);
    await rebuildIndex(search, { entryOf, milliseconds: 100 });
    const byName = { sort: [{ field: 'name', descending: true }] };
    const damaged = ['a.returns', 'a.order_items', 'a.items', 'a.customers'];
    assert.deepEqual(await found(byName), damaged);
    assert.equal((await found({}))[0], 'a.order_items');
    await rebuildIndex(search, { entryOf: searchEntryOf, milliseconds: 100 });
    engine.forget();
    assert.deepEqual(await found(byName), [
      'a.returns',
      'a.order_items',
      'a.order',
      'a.items',
      'a.customers',
    ]);
    assert.equal((await found({}))[0], 'a.order');
    await rebuildIndex(search, { entryOf, milliseconds: 100 });
    engine.forget();
    assert.deepEqual(await found(byName), damaged);
    assert.equal(
      await engine.search({ text: '*', start: 0, count: 0 }, catalogue.admin).then(({ total }) => total),
      6,
    );
  });

  test('who scrolls while others write meets everything that does not change once', async (context) => {
    await using catalogue = await open();
    const random = seededRandom('scrolling');
    const write = () => catalogue.execute(writeAspects, randomWrites(random), catalogue.admin);
    for (let writes = 0; writes < 80; writes += 1) await write();
    const kept = Array.from({ length: 60 }, (_, index) => dataset(`kept.order_${index}`));
    for (const [index, urn] of kept.entries()) {
      await exists(catalogue, urn);
      const name = ['order', 'orders of', 'x order', 'y'][index % 4] ?? '';
      await catalogue.seed(urn, {
        datasetProperties: { name: `${name} ${index % 5}`, description: 'order '.repeat(index % 9) },
      });
    }
    // With few that are ranked, those that change carry others over the border.
    const engine = createSearchEngine({ store: catalogue.store, rankedMax: 10 });
    let scrolls = 0;
    for (const sort of [
      undefined,
      [{ field: 'name', descending: true }],
      [{ field: 'tags', descending: false }],
    ]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const query = { text: 'order', types: searchedTestTypes, start: 0, count: 7, facets: [] };
        const more = { ...(sort === undefined ? {} : { sort }), ...(cursor === undefined ? {} : { cursor }) };
        const page = await engine.search({ ...query, ...more }, catalogue.admin);
        seen.push(...page.hits.map(({ urn }) => urn).filter((urn) => urn.includes('kept.')));
        cursor = page.nextCursor;
        for (let writes = 0; writes < 20; writes += 1) await write();
        scrolls += 1;
      } while (cursor !== undefined);
      assert.deepEqual(seen.toSorted(), kept.toSorted());
    }
    figure(context, 'Search', `${scrolls} pages while others wrote`);
  });
}

describe('searching an embedded store', () => {
  searchTests(() => openTestCatalogue());
});

describe('searching a shared store', { skip: postgresUnavailable() }, () => {
  const database = schemaForEachTest('search');
  searchTests(async () => openTestCatalogue({ store: await openPostgresStore(database.url) }));
});
