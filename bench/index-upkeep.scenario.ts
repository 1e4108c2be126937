import { createWriteEngine } from '../src/command/write-engine.ts';
import { randomUUID } from 'node:crypto';
import { postgresUnavailable, startPostgresServer } from '../test/postgres-server.ts';
import { systemCaller } from '../src/auth/system-caller.ts';
import { ingestProposals } from '../src/ingest/ingest-proposals.ts';
import { projections } from '../src/projections.ts';
import { openStore } from '../src/storage/open-store.ts';
import { addTerms } from '../src/term/add-terms.ts';
import { emptyScratch, proposal } from './generator.ts';
import { addableTerms, attachedTerms, termInfo, termUrn } from './sample-datasets.ts';
import type { Bench, Measurement, Scenario } from './scenario.ts';
import { searchedAspects, searchedUrn } from './searched-datasets.ts';
import { median } from './statistics.ts';

const datasetsPerWrite = 20;
const inFlight = 16;

/** Milliseconds. */
type Written = { readonly ingest: number; readonly addTerms: number };
type Times = Record<'with' | 'without', { readonly ingest: number[]; readonly addTerms: number[] }>;

/** What keeping the search index costs a write: the same engine with and without it. */
export const indexUpkeepScenario: Scenario = {
  name: 'index-upkeep',
  title: 'Writes with and without the search index',
  async run(bench) {
    const datasets = bench.isQuick ? 1_000 : 20_000;
    const measurements = await measured(bench, 'SQLite', datasets);
    if (postgresUnavailable() === false) {
      measurements.push(...(await measured(bench, 'PostgreSQL', datasets / 4)));
    }
    return {
      method:
        `The write engine on an empty store, ${datasets.toLocaleString('en')} datasets (on PostgreSQL a quarter) of seven aspects in commands of ` +
        `${datasetsPerWrite} datasets, ${inFlight} at a time, durable; then one term more for each. The same without entries of the index.`,
      measurements,
    };
  },
};

async function measured(
  bench: Bench,
  store: 'SQLite' | 'PostgreSQL',
  datasets: number,
): Promise<Measurement[]> {
  const times: Times = { with: { ingest: [], addTerms: [] }, without: { ingest: [], addTerms: [] } };
  for (let round = 0; round <= bench.rounds; round += 1) {
    for (const kind of ['with', 'without'] as const) {
      const result = await writtenTo(store, bench.data, kind === 'with', datasets);
      bench.say(`index-upkeep on ${store}: round ${round}, ${kind}: ${JSON.stringify(result)}`);
      // The first round warms up.
      if (round === 0) continue;
      times[kind].ingest.push(result.ingest);
      times[kind].addTerms.push(result.addTerms);
    }
  }
  const measurement = (what: string, of: 'ingest' | 'addTerms', per: number): Measurement => ({
    what: `${store}: ${what}`,
    value: (median(times.with[of]) * 1_000) / per,
    unit: 'µs',
    reference: { what: 'without the index', value: (median(times.without[of]) * 1_000) / per },
    ratioAs: 'times',
    target: { text: 'at most 1.6 times', of: 'ratio', atMost: 1.6 },
  });
  return [
    measurement('ingestion, by aspect', 'ingest', datasets * 7),
    measurement('addTerms', 'addTerms', datasets),
  ];
}

async function writtenTo(
  store: 'SQLite' | 'PostgreSQL',
  data: string,
  isIndexed: boolean,
  datasets: number,
): Promise<Written> {
  if (store === 'SQLite') return writeAll(emptyScratch(data), isIndexed, datasets);
  const server = await startPostgresServer();
  try {
    return await writeAll(server.url, isIndexed, datasets);
  } finally {
    await server.stop();
  }
}

async function writeAll(target: string, isIndexed: boolean, datasets: number): Promise<Written> {
  const store = await openStore(target);
  const engine = createWriteEngine({
    store,
    projections: isIndexed ? projections : { ...projections, searchEntryOf: () => undefined },
    now: Date.now,
    newId: randomUUID,
  });
  try {
    const terms = Array.from({ length: addableTerms }, (_, index) =>
      proposal(termUrn(attachedTerms + index), 'glossaryTermInfo', termInfo(attachedTerms + index)),
    );
    await engine.execute(ingestProposals, terms, systemCaller);
    // Made before, so that only writing is measured.
    const groups = Array.from({ length: datasets / datasetsPerWrite }, (_, group) =>
      Array.from({ length: datasetsPerWrite }, (__, index) => group * datasetsPerWrite + index).flatMap(
        (number) =>
          Object.entries(searchedAspects(number)).map(([aspect, body]) =>
            proposal(searchedUrn(number), aspect, body),
          ),
      ),
    );
    const ingest = await msOf(() =>
      atATime(groups, (group) => engine.execute(ingestProposals, group, systemCaller)),
    );
    const inputs = Array.from({ length: datasets }, (_, number) => ({
      termUrns: [termUrn(attachedTerms + (number % addableTerms))],
      resourceUrn: searchedUrn(number),
    }));
    const added = await msOf(() => atATime(inputs, (input) => engine.execute(addTerms, input, systemCaller)));
    return { ingest, addTerms: added };
  } finally {
    await engine.idle();
    await store.close();
  }
}

async function atATime<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
