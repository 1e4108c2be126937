import { benchToken, type ServerProcess, startPostil, startServer } from './child-process.ts';
import { ask } from './ask.ts';
import { generatedStore, scratchCopy } from './generator.ts';
import type { LoadGroup } from './load.ts';
import { measureInTurns } from './rounds.ts';
import { addTermsMutation } from './requests.ts';
import type { Measurement, Scenario } from './scenario.ts';

const clients = 64;
const readers = 8;
const columns = 50;

/** Durable `addTerms` against the same requests to the same server, answered without writing; then with readers beside. */
export const addTermsScenario: Scenario = {
  name: 'add-terms',
  title: 'Durable addTerms, 64 clients, distinct datasets',
  async run(bench) {
    const datasets = bench.isQuick ? 20_000 : 100_000;
    const generated = await generatedStore(bench.data, { datasets, columns }, bench.say);
    const servers: ServerProcess[] = [];
    try {
      const postil = await startPostil(scratchCopy(bench.data, generated), bench);
      servers.push(postil);
      const silent = await startServer('non-writing-server.ts', [generated]);
      servers.push(silent);
      const group = (name: string, { port }: ServerProcess): Omit<LoadGroup, 'first'> => ({
        name,
        port,
        path: '/api/graphql',
        token: benchToken,
        connections: clients,
        requests: { kind: 'add-terms', datasets },
        wanted: '"addTerms":true',
      });
      const [writing, bound] = await measureInTurns(bench, 'addTerms', [
        { server: postil, group: group('durable', postil) },
        { server: silent, group: group('without writing', silent) },
      ]);
      const reading: Omit<LoadGroup, 'first'> = {
        ...group('reads', postil),
        connections: readers,
        requests: { kind: 'dataset-query', form: 'variables', datasets },
        wanted: '"fieldPath"',
      };
      const [mixed] = await measureInTurns(bench, 'addTerms with readers', [
        { server: postil, group: group('durable', postil), beside: [reading] },
      ]);
      const [alone] = await measureInTurns(bench, 'readers alone', [{ server: postil, group: reading }]);
      if (writing === undefined || bound === undefined || mixed === undefined || alone === undefined)
        throw new Error();
      await assertWritten(postil, datasets);
      const [beside] = mixed.beside;
      const measurements: Measurement[] = [
        {
          what: 'durable addTerms',
          value: writing.perSecond,
          unit: 'writes/s',
          reference: { what: 'the same without writing', value: bound.perSecond },
          ratioAs: 'share',
          target: { text: 'at least 30 %', of: 'ratio', atLeast: 0.3 },
          notes: cpuNote(writing.cpuMicroseconds, bound.cpuMicroseconds),
        },
        {
          what: '99th percentile of these writes',
          value: writing.p99,
          unit: 'ms',
          reference: { what: 'the same without writing', value: bound.p99 },
          target: { text: 'under 60 ms', of: 'value', atMost: 60 },
          notes: `p50 ${writing.p50.toFixed(2)} ms`,
        },
        {
          what: `99th percentile of reads over ${readers} connections meanwhile`,
          value: beside?.p99 ?? Number.NaN,
          unit: 'ms',
          reference: { what: 'the same reads alone', value: alone.p99 },
          target: { text: 'under 15 ms', of: 'value', atMost: 15 },
          notes:
            `${Math.round(beside?.perSecond ?? 0)} reads/s, p50 ${(beside?.p50 ?? 0).toFixed(2)} ms, beside ` +
            `${Math.round(mixed.perSecond)} writes/s, p99 ${mixed.p99.toFixed(1)} ms`,
        },
      ];
      return {
        method:
          `Each request attaches one term that the dataset does not have yet to another of ${datasets.toLocaleString('en')} ` +
          'datasets; answered after the commit is on disk (synchronous=FULL).',
        measurements,
      };
    } finally {
      for (const server of servers) await server.stop();
    }
  },
};

/** A rate of writes that were not stored would be worth nothing. */
async function assertWritten(postil: ServerProcess, datasets: number): Promise<void> {
  const { variables } = JSON.parse(addTermsMutation(0, datasets)) as {
    variables: { input: { termUrns: [string]; resourceUrn: string } };
  };
  const { termUrns, resourceUrn } = variables.input;
  const query = `{ dataset(urn: "${resourceUrn}") { glossaryTerms { terms { term { urn } } } } }`;
  const answer = await ask(postil, JSON.stringify({ query }));
  if (!answer.includes(termUrns[0]))
    throw new Error(`${termUrns[0]} was added to ${resourceUrn} and is not there`);
}

function cpuNote(ours: number | undefined, other: number | undefined): string {
  return ours === undefined || other === undefined
    ? ''
    : `processor time ${ours.toFixed(0)} against ${other.toFixed(0)} µs`;
}
