import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import { schemaForEachTest } from '../../test/postgres-schemas.ts';
import { postgresUnavailable } from '../../test/postgres-server.ts';
import { figure, seededRandom, type SeededRandom } from '../../test/reliability/seeded-random.ts';
import { remakeIndex } from '../search-index/rebuild-index.ts';
import { searchEntryOf } from '../search-index/search-entry-of.ts';
import { openPostgresStore } from '../storage/postgres/postgres-aspect-store.ts';
import { createSearchEngine } from './create-search-engine.ts';
import type { SearchEngine } from './search-engine.ts';

async function seedTags(catalogue: TestCatalogue, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const key = name.replaceAll(' ', '-');
    await catalogue.seed(`urn:li:tag:${key}`, { tagKey: { name: key }, tagProperties: { name } });
  }
}

const completed = async (catalogue: TestCatalogue, engine: SearchEngine, text: string, limit = 20) =>
  (await engine.complete({ text, limit, types: ['tag'] }, catalogue.reader)).suggestions;

/** Letters alone, none of them twice in a row. */
function randomWord(random: SeededRandom): string {
  let word = '';
  while (word.length < 12) {
    const letter = random.pick(Array.from('abcdefghijklmnopqrstuvwxyz'));
    if (!word.endsWith(letter)) word += letter;
  }
  return word;
}

/** With two letters that changed places. */
function mistyped(word: string, random: SeededRandom): string {
  const at = random.between(0, word.length - 2);
  return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
}

/** What holds on every store. */
function misspellingTests(open: () => Promise<TestCatalogue>): void {
  test('each word of a text may be mistyped, the last one also before its end; fewer errors come first', async () => {
    await using catalogue = await open();
    await seedTags(catalogue, [
      'customer orders',
      'customer_order_items 2024',
      'CustomerBorders',
      'orders',
      'costumes',
      'Bestände je Kunde',
    ]);
    const engine = createSearchEngine({ store: catalogue.store });
    const complete = (text: string) => completed(catalogue, engine, text);
    assert.deepEqual(await complete('custmoer odrer'), ['customer orders', 'customer_order_items 2024']);
    assert.deepEqual(await complete('customer xorders'), [
      'customer orders',
      'CustomerBorders',
      'customer_order_items 2024',
    ]);
    assert.deepEqual(await complete('cusstomer order item'), ['customer_order_items 2024']);
    assert.deepEqual(await complete('custmoer 2024'), ['customer_order_items 2024']);
    assert.deepEqual(await complete('custmoer 2025'), [], 'numbers are not corrected');
    assert.deepEqual(await complete('custmoer or'), ['customer orders', 'customer_order_items 2024']);
    assert.deepEqual(await complete('custmoer xodrers'), [], 'two errors in all, not in each word');
    assert.deepEqual(await complete('cust orders'), [], 'only the last word may end later');
    assert.deepEqual(await complete('bestanbe'), ['Bestände je Kunde']);
    assert.deepEqual(await complete('BESTÄNDE ej kunde'), [], 'two letters are too few');
    assert.deepEqual(await complete('odr'), ['orders', 'customer orders', 'customer_order_items 2024']);
  });

  test('an entity that does not answer to the filter, or that nobody may see, is not offered', async () => {
    await using catalogue = await open();
    await seedTags(catalogue, ['customers', 'customer base']);
    await catalogue.seed('urn:li:tag:customers', { status: { removed: true } });
    const engine = createSearchEngine({ store: catalogue.store });
    assert.deepEqual(await completed(catalogue, engine, 'custmoer'), ['customer base']);
    const asked = { text: 'custmoer', limit: 10, types: ['dataset'] };
    assert.deepEqual((await engine.complete(asked, catalogue.reader)).suggestions, []);
  });

  test('a name is offered to who mistypes it from the answer of its write on, by every engine', async (context) => {
    await using catalogue = await open();
    const random = seededRandom('mistyped fresh names');
    const told = createSearchEngine({
      store: catalogue.store,
      onCommit: (listener) => catalogue.engine.onCommit(listener),
    });
    const engines = [told, createSearchEngine({ store: catalogue.store })];
    const rounds = 100;
    for (let round = 0; round < rounds; round += 1) {
      const word = randomWord(random);
      await seedTags(catalogue, [word]);
      for (const engine of engines) {
        assert.deepEqual(await completed(catalogue, engine, mistyped(word, random), 1), [word]);
      }
    }
    figure(context, 'Search', `${rounds} new names, each offered to who mistyped it`);
  });

  test('of very many names that were written since somebody mistyped one, every one is offered', async () => {
    await using catalogue = await open();
    const engine = createSearchEngine({ store: catalogue.store });
    await seedTags(catalogue, ['customers']);
    assert.deepEqual(await completed(catalogue, engine, 'custmoers'), ['customers']);
    const names = Array.from(
      { length: 600 },
      (_, at) => `${'abcdefghij'[at % 10] ?? ''}returns${'klmnop'[at % 6] ?? ''} ${at}`,
    );
    await seedTags(catalogue, [...names, 'invoices']);
    assert.deepEqual(await completed(catalogue, engine, 'inovices'), ['invoices']);
    assert.equal((await completed(catalogue, engine, 'cretrunsm')).length > 0, true);
    assert.deepEqual(await completed(catalogue, engine, 'custmoers'), ['customers']);
  });

  test('names that many bear are offered as long as the list goes', async () => {
    await using catalogue = await open();
    const names = Array.from({ length: 300 }, (_, at) => `customers ${at}`);
    await seedTags(catalogue, names);
    const engine = createSearchEngine({ store: catalogue.store });
    const some = await completed(catalogue, engine, 'custmoers', 10);
    assert.deepEqual(some, names.slice(0, 10));
    const all = await completed(catalogue, engine, 'custmoers', 1_000);
    assert.equal(all.length, names.length);
  });

  test('a text of many words is completed as it is', async () => {
    await using catalogue = await open();
    const words = ['orders', 'by', 'customer', 'and', 'month', 'since', 'spring'];
    await seedTags(catalogue, [words.join(' ')]);
    const engine = createSearchEngine({ store: catalogue.store });
    const six = words.slice(0, 6);
    assert.equal((await completed(catalogue, engine, words.join(' '))).length, 1);
    assert.equal((await completed(catalogue, engine, ['odrers', ...six.slice(1)].join(' '))).length, 1);
    assert.equal((await completed(catalogue, engine, ['odrers', ...words.slice(1)].join(' '))).length, 0);
  });

  test('an index that was made anew from nothing corrects as before', async () => {
    await using catalogue = await open();
    await seedTags(catalogue, ['customers', 'orders']);
    const engine = createSearchEngine({ store: catalogue.store });
    assert.deepEqual(await completed(catalogue, engine, 'custmoers'), ['customers']);
    await catalogue.store.search.clear();
    engine.forget();
    await seedTags(catalogue, ['returns']);
    assert.deepEqual(await completed(catalogue, engine, 'retrun'), ['returns']);
    await remakeIndex(catalogue.store.search, { entryOf: searchEntryOf, milliseconds: 50, isShared: false });
    engine.forget();
    for (const word of ['customers', 'orders', 'returns']) {
      const typed = `${word.slice(0, 3)}x${word.slice(3)}`;
      assert.deepEqual(await completed(catalogue, engine, typed), [word]);
    }
  });
}

