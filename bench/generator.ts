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
import { type Catalogue, openCatalogue } from '../src/catalogue.ts';
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
export const datasetsPerCommand = 100;
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
  return keptStore({
    folder: join(data, `store-${contents.datasets}-datasets-${contents.columns}-columns`),
    made: { ...contents, code: codeDigest(datasetAspects(0, contents.columns)) },
    async fill(folder) {
      const catalogue = await openCatalogue(folder);
      try {
        await loadAll(catalogue, proposalsOf(contents), contents.datasets, say);
      } finally {
        await catalogue.engine.idle();
        await catalogue.store.close();
      }
    },
  });
}

/** The folder as an earlier run filled it, when that was made in the same way; else it is emptied and filled. */
export async function keptStore(parts: {
  readonly folder: string;
  /** Everything that decides what is in it. */
  readonly made: object;
  fill(folder: string): Promise<void>;
}): Promise<string> {
  const { folder } = parts;
  const marker = join(folder, markerName);
  const wanted = JSON.stringify({ format, ...parts.made });
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await parts.fill(folder);
  writeFileSync(marker, wanted);
  return folder;
}

/** Loads groups of proposals, one command each, some at a time. */
export async function loadAll(
  { engine }: Catalogue,
  groups: Iterable<readonly Proposal[]>,
  datasets: number,
  say: (text: string) => void,
): Promise<void> {
  const start = performance.now();
  let loaded = 0;
  for (const group of inGroups(groups)) {
    await Promise.all(group.map((proposals) => engine.execute(ingestProposals, proposals, systemCaller)));
    loaded += group.length * datasetsPerCommand;
    if (loaded % 4_000 !== 0 && loaded < datasets) continue;
    const seconds = Math.round((performance.now() - start) / 1_000);
    const shown = Math.min(loaded, datasets).toLocaleString('en');
    say(`loading ${shown} of ${datasets.toLocaleString('en')} datasets, ${seconds} s`);
  }
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

const digestedDataset = datasetUrn(0);

/** Changes when the code stores or derives something else from the same aspects; then what was stored before is of no use. */
export function codeDigest(aspects: Readonly<Record<string, JsonObject>>): string {
  const fragments = projections.fragments
    .filter(({ entityType }) => entityType === 'dataset')
    .map((fragment) => [fragment.name, fragment.text(aspects)]);
  const edges = Object.entries(aspects).map(([aspect, body]) => projections.edgesOf(aspect, body));
  const entries = Object.entries(aspects).map(([aspect, body]) =>
    projections.searchEntryOf(digestedDataset, aspect, body),
  );
  const storage = join(import.meta.dirname, '..', 'src', 'storage');
  const files = [
    ...readdirSync(join(storage, 'sqlite', 'migrations')).map((file) => join('sqlite', 'migrations', file)),
    'checksum.ts',
    'aspect-key.ts',
  ];
  const texts = files.map((file) => readFileSync(join(storage, file), 'utf8'));
  return createHash('sha256')
    .update(JSON.stringify([fragments, edges, entries, texts]))
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

export function proposal(urn: Urn, aspect: string, body: JsonObject): Proposal {
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
