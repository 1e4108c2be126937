import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SearchEntry } from '../../aspect/search-entry.ts';
import { rebuildIndex } from '../../search-index/rebuild-index.ts';
import type { EntryOf } from '../../search-index/search-index.ts';
import type { CatalogueStore } from '../catalogue-store.ts';
import { apply, datasetUrn, keyDraft, staleBatch, write } from './change-batch.ts';
import type { Subject } from './opened-store.ts';

const orders = datasetUrn('shop.orders');

const entryOf = (nameWords: readonly string[]): SearchEntry => ({ fields: {}, terms: '', nameWords });

type SearchEntries = readonly { urn: typeof orders; aspect: string; entry: SearchEntry | undefined }[];

const named = (...words: string[]): { readonly searchEntries: SearchEntries } => ({
  searchEntries: [{ urn: orders, aspect: 'datasetKey', entry: entryOf(words) }],
});

/** All words in the order of their numbers, read in pages. */
async function wordsIn({ search }: CatalogueStore, count = 2): Promise<readonly string[]> {
  const words: string[] = [];
  for (let last = 0; ;) {
    const page = await search.nameWordsAfter(last, count);
    for (const { number, word } of page) {
      assert.ok(number > last, `${word} has the number ${number}, which is not above ${last}`);
      last = number;
      words.push(word);
    }
    if (page.length < count) return words;
  }
}

export function testNameWords(subject: Subject): void {
  describe('the dictionary of name words', () => {
    test('holds the words of all entries, each once, the new ones behind those that were there', async () => {
      const { store, reopen } = subject();
      assert.deepEqual(await wordsIn(store), []);
      await write(store, [keyDraft(orders)], named('orders', 'bestände', '注文テーブル', "it's", '𠀀𠀁a'));
      await write(store, [], named('shop', 'orders', 'z'.repeat(40)));
      const before = ['orders', 'bestände', '注文テーブル', "it's", '𠀀𠀁a', 'shop', 'z'.repeat(40)];
      assert.deepEqual((await wordsIn(store)).toSorted(), before.toSorted());
      const reopened = await reopen();
      await write(reopened, [], named('shop', 'later', 'orders', 'later'));
      assert.equal((await wordsIn(reopened)).at(-1), 'later');
      assert.deepEqual((await wordsIn(reopened, 100)).toSorted(), [...before, 'later'].toSorted());
    });

    test('keeps words that no entry has any more', async () => {
      const { store } = subject();
      await write(store, [keyDraft(orders)], named('orders'));
      await write(store, [], { searchEntries: [{ urn: orders, aspect: 'datasetKey', entry: undefined }] });
      assert.deepEqual(await wordsIn(store), ['orders']);
      await write(store, [], named('orders'));
      assert.deepEqual(await wordsIn(store), ['orders']);
    });

    test('has no word of what was rolled back, and gets it with the next entry that has it', async () => {
      const { store } = subject();
      await write(store, [keyDraft(orders)], named('first'));
      const reason = new Error('the whole transaction fails');
      await assert.rejects(
        store.transact(async (transaction) => {
          await apply(transaction, [], named('lost'));
          throw reason;
        }),
        reason,
      );
      await store.transact(async (transaction) => {
        await apply(transaction, [], named('kept'));
        await assert.rejects(transaction.apply(staleBatch(orders, named('stale').searchEntries)), {
          code: 'PRECONDITION_FAILED',
        });
        assert.deepEqual(await wordsIn(store), ['first'], 'what is not committed is not there');
      });
      assert.deepEqual(await wordsIn(store), ['first', 'kept']);
      await write(store, [], named('lost', 'stale', 'first', 'kept'));
      assert.deepEqual((await wordsIn(store)).toSorted(), ['first', 'kept', 'lost', 'stale']);
    });

    test('is cleared with the index, and filled again by what is written and by making it anew', async () => {
      const { store, sql } = subject();
      await write(store, [keyDraft(orders)], named('orders', 'shop'));
      await store.search.clear();
      assert.deepEqual(await wordsIn(store), []);
      await write(store, [], named('orders'));
      assert.deepEqual(await wordsIn(store), ['orders']);
      await sql('DELETE FROM search_word');
      const made: EntryOf = () => entryOf(['orders', 'shop']);
      await rebuildIndex(store.search, { entryOf: made, milliseconds: 0 });
      assert.deepEqual((await wordsIn(store)).toSorted(), ['orders', 'shop']);
      await rebuildIndex(store.search, { entryOf: made, milliseconds: 0 });
      assert.equal((await wordsIn(store)).length, 2);
    });

    test('holds the words of very many entries that are written together', async () => {
      const { store } = subject();
      const wordOf = (at: number): string =>
        Array.from({ length: 4 }, (_, place) =>
          String.fromCodePoint(97 + (Math.floor(at / 26 ** place) % 26)),
        ).join('');
      const words = Array.from({ length: 60_000 }, (_, at) => wordOf(at));
      for (const half of [words.slice(0, 40_000), words.slice(20_000), words]) {
        await write(
          store,
          (await store.existing([orders])).size === 0 ? [keyDraft(orders)] : [],
          named(...half),
        );
      }
      assert.deepEqual((await wordsIn(store, 10_000)).toSorted(), words.toSorted());
    });
  });
}