describe('mistyped names in an embedded store', () => {
  misspellingTests(() => openTestCatalogue());
});

describe('mistyped names in a shared store', { skip: postgresUnavailable() }, () => {
  const database = schemaForEachTest('misspellings');
  misspellingTests(async () => openTestCatalogue({ store: await openPostgresStore(database.url) }));

  test('of names that two nodes write at once, each is offered by the other node from its answer on', async (context) => {
    await using catalogue = await openTestCatalogue({ store: await openPostgresStore(database.url) });
    await using other = await openTestCatalogue({ store: await openPostgresStore(database.url) });
    const nodes = [catalogue, other].map((node) => ({
      node,
      engine: createSearchEngine({ store: node.store }),
    }));
    const random = seededRandom('two nodes');
    const rounds = 50;
    const writing = nodes.map(async ({ node }, at) => {
      const asked = nodes[1 - at]?.engine ?? assert.fail();
      for (let round = 0; round < rounds; round += 1) {
        const word = randomWord(random);
        await seedTags(node, [word]);
        assert.deepEqual(await completed(node, asked, mistyped(word, random), 1), [word]);
      }
    });
    await Promise.all(writing);
    figure(
      context,
      'Search',
      `${2 * rounds} names of two nodes, each offered by the other to who mistyped it`,
    );
  });

  test('a name that another node wrote is offered to who mistypes it, also after the dictionary was cleared', async () => {
    await using catalogue = await openTestCatalogue({ store: await openPostgresStore(database.url) });
    const other = await openPostgresStore(database.url);
    try {
      const engine = createSearchEngine({ store: other });
      await seedTags(catalogue, ['customers', 'orders']);
      assert.deepEqual(await completed(catalogue, engine, 'custmoers'), ['customers']);
      await other.search.clear();
      // The node that wrote the word before remembers that it is in the dictionary.
      await catalogue.seed('urn:li:tag:second', {
        tagKey: { name: 'second' },
        tagProperties: { name: 'customers two' },
      });
      const fresh = createSearchEngine({ store: other });
      assert.deepEqual(await completed(catalogue, fresh, 'custmoers'), ['customers two']);
    } finally {
      await other.close();
    }
  });
});
