import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../src/aspect/json.ts';
import { systemCaller } from '../src/auth/system-caller.ts';
import { openCatalogue } from '../src/catalogue.ts';
import { ingestProposals } from '../src/ingest/ingest-proposals.ts';
import type { Proposal } from '../src/ingest/proposal.ts';
import { projections } from '../src/projections.ts';
import { databaseFileName } from '../src/storage/sqlite/sqlite-aspect-store.ts';
import type { Urn } from '../src/urn/urn.ts';
import {
  addableTerms,
  attachedTerms,
  datasetAspects,
  datasetUrn,
  termInfo,
  termUrn,
} from './sample-datasets.ts';

/** What a store of generated datasets holds; equal ones are equal on every machine. */
export type Contents = { readonly datasets: number; readonly columns: number };

/** Counts up when generated datasets change, so that stores from before are made anew. */
const format = 1;
const markerName = 'generated.json';
const datasetsPerCommand = 100;
const commandsInFlight = 4;

/**
 * The folder of a store with these contents below `data`: the one of an earlier run when it is whole, else a new one that
 * is filled through the write engine, as any ingestion is. Nothing else in `data` is touched.
 */
export async function generatedStore(
  data: string,
  contents: Contents,
  say: (text: string) => void,
): Promise<string> {
  const folder = join(data, `store-${contents.datasets}-datasets-${contents.columns}-columns`);
  const marker = join(folder, markerName);
  const wanted = JSON.stringify({ format, ...contents, code: codeDigest(contents) });
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const start = performance.now();
  const { store, engine } = await openCatalogue(folder);
  try {
    let loaded = 0;
    for (const group of inGroups(proposalsOf(contents))) {
      await Promise.all(group.map((proposals) => engine.execute(ingestProposals, proposals, systemCaller)));
      loaded += group.length * datasetsPerCommand;
      if (loaded % 4_000 === 0 || loaded >= contents.datasets) {
        const seconds = (performance.now() - start) / 1_000;
        const shown = Math.min(loaded, contents.datasets);
        say(
          `loading ${shown.toLocaleString('en')} of ${contents.datasets.toLocaleString('en')} datasets with ` +
            `${contents.columns} columns, ${Math.round(seconds)} s`,
        );
      }
    }
  } finally {
    await engine.idle();
    await store.close();
  }
  writeFileSync(marker, wanted);
  return folder;
}

/** A copy of a generated store that a benchmark may write to; one at a time, the copy before is removed. */
export function scratchCopy(data: string, store: string): string {
  const folder = emptyScratch(data);
  copyFileSync(join(store, databaseFileName), join(folder, databaseFileName));
  return folder;
}

/** An empty folder for a store that a benchmark writes; what was there is removed. */
export function emptyScratch(data: string): string {
  const folder = join(data, 'scratch');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Changes when the code stores or derives something else from the same aspects; then what was stored before is of no use. */
function codeDigest({ columns }: Contents): string {
  const aspects = datasetAspects(0, columns);
  const fragments = projections.fragments
    .filter(({ entityType }) => entityType === 'dataset')
    .map((fragment) => [fragment.name, fragment.text(aspects)]);
  const edges = Object.entries(aspects).map(([aspect, body]) => projections.edgesOf(aspect, body));
  const storage = join(import.meta.dirname, '..', 'src', 'storage');
  const files = [
    ...readdirSync(join(storage, 'sqlite', 'migrations')).map((file) => join('sqlite', 'migrations', file)),
    'checksum.ts',
    'aspect-key.ts',
  ];
  const texts = files.map((file) => readFileSync(join(storage, file), 'utf8'));
  return createHash('sha256')
    .update(JSON.stringify([fragments, edges, texts]))
    .digest('hex')
    .slice(0, 16);
}

function* proposalsOf({ datasets, columns }: Contents): Iterable<readonly Proposal[]> {
  const terms: Proposal[] = [];
  for (let number = 0; number < attachedTerms + addableTerms; number += 1) {
    terms.push(proposal(termUrn(number), 'glossaryTermInfo', termInfo(number)));
  }
  yield terms;
  for (let first = 0; first < datasets; first += datasetsPerCommand) {
    const proposals: Proposal[] = [];
    for (let number = first; number < Math.min(first + datasetsPerCommand, datasets); number += 1) {
      const urn = datasetUrn(number);
      for (const [aspect, body] of Object.entries(datasetAspects(number, columns))) {
        proposals.push(proposal(urn, aspect, body));
      }
    }
    yield proposals;
  }
}

function proposal(urn: Urn, aspect: string, body: JsonObject): Proposal {
  return { urn, aspect, changeType: 'UPSERT', body };
}

function* inGroups<Item>(items: Iterable<Item>): Iterable<readonly Item[]> {
  let group: Item[] = [];
  for (const item of items) {
    group.push(item);
    if (group.length < commandsInFlight) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
