import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { runPostil, startServerProcess, type ServerProcess } from './process-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'postil-test-verdicts-'));
const token = 'metadata-test-verdicts-token';
const environment = { POSTIL_TOKEN: token };
const revenue = 'urn:li:dataset:(urn:li:dataPlatform:hive,marts.daily_revenue,PROD)';
const lenient = 'urn:li:test:described-soon';
const file = join(folder, 'lenient.yaml');

before(() =>
  writeFileSync(
    file,
    `urn: ${lenient}
name: Described soon
definition:
  on: {types: [dataset]}
  graceDays: 3
  rules:
    - {property: datasetProperties.description, operator: exists}
`,
  ),
);

after(() => rmSync(folder, { recursive: true, force: true }));

/** Asserts until it holds, for a while: what is kept follows within moments. */
async function holdsSoon(assertion: () => Promise<void>): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    try {
      await assertion();
      return;
    } catch {
      await delay(100);
    }
  }
  await assertion();
}

describe('postil test run and postil test explain', () => {
  let server: ServerProcess;
  const postil = (words: readonly string[]): ReturnType<typeof runPostil> =>
    runPostil(['test', ...words, '--server', server.url], environment);

  before(async () => {
    server = await startServerProcess(['--store', join(folder, 'store')], environment);
    assert.equal((await postil(['apply', file])).code, 0);
  });

  after(async () => {
    assert.equal(await server.stop(), 0, server.output());
  });

  it('say until when an entity that fails is pending', () =>
    holdsSoon(async () => {
      const { out } = await postil(['explain', revenue, '--test', lenient]);
      assert.match(out, /^FAIL .*\nwhy: .*\npending until: 20\d\d-/);
    }));

  it('say who is excused, why and until when', async () => {
    const expires = Date.now() + 3_600_000;
    const query = 'mutation ($input: TestExemptionInput!) { createTestExemption(input: $input) }';
    const input = { testUrn: lenient, entityUrn: revenue, reason: 'Goes away\nsoon', expires };
    const answer = await fetch(`${server.url}/api/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { input } }),
    });
    assert.doesNotMatch(await answer.text(), /errors/);

    const named = await postil(['run', revenue, '--test', lenient]);
    assert.match(named.out, /^EXEMPT .*\n1 entity, 1 verdict, 0 failed\n$/);
    assert.equal(named.code, 0);
    const { out } = await postil(['run', revenue, '--json']);
    const { results } = JSON.parse(out) as { results: { test: string; verdict: string }[] };
    assert.equal(results.find(({ test }) => test === lenient)?.verdict, 'EXEMPT');

    const explained = await postil(['explain', revenue, '--test', lenient]);
    const until = new Date(expires).toISOString();
    assert.ok(explained.out.includes(`\nexcused: Goes away soon, until ${until}\n`), explained.out);
    assert.match(explained.out, /^EXEMPT (?!.*pending)/s);
  });
});

describe('postil test run', () => {
  it('says ERROR of what cannot be decided, at a server and on a store, and fails', async () => {
    const store = join(folder, 'undecided');
    const values = Array.from({ length: 10_000 }, (_, index) => `needle ${index}`);
    const rule = { property: 'editableDatasetProperties.description', operator: 'contains_str', values };
    const endless = 'urn:li:test:endless';
    const definition = { on: { types: ['dataset'] }, rules: [rule] };
    const files = { test: join(folder, 'endless.json'), long: join(folder, 'long-description.json') };
    writeFileSync(files.test, JSON.stringify({ urn: endless, name: 'Endless', definition }));
    const proposal = {
      entityType: 'dataset',
      entityUrn: revenue,
      changeType: 'UPSERT',
      aspectName: 'editableDatasetProperties',
      aspect: {
        contentType: 'application/json',
        value: JSON.stringify({ description: 'x'.repeat(200_000) }),
      },
    };
    writeFileSync(files.long, JSON.stringify([proposal]));
    assert.equal((await runPostil(['ingest', files.long, '--store', store])).code, 0);
    assert.equal((await runPostil(['test', 'apply', files.test, '--store', store])).code, 0);
    const asked = ['test', 'run', revenue, '--test', endless];
    const expected = /^ERROR .* urn:li:test:endless Endless\n1 entity, 1 verdict, 0 failed, 1 undecided\n$/;
    const offline = await runPostil([...asked, '--store', store]);
    assert.match(offline.out, expected);
    assert.equal(offline.code, 1);
    const server = await startServerProcess(['--store', store], environment);
    try {
      const online = await runPostil([...asked, '--server', server.url], environment);
      assert.match(online.out, expected);
      assert.equal(online.code, 1);
    } finally {
      assert.equal(await server.stop(), 0, server.output());
    }
  });
});

describe('postil test and a folder without a catalogue', () => {
  it('only looks at none and makes none, except for apply', async () => {
    const missing = join(folder, 'missing');
    for (const words of [
      ['preview', file],
      ['plan', file],
      ['run', revenue],
      ['explain', revenue, '--test', lenient],
      ['freeze', revenue, file],
      ['export', join(folder, 'never')],
    ]) {
      const { code, err } = await runPostil(['test', ...words, '--store', missing]);
      assert.deepEqual([code, err], [3, `There is no catalogue in ${missing}\n`], words.join(' '));
    }
    assert.ok(!existsSync(missing));
    assert.equal((await runPostil(['test', 'apply', file, '--store', missing])).code, 0);
  });
});
