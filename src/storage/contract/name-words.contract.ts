import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type SearchEntry, termSeparator } from '../../aspect/search-entry.ts';
import { rebuildIndex } from '../../search-index/rebuild-index.ts';
import type { EntryOf } from '../../search-index/search-index.ts';
import { nameWordTerm } from '../../search-index/search-terms.ts';
import type { CatalogueStore } from '../catalogue-store.ts';
import { apply, datasetUrn, keyDraft, staleBatch, write } from './change-batch.ts';
import type { Subject } from './opened-store.ts';

const orders = datasetUrn('shop.orders');

const entryOf = (words: readonly string[]): SearchEntry => ({
  fields: {},
  terms: ['other', ...words.map(nameWordTerm), '/other', '-other'].join(termSeparator),
});

type SearchEntries = readonly { urn: typeof orders; aspect: string; entry: SearchEntry | undefined }[];

const named = (...words: string[]): { readonly searchEntries: SearchEntries } => ({
  searchEntries: [{ urn: orders, aspect: 'datasetKey', entry: entryOf(words) }],
});

/** All words in the order of letters. */
async function wordsIn({ search }: CatalogueStore): Promise<readonly string[]> {
  const words: string[] = [];
  for await (const page of search.nameWords()) words.push(...page);
  return words.toSorted();
}

export function testNameWords(subject: Subject): void {
  describe('the dictionary of name words', () => {
    test('holds the words of all entries that somebody may mistype, each once', async () => {
      const { store, reopen } = subject();
      assert.deepEqual(await wordsIn(store), []);
      const odd = ['bestände', '注文テーブル', "it's", '𠀀𠀁a', 'z'.repeat(39)];
      await write(store, [keyDraft(orders)], named('orders', ...odd));
      assert.deepEqual(await wordsIn(store), ['orders', ...odd].toSorted());
      const reopened = await reopen();
      const more = {
        urn: orders,
        aspect: 'datasetProperties',
        entry: entryOf(['shop', 'orders', 'id', '2024', 'x86', 'z'.repeat(40)]),
      };
      await write(reopened, [], { searchEntries: [more] });
      assert.deepEqual(await wordsIn(reopened), ['orders', 'shop', ...odd].toSorted());
      await write(reopened, [], named('later'));
      for (const word of ['later', 'orders', 'shop'])
        assert.ok((await wordsIn(reopened)).includes(word), word);
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
        await apply(transaction, [], named('first', 'kept'));
        await assert.rejects(transaction.apply(staleBatch(orders, named('first', 'stale').searchEntries)), {
          code: 'PRECONDITION_FAILED',
        });
        assert.deepEqual(await wordsIn(store), ['first'], 'what is not committed is not there');
      });
      assert.deepEqual(await wordsIn(store), ['first', 'kept']);
      await write(store, [], named('lost', 'stale', 'first', 'kept'));
      assert.deepEqual(await wordsIn(store), ['first', 'kept', 'lost', 'stale']);
    });

    test('is cleared with the index, and filled again by what is written and by making it anew', async () => {
      const { store } = subject();
      await write(store, [keyDraft(orders)], named('orders', 'shop'));
      await store.search.clear();
      assert.deepEqual(await wordsIn(store), []);
      await write(store, [], named('orders'));
      assert.deepEqual(await wordsIn(store), ['orders']);
      const made: EntryOf = () => entryOf(['orders', 'shop']);
      await rebuildIndex(store.search, { entryOf: made, milliseconds: 0 });
      assert.deepEqual(await wordsIn(store), ['orders', 'shop']);
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
      assert.deepEqual(await wordsIn(store), words.toSorted());
    });
  });
}
