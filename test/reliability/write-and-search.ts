import assert from 'node:assert/strict';
import { parentPort, workerData } from 'node:worker_threads';
import type { JsonObject } from '../../src/aspect/json.ts';
import type { Command } from '../../src/command/command.ts';
import { createSearchEngine } from '../../src/search/create-search-engine.ts';
import type { SearchEngine, SearchQuery } from '../../src/search/search-engine.ts';
import { openPostgresStore } from '../../src/storage/postgres/postgres-aspect-store.ts';
import { parseUrn, type Urn } from '../../src/urn/urn.ts';
import { openTestCatalogue, type TestCatalogue } from '../catalogue.ts';
import { seededRandom } from './seeded-random.ts';

/* A thread that writes at random, and asks for everything that was written in the next request. */

export type WritesAndSearches = {
  /** Of a database of PostgreSQL; absent: a new embedded store. */
  readonly url: string | undefined;
  readonly writes: number;
  readonly seed: number;
};

/** What the thread posts at its end; a miss ends it with an error. */
export type SearchesDone = { readonly engines: number; readonly questions: number };

const workerCount = 16;
const datasetsOfWorker = 20;
/** So many requests may one worker have under way, each for another dataset. */
const writesAtOnceMax = 8;

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

type Load = {
  readonly catalogue: TestCatalogue;
  readonly engines: readonly SearchEngine[];
  /** Takes up to so many of the writes that are left. */
  take(count: number): number;
  asked(): void;
};

/** Each write is a request of its own. Once it is answered, every engine is asked for it at once: a search, a count and a list. */
async function work({ catalogue, engines, take, asked }: Load, worker: string): Promise<void> {
  const { engine, admin } = catalogue;
  const random = seededRandom(`search consistency ${worker}`);
  const tag = `urn:li:tag:${worker}`;
  let names = 0;
  const datasets = Array.from({ length: datasetsOfWorker }, (_, index) => ({
    urn: parseUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,${worker}.d${index},PROD)`),
    known: { name: undefined, isTagged: false, isRemoved: false } as Known,
  }));

  function next(urn: Urn, known: Known): Writes {
    const key = { urn, aspect: 'datasetKey', body: keyBody(urn) };
    if (known.name === undefined || random.between(0, 3) === 0) {
      names += 1;
      known.name = `named${worker}x${names}`;
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

  async function search(searching: SearchEngine, urn: Urn, known: Known, before: string | undefined) {
    const text = `${known.name ?? before ?? 'never'} `;
    const found = await ask(searching, { text, withoutMatches: true });
    assert.deepEqual(
      found.hits.map((hit) => hit.urn),
      isShown(known) ? [urn] : [],
      `a search for ${text}`,
    );
  }

  async function count(searching: SearchEngine) {
    const tagged = datasets.filter(({ known }) => isShown(known) && known.isTagged).length;
    const filter = [[{ field: 'tags', values: [tag], condition: 'EQUAL', negated: false }]] as const;
    const counted = await ask(searching, { filter, count: 0, facets: ['tags'] });
    assert.equal(counted.total, tagged, `the count of ${tag}`);
    assert.equal(counted.facets[0]?.counts[0]?.count ?? 0, tagged, `the facet of ${tag}`);
  }

  async function list(searching: SearchEngine) {
    const shown = datasets.filter(({ known }) => isShown(known));
    const listed = await ask(searching, { text: worker, withoutMatches: true });
    assert.deepEqual(
      listed.hits.map((hit) => hit.urn).toSorted(),
      shown.map(({ urn }) => urn).toSorted(),
      `the list of ${worker}`,
    );
  }

  function ask(searching: SearchEngine, query: Partial<SearchQuery>) {
    asked();
    return searching.search({ text: '*', start: 0, count: 100, facets: [], ...query }, admin);
  }

  for (;;) {
    const wanted = random.between(1, writesAtOnceMax);
    const chosen = [...new Set(Array.from({ length: wanted }, () => random.pick(datasets)))];
    const written = chosen.slice(0, take(chosen.length)).map(({ urn, known }) => ({
      urn,
      known,
      before: known.name,
      writes: next(urn, known),
    }));
    if (written.length === 0) return;
    await Promise.all(written.map(({ writes }) => engine.execute(write, writes, admin)));
    await Promise.all(
      engines.flatMap((searching) => [
        ...written.map(({ urn, known, before }) => search(searching, urn, known, before)),
        count(searching),
        list(searching),
      ]),
    );
  }
}

function keyBody(urn: Urn): JsonObject {
  const name = /hive,(.*),PROD/.exec(urn)?.[1] ?? '';
  return { platform: 'urn:li:dataPlatform:hive', name, origin: 'PROD' };
}

async function workAll(
  catalogue: TestCatalogue,
  engines: readonly SearchEngine[],
  writes: number,
): Promise<SearchesDone> {
  let left = writes;
  let questions = 0;
  const load: Load = {
    catalogue,
    engines,
    take(count) {
      const taken = Math.min(count, left);
      left -= taken;
      return taken;
    },
    asked() {
      questions += 1;
    },
  };
  await Promise.all(
    Array.from({ length: workerCount }, (_, index) =>
      work(load, `worker${String.fromCodePoint(97 + index)}`),
    ),
  );
  return { engines: engines.length, questions };
}

async function run({ url, writes }: WritesAndSearches): Promise<SearchesDone> {
  if (url === undefined) {
    await using catalogue = await openTestCatalogue();
    const { store, engine } = catalogue;
    // One process has it, so all connections ask one engine.
    const searching = createSearchEngine({ store, onCommit: (listener) => engine.onCommit(listener) });
    return await workAll(catalogue, [searching], writes);
  }
  await using catalogue = await openTestCatalogue({ store: await openPostgresStore(url) });
  const other = await openPostgresStore(url);
  try {
    const engines = [catalogue.store, other].map((store) => createSearchEngine({ store }));
    return await workAll(catalogue, engines, writes);
  } finally {
    await other.close();
  }
}

parentPort?.postMessage(await run(workerData as WritesAndSearches));
