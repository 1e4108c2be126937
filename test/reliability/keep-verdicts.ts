import { parentPort, workerData } from 'node:worker_threads';
import { openKeptCatalogue } from '../../src/metadata-test/keeping/kept-catalogue.fixture.ts';
import {
  assertKeptInStores,
  assertKeptThroughMany,
} from '../../src/metadata-test/keeping/random-changes.fixture.ts';
import { openPostgresStore } from '../../src/storage/postgres/postgres-aspect-store.ts';

/* A thread that changes catalogues at random, and compares the verdicts that are kept with those of evaluating everything. */

export type SequencesOfChanges = {
  /** Of a database of PostgreSQL; absent: embedded stores. */
  readonly url?: string;
  readonly sequences: number;
  readonly seed: number;
};

async function run({ url, sequences, seed }: SequencesOfChanges): Promise<void> {
  if (url === undefined) {
    await assertKeptInStores({ sequences, seed });
    return;
  }
  await using kept = await openKeptCatalogue({ store: await openPostgresStore(url) });
  await assertKeptThroughMany(kept, { numRuns: sequences, seed });
}

await run(workerData as SequencesOfChanges);
parentPort?.postMessage(undefined);
