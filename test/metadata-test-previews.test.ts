import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runPostil, startServerProcess, type ServerProcess } from './process-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'postil-previews-'));
const token = 'metadata-test-previews-token';
const orders = 'urn:li:dataset:(urn:li:dataPlatform:postgres,bookshop.orders,PROD)';
const revenue = 'urn:li:dataset:(urn:li:dataPlatform:hive,marts.daily_revenue,PROD)';
const sampleTest = 'urn:li:test:sales-data-is-documented';
let files = 0;

after(() => rmSync(folder, { recursive: true, force: true }));

/** A folder with one file. */
function folderWith(text: string): string {
  files += 1;
  const path = join(folder, `folder-${files}`);
  mkdirSync(path);
  writeFileSync(join(path, 'mine.yaml'), text);
  return path;
}

const owned = `urn: urn:li:test:owned
name: Datasets are owned
category: Ownership
definition:
  on:
    types: [dataset]
  rules:
    - id: has-owner
      property: ownership.owners.owner
      operator: exists
`;

describe('tests in a folder and a server', () => {
  let server: ServerProcess;
  const environment = { POSTIL_TOKEN: token };
  const postil = (
    words: readonly string[],
  ): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> =>
    runPostil(['test', ...words, '--server', server.url], environment);

  before(async () => {
    server = await startServerProcess(['--store', join(folder, 'store')], environment);
  });

  after(async () => {
    assert.equal(await server.stop(), 0, server.output());
  });

  it('are previewed, and planned with whose verdict would change', async () => {
    const mine = owned.replace('test:owned', 'test:previewed');
    const tagged = `${mine}    - id: has-tag
      property: globalTags.tags.tag
      operator: exists
`;
    const path = folderWith(mine);
    const fresh = await postil(['preview', path, '--fail-on', 'newly-failing']);
    assert.equal(fresh.code, 1, fresh.err);
    assert.match(fresh.out, /^urn:li:test:previewed Datasets are owned\n4 in scope: 2 pass, 2 fail\n/);
    assert.match(fresh.out, /\nrules:\n {2}has-owner {2}fails 2, alone 2\n/);
    assert.ok(fresh.out.includes(`\nfailing:\n  ${revenue}\n`), fresh.out);
    assert.match(fresh.out, /\nnearly passing:\n {2}urn:li:dataset:.*\n {4}Set an owner\.\n/);
    assert.match(fresh.out, /\nscan: 4 looked at, 0 evaluated one by one, \d+ ms\n$/);
    assert.equal((await postil(['preview', path])).code, 0);

    const creating = await postil(['plan', path]);
    assert.match(creating.out, /^create urn:li:test:previewed .*\n {2}4 in scope: 2 pass, 2 fail\n1 create/);
    assert.equal((await postil(['apply', path])).code, 0);
    const same = await postil(['preview', 'urn:li:test:previewed', '--fail-on', 'newly-failing']);
    assert.equal(same.code, 0, same.err);
    assert.match(same.out, /\nverdicts: no difference\n/);
    assert.equal((await postil(['preview', 'urn:li:test:previewed', '--fail-on', 'failing'])).code, 1);

    writeFileSync(join(path, 'mine.yaml'), tagged);
    const updating = await postil(['plan', path, '--fail-on', 'newly-failing']);
    const [, count] = /verdicts: (\d) newly failing\n/.exec(updating.out) ?? [];
    assert.equal(updating.code, count === undefined ? 0 : 1, updating.out + updating.err);
    const { out } = await postil(['plan', path, '--json']);
    const { changes } = JSON.parse(out) as {
      changes: { verdicts?: { difference: { newlyFailing: { count: number } } } }[];
    };
    assert.equal(changes[0]?.verdicts?.difference.newlyFailing.count, Number(count ?? 0));
    const warned = tagged.replace('definition:\n', 'definition:\n  severity: warn\n');
    writeFileSync(join(path, 'mine.yaml'), warned);
    assert.equal((await postil(['plan', path, '--fail-on', 'newly-failing'])).code, 0);

    const wrong = await postil(['preview', folderWith(mine.replace('exists', 'exist'))]);
    assert.deepEqual([wrong.code, /10:17: error: .*MT103/.test(wrong.err)], [1, true], wrong.err);
    const missing = await postil(['preview', 'urn:li:test:nowhere']);
    assert.deepEqual([missing.code, /urn:li:test:nowhere/.test(missing.err)], [1, true]);
  });

  it('are run for what was changed after a sequence or a time', async () => {
    const everything = await postil(['run', '--changed', '0', '--test', sampleTest, '--json']);
    const { results } = JSON.parse(everything.out) as { results: { urn: string }[] };
    for (const urn of [orders, revenue]) assert.ok(results.some((result) => result.urn === urn));
    const later = new Date(Date.now() + 60_000).toISOString();
    assert.match((await postil(['run', '--changed', later])).out, /^0 entities, 0 verdicts, 0 failed\n$/);
    const nonsense = await postil(['run', '--changed', 'yesterday']);
    assert.deepEqual([nonsense.code, /not yesterday/.test(nonsense.err)], [1, true], nonsense.err);
  });
});

describe('tests in a folder and a store that no server holds', () => {
  const store = join(folder, 'unserved');
  const sample = join(import.meta.dirname, '../sample/bookshop.json');
  const postil = (words: readonly string[]): ReturnType<typeof runPostil> =>
    runPostil(['test', ...words, '--store', store]);

  before(async () => {
    assert.equal((await runPostil(['ingest', sample, '--store', store])).code, 0);
    assert.equal((await postil(['apply', folderWith(owned), '--prune'])).code, 0);
  });

  it('are previewed and planned there as well', async () => {
    const { code, out, err } = await postil(['preview', folderWith(owned), '--json']);
    assert.equal(code, 0, err);
    const { previews } = JSON.parse(out) as { previews: { counts: object; isComplete: boolean }[] };
    assert.deepEqual(
      previews.map(({ counts, isComplete }) => [counts, isComplete]),
      [[{ inScope: 4, passing: 2, failing: 2, exempt: 0, undecided: 0 }, true]],
    );
    const path = folderWith(owned.replace('exists', 'is_empty'));
    assert.match(
      (await postil(['plan', path])).out,
      /\n {2}4 in scope: 2 pass, 2 fail\n {2}verdicts: 2 newly failing, 2 newly passing\n/,
    );
  });
});
