import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runPostil, startServerProcess } from './process-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'postil-command-line-'));
const sample = fileURLToPath(new URL('../sample/bookshop.json', import.meta.url));
let stores = 0;

after(() => rmSync(folder, { recursive: true, force: true }));

function newStore(): string {
  stores += 1;
  return join(folder, `store-${stores}`);
}

test('every command explains itself, and the overview lists every command', async () => {
  const overview = await runPostil(['--help']);
  assert.equal(overview.code, 0);
  for (const command of ['serve', 'ingest', 'token', 'test', 'check', 'reindex', 'backup', 'restore']) {
    assert.match(overview.out, new RegExp(`^  ${command} `, 'm'));
    const { code, out } = await runPostil([command, '--help']);
    assert.equal(code, 0, command);
    assert.match(out, new RegExp(`^Usage: postil ${command}`));
    assert.match(out, /--help/);
  }
});

test('what is not understood is said, with exit code 2', async () => {
  for (const args of [
    ['nonsense'],
    ['serve', '--nonsense'],
    ['serve', '--port', 'many'],
    ['ingest'],
    ['token', 'steal'],
  ]) {
    const { code, err } = await runPostil(args);
    assert.equal(code, 2, args.join(' '));
    assert.ok(err.length > 10, args.join(' '));
  }
  const { err } = await runPostil(['serve', '--port', '99999', '--log-level', 'loud']);
  assert.match(err, /port 99999/);
  assert.match(err, /log level loud/, 'all problems are told at once');
});

test('a glossary that is to be read as records is not read at all, and the option for it is named', async () => {
  const store = newStore();
  for (const name of ['business_glossary.yml', 'glossary.YAML', 'glossary.yaml.gz']) {
    const { code, err } = await runPostil(['ingest', 'records.json', name, '--store', store]);
    assert.equal(code, 2, name);
    assert.match(err, new RegExp(`${name} is YAML\\..* --glossary`));
    assert.equal(existsSync(store), false);
  }
});

test('who looks at a store that is not there is told so, and none is made', async () => {
  const store = newStore();
  for (const args of [
    ['check'],
    ['reindex'],
    ['token', 'list'],
    ['token', 'revoke', 'abc'],
    ['backup', join(folder, 'copy')],
  ]) {
    const { code, out, err } = await runPostil([...args, '--store', store]);
    assert.notEqual(code, 0, args.join(' '));
    assert.match(out + err, new RegExp(`There is no catalogue in ${store}`), args.join(' '));
    assert.equal(existsSync(store), false, args.join(' '));
  }
});

test('a file is ingested into a store, bad records are named, the good ones are stored', async () => {
  const store = newStore();
  const file = join(folder, 'mixed.json');
  const good = (id: string): object => ({
    entityType: 'tag',
    entityUrn: `urn:li:tag:${id}`,
    changeType: 'UPSERT',
    aspectName: 'tagProperties',
    aspect: { json: { name: id } },
  });
  writeFileSync(
    file,
    JSON.stringify([
      good('one'),
      { ...good('two'), aspectName: 'noSuchAspect' },
      { nonsense: true },
      good('three'),
    ]),
  );
  const { code, out, err } = await runPostil(['ingest', file, '--store', store]);
  assert.equal(code, 1);
  assert.match(out, /2 aspects stored in .*, 2 records failed/);
  assert.match(err, /mixed\.json: record 2 .*noSuchAspect/);
  assert.match(err, /mixed\.json: record 3 /);
  const { out: json } = await runPostil(['ingest', file, '--store', store, '--json']);
  const report = JSON.parse(json) as { files: { problems: { number: number }[]; aspects: number }[] };
  assert.deepEqual(
    report.files[0]?.problems.map(({ number }) => number),
    [2, 3],
  );
});

test('a store that a server holds is refused by name, and the server is found by --server', async () => {
  const store = newStore();
  const token = 'command-line-administrator';
  const server = await startServerProcess(['--store', store, '--no-sample'], { POSTIL_TOKEN: token });
  try {
    for (const args of [['ingest', sample], ['check'], ['token', 'list'], ['serve', '--port', '0']]) {
      const { code, err } = await runPostil([...args, '--store', store]);
      assert.equal(code, 3, args.join(' '));
      assert.match(err, new RegExp(`in use by process ${server.child.pid} `));
    }
    const { code, out } = await runPostil(['ingest', sample, '--server', server.url], {
      POSTIL_TOKEN: token,
    });
    assert.deepEqual([code, out], [0, `44 aspects stored in ${server.url}\n`]);
    const refused = await runPostil([
      'ingest',
      sample,
      '--server',
      server.url,
      '--token',
      `not-the-${token}`,
    ]);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /token/);
  } finally {
    assert.equal(await server.stop(), 0);
  }
});

