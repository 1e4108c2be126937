import { setTimeout as wait } from 'node:timers/promises';
import { ask } from './ask.ts';
import { benchToken, startPostil, startServer } from './child-process.ts';
import { generatedStore } from './generator.ts';
import { datasetQuery } from './requests.ts';
import type { Measurement, Scenario } from './scenario.ts';
import { health } from './start.scenario.ts';
import { median } from './statistics.ts';

const columns = 50;
const settleMs = 3_000;

/** Resident memory with a large store: at the first answer, once everything is loaded, and after heavy use. */
export const memoryScenario: Scenario = {
  name: 'memory',
  title: 'Resident memory after the start, with 200,000 datasets stored',
  async run(bench) {
    const datasets = bench.isQuick ? 20_000 : 200_000;
    const store = await generatedStore(bench.data, { datasets, columns }, bench.say);
    const atHealth: number[] = [];
    const atRest: number[] = [];
    const inUse: number[] = [];
    const bare: number[] = [];
    for (let round = 1; round <= Math.min(3, bench.rounds); round += 1) {
      const bound = await startServer('bare-server.ts', [import.meta.filename], { processor: 'any' });
      await health(bound);
      bare.push(bound.residentMebibytes() ?? Number.NaN);
      await bound.stop();
      const server = await startPostil(store, bench, { processor: 'any' });
      try {
        await health(server);
        atHealth.push(server.residentMebibytes() ?? Number.NaN);
        await ask(server, datasetQuery(0, 'variables'));
        await wait(settleMs);
        atRest.push(server.residentMebibytes() ?? Number.NaN);
        await bench.client.run({
          groups: [
            {
              name: 'Postil',
              port: server.port,
              path: '/api/graphql',
              token: benchToken,
              connections: 16,
              requests: { kind: 'dataset-query', form: 'variables', datasets },
              first: 0,
              wanted: '"fieldPath"',
            },
          ],
          warmUpMs: 0,
          measureMs: bench.measureMs * 2,
        });
        inUse.push(server.residentMebibytes() ?? Number.NaN);
        bench.say(`memory: round ${round}, ${Math.round(atRest.at(-1) ?? 0)} MiB`);
      } finally {
        await server.stop();
      }
    }
    const reference = { what: 'a bare node:http server', value: median(bare) };
    const target = { text: 'under 150 MiB', of: 'value', atMost: 150 } as const;
    const unit = 'MiB';
    const measurements: Measurement[] = [
      { what: 'at the first answer of /health', value: median(atHealth), unit, reference, target },
      { what: 'after the first GraphQL answer, at rest', value: median(atRest), unit, reference, target },
      {
        what: 'after some seconds of random queries over 16 connections, caches full',
        value: median(inUse),
        unit,
        reference,
      },
    ];
    return {
      method: 'VmRSS of the process, as the Linux kernel counts it; 1 MiB is 1,048,576 bytes.',
      measurements,
    };
  },
};
