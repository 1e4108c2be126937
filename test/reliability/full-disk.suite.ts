import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { textAt } from './answer-members.ts';
import { openRawStore } from './raw-store.ts';
import { figure, seededRandom } from './seeded-random.ts';
import {
  connect,
  datasetUrn,
  proposalOf,
  RefusedRequest,
  runPostil,
  startServer,
  type Client,
} from './server-process.ts';

/** Promise R13. */
const rounds = 50;
const diskBytes = 16 * 1024 * 1024;
const recoveryMs = 5_000;
/** A full disk has room in the log that is there already; so many writes of this size use it up. */
const textLength = 20_000;
const writesUntilRefusedMax = 2_000;

const dataset = datasetUrn('full.disk');

function mount(folder: string): string | undefined {
  const { error, status, stderr } = spawnSync(
    'mount',
    ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'postil', folder],
    {
      encoding: 'utf8',
    },
  );
  return status === 0 ? undefined : `a small disk cannot be mounted here: ${error?.message ?? stderr.trim()}`;
}

function unmount(folder: string): void {
  spawnSync('umount', [folder]);
}

/** Why no disk can be filled on this machine; false when one can. */
function diskUnavailable(): string | false {
  const folder = mkdtempSync(join(tmpdir(), 'postil-full-disk-'));
  try {
    const reason = mount(folder);
    if (reason === undefined) unmount(folder);
    return reason ?? false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Takes all the space that is left. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (let size = 64 * 1024; size >= 512;) {
      try {
        if (writeSync(descriptor, Buffer.alloc(size, 1)) < size) size /= 2;
      } catch (error) {
        assert.match(String(error), /ENOSPC/);
        size /= 2;
      }
    }
  } finally {
    closeSync(descriptor);
  }
}

const textFor = (marker: number): string => `${marker} ${'y'.repeat(textLength)}`;

/** Alternately through both doors. */
async function write(client: Client, marker: number): Promise<void> {
  const description = textFor(marker);
  if (marker % 2 === 0) await client.ingest([proposalOf(dataset, 'datasetProperties', { description })]);
  else {
    await client.graphql('mutation($input: DescriptionUpdateInput!) { updateDescription(input: $input) }', {
      input: { description, resourceUrn: dataset },
    });
  }
}

test(
  'R13: a full disk refuses writes, serves reads, and takes writes again once there is space',
  { skip: diskUnavailable() },
  async (context) => {
    const random = seededRandom('full disk');
    const disk = mkdtempSync(join(tmpdir(), 'postil-full-disk-'));
    assert.equal(mount(disk), undefined);
    const store = join(disk, 'store');
    const filler = join(disk, 'filler');
    mkdirSync(store);
    const server = await startServer(store);
    const client = connect(server.url);
    const counts = { acknowledged: 0, refused: 0, reads: 0 };
    let slowestMs = 0;
    /** The last acknowledged text of each door. */
    const texts = { ingested: '', edited: '' };
    let marker = 0;

    const writeNext = async (): Promise<void> => {
      marker += 1;
      await write(client, marker);
      texts[marker % 2 === 0 ? 'ingested' : 'edited'] = textFor(marker);
      counts.acknowledged += 1;
    };
    const readsAreRight = async (): Promise<void> => {
      const query =
        'query($urn: String!) { dataset(urn: $urn) { properties { description } editableProperties { description } } }';
      const data = await client.graphql(query, { urn: dataset });
      assert.equal(textAt(data, 'dataset', 'properties', 'description'), texts.ingested);
      assert.equal(textAt(data, 'dataset', 'editableProperties', 'description'), texts.edited);
      counts.reads += 1;
    };

    try {
      marker = 1;
      await writeNext();
      await writeNext();
      for (let round = 1; round <= rounds; round += 1) {
        fill(filler);
        const refusals: RefusedRequest[] = [];
        for (let tries = 0; refusals.length < 6; tries += 1) {
          assert.ok(tries < writesUntilRefusedMax, 'a full disk is noticed');
          try {
            await writeNext();
          } catch (error) {
            assert.ok(error instanceof RefusedRequest, String(error));
            assert.equal(error.status, 503, error.message);
            assert.match(error.message, /disk is full/);
            refusals.push(error);
          }
          await readsAreRight();
        }
        counts.refused += refusals.length;
        await delay(random.between(0, 100));
        await readsAreRight();
        rmSync(filler);
        const freed = performance.now();
        for (;;) {
          const failure = await writeNext().then(
            () => undefined,
            (error: unknown) => error,
          );
          if (failure === undefined) break;
          assert.ok(
            performance.now() - freed < recoveryMs,
            `still refused after ${recoveryMs} ms: ${String(failure)}`,
          );
          await delay(20);
        }
        slowestMs = Math.max(slowestMs, performance.now() - freed);
        await readsAreRight();
      }
      client.close();
      assert.equal(await server.stop(), 0);
      const raw = openRawStore(store);
      const { rows, last } = raw.changeLog();
      raw.close();
      assert.equal(rows, last);
      const check = await runPostil('check', '--store', store);
      assert.equal(check.code, 0, check.output);
    } finally {
      await server.kill();
      unmount(disk);
      rmSync(disk, { recursive: true, force: true });
    }
    figure(
      context,
      'R13',
      `filled and freed ${rounds} times: ${counts.acknowledged} writes acknowledged, ${counts.refused} refused with 503, ` +
        `${counts.reads} reads right, writing again within ${Math.round(slowestMs)} ms, check clean`,
    );
  },
);