test('tokens are made, listed and revoked through a server', async () => {
  const token = 'command-line-administrator';
  const server = await startServerProcess(['--store', newStore(), '--no-sample'], { POSTIL_TOKEN: token });
  const at = ['--server', server.url];
  const environment = { POSTIL_TOKEN: token };
  try {
    const made = await runPostil(['token', 'create', '--name', 'nightly', ...at], environment);
    assert.match(made.out, /^ptlp_[0-9A-Za-z]{49}\n$/);
    const listed = await runPostil(['token', 'list', '--json', ...at], environment);
    const rows = JSON.parse(listed.out) as { id: string; name: string; lastFour: string }[];
    const row = rows.find(({ name }) => name === 'nightly');
    assert.equal(row?.lastFour, made.out.trim().slice(-4));
    const health = await fetch(`${server.url}/aspects/urn%3Ali%3Atag%3Aa?aspect=tagKey`, {
      headers: { authorization: `Bearer ${made.out.trim()}` },
    });
    assert.equal(health.status, 404);
    assert.equal((await runPostil(['token', 'revoke', row.id, ...at], environment)).code, 0);
    const after = await fetch(`${server.url}/aspects/urn%3Ali%3Atag%3Aa?aspect=tagKey`, {
      headers: { authorization: `Bearer ${made.out.trim()}` },
    });
    assert.equal(after.status, 401);
    const again = await runPostil(['token', 'revoke', row.id, ...at], environment);
    assert.equal(again.code, 1);
    assert.match(again.err, /There is no access token/);
  } finally {
    await server.stop();
  }
});

test('tokens are made on a store, with a role and without an end', async () => {
  const store = newStore();
  const actor = ['--actor', 'urn:li:corpuser:ana', '--role', 'Editor'];
  const made = await runPostil(['token', 'create', '--store', store, ...actor, '--no-expiry']);
  assert.equal(made.code, 0, made.err);
  const server = await startServerProcess(['--store', store, '--no-sample']);
  try {
    const response = await fetch(`${server.url}/api/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${made.out.trim()}`, 'content-type': 'application/json' },
      body: '{"query":"{ me { corpUser { urn } platformPrivileges { manageGlossaries managePolicies } } }"}',
    });
    const { data } = (await response.json()) as { data: unknown };
    assert.deepEqual(data, {
      me: {
        corpUser: { urn: 'urn:li:corpuser:ana' },
        platformPrivileges: { manageGlossaries: true, managePolicies: false },
      },
    });
  } finally {
    await server.stop();
  }
});

test('the first start prints a token that works, once, and tells how to start without the sample', async () => {
  const store = newStore();
  const first = await startServerProcess(['--store', store]);
  try {
    const printed = await first.printed(/ptlb_[0-9A-Za-z]{49}/);
    await first.printed(/--no-sample/);
    const response = await fetch(`${first.url}/api/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${printed}`, 'content-type': 'application/json' },
      body: '{"query":"{ listTests(input: {}) { total } }"}',
    });
    assert.deepEqual(await response.json(), { data: { listTests: { total: 1 } }, extensions: {} });
  } finally {
    await first.stop();
  }
  const second = await startServerProcess(['--store', store]);
  await second.stop();
  assert.doesNotMatch(second.output(), /ptlb_/);
  assert.doesNotMatch(second.output(), /sample/);
});

test('the first token is shown although the port is taken, for it is stored already', async () => {
  const holder = await startServerProcess(['--store', newStore(), '--no-sample']);
  try {
    const { port } = new URL(holder.url);
    const { code, err } = await runPostil(['serve', '--no-sample', '--store', newStore(), '--port', port]);
    assert.equal(code, 2);
    assert.match(err, /ptlb_[0-9A-Za-z]{49}/);
    assert.match(err, /Cannot listen/);
  } finally {
    await holder.stop();
  }
});

test('a backup is taken while the server writes, checked, and restored to the same catalogue', async () => {
  const store = newStore();
  const backup = join(folder, 'backup');
  const token = 'command-line-administrator';
  const server = await startServerProcess(['--store', store], { POSTIL_TOKEN: token });
  const taken = await runPostil(['backup', backup, '--store', store, '--json']);
  assert.equal(taken.code, 0, taken.err);
  const manifest = JSON.parse(taken.out) as { entities: number; lastSequence: number };
  assert.ok(manifest.entities > 20);
  await server.stop();
  const overwritten = await runPostil(['backup', backup, '--store', store]);
  assert.equal(overwritten.code, 3);
  const restored = newStore();
  assert.equal((await runPostil(['restore', backup, '--store', restored])).code, 0);
  const checked = await runPostil(['check', '--store', restored, '--json']);
  assert.equal(checked.code, 0, checked.out);
  assert.deepEqual((JSON.parse(checked.out) as { problems: unknown[] }).problems, []);
  const occupied = await runPostil(['restore', backup, '--store', restored]);
  assert.equal(occupied.code, 3);
  assert.match(occupied.err, /holds a catalogue already/);
});

test('an altered backup is not restored', async () => {
  const store = newStore();
  const backup = join(folder, 'altered');
  await runPostil(['ingest', sample, '--store', store]);
  await runPostil(['backup', backup, '--store', store]);
  const file = join(backup, 'catalogue.db');
  const bytes = readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(5_000) ^ 1, 5_000);
  writeFileSync(file, bytes);
  const { code, err } = await runPostil(['restore', backup, '--store', newStore()]);
  assert.equal(code, 3);
  assert.match(err, /damaged or altered/);
});

test('check names an aspect whose stored text was changed', async () => {
  const store = newStore();
  await runPostil(['ingest', sample, '--store', store]);
  const file = join(store, 'catalogue.db');
  const bytes = readFileSync(file);
  // The text of the aspect, not of what was derived from it.
  const beginning = '"description":"';
  const at = bytes.indexOf(`${beginning}One row per confirmed order.`);
  assert.ok(at > 0);
  bytes.write('Two', at + beginning.length);
  writeFileSync(file, bytes);
  const { code, out } = await runPostil(['check', '--store', store]);
  assert.equal(code, 1);
  assert.match(out, /bookshop\.orders,PROD\) datasetProperties version 1: does not match its checksum/);
});
