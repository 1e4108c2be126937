import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { figure, seededRandom } from '../../../test/reliability/seeded-random.ts';
import { type SearchEntry, termSeparator } from '../../aspect/search-entry.ts';
import type { CatalogueStore } from '../catalogue-store.ts';
import { apply, datasetUrn, keyDraft, write } from '../contract/change-batch.ts';
import { openSqliteStore } from './sqlite-aspect-store.ts';

const orders = datasetUrn('shop.orders');

function entryOf(terms: readonly string[]): SearchEntry {
  return { fields: {}, terms: terms.join(termSeparator) };
}

async function putTerms(store: CatalogueStore, terms: readonly string[]): Promise<void> {
  await write(store, [], {
    searchEntries: [
      {
        urn: orders,
        aspect: 'datasetKey',
        entry: entryOf(terms),
      },
    ],
  });
}

async function withStore(work: (store: CatalogueStore) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'postil-terms-'));
  const store = await openSqliteStore(folder);
  try {
    await write(store, [keyDraft(orders)]);
    await work(store);
  } finally {
    await store.close();
    await rm(folder, { recursive: true });
  }
}

test('a term that goes leaves the beginnings that it shares with a term that stays', async () => {
  await withStore(async (store) => {
    await putTerms(store, ['order', 'organic', 'ööl', 'öömrang']);
    await putTerms(store, ['organic', 'öömrang']);
    for (const term of ['o', 'or', 'org', 'ö', 'öö', 'ööm']) {
      assert.equal((await store.search.bearers({ term, isPrefix: true })).length, 1, term);
    }
    assert.equal((await store.search.bearers({ term: 'ord', isPrefix: true })).length, 0);
    assert.deepEqual(await store.integrityProblems(), []);
  });
});

test('whatever terms take the place of others, every beginning finds those that are there', async (context) => {
  await withStore(async (store) => {
    const random = seededRandom('replaced terms');
    const rounds = 300;
    const letters = ['a', 'b', 'ö', '\u{1f600}'];
    const aspects = ['datasetKey', 'status', 'globalTags'];
    const stored = new Map<string, readonly string[]>();
    const termOf = (): string =>
      Array.from({ length: random.between(1, 4) }, () => random.pick(letters)).join('');
    for (let round = 0; round < rounds; round += 1) {
      // Several commands in one transaction; terms that repeat themselves, in one aspect and in several.
      await store.transact(async (transaction) => {
        for (let command = random.between(1, 3); command > 0; command -= 1) {
          const aspect = random.pick(aspects);
          const terms = Array.from({ length: random.between(0, 8) }, termOf);
          if (random.between(0, 4) === 0) stored.delete(aspect);
          else stored.set(aspect, terms);
          const entry = stored.has(aspect) ? entryOf(terms) : undefined;
          await apply(transaction, [], { searchEntries: [{ urn: orders, aspect, entry }] });
        }
      });
      const terms = [...stored.values()].flat();
      for (const first of letters) {
        for (const second of ['', ...letters]) {
          const term = first + second;
          const expected = terms.some((each) => each.startsWith(term)) ? 1 : 0;
          const found = await store.search.bearers({ term, isPrefix: true });
          assert.equal(found.length, expected, `${term} of ${terms.join(' ')}`);
          const whole = await store.search.bearers({ term, isPrefix: false });
          assert.equal(whole.length, terms.includes(term) ? 1 : 0, `${term} among ${terms.join(' ')}`);
        }
      }
      const problems = await store.integrityProblems();
      assert.deepEqual(
        problems.filter(({ problem }) => problem !== 'has an entry and no aspect'),
        [],
        `round ${round}`,
      );
    }
    figure(context, 'Search', `${rounds} replacements of terms leave every beginning found`);
  });
});
