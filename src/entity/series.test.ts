import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestCatalogue } from '../../test/catalogue.ts';
import type { TestCatalogue } from '../../test/catalogue.ts';
import { parseUrn } from '../urn/urn.ts';
import { readSeries } from './series.ts';
import type { SeriesQuery } from './series.ts';

const dataset = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)');

/** The row counts of the profiles that are read, and how many versions that took besides the latest. */
async function rowCounts(
  { store }: TestCatalogue,
  query: SeriesQuery,
): Promise<{ readonly found: readonly unknown[] | undefined; readonly reads: number }> {
  let reads = 0;
  const source = {
    load: async () => (await store.read(dataset, ['datasetProfile'])).get('datasetProfile'),
    reader: {
      readVersion: (...args: Parameters<typeof store.readVersion>) => {
        reads += 1;
        return store.readVersion(...args);
      },
    },
  };
  const series = await readSeries(source, dataset, 'datasetProfile', query);
  return { found: series?.map(({ body }) => body['rowCount']), reads };
}

async function seedProfiles(catalogue: TestCatalogue, times: readonly number[]): Promise<void> {
  for (const timestampMillis of times) {
    await catalogue.seed(dataset, { datasetProfile: { timestampMillis, rowCount: timestampMillis } });
  }
}

test('of a long series only as much is read as can be wanted', async () => {
  await using catalogue = await openTestCatalogue();
  await seedProfiles(
    catalogue,
    Array.from({ length: 300 }, (_, index) => index + 1),
  );
  assert.deepEqual(await rowCounts(catalogue, { limit: 2 }), { found: [300, 299], reads: 100 });
  assert.deepEqual(await rowCounts(catalogue, { startTimeMillis: 298 }), {
    found: [300, 299, 298],
    reads: 100,
  });
  assert.deepEqual(await rowCounts(catalogue, { limit: 0 }), { found: [], reads: 50 });
  const all = await rowCounts(catalogue, {});
  assert.equal(all.found?.length, 300);
  const rare = await rowCounts(catalogue, {
    limit: 1,
    filter: { and: [{ field: 'rowCount', values: ['7'] }] },
  });
  assert.deepEqual(rare, { found: [7], reads: 299 });
});

test('a measurement that came late is given in its place', async () => {
  await using catalogue = await openTestCatalogue();
  await seedProfiles(catalogue, [...Array.from({ length: 120 }, (_, index) => index + 100), 5, 50]);
  assert.deepEqual((await rowCounts(catalogue, { limit: 2 })).found, [219, 218]);
  assert.deepEqual((await rowCounts(catalogue, { endTimeMillis: 60 })).found, [50, 5]);
});

test('a series that was never written is undefined', async () => {
  await using catalogue = await openTestCatalogue();
  assert.deepEqual(await rowCounts(catalogue, {}), { found: undefined, reads: 0 });
});
