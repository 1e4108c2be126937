import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestCatalogue } from '../../test/catalogue.ts';
import { schemaForEachTest } from '../../test/postgres-schemas.ts';
import { postgresUnavailable } from '../../test/postgres-server.ts';
import { searchEntryOf } from '../search-index/search-entry-of.ts';
import { rebuildIndex } from '../search-index/rebuild-index.ts';
import { openPostgresStore } from '../storage/postgres/postgres-aspect-store.ts';
import { createSearchEngine } from './create-search-engine.ts';
import { createRebuildNotice } from './notice-rebuilds.ts';

describe('an index that another process made anew', { skip: postgresUnavailable() }, () => {
  const database = schemaForEachTest('rebuilds');

  test('is searched as it is now, and not as it was read before', async () => {
    await using catalogue = await openTestCatalogue({ store: await openPostgresStore(database.url) });
    await catalogue.seed('urn:li:tag:gold', { tagProperties: { name: 'Gold' } });
    await database.admin.unsafe(
      'DELETE FROM search_entry; DELETE FROM search_bearer; DELETE FROM search_few',
    );
    const store = await openPostgresStore(database.url);
    try {
      const total = async (engine: ReturnType<typeof createSearchEngine>, text: string): Promise<number> =>
        (await engine.search({ text, start: 0, count: 1 }, catalogue.admin)).total;
      const asking = createSearchEngine({ store, rebuildsAskedEveryMs: 0 });
      const seldom = createSearchEngine({ store, rebuildsAskedEveryMs: 3_600_000 });
      const told = createSearchEngine({ store, rebuildsAskedEveryMs: 3_600_000 });
      const engines = [asking, seldom, told];
      for (const engine of engines) assert.equal(await total(engine, '*'), 0, 'nothing is left in the index');
      await rebuildIndex(catalogue.store.search, { entryOf: searchEntryOf, milliseconds: 10 });
      told.forget();
      assert.deepEqual(await Promise.all(engines.map((engine) => total(engine, '*'))), [1, 0, 1]);
      assert.deepEqual(await Promise.all([asking, told].map((engine) => total(engine, 'gold'))), [1, 1]);
    } finally {
      await store.close();
    }
  });
});

test('whether an index was made anew is asked once in a while, by one of all who want to know', async () => {
  let [rebuilds, asked, told] = [4, 0, 0];
  const index = {
    async rebuilds() {
      asked += 1;
      return rebuilds;
    },
  };
  const often = createRebuildNotice(index, () => (told += 1), 0);
  await Promise.all([often.look(), often.look()]);
  assert.deepEqual([asked, told], [1, 0], 'what there was before is read anyway');
  rebuilds = 5;
  await often.look();
  await often.look();
  assert.deepEqual([asked, told], [3, 1]);
  rebuilds = 6;
  often.forget();
  await often.look();
  assert.deepEqual([asked, told], [4, 1], 'whoever forgets everything need not be told');
  const seldom = createRebuildNotice(index, () => (told += 1), 3_600_000);
  await seldom.look();
  rebuilds = 7;
  await seldom.look();
  assert.deepEqual([asked, told], [5, 1]);
});
