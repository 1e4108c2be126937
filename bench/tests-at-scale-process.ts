import { readFileSync, writeFileSync } from 'node:fs';
import { systemCaller } from '../src/auth/system-caller.ts';
import { openCatalogue } from '../src/catalogue.ts';
import { previewDefinition } from '../src/metadata-test/preview/preview-definition.ts';
import { createTestLibrary } from '../src/metadata-test/test-library.ts';
import { updateTest } from '../src/metadata-test/update-test.ts';
import { startKeeper } from './kept-verdicts.ts';
import { testDefinition } from './tested-datasets.ts';
import { fillTested, saveTests } from './tested-store.ts';
import type { ScaleJob, ScaleResult } from './tests-at-scale.scenario.ts';

/** Everything that is done with a whole catalogue, in a process of its own; answers one job and ends. */
const typical = 0;
/** Its definition is changed; all datasets are in its scope. */
const revised = 4;

function residentMebibytes(field: 'VmRSS' | 'VmHWM'): number {
  if (process.platform !== 'linux') return Number.NaN;
  const status = readFileSync('/proc/self/status', 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024;
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function run({ location, contents, isFilled, rounds }: ScaleJob): Promise<ScaleResult> {
  const say = (text: string): void => void process.send?.({ say: text });
  const catalogue = await openCatalogue(location);
  const { store, engine } = catalogue;
  const { verdicts } = store;
  const openMebibytes = residentMebibytes('VmRSS');
  if (!isFilled) {
    await fillTested(catalogue, contents, say);
    await saveTests(catalogue, contents.tests);
  }
  // From here on the peak counts: what filling the store took does not.
  if (process.platform === 'linux') writeFileSync('/proc/self/clear_refs', '5');
  const keeper = startKeeper(catalogue);
  const firstMs = await msOf(() => keeper.settled());
  const times: Record<'scan' | 'fullPass' | 'revision' | 'preview', number[]> = {
    scan: [],
    fullPass: [],
    revision: [],
    preview: [],
  };
  let differences = 0;
  let written = 0;
  const parts = {
    store,
    tests: { library: createTestLibrary(store), verdicts, keeper },
    canSee: () => true,
  };
  for (let round = 0; round <= rounds; round += 1) {
    // Every dataset has a platform, so all rows are read and none is found.
    const scan = await msOf(() =>
      verdicts.find({
        entityType: 'dataset',
        where: { kind: 'not', operand: { kind: 'some', column: 'platformInstance' } },
        count: 1,
      }),
    );
    const transitions = keeper.status().counters.transitions;
    const fullPass = await msOf(async () => {
      differences += (await keeper.fullPass()).differences;
    });
    written += keeper.status().counters.transitions - transitions;
    const definition = {
      ...testDefinition(revised),
      rules: [
        {
          property: 'effective.description',
          operator: 'min_length',
          values: [String(round % 2 === 0 ? 30 : 40)],
        },
      ],
    };
    const revision = await msOf(async () => {
      const input = {
        name: 'Revised',
        category: 'Benchmark',
        definition: { json: JSON.stringify(definition) },
      };
      await engine.execute(updateTest, { urn: `urn:li:test:generated-${revised}`, input }, systemCaller);
      keeper.poke();
      await keeper.settled();
    });
    const preview = await msOf(() =>
      previewDefinition(parts, { json: JSON.stringify(testDefinition(typical)) }, Date.now()),
    );
    say(
      `tests-at-scale: round ${round}, full pass ${(fullPass / 1_000).toFixed(1)} s, changed definition ` +
        `${(revision / 1_000).toFixed(1)} s, preview ${(preview / 1_000).toFixed(2)} s`,
    );
    if (round === 0) continue;
    times.scan.push(scan);
    times.fullPass.push(fullPass);
    times.revision.push(revision);
    times.preview.push(preview);
  }
  const peakMebibytes = residentMebibytes('VmHWM');
  await keeper.stop();
  await engine.idle();
  await store.close();
  return { firstMs, ...times, differences, written, openMebibytes, peakMebibytes };
}

process.once('message', (job: ScaleJob) => {
  run(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
  );
});
