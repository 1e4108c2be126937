import { describe, test, type TestContext } from 'node:test';
import { schemaForEachTest } from '../postgres-schemas.ts';
import { postgresUnavailable } from '../postgres-server.ts';
import { inThread } from './in-thread.ts';
import { figure, seed } from './seeded-random.ts';
import type { SearchesDone, WritesAndSearches } from './write-and-search.ts';

const writes = 100_000;

async function writeAndSearch(context: TestContext, url?: string): Promise<void> {
  const { engines, questions } = await inThread<WritesAndSearches, SearchesDone>('write-and-search.ts', {
    url,
    writes,
    seed,
  });
  figure(
    context,
    'R08',
    `${writes} writes, each searched, counted and listed at once by ${engines} engine(s): 0 misses of ${questions}`,
  );
}

test('R08: whoever has the answer to a write finds, counts and lists it, in an embedded store', async (context) => {
  await writeAndSearch(context);
});

describe('R08: a shared store', { skip: postgresUnavailable() }, () => {
  const database = schemaForEachTest('consistency');

  test('whoever has the answer to a write finds, counts and lists it, on every connection', async (context) => {
    await writeAndSearch(context, database.url);
  });
});
