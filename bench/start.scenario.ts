import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { ask } from './ask.ts';
import { type ServerProcess, startPostil, startServer } from './child-process.ts';
import { emptyScratch, generatedStore } from './generator.ts';
import { datasetQuery } from './requests.ts';
import type { Bench, Measurement, Scenario } from './scenario.ts';
import { median } from './statistics.ts';

const columns = 50;

/** Milliseconds from the start of the process. */
type Start = { readonly health: number; readonly graphql: number };

/** From the start of the process to its first answers, from source. */
export const startScenario: Scenario = {
  name: 'start',
  title: 'Start to the first answer of /health, from source',
  async run(bench) {
    const datasets = bench.isQuick ? 20_000 : 200_000;
    const stored = await generatedStore(bench.data, { datasets, columns }, bench.say);
    const empty = emptyScratch(bench.data);
    const caches = mkdtempSync(join(bench.data, 'compile-cache-'));
    const warmCache = join(caches, 'warm');
    let colds = 0;
    const coldCache = (): string => join(caches, `cold-${(colds += 1)}`);
    const shown = `${datasets.toLocaleString('en')} datasets`;
    const candidates = [
      { what: 'empty store', store: empty, cache: () => warmCache, limit: 500 },
      { what: shown, store: stored, cache: () => warmCache, limit: 1_000 },
      { what: 'empty store, nothing compiled before', store: empty, cache: coldCache, limit: undefined },
      { what: `${shown}, nothing compiled before`, store: stored, cache: coldCache, limit: undefined },
    ];
    const starts = candidates.map((): Start[] => []);
    const bare: number[] = [];
    const answerFile = import.meta.filename;
    try {
      // The first start makes the store, fills the cache of compiled code, and is not counted.
      await timeStart(bench, empty, warmCache);
      await timeStart(bench, stored, warmCache);
      for (let round = 1; round <= bench.rounds; round += 1) {
        bare.push(await timeBare(answerFile));
        for (const [index, { store, cache }] of candidates.entries()) {
          starts[index]?.push(await timeStart(bench, store, cache()));
        }
        bench.say(`start: round ${round}, ${Math.round(starts[0]?.at(-1)?.health ?? 0)} ms`);
      }
    } finally {
      rmSync(caches, { recursive: true, force: true });
    }
    const bound = median(bare);
    const measurements = candidates.map(({ what, limit }, index): Measurement => {
      const of = starts[index] ?? [];
      const graphql = median(of.map((start) => start.graphql));
      return {
        what,
        value: median(of.map(({ health }) => health)),
        unit: 'ms',
        reference: { what: 'a bare node:http server', value: bound },
        ...(limit === undefined ? {} : { target: { text: `under ${limit} ms`, of: 'value', atMost: limit } }),
        notes: `first GraphQL answer after ${Math.round(graphql)} ms`,
      };
    });
    return {
      method:
        'From the start of the process `node src/main.ts serve` to the first answer of /health, and on to the first answer to ' +
        "the specification's query. The compile cache of Node.js is filled by one start before, or empty where it says so. " +
        'The files are in the memory of the operating system. Not pinned to a processor.',
      measurements,
    };
  },
};

async function timeStart(bench: Bench, store: string, cache: string): Promise<Start> {
  mkdirSync(cache, { recursive: true });
  const start = performance.now();
  const server = await startPostil(store, bench, {
    processor: 'any',
    environment: { NODE_COMPILE_CACHE: cache },
  });
  try {
    await health(server);
    const afterHealth = performance.now() - start;
    await ask(server, datasetQuery(0, 'variables'));
    return { health: afterHealth, graphql: performance.now() - start };
  } finally {
    await server.stop();
  }
}

async function timeBare(file: string): Promise<number> {
  const start = performance.now();
  const server = await startServer('bare-server.ts', [file], { processor: 'any' });
  try {
    await health(server);
    return performance.now() - start;
  } finally {
    await server.stop();
  }
}

/** Resolves with the first answer. Throws unless its status is 200. */
export function health({ port }: ServerProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/health', agent: false }, (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`/health answered ${response.statusCode}`));
      });
    }).on('error', reject);
  });
}
