import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCatalogue } from '../src/catalogue.ts';
import { benchToken, type ServerProcess, startPostil, startServer } from './child-process.ts';
import { scratchCopy } from './generator.ts';
import type { LoadGroup } from './load.ts';
import { evaluatePath, evaluateRequest } from './requests.ts';
import { measureInTurns } from './rounds.ts';
import type { Scenario } from './scenario.ts';
import { saveTests, testedStore } from './tested-store.ts';

const connections = 4;
const columns = 20;
const tests = 100;

/** The evaluate endpoint, nothing stored, against a bare `node:http` server that answers the same bytes. */
export const evaluateScenario: Scenario = {
  name: 'evaluate',
  title: `POST /gms/test?action=evaluate with ${tests} tests`,
  async run(bench) {
    const datasets = bench.isQuick ? 5_000 : 100_000;
    const generated = await testedStore(bench.data, { datasets, columns }, bench.say);
    const folder = scratchCopy(bench.data, generated);
    const catalogue = await openCatalogue(folder);
    await saveTests(catalogue, tests);
    await catalogue.engine.idle();
    await catalogue.store.close();
    const servers: ServerProcess[] = [];
    try {
      // Nothing is kept up to date beside it: what is measured is the request.
      const postil = await startPostil(folder, bench, {
        processor: 'server',
        environment: { POSTIL_METADATA_TESTS: 'off' },
      });
      servers.push(postil);
      const answer = await askOnce(postil);
      const answerFile = join(bench.data, 'evaluate-answer.json');
      writeFileSync(answerFile, answer);
      const bare = await startServer('bare-server.ts', [answerFile]);
      servers.push(bare);
      const group = (name: string, { port }: ServerProcess): Omit<LoadGroup, 'first'> => ({
        name,
        port,
        path: evaluatePath,
        token: benchToken,
        connections,
        requests: { kind: 'evaluate', datasets },
        wanted: '"passing"',
      });
      const [ours, bound] = await measureInTurns(bench, 'evaluate', [
        { server: postil, group: group('Postil', postil) },
        { server: bare, group: group('bare node:http', bare) },
      ]);
      if (ours === undefined || bound === undefined) throw new Error('Nothing was measured');
      return {
        method:
          `Random ones of ${datasets.toLocaleString('en')} datasets with ${columns} columns, ${connections} persistent ` +
          `connections, answers of about ${answer.length} bytes, nothing stored.`,
        measurements: [
          {
            what: 'median of evaluate',
            value: ours.p50,
            unit: 'ms',
            reference: { what: 'bare node:http', value: bound.p50 },
            target: { text: 'under 5 ms', of: 'value', atMost: 5 },
            notes: `${Math.round(ours.perSecond)} requests/s against ${Math.round(bound.perSecond)}`,
          },
          {
            what: '99th percentile of evaluate',
            value: ours.p99,
            unit: 'ms',
            reference: { what: 'bare node:http', value: bound.p99 },
            target: { text: 'under 25 ms', of: 'value', atMost: 25 },
          },
        ],
      };
    } finally {
      for (const server of servers) await server.stop();
    }
  },
};

async function askOnce({ port }: ServerProcess): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${evaluatePath}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${benchToken}`, 'Content-Type': 'application/json' },
    body: evaluateRequest(17),
  });
  const text = await response.text();
  if (response.status !== 200 || !text.includes('"passing"')) throw new Error(`evaluate answered ${text}`);
  return text;
}
