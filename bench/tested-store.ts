import { join } from 'node:path';
import { systemCaller } from '../src/auth/system-caller.ts';
import { type Catalogue, openCatalogue } from '../src/catalogue.ts';
import type { Proposal } from '../src/ingest/proposal.ts';
import { createTest } from '../src/metadata-test/create-test.ts';
import { codeDigest, datasetsPerCommand, keptStore, loadAll, proposal } from './generator.ts';
import { datasetUrn } from './sample-datasets.ts';
import { surroundings, testDefinition, testedAspects } from './tested-datasets.ts';

export type TestedContents = { readonly datasets: number; readonly columns: number };

/** A store of datasets that tests can be about, without any test; kept between runs like every generated store. */
export function testedStore(
  data: string,
  contents: TestedContents,
  say: (text: string) => void,
): Promise<string> {
  const { datasets, columns } = contents;
  return keptStore({
    folder: join(data, `store-${datasets}-tested-datasets-${columns}-columns`),
    made: { ...contents, code: codeDigest(testedAspects(0, columns)) },
    async fill(folder) {
      const catalogue = await openCatalogue(folder);
      try {
        await fillTested(catalogue, contents, say);
      } finally {
        await catalogue.engine.idle();
        await catalogue.store.close();
      }
    },
  });
}

/** Loads the datasets and all that they refer to into an open catalogue. */
export async function fillTested(
  catalogue: Catalogue,
  contents: TestedContents,
  say: (text: string) => void,
): Promise<void> {
  await loadAll(catalogue, proposalsOf(contents), contents.datasets, say);
}

function* proposalsOf({ datasets, columns }: TestedContents): Iterable<readonly Proposal[]> {
  yield [...surroundings()].map(([urn, aspect, body]) => proposal(urn, aspect, body));
  for (let first = 0; first < datasets; first += datasetsPerCommand) {
    const proposals: Proposal[] = [];
    for (let number = first; number < Math.min(first + datasetsPerCommand, datasets); number += 1) {
      for (const [aspect, body] of Object.entries(testedAspects(number, columns)))
        proposals.push(proposal(datasetUrn(number), aspect, body));
    }
    yield proposals;
  }
}

/** Saves so many of the generated tests, as `createTest` does. */
export async function saveTests(
  { engine }: Pick<Catalogue, 'engine'>,
  count: number,
  definitionOf: (number: number) => object = testDefinition,
): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const input = {
      id: `generated-${number}`,
      name: `Generated ${number}`,
      category: 'Benchmark',
      definition: { json: JSON.stringify(definitionOf(number)) },
    };
    await engine.execute(createTest, input, systemCaller);
  }
}
