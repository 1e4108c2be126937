import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { JsonObject } from '../../src/aspect/json.ts';
import type { Command } from '../../src/command/command.ts';
import { createSearchEngine } from '../../src/search/create-search-engine.ts';
import type { SearchEngine, SearchQuery } from '../../src/search/search-engine.ts';
import { openPostgresStore } from '../../src/storage/postgres/postgres-aspect-store.ts';
import { parseUrn, type Urn } from '../../src/urn/urn.ts';
import { openTestCatalogue, type TestCatalogue } from '../catalogue.ts';
import { schemaForEachTest } from '../postgres-schemas.ts';
import { postgresUnavailable } from '../postgres-server.ts';
import { figure, seededRandom } from './seeded-random.ts';

const embeddedWrites = 100_000;
/** Each question is several journeys to the server. */
const sharedWrites = 10_000;
const workerCount = 16;
const datasetsOfWorker = 20;

type Writes = readonly {
  readonly urn: Urn;
  readonly aspect: string;
  readonly body: JsonObject | undefined;
}[];

const write: Command<Writes, true> = {
  name: 'writeAspects',
  demands: () => [],
  decide: async (_view, writes) => ({ writes, result: true }),
};

/** What one of several that write at once knows of its datasets; nobody else writes them. */
type Known = { name: string | undefined; isTagged: boolean; isRemoved: boolean };

/** Each write is followed at once by a search, a count and a list on every engine. */
async function work(
  { engine, admin }: TestCatalogue,
  engines: readonly SearchEngine[],
  worker: string,
  mayGoOn: () => boolean,
): Promise<void> {
  const random = seededRandom(`search consistency ${worker}`);
  const tag = `urn:li:tag:${worker}`;
  const datasets = Array.from({ length: datasetsOfWorker }, (_, index) => ({
    urn: parseUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,${worker}.d${index},PROD)`),
    known: { name: undefined, isTagged: false, isRemoved: false } as Known,
  }));

  function next(urn: Urn, known: Known, turn: number): Writes {
    const key = { urn, aspect: 'datasetKey', body: keyBody(urn) };
    if (known.name === undefined || random.between(0, 3) === 0) {
      known.name = `named${worker}x${turn}`;
      return [key, { urn, aspect: 'datasetProperties', body: { name: known.name, customProperties: {} } }];
    }
    switch (random.between(0, 4)) {
      case 0:
        Object.assign(known, { name: undefined, isTagged: false, isRemoved: false });
        return [{ ...key, body: undefined }];
      case 1:
        known.isRemoved = !known.isRemoved;
        return [{ urn, aspect: 'status', body: { removed: known.isRemoved } }];
      default:
        known.isTagged = !known.isTagged;
        return [{ urn, aspect: 'globalTags', body: { tags: known.isTagged ? [{ tag }] : [] } }];
    }
  }

  const isShown = ({ name, isRemoved }: Known): boolean => name !== undefined && !isRemoved;
  for (let turn = 0; mayGoOn(); turn += 1) {
    const { urn, known } = random.pick(datasets);
    const before = known.name;
    await engine.execute(write, next(urn, known, turn), admin);
    const tagged = datasets.filter((each) => isShown(each.known) && each.known.isTagged);
    const shown = datasets.filter((each) => isShown(each.known));
    for (const searching of engines) {
      const ask = async (query: Partial<SearchQuery>) =>
        searching.search({ text: '*', start: 0, count: 100, facets: [], ...query }, admin);
      const text = `${known.name ?? before ?? 'never'} `;
      const found = await ask({ text, withoutMatches: true });
      assert.deepEqual(
        found.hits.map((hit) => hit.urn),
        isShown(known) ? [urn] : [],
        `a search for ${text}`,
      );
      const filter = [[{ field: 'tags', values: [tag], condition: 'EQUAL', negated: false }]] as const;
      const counted = await ask({ filter, count: 0, facets: ['tags'] });
      assert.equal(counted.total, tagged.length, `the count of ${tag}`);
      assert.equal(counted.facets[0]?.counts[0]?.count ?? 0, tagged.length, `the facet of ${tag}`);
      const listed = await ask({ text: worker, withoutMatches: true });
      assert.deepEqual(
        listed.hits.map((hit) => hit.urn).toSorted(),
        shown.map((each) => each.urn).toSorted(),
        `the list of ${worker}`,
      );
    }
  }
}

function keyBody(urn: Urn): JsonObject {
  const name = /hive,(.*),PROD/.exec(urn)?.[1] ?? '';
  return { platform: 'urn:li:dataPlatform:hive', name, origin: 'PROD' };
}

async function writeAndSearch(
  context: TestContext,
  catalogue: TestCatalogue,
  engines: readonly SearchEngine[],
  writesMin: number,
): Promise<void> {
  let writes = 0;
  const mayGoOn = (): boolean => {
    writes += 1;
    return writes <= writesMin;
  };
  const workers = Array.from(
    { length: workerCount },
    (_, index) => `worker${String.fromCodePoint(97 + index)}`,
  );
  await Promise.all(workers.map((worker) => work(catalogue, engines, worker, mayGoOn)));
  const questions = writesMin * engines.length * 3;
  figure(
    context,
    'R08',
    `${writesMin} writes, each searched, counted and listed at once by ${engines.length} engine(s): 0 misses of ${questions}`,
  );
}

test('R08: whoever has the answer to a write finds, counts and lists it, in an embedded store', async (context) => {
  await using catalogue = await openTestCatalogue();
  const { store, engine } = catalogue;
  // One process has it, so all connections ask one engine.
  const searching = createSearchEngine({ store, onCommit: (listener) => engine.onCommit(listener) });
  await writeAndSearch(context, catalogue, [searching], embeddedWrites);
});

describe('R08: a shared store', { skip: postgresUnavailable() }, () => {
  const database = schemaForEachTest('consistency');

  test('whoever has the answer to a write finds, counts and lists it, on every connection', async (context) => {
    await using catalogue = await openTestCatalogue({ store: await openPostgresStore(database.url) });
    const other = await openPostgresStore(database.url);
    try {
      const engines = [catalogue.store, other].map((store) => createSearchEngine({ store }));
      await writeAndSearch(context, catalogue, engines, sharedWrites);
    } finally {
      await other.close();
    }
  });
});
