import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isJsonObject } from '../../src/aspect/json.ts';
import { verifyStore } from '../../src/integrity/verify-store.ts';
import { projections } from '../../src/projections.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { markedDatasets, markerOf } from './marker-batches.ts';
import { openRawStore, type RawStore } from './raw-store.ts';
import { figure, seededRandom } from './seeded-random.ts';

/** Floors of promises R03 and R04. */
const pointsMin = 200;
const snapshotsMin = 100_000;
const markers = 60;
/** Chosen so that a run's snapshots reach the floor with room to spare. */
const snapshotsPerTurn = 50;

/** Calls on the store's own files, with about as many of them as one run makes in its busiest thread. */
const calls = [
  { call: 'fsync', upTo: 45 },
  { call: 'pwrite64', upTo: 1_000 },
  { call: 'ftruncate', upTo: 3 },
  { call: 'openat', upTo: 6 },
  { call: 'pread64', upTo: 12 },
] as const;

type Fault = { readonly call: string; readonly error: 'EIO' | 'ENOSPC'; readonly when: string };

type Outcome = {
  readonly isInjected: boolean;
  readonly exitCode: number | null;
  readonly acknowledged: readonly number[];
  readonly refused: ReadonlyMap<number, string>;
  readonly snapshots: number;
  readonly torn: readonly string[];
};

function injectionUnavailable(): string | false {
  const inject = ['-f', '-qq', '-o', '/dev/null', '-e', 'inject=fsync:error=EIO', 'true'];
  const { error, status } = spawnSync('strace', inject);
  if (error !== undefined) return 'strace is not installed';
  return status === 0 ? false : 'strace may not trace processes here';
}

function markerIn(body: string | undefined): number {
  if (body === undefined) return 0;
  const value: unknown = JSON.parse(body);
  return isJsonObject(value) ? markerOf(String(value['description'])) : Number.NaN;
}

/** Takes snapshots through a second connection until the writer has ended. */
async function takeSnapshots(
  folder: string,
  isOver: () => boolean,
): Promise<Pick<Outcome, 'snapshots' | 'torn'>> {
  const torn: string[] = [];
  let snapshots = 0;
  let store: RawStore | undefined;
  while (!isOver()) {
    try {
      store ??= openRawStore(folder);
      for (let turn = 0; turn < snapshotsPerTurn; turn += 1) {
        const seen = new Set(store.bodies(markedDatasets, 'datasetProperties').map(markerIn));
        snapshots += 1;
        if (seen.size !== 1) torn.push([...seen].join(' '));
      }
    } catch {
      // The store is not there yet, or its files could not be made; the last word is that of the check afterwards.
      store?.close();
      store = undefined;
    }
    await delay(4);
  }
  store?.close();
  return { snapshots, torn };
}

