import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { schemaForEachTest } from '../../../test/postgres-schemas.ts';
import { postgresUnavailable } from '../../../test/postgres-server.ts';
import { datasetUrn, keyDraft, write } from '../contract/change-batch.ts';
import { openPostgresStore } from './postgres-aspect-store.ts';
import { changedRows, entryParts, packedEntry, rowsOf } from './search-entry-rows.ts';

const entity = 7;

test('entries of 511 aspects that share a row are less than a vector holds, in any script', () => {
  const rows = rowsOf(
    entity,
    Array.from({ length: 511 }, (_, at) =>
      packedEntry(at + 1, { fields: {}, terms: Array.from({ length: 660 }, () => '注').join(' ') }),
    ),
  );
  for (const { part, terms } of rows) {
    assert.ok(part < entryParts.own || Buffer.byteLength(terms) > 2_000);
    assert.ok(Buffer.byteLength(terms) < 2 ** 20, `${Buffer.byteLength(terms)} bytes`);
  }
});

test('what does not change is not written', () => {
  const few = packedEntry(1, { fields: { tags: ['a'] }, terms: 'a' });
  const short = packedEntry(2, { fields: { name: ['b'] }, terms: 'b'.repeat(150) });
  const before = rowsOf(entity, [few, short]);
  const nothing = { gone: [], added: [], withSameTerms: [], withOtherTerms: [] };
  assert.deepEqual(changedRows(entity, before, new Map([[1, few]])), nothing);
  const other = packedEntry(1, { fields: { tags: ['A'] }, terms: 'a' });
  const [fewBefore] = before;
  const [fewAfter] = rowsOf(entity, [other]);
  assert.deepEqual(changedRows(entity, before, new Map([[1, other]])), {
    ...nothing,
    withSameTerms: [fewAfter],
  });
  assert.deepEqual(changedRows(entity, before, new Map([[1, undefined]])), { ...nothing, gone: [fewBefore] });
});

describe('a row of entries that was damaged', { skip: postgresUnavailable() }, () => {
  const database = schemaForEachTest('rows');
  const orders = datasetUrn('shop.orders');
  const saying = (aspect: string, term: string) => ({
    searchEntries: [{ urn: orders, aspect, entry: { fields: { name: [term] }, terms: term } }],
  });

  for (const [what, damage] of Object.entries({
    fields: `entries = replace(entries, 'first', 'other')`,
    'the number of an aspect': `entries = 'x' || entries`,
    'the length of terms': `entries = replace(entries, ' 5 ', ' 3 ')`,
    'all of it': `entries = 'rotten', terms = '  rotten  terms '`,
  })) {
    test(`stays so whatever is put beside it, and harms no write: ${what}`, async () => {
      const store = await openPostgresStore(database.url);
      try {
        await write(store, [keyDraft(orders)], saying('datasetKey', 'first'));
        await write(store, [], saying('status', 'second'));
        await database.admin.unsafe(`UPDATE search_entry SET ${damage}`);
        await write(store, [], saying('status', 'third'));
        assert.equal((await store.search.bearers({ term: 'third', isPrefix: false })).length, 1);
        const numbers = [...(await store.search.numbersOf([orders])).values()];
        const damaged = { name: 'PostilError', code: 'CORRUPT_ASPECT' };
        await assert.rejects(store.search.indexed(numbers), damaged);
        await assert.rejects(store.searchEntriesOf(orders), damaged);
      } finally {
        await store.close();
      }
    });
  }

  test('by blanks among its terms harms no write either', async () => {
    const store = await openPostgresStore(database.url);
    try {
      await write(store, [keyDraft(orders)], saying('datasetKey', 'first'));
      await database.admin.unsafe(`UPDATE search_entry SET terms = '  ' || terms`);
      await write(store, [], saying('status', 'second'));
      assert.equal((await store.search.bearers({ term: 'second', isPrefix: false })).length, 1);
    } finally {
      await store.close();
    }
  });
});
