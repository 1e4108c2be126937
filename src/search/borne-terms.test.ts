import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { schemaForEachTest } from '../../test/postgres-schemas.ts';
import { postgresUnavailable } from '../../test/postgres-server.ts';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import type { SearchIndex, TermQuery } from '../search-index/search-index.ts';
import { openPostgresStore } from '../storage/postgres/postgres-aspect-store.ts';
import { createBorneTerms } from './borne-terms.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const customers = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.customers,PROD)';

async function assertReadAsAsked({ store, seed }: TestCatalogue): Promise<void> {
  const urns = [
    await seed(orders, { datasetProperties: { name: "It's \\ Orders & 注文", customProperties: {} } }),
    await seed(orders, { editableDatasetProperties: { description: 'nightly' } }),
    await seed(customers),
    await seed('urn:li:tag:pii'),
  ];
  const numbers = [...(await store.search.numbersOf(urns)).values()];
  const unknown = Math.max(...numbers) + 1_000;
  const terms = await store.search.termsOf([...numbers, unknown]);
  assert.deepEqual(new Set(terms.keys()), new Set(numbers));
  const borne = createBorneTerms(store.search);
  const all = [...terms.values()].flatMap((text) => text.split(' '));
  assert.ok(all.includes('nightly') && all.includes('注文'));
  const queries = [...new Set(all)].flatMap((term) => [
    { term, isPrefix: false },
    { term, isPrefix: true },
    { term: Array.from(term).slice(0, 2).join(''), isPrefix: true },
    { term: Array.from(term).slice(0, -1).join('') || 'x', isPrefix: false },
  ]);
  for (const query of queries) {
    assert.deepEqual(
      [...(await borne.bearing(query, numbers))],
      [...(await store.search.bearers(query, numbers))],
      JSON.stringify(query),
    );
  }
}

test('an entity bears in memory what it bears in an embedded store', async () => {
  await using catalogue = await openTestCatalogue();
  await assertReadAsAsked(catalogue);
});

describe('in a shared store', { skip: postgresUnavailable() }, () => {
  const database = schemaForEachTest('borne');

  test('an entity bears in memory what it bears there', async () => {
    await using catalogue = await openTestCatalogue({ store: await openPostgresStore(database.url) });
    await assertReadAsAsked(catalogue);
  });
});

/** The index of the store, which tells what terms are read of, and answers when it is let. */
function heldIndex({ store }: TestCatalogue): {
  readonly index: Pick<SearchIndex, 'bearers' | 'termsOf'>;
  readonly reads: (readonly number[])[];
  letAnswer(read: number): void;
} {
  const reads: (readonly number[])[] = [];
  const held: PromiseWithResolvers<void>[] = [];
  return {
    reads,
    letAnswer: (read) => held[read]?.resolve(),
    index: {
      bearers: store.search.bearers,
      async termsOf(numbers) {
        reads.push(numbers);
        const leave = Promise.withResolvers<void>();
        held.push(leave);
        const terms = await store.search.termsOf(numbers);
        await leave.promise;
        return terms;
      },
    },
  };
}

const red: TermQuery = { term: 'red', isPrefix: false };

/** Describes a tag, and gives its number. */
async function describeTag({ store, seed }: TestCatalogue, name: string, text: string): Promise<number> {
  const urn = await seed(`urn:li:tag:${name}`, { tagProperties: { name, description: text } });
  return (await store.search.numbersOf([urn])).get(urn) ?? assert.fail();
}

test('terms are read once, for all who ask, until the entity changes', async () => {
  await using catalogue = await openTestCatalogue();
  const one = await describeTag(catalogue, 'one', 'dark red');
  const two = await describeTag(catalogue, 'two', 'blue');
  const three = await describeTag(catalogue, 'three', 'green');
  const { index, reads, letAnswer } = heldIndex(catalogue);
  const borne = createBorneTerms(index);
  const asked = [
    borne.bearing(red, [one, two]),
    borne.bearing({ term: 'gre', isPrefix: true }, [two, three]),
  ];
  assert.deepEqual(reads, [[one, two], [three]]);
  letAnswer(0);
  letAnswer(1);
  assert.deepEqual(await Promise.all(asked), [[one], [three]]);
  assert.deepEqual(await borne.bearing(red, [three, two, one]), [one]);
  assert.equal(reads.length, 2);
  await describeTag(catalogue, 'one', 'reddish');
  borne.forget(one);
  const again = borne.bearing(red, [one, three]);
  assert.deepEqual(reads[2], [one]);
  letAnswer(2);
  assert.deepEqual(await again, []);
});

test('what was read before a change answers who asked before it, and nobody after it', async () => {
  await using catalogue = await openTestCatalogue();
  const one = await describeTag(catalogue, 'one', 'red');
  const { index, reads, letAnswer } = heldIndex(catalogue);
  const borne = createBorneTerms(index);
  const before = borne.bearing(red, [one]);
  await describeTag(catalogue, 'one', 'blue');
  borne.forget(one);
  const after = borne.bearing(red, [one]);
  assert.equal(reads.length, 2);
  letAnswer(1);
  letAnswer(0);
  assert.deepEqual(await before, [one]);
  assert.deepEqual(await after, []);
  assert.deepEqual(await borne.bearing(red, [one]), []);
  assert.equal(reads.length, 2);
});

test('a reading that failed is tried again by who asks next', async () => {
  await using catalogue = await openTestCatalogue();
  const one = await describeTag(catalogue, 'one', 'red');
  const { search } = catalogue.store;
  let failures = 1;
  const borne = createBorneTerms({
    bearers: search.bearers,
    async termsOf(numbers) {
      if (failures > 0) throw new Error(`no connection: ${(failures -= 1)} more`);
      return search.termsOf(numbers);
    },
  });
  await assert.rejects(borne.bearing(red, [one]), /no connection/);
  assert.deepEqual(await borne.bearing(red, [one]), [one]);
});

test('of many entities that are not in memory the index is asked', async () => {
  await using catalogue = await openTestCatalogue();
  const one = await describeTag(catalogue, 'one', 'red');
  const { index, reads } = heldIndex(catalogue);
  const numbers = Array.from({ length: 501 }, (_, place) => one + place);
  assert.deepEqual([...(await createBorneTerms(index).bearing(red, numbers))], [one]);
  assert.equal(reads.length, 0);
});
