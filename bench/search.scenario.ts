import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresUnavailable, startPostgresServer } from '../test/postgres-server.ts';
import { openCatalogue } from '../src/catalogue.ts';
import { ask } from './ask.ts';
import { type ServerProcess, startPostil, startServer } from './child-process.ts';
import { fillSearched, searchedStore, searchedText, typedTexts } from './searched-datasets.ts';
import type { Bench, Measurement, Scenario, ScenarioResult } from './scenario.ts';
import { quantile } from './statistics.ts';

const searchQuery = `query ($query: String!) { searchAcrossEntities(input: {query: $query, count: 10}) {
  total searchResults { entity { urn type } matchedFields { name value } } facets { field aggregations { value count } } } }`;
const completionQuery = `query ($query: String!) { autoComplete(input: {type: DATASET, query: $query, limit: 10}) {
  suggestions entities { urn } } }`;

/** What people wait for: pages of search with facets, and completion while they type. */
export const searchScenario: Scenario = {
  name: 'search',
  title: 'Search with facets, and completion',
  run: (bench) => searchedOnBoth(bench, bench.isQuick ? 5_000 : 200_000),
};

/** The same where the catalogue is as large as it is meant to become. */
export const searchMillionScenario: Scenario = {
  name: 'search-million',
  title: 'Search and completion among a million entities',
  run: (bench) => searchedOnBoth(bench, bench.isQuick ? 10_000 : 1_000_000),
};

async function searchedOnBoth(
  bench: Bench,
  datasets: number,
): Promise<Pick<ScenarioResult, 'method' | 'measurements'>> {
  const folder = await searchedStore(bench.data, datasets, bench.say);
  const measurements = [...(await measured(bench, 'SQLite', folder, datasets))];
  const missing = postgresUnavailable();
  if (missing !== false) bench.say(`search: not on PostgreSQL: ${missing}`);
  else {
    const server = await startPostgresServer();
    try {
      const catalogue = await openCatalogue(server.url);
      await fillSearched(catalogue, datasets, bench.say);
      await catalogue.engine.idle();
      await catalogue.store.close();
      measurements.push(...(await measured(bench, 'PostgreSQL', server.url, datasets)));
    } finally {
      await server.stop();
    }
  }
  return {
    method:
      'Datasets with 5 columns, texts of 20,000 words that are as unevenly frequent as those of a language. Searches of one to three words, ' +
      'half of them what tells a dataset apart, a third whole names, a fifth words of running text; first page of ten with ' +
      'matched fields and all usual facets. Completion after each letter of a name. One request after another over HTTP, ' +
      'the server in a process of its own; a search that waits for the first reading of all fields is not counted. Beside it the same ' +
      'answer from a bare node:http server.',
    measurements,
  };
}

async function measured(
  bench: Bench,
  store: string,
  location: string,
  datasets: number,
): Promise<readonly Measurement[]> {
  const count = bench.isQuick ? 200 : 2_000;
  const postil = await startPostil(location, bench);
  try {
    const start = performance.now();
    const first = await firstAnswer(postil, searchBody(searchedText(0, datasets)));
    bench.say(
      `search: ${store}, ${datasets} datasets: the first search took ${Math.round(performance.now() - start)} ms`,
    );
    const answerFile = join(bench.data, 'search-answer.json');
    writeFileSync(answerFile, first);
    const bare = await startServer('bare-server.ts', [answerFile]);
    const texts = Array.from({ length: count }, (_, index) => searchedText(index + 1, datasets));
    const typed = Array.from({ length: count / 10 }, (_, index) => typedTexts(index, datasets)).flat();
    let searches: Times;
    let completions: Times;
    let floor: Times;
    try {
      await timesOf(postil, texts.slice(0, count / 10).map(searchBody), '"total"');
      searches = await timesOf(postil, texts.map(searchBody), '"total"');
      completions = await timesOf(postil, typed.map(completionBody), '"suggestions"');
      floor = await timesOf(bare, texts.map(searchBody), '"total"');
    } finally {
      await bare.stop();
    }
    const all = datasets.toLocaleString('en');
    const isLarge = datasets > 200_000;
    const memory = postil.residentMebibytes();
    const reference = { what: 'bare node:http', value: floor.p50 };
    return [
      {
        what: `${store}: search at ${all}, median`,
        value: searches.p50,
        unit: 'ms',
        reference,
        ...(isLarge ? {} : { target: { text: 'under 10 ms', of: 'value', atMost: 10 } }),
        ...(memory === undefined ? {} : { notes: `${Math.round(memory)} MiB resident` }),
      },
      {
        what: `${store}: search at ${all}, 99th percentile`,
        value: searches.p99,
        unit: 'ms',
        reference: { what: 'bare node:http', value: floor.p99 },
        target: isLarge
          ? { text: 'under 150 ms', of: 'value', atMost: 150 }
          : { text: 'under 50 ms', of: 'value', atMost: 50 },
        notes: `slowest ${searches.max.toFixed(0)} ms`,
      },
      {
        what: `${store}: completion per key at ${all}, 99th percentile`,
        value: completions.p99,
        unit: 'ms',
        reference: { what: 'bare node:http', value: floor.p99 },
        ...(isLarge ? {} : { target: { text: 'under 15 ms', of: 'value', atMost: 15 } }),
        notes: `median ${completions.p50.toFixed(2)} ms`,
      },
    ];
  } finally {
    await postil.stop();
  }
}

/** Whoever asks before all fields were read is told to come back when that takes longer than a request may. */
async function firstAnswer(server: ServerProcess, body: string): Promise<string> {
  for (let tries = 0; tries < 30; tries += 1) {
    const text = await ask(server, body);
    if (!text.includes('"errors":')) return text;
  }
  throw new Error(`The fields were not read in time: ${body}`);
}

type Times = { readonly p50: number; readonly p99: number; readonly max: number };

async function timesOf(server: ServerProcess, bodies: readonly string[], wanted: string): Promise<Times> {
  const times: number[] = [];
  for (const body of bodies) {
    const start = performance.now();
    const text = await ask(server, body);
    times.push(performance.now() - start);
    if (!text.includes(wanted) || text.includes('"errors":'))
      throw new Error(`Not the right answer: ${text.slice(0, 300)}`);
  }
  times.sort((left, right) => left - right);
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), max: times.at(-1) ?? 0 };
}

function searchBody(query: string): string {
  return JSON.stringify({ query: searchQuery, variables: { query } });
}

function completionBody(query: string): string {
  return JSON.stringify({ query: completionQuery, variables: { query } });
}
