import { deepStrictEqual } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from './ask.ts';
import { benchToken, type ServerProcess, startPostil, startServer } from './child-process.ts';
import { generatedStore } from './generator.ts';
import type { LoadGroup } from './load.ts';
import { measureInTurns, type Sample } from './rounds.ts';
import { datasetQuery } from './requests.ts';
import type { Bench, Measurement, Scenario } from './scenario.ts';

const connections = 16;
const columns = 50;
const hotDatasets = 500;

/** The specification's dataset query against a bare `node:http` server that answers the same bytes, and graphql-yoga. */
export const randomDatasets: Scenario = {
  name: 'dataset-query',
  title: "The specification's dataset query, random dataset of 100,000",
  run: (bench) => measure(bench, undefined),
};

export const hotSet: Scenario = {
  name: 'hot-datasets',
  title: "The specification's dataset query, on 500 hot datasets",
  run: (bench) => measure(bench, hotDatasets),
};

async function measure(
  bench: Bench,
  hot: number | undefined,
): Promise<{ method: string; measurements: readonly Measurement[] }> {
  const datasets = bench.isQuick ? 20_000 : 100_000;
  const store = await generatedStore(bench.data, { datasets, columns }, bench.say);
  const servers: ServerProcess[] = [];
  try {
    const postil = await startPostil(store, bench);
    servers.push(postil);
    const yoga = await startServer('yoga-server.ts', [store]);
    servers.push(yoga);
    const answer = await checkedAnswer(postil, yoga);
    const answerFile = join(bench.data, 'answer.json');
    writeFileSync(answerFile, answer);
    const bare = await startServer('bare-server.ts', [answerFile]);
    servers.push(bare);
    const asked = hot ?? datasets;
    const measurements: Measurement[] = [];
    for (const form of ['variables', 'inline'] as const) {
      const group = (name: string, { port }: ServerProcess): Omit<LoadGroup, 'first'> => ({
        name,
        port,
        path: '/api/graphql',
        token: benchToken,
        connections,
        requests: { kind: 'dataset-query', form, datasets: asked },
        wanted: '"fieldPath"',
      });
      const [ours, bound, other] = await measureInTurns(bench, `dataset query, ${form}`, [
        { server: postil, group: group('Postil', postil) },
        { server: bare, group: group('bare node:http', bare) },
        { server: yoga, group: group('graphql-yoga', yoga) },
      ]);
      if (ours === undefined || bound === undefined || other === undefined) continue;
      const how = form === 'variables' ? 'as variables' : 'as inline literals';
      measurements.push({
        what: `query ${how}`,
        value: ours.perSecond,
        unit: 'requests/s',
        reference: { what: 'bare node:http', value: bound.perSecond },
        ratioAs: 'share',
        target:
          hot === undefined
            ? { text: 'at least 25 %', of: 'ratio', atLeast: 0.25 }
            : { text: 'at least 50 %', of: 'ratio', atLeast: 0.5 },
        notes: notesOf(ours, bound),
      });
      measurements.push({
        what: `query ${how}`,
        value: ours.perSecond,
        unit: 'requests/s',
        reference: { what: 'graphql-yoga', value: other.perSecond },
        ratioAs: 'times',
        target: { text: 'at least 4 times', of: 'ratio', atLeast: 4 },
        notes: notesOf(ours, other),
      });
    }
    return {
      method:
        `${asked.toLocaleString('en')} of ${datasets.toLocaleString('en')} datasets with ${columns} columns and 3 terms, ` +
        `answers of ${answer.length} bytes, ${connections} persistent connections, a bearer token on every request.`,
      measurements,
    };
  } finally {
    for (const server of servers) await server.stop();
  }
}

function notesOf(ours: Sample, other: Sample): string {
  const cpu =
    ours.cpuMicroseconds === undefined || other.cpuMicroseconds === undefined
      ? ''
      : `; processor time ${ours.cpuMicroseconds.toFixed(0)} against ${other.cpuMicroseconds.toFixed(0)} µs`;
  return `p50 ${ours.p50.toFixed(2)}, p99 ${ours.p99.toFixed(1)} ms${cpu}`;
}

/** One answer of Postil, after both servers gave the same data in both forms. */
async function checkedAnswer(postil: ServerProcess, yoga: ServerProcess): Promise<string> {
  let answer = '';
  for (const form of ['variables', 'inline'] as const) {
    for (const number of [0, 17, 4_321]) {
      answer = await ask(postil, datasetQuery(number, form));
      const other = await ask(yoga, datasetQuery(number, form));
      deepStrictEqual(dataOf(answer), dataOf(other), 'Postil and graphql-yoga answer differently');
    }
  }
  return answer;
}

function dataOf(text: string): unknown {
  const answer = JSON.parse(text) as { data?: unknown };
  return answer.data;
}
