import { readFileSync } from 'node:fs';
import { systemCaller } from '../src/auth/system-caller.ts';
import { openCatalogue } from '../src/catalogue.ts';
import { createGraphqlDoor } from '../src/graphql-door.ts';
import { parseGraphqlBody } from '../src/http/graphql-body.ts';
import { createLogger } from '../src/log/logger.ts';
import type { GrowthJob, GrowthResult } from './growth.scenario.ts';
import { addTermsMutation, datasetQuery, removeTermMutation } from './requests.ts';
import { randomNumbers } from './sample-datasets.ts';

/**
 * Reads and writes one store in this process and answers with the processor time that it took, all threads together.
 * Answers are not kept, so that every read asks the store. Every term that was added is removed again.
 */
const inFlight = 64;
const readsPerOpening = 1_000;
const [folder = '', size = '0'] = process.argv.slice(2);
const datasets = Number(size);
let current = await openCatalogue(folder);
/** The store that is open now; as if other processes wrote it too, so that no answers are kept. */
const store = new Proxy(current.store, {
  get: (_first, name) => (name === 'exclusive' ? false : Reflect.get(current.store, name)),
});
const engine = new Proxy(current.engine, { get: (_first, name) => Reflect.get(current.engine, name) });
const answer = createGraphqlDoor({
  catalogue: { store, engine },
  schemaText: readFileSync(new URL('../api/schema.graphql', import.meta.url), 'utf8'),
  log: createLogger('warn', (line) => process.stderr.write(line)),
  services: {},
  now: Date.now,
});
let random = randomNumbers(datasets);
let written = 0;

async function execute(body: string, wanted: string): Promise<void> {
  const { text } = await answer(parseGraphqlBody(body), systemCaller);
  if (!text.includes(wanted) || text.includes('"errors":'))
    throw new Error(`Not the right answer: ${text.slice(0, 300)}`);
}

async function readMany(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await execute(datasetQuery(Math.floor(random() * datasets), 'variables'), '"fieldPath"');
  }
}

/** Reads from a store that was opened just before, time and again; what opening takes is not counted. */
async function readFresh(count: number): Promise<number> {
  let microseconds = 0;
  for (let left = count; left > 0; left -= readsPerOpening) {
    await closeStore();
    current = await openCatalogue(folder);
    microseconds += (await cpuOf(readMany(readsPerOpening), 1)) / count;
  }
  return microseconds;
}

async function closeStore(): Promise<void> {
  await current.engine.idle();
  await current.store.close();
}

async function writeMany(count: number): Promise<void> {
  const first = written;
  written += count;
  const all = async (mutation: (index: number) => string, wanted: string): Promise<void> => {
    let next = first;
    const work = async (): Promise<void> => {
      while (next < first + count) await execute(mutation(next++), wanted);
    };
    await Promise.all(Array.from({ length: inFlight }, work));
  };
  await all((index) => addTermsMutation(index, datasets), '"addTerms":true');
  await all((index) => removeTermMutation(index, datasets), '"removeTerm":true');
}

async function cpuOf(work: Promise<void>, count: number): Promise<number> {
  const before = process.cpuUsage();
  await work;
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

async function run({ reads, writes }: GrowthJob): Promise<GrowthResult> {
  const startRead = performance.now();
  const read = await cpuOf(readMany(reads), reads);
  const readMs = (performance.now() - startRead) / reads;
  const fresh = await readFresh(reads);
  const startWrite = performance.now();
  const write = await cpuOf(writeMany(writes), 2 * writes);
  const writeMs = (performance.now() - startWrite) / (2 * writes);
  random = randomNumbers(Math.floor(random() * 1e9));
  return { read, fresh, write, readWall: readMs * 1_000, writeWall: writeMs * 1_000 };
}

process.on('message', (job: GrowthJob) => {
  run(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('SIGTERM', () => {
  void closeStore().then(() => process.exit(0));
});
