import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { benchToken, type ServerProcess, startPostil, startServer } from './child-process.ts';
import { emptyScratch } from './generator.ts';
import type { LoadGroup } from './load.ts';
import { measureInTurns } from './rounds.ts';
import { kilobyteAspects } from './requests.ts';
import type { Scenario } from './scenario.ts';

const aspectsPerBatch = 200;
const connections = 4;

/** New datasets through `ingestProposalBatch`, against a server that only parses and stores the same. */
export const bulkScenario: Scenario = {
  name: 'bulk',
  title: 'Bulk ingestion through ingestProposalBatch',
  async run(bench) {
    const batches = bench.isQuick ? 30 : 150;
    const folder = emptyScratch(bench.data);
    const bareFolder = join(folder, 'bare');
    mkdirSync(bareFolder);
    const servers: ServerProcess[] = [];
    try {
      const postil = await startPostil(folder, bench, { processor: 'any' });
      servers.push(postil);
      const bare = await startServer('bare-ingest-server.ts', [bareFolder], { processor: 'any' });
      servers.push(bare);
      const group = (name: string, { port }: ServerProcess): Omit<LoadGroup, 'first'> => ({
        name,
        port,
        path: '/aspects?action=ingestProposalBatch',
        token: benchToken,
        connections,
        requests: { kind: 'ingest-batch', aspects: aspectsPerBatch },
        count: batches,
        wanted: 'success',
      });
      const [ours, bound] = await measureInTurns(bench, 'batches', [
        { server: postil, group: group('Postil', postil) },
        { server: bare, group: group('parse and store', bare) },
      ]);
      if (ours === undefined || bound === undefined) throw new Error('Nothing was measured');
      const aspect = (batch: number | undefined): string =>
        batch === undefined ? '' : `, processor time ${(batch / aspectsPerBatch).toFixed(0)} µs per aspect`;
      return {
        method:
          `New datasets of four aspects of ${meanBytes()} bytes on average (description, columns, links, owners), in requests ` +
          `of ${aspectsPerBatch} over ${connections} connections, ${batches} requests per round into one store that keeps ` +
          'growing; each answered once it is on disk with everything derived from it. Not pinned to a processor.',
        measurements: [
          {
            what: 'aspects ingested',
            value: ours.perSecond * aspectsPerBatch,
            unit: 'aspects/s',
            reference: {
              what: 'a server that only parses and stores',
              value: bound.perSecond * aspectsPerBatch,
            },
            ratioAs: 'share',
            target: { text: 'at least 10,000 aspects/s', of: 'value', atLeast: 10_000 },
            notes:
              `a request of ${aspectsPerBatch} aspects takes ${ours.p50.toFixed(0)} ms (p50), ${ours.p99.toFixed(0)} ms ` +
              `(p99)${aspect(ours.cpuMicroseconds)}`,
          },
        ],
      };
    } finally {
      for (const server of servers) await server.stop();
    }
  },
};

function meanBytes(): number {
  const texts = Array.from({ length: 50 }, (_, number) => Object.values(kilobyteAspects(number)))
    .flat()
    .map((aspect) => JSON.stringify(aspect).length);
  return Math.round(texts.reduce((sum, length) => sum + length, 0) / texts.length);
}
