import { once } from 'node:events';
import { postgresUnavailable, startPostgresServer } from '../test/postgres-server.ts';
import { startNode } from './child-process.ts';
import { scratchCopy } from './generator.ts';
import { keptVerdicts } from './kept-verdicts.ts';
import type { Bench, Measurement, Scenario } from './scenario.ts';
import { median } from './statistics.ts';
import type { TestedContents } from './tested-store.ts';

export type ScaleJob = {
  readonly location: string;
  readonly contents: TestedContents & { readonly tests: number };
  /** The store holds the datasets and tests, and rows and verdicts are up to date. */
  readonly isFilled: boolean;
  readonly rounds: number;
};

/** Milliseconds, one for each round, and resident memory in MiB. */
export type ScaleResult = {
  /** From the start until rows and verdicts were there; next to nothing where they were there before. */
  readonly firstMs: number;
  readonly scan: readonly number[];
  readonly fullPass: readonly number[];
  readonly revision: readonly number[];
  readonly preview: readonly number[];
  /** Verdicts that full passes found to be others than those that were kept, and that they wrote. */
  readonly differences: number;
  readonly written: number;
  readonly openMebibytes: number;
  readonly peakMebibytes: number;
};

const tests = 50;
const columns = 5;

/** What is done with a whole catalogue at once, on both stores. */
export const testsAtScaleScenario: Scenario = {
  name: 'tests-at-scale',
  title: `${tests} metadata tests over a whole catalogue`,
  async run(bench) {
    const datasets = bench.isQuick ? 10_000 : 1_000_000;
    const contents = { datasets, columns, tests };
    const rounds = Math.min(bench.rounds, 3);
    const kept = await keptVerdicts(bench.data, contents, bench.say);
    const embedded = await runJob(
      { location: scratchCopy(bench.data, kept), contents, isFilled: true, rounds },
      bench,
    );
    const measurements = [...measurementsOf('SQLite', datasets, embedded)];
    const missing = postgresUnavailable();
    if (missing === false) {
      const server = await startPostgresServer();
      try {
        const shared = await runJob({ location: server.url, contents, isFilled: false, rounds }, bench);
        measurements.push(...measurementsOf('PostgreSQL', datasets, shared));
      } finally {
        await server.stop();
      }
    } else bench.say(`tests-at-scale: not on PostgreSQL: ${missing}`);
    return {
      method:
        `${datasets.toLocaleString('en')} datasets with ${columns} columns, tests of ten shapes with different operands. Each number ` +
        'beside one scan of the same rows that asks the least there is to ask, in the same round. A full pass evaluates every ' +
        'test for every dataset and compares with what is kept. The changed definition has all datasets in its scope, and every ' +
        'change turns a tenth of the verdicts; measured is from saving it until the last verdict is stored. The preview ' +
        'is whole: counts, groups, samples with explanations.',
      measurements,
    };
  },
};

function* measurementsOf(store: string, datasets: number, result: ScaleResult): Generator<Measurement> {
  const seconds = (times: readonly number[]): number => median(times) / 1_000;
  const reference = { what: 'one scan of the rows', value: seconds(result.scan) };
  const all = datasets.toLocaleString('en');
  yield {
    what: `${store}: preview of a typical definition over ${all} datasets`,
    value: seconds(result.preview),
    unit: 's',
    reference,
    target: { text: 'under 2 s', of: 'value', atMost: 2 },
  };
  yield {
    what: `${store}: full pass, ${all} datasets x ${tests} tests`,
    value: seconds(result.fullPass),
    unit: 's',
    reference,
    target: { text: 'under 30 s', of: 'value', atMost: 30 },
    notes: `${result.differences} differences, ${result.written} verdicts written`,
  };
  yield {
    what: `${store}: saved change of a definition, ${all} in scope`,
    value: seconds(result.revision),
    unit: 's',
    reference,
    target: { text: 'within 10 s', of: 'value', atMost: 10 },
  };
  yield {
    what: `${store}: memory on top of the open store, at most`,
    value: result.peakMebibytes - result.openMebibytes,
    unit: 'MiB',
    reference: { what: 'the process with the store open', value: result.openMebibytes },
    target: { text: 'under 300 MiB', of: 'value', atMost: 300 },
    ...(result.firstMs > 1_000
      ? {
          notes: `rows built and everything evaluated for the first time in ${Math.round(result.firstMs / 1_000)} s`,
        }
      : {}),
  };
}

async function runJob(job: ScaleJob, bench: Bench): Promise<ScaleResult> {
  const child = startNode('tests-at-scale-process.ts', [], { processor: 'any', hasMessages: true });
  const ended = once(child, 'exit');
  try {
    return await new Promise((resolve, reject) => {
      child.on('message', (message: { say?: string; result?: ScaleResult; error?: string }) => {
        if (message.say !== undefined) bench.say(message.say);
        else if (message.result !== undefined) resolve(message.result);
        else reject(new Error(message.error));
      });
      child.once('exit', (code) => reject(new Error(`The process ended with exit code ${code}`)));
      child.send(job);
    });
  } finally {
    child.kill();
    await ended;
  }
}
