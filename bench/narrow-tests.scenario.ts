import { systemCaller } from '../src/auth/system-caller.ts';
import { openCatalogue } from '../src/catalogue.ts';
import { ingestProposals } from '../src/ingest/ingest-proposals.ts';
import { startKeeper } from './kept-verdicts.ts';
import { proposal, scratchCopy } from './generator.ts';
import { datasetUrn, randomNumbers } from './sample-datasets.ts';
import type { Scenario } from './scenario.ts';
import { narrowDefinition, testedAspects } from './tested-datasets.ts';
import { saveTests, testedStore } from './tested-store.ts';

const columns = 20;

/** How many of very many narrow tests a change makes the engine look at. */
export const narrowTestsScenario: Scenario = {
  name: 'narrow-tests',
  title: '10,000 narrow tests',
  async run(bench) {
    const datasets = bench.isQuick ? 5_000 : 100_000;
    const tests = bench.isQuick ? 1_000 : 10_000;
    const changes = bench.isQuick ? 500 : 5_000;
    const generated = await testedStore(bench.data, { datasets, columns }, bench.say);
    const catalogue = await openCatalogue(scratchCopy(bench.data, generated));
    await saveTests(catalogue, tests, narrowDefinition);
    const keeper = startKeeper(catalogue);
    try {
      bench.say(`narrow-tests: evaluating ${tests} tests for everything`);
      await keeper.settled();
      const before = keeper.status().counters;
      const random = randomNumbers(1);
      for (let number = 0; number < changes; number += 1) {
        // What another dataset has, so that tags come and go.
        const [dataset, other] = [random(), random()].map((share) => Math.floor(share * datasets));
        const aspects = Object.entries(testedAspects(other ?? 0, columns));
        const [aspect, body] = aspects[Math.floor(random() * aspects.length)] ?? ['status', {}];
        await catalogue.engine.execute(
          ingestProposals,
          [proposal(datasetUrn(dataset ?? 0), aspect, body)],
          systemCaller,
        );
        keeper.poke();
      }
      await keeper.settled();
      const after = keeper.status().counters;
      const changed = after.changes - before.changes;
      return {
        method:
          `Each test is for the datasets with one of ${tests.toLocaleString('en')} tags; ${datasets.toLocaleString('en')} datasets. ` +
          `${changes.toLocaleString('en')} times a random aspect of a random dataset is replaced by that of another one.`,
        measurements: [
          {
            what: 'candidate tests per change, on average',
            value: (after.candidates - before.candidates) / changed,
            unit: 'tests',
            reference: { what: 'all tests', value: tests },
            ratioAs: 'share',
            target: { text: 'under 50', of: 'value', atMost: 50 },
            notes: `${changed} changes of the log, ${after.transitions - before.transitions} verdicts changed`,
          },
        ],
      };
    } finally {
      await keeper.stop();
      await catalogue.engine.idle();
      await catalogue.store.close();
    }
  },
};
