import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { databaseFileName } from '../src/storage/sqlite/sqlite-aspect-store.ts';
import { startNode } from './child-process.ts';
import { generatedStore } from './generator.ts';
import type { Measurement, Scenario } from './scenario.ts';
import { median } from './statistics.ts';

export type GrowthJob = { readonly reads: number; readonly writes: number };

/** Microseconds per operation: processor time, and by the clock. */
export type GrowthResult = {
  readonly read: number;
  /** A read from a store that was just opened. */
  readonly fresh: number;
  readonly write: number;
  readonly readWall: number;
  readonly writeWall: number;
};

const columns = 5;

/** What one read and one write cost as the catalogue grows; the smallest size is the reference. */
export const growthScenario: Scenario = {
  name: 'growth',
  title: 'Cost of one read and of one write as the catalogue grows',
  async run(bench) {
    const sizes = bench.isQuick ? [1_000, 5_000, 20_000] : [1_000, 100_000, 1_000_000];
    const job: GrowthJob = bench.isQuick ? { reads: 2_000, writes: 640 } : { reads: 20_000, writes: 6_400 };
    const stores: string[] = [];
    for (const datasets of sizes)
      stores.push(await generatedStore(bench.data, { datasets, columns }, bench.say));
    const children: ChildProcess[] = [];
    const results = sizes.map((): GrowthResult[] => []);
    try {
      for (const [index, store] of stores.entries()) {
        await readWhole(join(store, databaseFileName));
        const options = { processor: 'any', hasMessages: true } as const;
        children.push(startNode('growth-process.ts', [store, String(sizes[index])], options));
      }
      for (let round = 0; round <= bench.rounds; round += 1) {
        for (const [index, child] of children.entries()) {
          const result = await runJob(child, job);
          if (round === 0) continue;
          results[index]?.push(result);
          bench.say(
            `growth: round ${round}, ${sizes[index]} datasets: read ${result.read.toFixed(0)}, write ${result.write.toFixed(0)} µs`,
          );
        }
      }
    } finally {
      for (const child of children) {
        const ended = once(child, 'exit');
        child.kill();
        await ended;
      }
    }
    const kinds = [
      { of: 'fresh', wall: undefined, what: 'one read from a store just opened' },
      { of: 'read', wall: 'readWall', what: 'one read from a store in use' },
      { of: 'write', wall: 'writeWall', what: 'one write' },
    ] as const;
    const measurements: Measurement[] = [];
    for (const { of, wall, what } of kinds) {
      const cost = (index: number): number => median((results[index] ?? []).map((result) => result[of]));
      for (const [index, size] of sizes.entries()) {
        const clock =
          wall === undefined ? undefined : median((results[index] ?? []).map((each) => each[wall]));
        measurements.push({
          what: `${what}, at ${size.toLocaleString('en')} datasets`,
          value: cost(index),
          unit: 'µs of processor time',
          ...(index === 0
            ? {}
            : {
                reference: { what: `the cost at ${(sizes[0] ?? 0).toLocaleString('en')}`, value: cost(0) },
                ratioAs: 'times' as const,
                target: { text: 'at most 1.5 times', of: 'ratio' as const, atMost: 1.5 },
              }),
          ...(clock === undefined ? {} : { notes: `${clock.toFixed(0)} µs by the clock` }),
        });
      }
    }
    return {
      method:
        `GraphQL executed in the process, without HTTP, on stores of datasets with ${columns} columns. Reads: the ` +
        "specification's query, a random dataset each time, one after another, answers not kept; once from a store that was " +
        'opened at most 1,000 reads before, so that of every size as little is in memory, and once from a store in use, ' +
        'where all of a small catalogue is. Writes: addTerms and removeTerm, 64 at a time, durable. Processor time of all ' +
        'threads, the one that checkpoints included. The files are in the memory of the operating system.',
      measurements,
    };
  },
};

async function runJob(child: ChildProcess, job: GrowthJob): Promise<GrowthResult> {
  const answered = once(child, 'message');
  child.send(job);
  const [message] = (await Promise.race([
    answered,
    once(child, 'exit').then(() => [{ error: 'The process ended' }]),
  ])) as [{ result?: GrowthResult; error?: string }];
  if (message.result === undefined) throw new Error(message.error);
  return message.result;
}

/** Brings a file into the memory of the operating system, as far as it has room. */
async function readWhole(file: string): Promise<void> {
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) void chunk;
}
