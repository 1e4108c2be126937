import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test, type TestContext } from 'node:test';
import { openCatalogue } from '../src/catalogue.ts';
import { createWriteEngine } from '../src/command/write-engine.ts';
import { createLogger } from '../src/log/logger.ts';
import { projections } from '../src/projections.ts';
import { haltedScan } from '../src/search/halted-scan.fixture.ts';
import { createPostilServer, type PostilServer } from '../src/server.ts';
import { databaseFileName } from '../src/storage/sqlite/sqlite-aspect-store.ts';
import { openTestCatalogue, type TestCatalogue } from './catalogue.ts';
import { startServerProcess } from './process-server.ts';

const dataset = (n: number): string => `urn:li:dataset:(urn:li:dataPlatform:hive,shop.t${n},PROD)`;
const isRead = /Read the search index into memory/;
const isNotRead = /could not be read into memory; the next search tries again/;

type Started = {
  readonly server: PostilServer;
  readonly scans: () => number;
  readonly isHalted: Promise<void>;
  goOn(): void;
  readonly said: readonly string[];
  /** Resolves when a line of the log matches. */
  says(pattern: RegExp): Promise<void>;
};

function serverOn(
  { store }: TestCatalogue,
  options: { readonly failFirst?: Error; readonly readAheadFrom?: number } = {},
): Started {
  const halted = haltedScan(store, options.failFirst);
  const engine = createWriteEngine({ store: halted.store, projections, now: Date.now, newId: randomUUID });
  const said: string[] = [];
  const waiting: { readonly pattern: RegExp; resolve(): void }[] = [];
  const log = createLogger('info', (line) => {
    said.push(line);
    for (const { pattern, resolve } of waiting) if (pattern.test(line)) resolve();
  });
  const catalogue = { store: halted.store, engine };
  const server = createPostilServer(catalogue, log, Date.now, {
    readAheadFrom: 1,
    ...options,
    keepsVerdicts: false,
  });
  return {
    ...halted,
    server,
    said,
    says(pattern) {
      if (said.some((line) => pattern.test(line))) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ pattern, resolve });
      return promise;
    },
  };
}

async function filled(): Promise<TestCatalogue> {
  const catalogue = await openTestCatalogue();
  for (let n = 0; n < 30; n += 1) await catalogue.seed(dataset(n), { datasetProperties: { name: `t${n}` } });
  return catalogue;
}

describe('what searches need', () => {
  test('is read in the background once, and the log says so', async () => {
    await using catalogue = await filled();
    const { server, isHalted, goOn, says, scans } = serverOn(catalogue);
    server.readAhead();
    server.readAhead();
    await isHalted;
    goOn();
    await says(isRead);
    assert.equal(scans(), 1);
    await server.close();
  });

  test('is left to the first search where the store is small', async () => {
    await using catalogue = await filled();
    const { server, scans, said } = serverOn(catalogue, { readAheadFrom: 1_000 });
    server.readAhead();
    await server.close();
    assert.deepEqual([scans(), said], [0, []]);
  });

  test('is not read when that fails, which the log tells, and the server goes on', async () => {
    await using catalogue = await filled();
    const { server, goOn, says, said } = serverOn(catalogue, { failFirst: new Error('the disk is away') });
    goOn();
    server.readAhead();
    await says(isNotRead);
    assert.match(said.join(''), /the disk is away/);
    await server.close();
  });

  test('is read no further when the server closes, which is no failure', async () => {
    await using catalogue = await filled();
    const { server, isHalted, goOn, said, scans } = serverOn(catalogue);
    server.readAhead();
    await isHalted;
    const closed = server.close();
    goOn();
    await closed;
    assert.deepEqual([scans(), said], [1, []]);
  });

  test('is read by a server that serves a large store, as soon as it is ready', async (context) => {
    const folder = await largeStore(context);
    const server = await startServerProcess(['--store', folder, '--no-sample']);
    try {
      assert.match(await server.printed(isRead), isRead);
    } finally {
      assert.equal(await server.stop(), 0);
    }
  });
});

/** How large a store is, is told by the largest number of an entity. */
async function largeStore(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postil-test-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const { store } = await openCatalogue(folder);
  await store.close();
  const database = new DatabaseSync(join(folder, databaseFileName));
  database.exec(`INSERT INTO entity (id, urn, type, present) VALUES (400000, '${dataset(1)}', 'dataset', 0)`);
  database.close();
  return folder;
}
