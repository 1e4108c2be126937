import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runPostil, startServerProcess } from './process-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'postil-search-index-'));
const sample = fileURLToPath(new URL('../sample/bookshop.json', import.meta.url));
let stores = 0;

after(() => rmSync(folder, { recursive: true, force: true }));

/** A store with the sample in it. */
async function filledStore(): Promise<string> {
  stores += 1;
  const store = join(folder, `store-${stores}`);
  assert.equal((await runPostil(['ingest', sample, '--store', store])).code, 0);
  return store;
}

function change(store: string, sql: string): void {
  const database = new DatabaseSync(join(store, 'catalogue.db'));
  database.exec(sql);
  database.close();
}

/** As the migration leaves a store that was made before there was an index. */
function makeOld(store: string): void {
  change(
    store,
    `DELETE FROM search_entry; INSERT INTO search_bearer (search_bearer) VALUES ('delete-all');
     UPDATE search_progress SET version = 0, done = 0`,
  );
}

async function checked(
  store: string,
): Promise<{ readonly problems: readonly object[]; readonly searchIndex: string }> {
  const { out } = await runPostil(['check', '--store', store, '--json']);
  return JSON.parse(out);
}

test('a store from before the index is indexed once, at its next start, before requests are answered', async () => {
  const store = await filledStore();
  makeOld(store);
  assert.deepEqual((await checked(store)).searchIndex, 'unfinished');
  const first = await startServerProcess(['--store', store, '--no-sample']);
  const lines = first
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => String((JSON.parse(line) as { readonly msg: string }).msg));
  assert.ok(lines.indexOf('Made the search index') < lines.indexOf('Postil is ready'), lines.join('; '));
  assert.ok(lines.includes('Made the search index'), lines.join('; '));
  await first.stop();
  const { problems, searchIndex } = await checked(store);
  assert.deepEqual([problems, searchIndex], [[], 'compared']);
  const second = await startServerProcess(['--store', store, '--no-sample']);
  assert.doesNotMatch(second.output(), /search index/);
  await second.stop();
});

test('a new store says nothing of the index, which it keeps from the first write on', async () => {
  stores += 1;
  const store = join(folder, `store-${stores}`);
  const server = await startServerProcess(['--store', store]);
  assert.doesNotMatch(server.output(), /search index/);
  await server.stop();
  assert.deepEqual((await checked(store)).searchIndex, 'compared');
});

test('reindex mends what check found, and tells what it made', async () => {
  const store = await filledStore();
  const sound = await runPostil(['reindex', '--store', store, '--json']);
  assert.equal(sound.code, 0);
  const made = JSON.parse(sound.out) as {
    readonly entities: number;
    readonly entries: number;
  };
  assert.ok(made.entities > 0 && made.entries > 0, sound.out);
  change(store, `UPDATE search_entry SET terms = '', fields = 'rotten'`);
  assert.equal((await runPostil(['check', '--store', store])).code, 1);
  const { code, out, err } = await runPostil(['reindex', '--store', store]);
  assert.deepEqual([code, err], [0, '']);
  assert.equal(out, `${made.entities} entities, ${made.entries} search entries\n`);
  const { problems } = await checked(store);
  assert.deepEqual(problems, []);
});

test('reindex names an entity with a damaged aspect, and makes all others', async () => {
  const store = await filledStore();
  change(
    store,
    `UPDATE aspect SET body = body || ' ' WHERE key / 512 = (SELECT id FROM entity WHERE urn LIKE '%bookshop.orders,PROD)')`,
  );
  const { code, out, err } = await runPostil(['reindex', '--store', store]);
  assert.equal(code, 1);
  assert.match(err, /bookshop\.orders,PROD\): an aspect is damaged; run postil check/);
  assert.match(out, /^\d+ entities, \d+ search entries$/m);
});

test('reindex asks a running server, and refuses a store that one holds', async () => {
  const store = await filledStore();
  const token = 'ptlb_reindex_0123456789abcdefghijklmnopqrstuvwxyz';
  const server = await startServerProcess(['--store', store, '--no-sample']);
  try {
    const shown = /ptlb_[0-9A-Za-z]{49}/.exec(server.output())?.[0] ?? token;
    const asked = await runPostil(['reindex', '--server', server.url, '--token', shown]);
    assert.equal(asked.code, 0, asked.err);
    assert.match(asked.out, /^Made \d+ search entries of \d+ entities anew\n$/);
    const json = await runPostil(['reindex', '--server', server.url, '--token', shown, '--json']);
    assert.deepEqual(JSON.parse(json.out), { answer: asked.out.trim() });
    assert.equal((await runPostil(['reindex', '--store', store])).code, 3);
    const refused = await runPostil(['reindex', '--server', server.url, '--token', token]);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /does not accept the token/);
  } finally {
    await server.stop();
  }
  assert.equal((await runPostil(['reindex', '--server', server.url, '--store', store])).code, 2);
});
