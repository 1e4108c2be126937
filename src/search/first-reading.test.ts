import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import { schemaForEachTest } from '../../test/postgres-schemas.ts';
import { postgresUnavailable } from '../../test/postgres-server.ts';
import { PostilError } from '../errors/postil-error.ts';
import { openPostgresStore } from '../storage/postgres/postgres-aspect-store.ts';
import { createSearchEngine } from './create-search-engine.ts';
import { type HaltedScan, haltedScan } from './halted-scan.fixture.ts';
import type { LazySearchEngine } from './lazy-search-engine.ts';
import type { SearchPage, SearchQuery } from './search-engine.ts';

const dataset = (n: number): string => `urn:li:dataset:(urn:li:dataPlatform:hive,shop.t${n},PROD)`;
const datasets = 40;
const pii = 'urn:li:tag:pii';
const query: SearchQuery = {
  text: '*',
  types: ['dataset'],
  start: 0,
  count: 100,
  facets: ['tags', 'removed', 'hasDescription'],
};

async function filled(open: () => Promise<TestCatalogue>): Promise<TestCatalogue> {
  const catalogue = await open();
  for (let n = 0; n < datasets; n += 1) {
    await catalogue.seed(dataset(n), {
      datasetProperties: { name: `t${n}`, ...(n % 2 === 0 ? { description: 'said' } : {}) },
      ...(n % 3 === 0 ? { globalTags: { tags: [{ tag: pii }] } } : {}),
    });
  }
  return catalogue;
}

type Halted = HaltedScan<TestCatalogue['store']> & {
  readonly engine: LazySearchEngine;
  search(): Promise<SearchPage>;
};

function engineOn(
  catalogue: TestCatalogue,
  options: { readonly failFirst?: Error; readonly readingPatienceMs?: number } = {},
): Halted {
  const halted = haltedScan(catalogue.store, options.failFirst);
  const engine = createSearchEngine({
    ...options,
    store: halted.store,
    onCommit: (listener) => catalogue.engine.onCommit(listener),
  });
  return { ...halted, engine, search: () => engine.search(query, catalogue.admin) };
}

function firstReadingTests(open: () => Promise<TestCatalogue>): void {
  test('a search during the reading waits for it and sees what was committed before it was asked', async () => {
    await using catalogue = await filled(open);
    const { engine, search, isHalted, goOn, scans } = engineOn(catalogue);
    const reading = engine.prepare();
    await isHalted;
    // Of what was read, and of what was not.
    for (const n of [0, datasets - 1]) {
      await catalogue.seed(dataset(n), { globalTags: { tags: [{ tag: 'urn:li:tag:new' }] } });
    }
    for (const n of [1, datasets - 2]) await catalogue.seed(dataset(n), { status: { removed: true } });
    await catalogue.seed(dataset(datasets), { datasetProperties: { name: 'new' } });
    const asked = [search(), search(), engine.prepare()] as const;
    goOn();
    const [first, second] = await Promise.all(asked);
    await reading;
    const expected = await createSearchEngine({ store: catalogue.store }).search(query, catalogue.admin);
    assert.deepEqual(first, expected);
    assert.deepEqual(second, expected);
    assert.equal(first.total, datasets - 1);
    const tags = first.facets[0]?.counts.find(({ value }) => value === 'urn:li:tag:new');
    assert.equal(tags?.count, 2);
    assert.equal(scans(), 1, 'all of them share one reading');
  });

  test('who waits too long is told how far the reading is and when to come again, and it goes on', async () => {
    await using catalogue = await filled(open);
    const { engine, search, isHalted, goOn, scans } = engineOn(catalogue, { readingPatienceMs: 20 });
    const reading = engine.prepare();
    await isHalted;
    for (const refused of [search(), search()]) {
      await assert.rejects(refused, (error: unknown) => {
        assert.ok(error instanceof PostilError);
        assert.equal(error.code, 'OVERLOADED');
        assert.match(
          error.message,
          /^The search index is being read into memory: \d\d? % of about \d+ entities\. Try again in about \d+ seconds?\.$/,
        );
        assert.ok((error.retryAfterSeconds ?? 0) >= 1);
        return true;
      });
    }
    goOn();
    await reading;
    assert.equal((await search()).total, datasets);
    assert.equal(scans(), 1);
  });

  test('what is damaged is told to whoever searches, and the next search tries again', async () => {
    await using catalogue = await filled(open);
    const failFirst = new PostilError('CORRUPT_ASPECT', 'The search entry of status is damaged');
    const { engine, search, goOn, scans } = engineOn(catalogue, { failFirst });
    goOn();
    await assert.rejects(engine.prepare(), failFirst);
    assert.equal((await search()).total, datasets);
    assert.equal(scans(), 2);
  });

  test('when it is stopped, the reading ends, who waits is told so, and nothing is read any more', async () => {
    await using catalogue = await filled(open);
    const { engine, search, isHalted, goOn, scans } = engineOn(catalogue);
    const stopped = { code: 'OVERLOADED', message: 'The server is shutting down. Try again when it runs.' };
    const refusals = [engine.prepare(), search()].map((asked) => assert.rejects(asked, stopped));
    await isHalted;
    const end = engine.stop();
    goOn();
    await end;
    await Promise.all(refusals);
    await assert.rejects(search(), stopped);
    assert.equal(scans(), 1);
  });
}

describe('the first reading of an embedded store', () => {
  firstReadingTests(() => openTestCatalogue());
});

describe('the first reading of a shared store', { skip: postgresUnavailable() }, () => {
  const database = schemaForEachTest('reading');
  firstReadingTests(async () => openTestCatalogue({ store: await openPostgresStore(database.url) }));
});
