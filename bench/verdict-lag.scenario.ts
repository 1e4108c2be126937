import { ask } from './ask.ts';
import { type ServerProcess, startPostil } from './child-process.ts';
import { scratchCopy } from './generator.ts';
import { datasetUrn } from './sample-datasets.ts';
import type { Scenario } from './scenario.ts';
import { quantile } from './statistics.ts';
import { keptVerdicts } from './kept-verdicts.ts';

const tests = 50;
const columns = 20;
const changesPerSecond = 200;
/** One change in so many is watched until its verdict is seen. */
const watchedEvery = 10;
const pollMs = 5;
/** Asks for an edited or ingested description of a length that every edit here makes or breaks. */
const watchedTest = 'urn:li:test:generated-4';

/** From the answer to a write until its verdict is read through GraphQL, while writes go on arriving. */
export const verdictLagScenario: Scenario = {
  name: 'verdict-lag',
  title: `From a write to its visible verdict, ${changesPerSecond} changes per second, ${tests} tests`,
  async run(bench) {
    const datasets = bench.isQuick ? 5_000 : 100_000;
    const seconds = bench.isQuick ? 5 : 60;
    const generated = await keptVerdicts(bench.data, { datasets, columns, tests }, bench.say);
    const server = await startPostil(scratchCopy(bench.data, generated), bench);
    try {
      await change(server, 0, true);
      const lags = await changeAndWatch(server, datasets, seconds * changesPerSecond, bench.say);
      const sorted = Float64Array.from(lags.verdicts).sort();
      const reads = Float64Array.from(lags.writes).sort();
      const reference = (share: number): { what: string; value: number } => ({
        what: 'the answer to the write itself',
        value: quantile(reads, share),
      });
      return {
        method:
          `updateDescription on random ones of ${datasets.toLocaleString('en')} datasets with ${columns} columns for ` +
          `${seconds} s, each edit turning the verdict of one test; every ${watchedEvery}th is watched: its testResults are ` +
          `read every ${pollMs} ms from the answer on. Kept up to date are the verdicts of ${tests} tests.`,
        measurements: [
          {
            what: 'median',
            value: quantile(sorted, 0.5),
            unit: 'ms',
            reference: reference(0.5),
            target: { text: 'under 100 ms', of: 'value', atMost: 100 },
            notes: `${sorted.length} changes were watched`,
          },
          {
            what: '99th percentile',
            value: quantile(sorted, 0.99),
            unit: 'ms',
            reference: reference(0.99),
            target: { text: 'under 1 s', of: 'value', atMost: 1_000 },
            notes: `longest ${quantile(sorted, 1).toFixed(0)} ms`,
          },
        ],
      };
    } finally {
      await server.stop();
    }
  },
};

type Lags = { readonly verdicts: readonly number[]; readonly writes: readonly number[] };

async function changeAndWatch(
  server: ServerProcess,
  datasets: number,
  count: number,
  say: (text: string) => void,
): Promise<Lags> {
  const verdicts: number[] = [];
  const writes: number[] = [];
  const pending: Promise<void>[] = [];
  const start = performance.now();
  for (let number = 0; number < count; number += 1) {
    const due = start + (number * 1_000) / changesPerSecond;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    // 7919 is prime: every dataset once, far from the one before.
    const dataset = (number * 7_919 + 1) % datasets;
    const isGood = Math.floor(number / datasets) % 2 === 0 ? dataset % 2 === 0 : dataset % 2 !== 0;
    pending.push(
      (async () => {
        const sent = performance.now();
        await change(server, dataset, isGood);
        const answered = performance.now();
        writes.push(answered - sent);
        if (number % watchedEvery !== 0) return;
        await untilSeen(server, dataset, isGood);
        verdicts.push(performance.now() - answered);
      })(),
    );
    if (number % (changesPerSecond * 10) === 0) say(`verdict-lag: ${number} of ${count} changes`);
  }
  await Promise.all(pending);
  return { verdicts, writes };
}

async function change(server: ServerProcess, dataset: number, isGood: boolean): Promise<void> {
  const description = isGood ? 'Long enough for anybody who wants to know what this is about' : 'Short';
  await askFor(
    server,
    'mutation edit($input: DescriptionUpdateInput!) { updateDescription(input: $input) }',
    { input: { description, resourceUrn: datasetUrn(dataset) } },
  );
}

async function untilSeen(server: ServerProcess, dataset: number, isGood: boolean): Promise<void> {
  const query =
    'query results($urn: String!) { dataset(urn: $urn) { testResults { passing { test { urn } } failing { test { urn } } } } }';
  const giveUp = performance.now() + 30_000;
  while (performance.now() < giveUp) {
    const data = (await askFor(server, query, { urn: datasetUrn(dataset) })) as {
      dataset: { testResults: Record<'passing' | 'failing', { test: { urn: string } }[]> | null };
    };
    const list = data.dataset.testResults?.[isGood ? 'passing' : 'failing'] ?? [];
    if (list.some(({ test }) => test.urn === watchedTest)) return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new Error(`The verdict for ${datasetUrn(dataset)} was not seen within 30 s`);
}

async function askFor(server: ServerProcess, query: string, variables: object): Promise<unknown> {
  const answer = JSON.parse(await ask(server, JSON.stringify({ query, variables }))) as {
    data?: unknown;
    errors?: unknown;
  };
  if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors));
  return answer.data;
}
