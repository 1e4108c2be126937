import { systemCaller } from '../src/auth/system-caller.ts';
import { openCatalogue } from '../src/catalogue.ts';
import { ingestProposals } from '../src/ingest/ingest-proposals.ts';
import { compileTest } from '../src/metadata-test/compile-test.ts';
import type { LoadedFacts } from '../src/metadata-test/facts.ts';
import { loadFacts } from '../src/metadata-test/load-facts.ts';
import { emptyReadSet, mergeReadSet } from '../src/metadata-test/read-set.ts';
import { requireValidDefinition } from '../src/metadata-test/require-valid.ts';
import { emptyScratch, proposal } from './generator.ts';
import { datasetUrn } from './sample-datasets.ts';
import type { Scenario } from './scenario.ts';
import { median } from './statistics.ts';
import { surroundings, testDefinition, testedAspects } from './tested-datasets.ts';

const tests = 100;
const columns = 20;

/** What evaluating tests costs when everything they read is in memory. */
export const testClosuresScenario: Scenario = {
  name: 'test-closures',
  title: `Closures: ${tests} metadata tests for one dataset of ${columns} columns`,
  async run(bench) {
    const datasets = bench.isQuick ? 100 : 1_000;
    const compiled = Array.from({ length: tests }, (_, number) =>
      compileTest(requireValidDefinition(JSON.stringify(testDefinition(number)))),
    );
    const readSet = emptyReadSet();
    for (const test of compiled) mergeReadSet(readSet, test.readSet);
    const catalogue = await openCatalogue(emptyScratch(bench.data));
    try {
      const around = [...surroundings()].map(([urn, aspect, body]) => proposal(urn, aspect, body));
      await catalogue.engine.execute(ingestProposals, around, systemCaller);
      const texts: string[] = [];
      for (let number = 0; number < datasets; number += 1) {
        const aspects = testedAspects(number, columns);
        texts.push(JSON.stringify(aspects));
        const proposals = Object.entries(aspects).map(([name, body]) =>
          proposal(datasetUrn(number), name, body),
        );
        await catalogue.engine.execute(ingestProposals, proposals, systemCaller);
      }
      const times: { evaluate: number; parse: number }[] = [];
      for (let round = 0; round <= bench.rounds; round += 1) {
        // Loaded anew each time, so that nothing that evaluation keeps of an entity is there already.
        const loaded: LoadedFacts[] = [];
        for (let number = 0; number < datasets; number += 1)
          loaded.push(await loadFacts(catalogue.store, datasetUrn(number), readSet));
        const evaluate = clock(datasets, (number) => {
          const facts = loaded[number] ?? new Map();
          const entity = facts.get(datasetUrn(number));
          if (entity === undefined) throw new Error(`Dataset ${number} was not loaded`);
          for (const test of compiled) {
            if (test.evaluate(entity, facts, 1_790_000_000_000).verdict === 'ERROR') throw new Error('ERROR');
          }
        });
        const parse = clock(datasets, (number) => void JSON.parse(texts[number] ?? ''));
        if (round > 0) times.push({ evaluate, parse });
      }
      return {
        method:
          `${datasets.toLocaleString('en')} datasets, everything loaded before, each evaluated once in a round; beside it ` +
          'JSON.parse of the aspects of the same datasets, which is the least that reading them costs.',
        measurements: [
          {
            what: `${tests} tests for one dataset`,
            value: median(times.map((time) => time.evaluate)),
            unit: 'ms',
            reference: { what: 'JSON.parse of its aspects', value: median(times.map((time) => time.parse)) },
            target: { text: 'under 0.2 ms', of: 'value', atMost: 0.2 },
          },
        ],
      };
    } finally {
      await catalogue.engine.idle();
      await catalogue.store.close();
    }
  },
};

/** Milliseconds for one of `count` calls. */
function clock(count: number, work: (number: number) => void): number {
  const start = performance.now();
  for (let number = 0; number < count; number += 1) work(number);
  return (performance.now() - start) / count;
}