async function writeWithFault(folder: string, { call, error, when }: Fault): Promise<Outcome> {
  const files = ['catalogue.db', 'catalogue.db-wal', 'catalogue.db-shm'].flatMap((name) => [
    '-P',
    join(folder, name),
  ]);
  const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:error=${error}:when=${when}`];
  const writer = new URL('./marker-writer.ts', import.meta.url).pathname;
  const child = spawn(
    'strace',
    [
      '-f',
      '-qq',
      '-o',
      `${folder}.trace`,
      ...files,
      ...inject,
      process.execPath,
      writer,
      folder,
      String(markers),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  let isOver = false;
  const ended = once(child, 'close').then(() => {
    isOver = true;
  });
  const { snapshots, torn } = await takeSnapshots(folder, () => isOver);
  await ended;
  const lines = said.split('\n').map((line) => line.split(' '));
  const trace = spawnSync('grep', ['-c', 'INJECTED', `${folder}.trace`], { encoding: 'utf8' });
  return {
    isInjected: Number(trace.stdout) > 0,
    exitCode: child.exitCode,
    acknowledged: lines.filter(([word]) => word === 'ack').map(([, marker]) => Number(marker)),
    refused: new Map(
      lines
        .filter(([word]) => word === 'refused')
        .map(([, marker, ...code]) => [Number(marker), code.join(' ')]),
    ),
    snapshots,
    torn,
  };
}

/** Opens the store as the next process would and holds it against what was said. Returns how many unsaid writes it kept. */
async function holdAgainst(folder: string, outcome: Outcome): Promise<number> {
  const store = await openStore(folder);
  const { problems } = await verifyStore(store, projections, () => {});
  await store.close();
  assert.deepEqual(problems, [], 'the store is sound');
  const raw = openRawStore(folder);
  const [first = [], ...others] = markedDatasets.map((urn) =>
    raw.versions(urn, 'datasetProperties').map(markerIn),
  );
  raw.close();
  for (const other of others)
    assert.deepEqual(other, first, 'every batch is in all its datasets, or in none');
  const kept = new Set(first);
  for (const marker of outcome.acknowledged)
    assert.ok(kept.has(marker), `the acknowledged marker ${marker} is there`);
  for (const [marker, code] of outcome.refused) {
    assert.match(code, /^STORAGE_(FULL|FAILED)$/, 'a refusal says that it was the storage');
    if (code === 'STORAGE_FULL')
      assert.ok(!kept.has(marker), `marker ${marker}, refused as STORAGE_FULL, is not there`);
  }
  assert.deepEqual(outcome.torn, [], 'no snapshot shows a part of a batch');
  const failures = [...outcome.refused]
    .filter(([, code]) => code === 'STORAGE_FAILED')
    .map(([marker]) => marker);
  if (failures.length > 0) {
    assert.ok(
      outcome.acknowledged.every((marker) => marker < Math.min(...failures)),
      'nothing is written after the disk has failed',
    );
    assert.notEqual(outcome.exitCode, 0, 'a process whose disk has failed says so when it ends');
  }
  return failures.filter((marker) => kept.has(marker)).length;
}

test(
  'R03 and R04: a failed sync or write is never acknowledged, and no batch is stored or seen in part',
  {
    skip: injectionUnavailable(),
  },
  async (context) => {
    const random = seededRandom('failing disk');
    const folder = mkdtempSync(join(tmpdir(), 'postil-failing-disk-'));
    const counts = { points: 0, acknowledged: 0, refused: 0, unsaid: 0, snapshots: 0 };
    try {
      for (let run = 0; counts.points < pointsMin; run += 1) {
        assert.ok(run < 2 * pointsMin, 'most faults are met');
        const { call, upTo } = random.pick(calls);
        const fault: Fault = {
          call,
          error: random.pick(['EIO', 'ENOSPC']),
          when: `${random.between(1, upTo)}${random.pick(['', '+'])}`,
        };
        const store = join(folder, `store-${run}`);
        const outcome = await writeWithFault(store, fault);
        try {
          counts.unsaid += await holdAgainst(store, outcome);
        } catch (error) {
          throw new Error(`after ${JSON.stringify(fault)}, run ${run}`, { cause: error });
        }
        counts.points += outcome.isInjected ? 1 : 0;
        counts.acknowledged += outcome.acknowledged.length;
        counts.refused += outcome.refused.size;
        counts.snapshots += outcome.snapshots;
        for (const path of [store, `${store}.trace`]) rmSync(path, { recursive: true, force: true });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    figure(
      context,
      'R03',
      `${counts.points} injected faults, ${counts.acknowledged} acknowledged writes, 0 lost, 0 false; ` +
        `${counts.refused} refused, of which ${counts.unsaid} were on disk when the sync failed`,
    );
    figure(
      context,
      'R04',
      `${counts.snapshots} snapshots beside the writers, each showed 0 or all of a batch`,
    );
    assert.ok(counts.snapshots >= snapshotsMin, `${counts.snapshots} snapshots`);
  },
);
