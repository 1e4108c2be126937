import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runPostil, startServerProcess, type ServerProcess } from './process-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'postil-test-files-'));
const token = 'metadata-test-files-token';
const orders = 'urn:li:dataset:(urn:li:dataPlatform:postgres,bookshop.orders,PROD)';
const revenue = 'urn:li:dataset:(urn:li:dataPlatform:hive,marts.daily_revenue,PROD)';
const sampleTest = 'urn:li:test:sales-data-is-documented';
let files = 0;

after(() => rmSync(folder, { recursive: true, force: true }));

function write(text: string, extension = 'yaml'): string {
  files += 1;
  const file = join(folder, `file-${files}.${extension}`);
  writeFileSync(file, text);
  return file;
}

function newFolder(contents: Readonly<Record<string, string>>): string {
  files += 1;
  const path = join(folder, `folder-${files}`);
  mkdirSync(path);
  for (const [name, text] of Object.entries(contents)) writeFileSync(join(path, name), text);
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

const ownedFixtures = `fixtures:
  - name: owned
    given: {type: dataset, aspects: {ownership: {owners: [{owner: 'urn:li:corpuser:ana'}]}}}
    expect: {verdict: PASS, failing: []}
  - name: nobody owns it
    given: {type: dataset, aspects: {}}
    expect: {verdict: FAIL, failing: [has-owner]}
`;

type Finding = {
  readonly code: string;
  readonly line: number;
  readonly column: number;
  readonly pointer?: string;
  readonly test?: string;
  readonly suggestion?: string;
};

async function findingsOf(file: string): Promise<readonly Finding[]> {
  const { out } = await runPostil(['test', 'validate', file, '--json']);
  return (JSON.parse(out) as { findings: readonly Finding[] }).findings;
}

describe('postil test', () => {
  it('explains itself and each sub-command', async () => {
    const { code, out } = await runPostil(['test', '--help']);
    assert.equal(code, 0);
    const names = ['validate', 'fixtures', 'freeze', 'export', 'preview', 'plan', 'apply', 'run', 'explain'];
    assert.deepEqual(
      [...out.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name),
      names,
    );
    for (const name of names) {
      const help = await runPostil(['test', name, '--help']);
      assert.equal(help.code, 0, name);
      assert.match(help.out, new RegExp(`^Usage: postil test ${name} `));
    }
  });

  it('has a section for each sub-command in the reference, with every option', async () => {
    const reference = readFileSync(join(import.meta.dirname, '../docs/reference/command-line.md'), 'utf8');
    const sections = [...reference.matchAll(/^### test ([a-z]+)\n([\s\S]*?)(?=^##|(?![\s\S]))/gm)];
    const { out } = await runPostil(['test', '--help']);
    const names = [...out.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name = '']) => name);
    assert.deepEqual(sections.map(([, name = '']) => name).toSorted(), names.toSorted());
    for (const [, name = '', section = ''] of sections) {
      const help = await runPostil(['test', name, '--help']);
      const options = [...help.out.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, option = '']) => option);
      // Where the tests are stored is said once, for all of them.
      for (const option of options.filter(
        (each) => !['help', 'server', 'token', 'store', 'test'].includes(each),
      )) {
        assert.ok(section.includes(`--${option}`), `${name}: --${option}`);
      }
    }
  });

  it('says what it did not understand, with exit code 2', async () => {
    const urn = orders;
    for (const words of [
      [],
      ['steal'],
      ['validate'],
      ['validate', 'x.yaml', '--format', 'xml'],
      ['validate', 'x.yaml', '--format', 'sarif', '--json'],
      ['fixtures', 'x.yaml', '--min-coverage', 'all'],
      ['plan'],
      ['plan', 'x', '--fail-on', 'anything'],
      ['plan', 'x', '--fail-on', 'newly-failing', '--no-verdicts'],
      ['preview'],
      ['preview', 'x.yaml', '--fail-on', 'anything'],
      ['apply', 'x', '--server', 'http://127.0.0.1:1', '--store', 'y'],
      ['explain', urn],
      ['run'],
    ]) {
      const { code, err } = await runPostil(['test', ...words]);
      assert.equal(code, 2, `${words.join(' ')}: ${err}`);
      assert.match(err, /postil test/);
    }
  });
});

describe('postil test validate', () => {
  it('finds nothing wrong with good tests, bare or named, in YAML and in JSON', async () => {
    const bare = { on: { types: ['dataset'] }, rules: [] };
    const json = write(JSON.stringify([bare, { name: 'second', definition: bare }]), 'json');
    const { code, out } = await runPostil(['test', 'validate', write(`${owned}---\n${owned}`), json]);
    assert.equal(code, 0, out);
    assert.match(out, /4 tests in 2 files: 0 errors, 0 warnings\n$/);
  });

  it('tells file, line, column and what was meant', async () => {
    const file = write(owned.replace('operator: exists', 'operator: exist'));
    const { code, out } = await runPostil(['test', 'validate', file]);
    assert.equal(code, 1);
    assert.ok(out.startsWith(`${file}:10:17: error: /rules/0/operator: `), out);
    assert.match(out, /Did you mean 'exists'\? \[MT103\]\n/);
    assert.deepEqual(
      (await findingsOf(file)).map(({ code: id, line, column, pointer, test, suggestion }) => [
        [id, line, column, pointer],
        [test, suggestion],
      ]),
      [
        [
          ['MT103', 10, 17, '/rules/0/operator'],
          ['Datasets are owned', 'exists'],
        ],
      ],
    );
  });

  it('finds places in the second document, in lists, in JSON and behind aliases', async () => {
    const second = write(`${owned}---\n${owned.replace('exists', 'exist')}`);
    assert.deepEqual(
      (await findingsOf(second)).map(({ line }) => line),
      [21],
    );
    const json = write('[\n\t{"on": {"types": ["dataset"]},\n\t "rules": [{"property": "urn"}]}\n]', 'json');
    assert.deepEqual(
      (await findingsOf(json)).map(({ code, line, column }) => [code, line, column]),
      [['MT102', 3, 13]],
    );
    const alias = write('on: &scope {types: [datset]}\nrules: []\n');
    assert.deepEqual(
      (await findingsOf(alias)).map(({ code, line, column }) => [code, line, column]),
      [['MT006', 1, 21]],
    );
  });

  it('reads the key on as YAML 1.2 does, and as YAML 1.1 writes it', async () => {
    for (const key of ['on', '"on"', 'true']) {
      assert.deepEqual(await findingsOf(write(`${key}: {types: [dataset]}\nrules: []\n`)), [], key);
    }
    const old = write('%YAML 1.1\n---\non: {types: [dataset]}\nrules: []\n');
    assert.deepEqual(await findingsOf(old), []);
  });

  it('tells where a file is no YAML, no test, or has members that no test has', async () => {
    for (const [text, line, column] of [
      ['on: {types: [dataset}\n', 1, 21],
      ['name: a\nname: b\n', 2, 1],
      ['- 1\n', 1, 3],
      ['', 1, 1],
      [`${owned}fixture: []\n`, 11, 10],
    ] as const) {
      const found = await findingsOf(write(text));
      assert.deepEqual(
        found.map((finding) => [finding.code, finding.line, finding.column]),
        [['FILE', line, column]],
        text,
      );
    }
    const { code, err } = await runPostil(['test', 'validate', join(folder, 'nowhere.yaml')]);
    assert.equal(code, 1);
    assert.match(err, /There is no file or folder/);
  });

  it('refuses aliases that lead nowhere, around in a circle, or to far too much, and nesting without end', async () => {
    const levels = ['b', 'c', 'd', 'e', 'f', 'g', 'h'].map(
      (name, index) => `${name}: &${name} [${`*${'abcdefg'[index]}, `.repeat(10)}]`,
    );
    for (const [text, message] of [
      ['on: *nowhere\nrules: []\n', /Unresolved alias/],
      ['on: &a {types: [dataset], x: *a}\nrules: []\n', /circular/],
      [`a: &a [${'x, '.repeat(10)}]\n${levels.join('\n')}\n`, /[Ee]xcessive alias count/],
      ['['.repeat(100_000), /./],
    ] as const) {
      const { code, out, err } = await runPostil(['test', 'validate', write(text)]);
      assert.deepEqual([code, err], [1, ''], text.slice(0, 40));
      assert.match(out, message);
    }
  });

  it('tells which definitions DataHub reads as well, and what makes one ours alone', async () => {
    const ours = owned.replace('operator: exists', 'operator: exists\n      severity: warn');
    const { out } = await runPostil(['test', 'validate', write(`${owned}---\n${ours}`), '--json']);
    const { tests } = JSON.parse(out) as {
      tests: { line: number; portable: boolean; extensions: string[] }[];
    };
    assert.deepEqual(
      tests.map(({ line, portable, extensions }) => [line, portable, extensions]),
      [
        [5, true, []],
        [16, false, ['/rules/0/severity']],
      ],
    );
  });

  it('writes SARIF that names rule, level and place', async () => {
    const file = write(owned.replace('operator: exists', 'operator: exist'));
    const { code, out } = await runPostil(['test', 'validate', file, '--format', 'sarif']);
    assert.equal(code, 1);
    const { version, runs } = JSON.parse(out) as {
      readonly version: string;
      readonly runs: readonly {
        readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
        readonly results: readonly {
          readonly ruleId: string;
          readonly level: string;
          readonly locations: readonly { readonly physicalLocation: { readonly region: object } }[];
        }[];
      }[];
    };
    assert.equal(version, '2.1.0');
    const [run] = runs;
    assert.deepEqual(
      run?.tool.driver.rules.map(({ id }) => id),
      ['MT103'],
    );
    assert.deepEqual(
      run.results.map(({ ruleId, level, locations }) => [
        ruleId,
        level,
        locations[0]?.physicalLocation.region,
      ]),
      [['MT103', 'error', { startLine: 10, startColumn: 17 }]],
    );
  });

  it('writes JUnit with one case for each test', async () => {
    const bad = owned.replace('operator: exists', 'operator: exist').replace('are owned', '<are> "owned"');
    const { code, out } = await runPostil([
      'test',
      'validate',
      write(`${owned}---\n${bad}`),
      '--format',
      'junit',
    ]);
    assert.equal(code, 1);
    assert.match(out, /<testsuites tests="2" failures="1">/);
    assert.match(out, /name="Datasets &lt;are&gt; &quot;owned&quot;">/);
    assert.match(out, /<failure message="[^"]*MT103/);
  });
});

describe('postil test fixtures', () => {
  it('passes when all fixtures do and the minima are reached', async () => {
    const file = write(owned + ownedFixtures);
    const minima = ['--min-coverage', '100', '--min-mutation', '100'];
    const { code, out } = await runPostil(['test', 'fixtures', file, ...minima]);
    assert.equal(code, 0, out);
    assert.equal(
      out,
      'Datasets are owned: 2 of 2 fixtures pass, coverage 100 %, mutation score 100 %\n1 test, 0 failed\n',
    );
  });

  it('reads fixtures inside the definition as well', async () => {
    const inside = ownedFixtures.replaceAll(/^/gm, '  ').trimEnd();
    const { out } = await runPostil(['test', 'fixtures', write(`${owned}${inside}\n`)]);
    assert.match(out, /2 of 2 fixtures pass/);
  });

  it('tells what is otherwise, with its place, in text and in JUnit', async () => {
    const file = write(owned + ownedFixtures.replace('verdict: FAIL', 'verdict: NONE'));
    const { code, out } = await runPostil(['test', 'fixtures', file]);
    assert.equal(code, 1);
    assert.match(out, /:15:5: error: fixture 'nobody owns it': the verdict is FAIL, not NONE\n/);
    const junit = await runPostil(['test', 'fixtures', file, '--format', 'junit']);
    assert.match(junit.out, /<testsuites tests="2" failures="1">/);
    assert.match(junit.out, /<failure message="the verdict is FAIL, not NONE">/);
  });

  it('names what is not covered, proposes a fixture, and fails below the minimum', async () => {
    const [first = ''] = ownedFixtures.split('  - name: nobody');
    const file = write(owned + first);
    const { code, out } = await runPostil(['test', 'fixtures', file, '--min-coverage', '100']);
    assert.equal(code, 1);
    assert.match(out, /error: coverage 33 %, below 100 %/);
    assert.match(out, /not covered: \/rules\/0: rule has-owner decides the verdict alone\n {4}would be: \{/);
    assert.match(out, /not noticed: \/rules\/0: rule has-owner dropped/);
    assert.equal((await runPostil(['test', 'fixtures', file])).code, 0);
    const mutation = await runPostil(['test', 'fixtures', file, '--min-mutation', '60']);
    assert.equal(mutation.code, 1);
    const json = await runPostil(['test', 'fixtures', file, '--json']);
    const { passed, tests } = JSON.parse(json.out) as { passed: boolean; tests: { report: object }[] };
    assert.equal(passed, true);
    assert.ok('coverage' in (tests[0]?.report ?? {}));
  });

  it('does not run the fixtures of a definition that is not valid', async () => {
    const { code, out } = await runPostil(['test', 'fixtures', write(owned.replace('exists', 'exist'))]);
    assert.equal(code, 1);
    assert.match(out, /:5:3: error: the definition is not valid/);
  });
});

describe('tests in a folder and tests that are stored', () => {
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

  it('are compared, created, updated, left alone and deleted only when asked', async () => {
    const path = newFolder({ 'owned.yaml': owned + ownedFixtures, 'pack.yaml': 'pack: mine\n' });
    const planned = await postil(['plan', path, '--no-verdicts']);
    assert.equal(planned.code, 0, planned.err);
    const created =
      'create urn:li:test:owned Datasets are owned\n1 create, 0 update, 0 delete, 0 unchanged\n';
    assert.equal(planned.out, created);
    assert.equal((await postil(['plan', path, '--no-verdicts'])).out, created, 'planning changes nothing');
    assert.equal((await postil(['apply', path])).out, created);
    assert.equal((await postil(['apply', path])).out, '0 create, 0 update, 0 delete, 1 unchanged\n');

    writeFileSync(join(path, 'owned.yaml'), owned.replace('category: Ownership', 'category: Owners'));
    const updated = 'update urn:li:test:owned Datasets are owned (category)\n';
    assert.ok((await postil(['apply', path])).out.startsWith(updated));
    const quoted = owned
      .replace('category: Ownership', 'category: Owners')
      .replace('[dataset]', '["dataset"]');
    writeFileSync(join(path, 'owned.yaml'), `# Layout is no difference.\n${quoted}`);
    assert.match((await postil(['plan', path])).out, /1 unchanged\n$/);

    const pruned = await postil(['plan', path, '--prune', '--json']);
    const { changes } = JSON.parse(pruned.out) as { changes: { action: string; urn: string }[] };
    assert.deepEqual(
      changes.map(({ action, urn }) => [action, urn]),
      [
        ['unchanged', 'urn:li:test:owned'],
        ['delete', sampleTest],
      ],
    );
    const empty = newFolder({ 'other.yaml': owned.replaceAll('owned', 'kept') });
    assert.match((await postil(['apply', empty])).out, /1 create, 0 update, 0 delete/);
  });

  it('change nothing when one of the files is wrong', async () => {
    const good = owned.replace('test:owned', 'test:never-stored');
    const path = newFolder({
      'a.yaml': good,
      'b.yaml': owned.replace('exists', 'exist'),
      'c.yaml': good,
      'd.yaml': 'on: {types: [dataset]}\nrules: []\n',
    });
    const { code, err } = await postil(['apply', path]);
    assert.equal(code, 1);
    assert.match(err, /nothing was changed/);
    assert.match(err, /b\.yaml:10:17: error: .*MT103/);
    assert.match(err, /c\.yaml:5:3: error: urn:li:test:never-stored stands at .*a\.yaml:5:3 as well/);
    assert.match(err, /d\.yaml:1:1: error: the test needs its 'urn'/);
    const missing = await postil(['run', orders, '--test', 'urn:li:test:never-stored']);
    assert.equal(missing.code, 1);
    assert.match(missing.err, /There is no test urn:li:test:never-stored/);
  });

  it('are exported into files that plan finds unchanged', async () => {
    const path = join(folder, 'exported');
    const exported = await postil(['export', path]);
    assert.equal(exported.code, 0, exported.err);
    const names = readdirSync(path);
    assert.ok(names.includes('sales-data-is-documented.yaml'), names.join());
    const text = readFileSync(join(path, 'sales-data-is-documented.yaml'), 'utf8');
    assert.match(
      text,
      /^urn: urn:li:test:sales-data-is-documented\nname: .*\ncategory: Documentation\ndescription: /,
    );
    assert.equal(
      (await postil(['plan', path, '--prune'])).out,
      `0 create, 0 update, 0 delete, ${names.length} unchanged\n`,
    );
    const again = await postil(['export', path]);
    assert.equal(again.code, 1);
    assert.match(again.err, /--force/);
    assert.equal((await postil(['export', path, '--force'])).code, 0);
  });

  it('are run, and the exit code says whether one of severity error fails', async () => {
    const passed = await postil(['run', orders, '--test', sampleTest]);
    assert.equal(passed.code, 0, passed.err);
    assert.match(passed.out, /^PASS .*bookshop\.orders.* urn:li:test:sales-data-is-documented /);
    const failed = await postil(['run', orders, revenue, '--test', sampleTest, '--json']);
    assert.equal(failed.code, 1);
    const { results } = JSON.parse(failed.out) as { results: { urn: string; verdict: string }[] };
    assert.deepEqual(
      results.map(({ urn, verdict }) => [urn, verdict]),
      [
        [orders, 'PASS'],
        [revenue, 'FAIL'],
      ],
    );
    const none = await postil(['run', 'urn:li:container:bookshop', '--test', sampleTest]);
    assert.deepEqual([none.code, none.out.split(' ')[0]], [0, 'NONE']);
    const junit = await postil(['run', revenue, '--test', sampleTest, '--format', 'junit']);
    assert.match(junit.out, /<testsuites tests="1" failures="1">/);
    const unknown = await postil(['run', 'urn:li:tag:nowhere']);
    assert.equal(unknown.code, 1);
  });

  it('of lesser severity fail without an exit code', async () => {
    const warning = owned
      .replace('test:owned', 'test:warned')
      .replace('definition:\n', 'definition:\n  severity: warn\n');
    assert.equal((await postil(['apply', newFolder({ 'warned.yaml': warning })])).code, 0);
    const { code, out } = await postil(['run', revenue, '--test', 'urn:li:test:warned']);
    assert.equal(code, 0);
    assert.match(out, /^FAIL \(warn\) /);
  });

  it('freeze an entity into a fixture that passes', async () => {
    const active = `name: Somebody who works here owns it
definition:
  on: {types: [dataset]}
  rules:
    - forEach: ownership.owners.owner
      satisfies: {property: corpUserInfo.active, operator: is_true}
`;
    const frozen = await postil(['freeze', orders, write(active)]);
    assert.equal(frozen.code, 0, frozen.err);
    assert.match(frozen.out, /urn:li:corpuser:ben:\n +aspects:\n +corpUserInfo:/);
    const checked = await runPostil(['test', 'fixtures', write(active + frozen.out)]);
    assert.match(checked.out, /1 of 1 fixtures pass/);
    const unknown = await postil(['freeze', orders.replace('orders', 'nothing'), write(active)]);
    assert.deepEqual([unknown.code, /There is no entity/.test(unknown.err)], [1, true]);
    const downstream = active
      .replace('ownership.owners.owner', 'lineage.downstream')
      .replace('corpUserInfo.active', 'status.removed');
    const refused = await postil(['freeze', orders, write(downstream)]);
    assert.deepEqual([refused.code, /--store/.test(refused.err)], [1, true], refused.err);
  });

  it('are explained', async () => {
    const { code, out } = await postil(['explain', revenue, '--test', sampleTest]);
    assert.equal(code, 0);
    assert.ok(out.startsWith(`FAIL ${revenue}\nwhy: `), out);
    assert.match(out, /\nto pass: Set an owner\.\n/);
    assert.match(out, /\nlooked at: domains of .*, version 1, by urn:li:corpuser:/);
    const missing = await postil(['explain', revenue, '--test', 'urn:li:test:nowhere']);
    assert.equal(missing.code, 1);
    assert.match(missing.err, /urn:li:test:nowhere/);
  });

  it('are compared with an earlier time', async () => {
    const since = new Date().toISOString();
    const compared = await postil(['explain', revenue, '--test', sampleTest, '--since', since]);
    assert.equal(compared.code, 0, compared.err);
    assert.match(compared.out, new RegExp(`^.*\\n${since.slice(0, 10)}.* FAIL: .*\\n.* FAIL: .*\\n$`));
    const early = await postil(['explain', revenue, '--test', sampleTest, '--since', '2020-01-01']);
    assert.deepEqual([early.code, /There was no test/.test(early.err)], [1, true], early.err);
    const wrong = await postil(['explain', revenue, '--test', sampleTest, '--since', 'yesterday']);
    assert.deepEqual([wrong.code, /is no time/.test(wrong.err)], [2, true], wrong.err);
  });
});

describe('tests and a store that no server holds', () => {
  const store = join(folder, 'unserved');
  const sample = join(import.meta.dirname, '../sample/bookshop.json');
  const postil = (words: readonly string[]): ReturnType<typeof runPostil> =>
    runPostil(['test', ...words, '--store', store]);

  before(async () => {
    assert.equal((await runPostil(['ingest', sample, '--store', store])).code, 0);
  });

  it('are applied, run, explained and pruned there as well', async () => {
    const path = newFolder({ 'owned.yaml': owned });
    const applied = await postil(['apply', path, '--prune']);
    assert.match(applied.out, /1 create, 0 update, 1 delete, 0 unchanged\n$/);
    assert.match(
      (await postil(['run', revenue])).out,
      /^FAIL .* urn:li:test:owned Datasets are owned\n1 entity, 1 verdict, 1 failed/,
    );
    assert.match((await postil(['explain', revenue, '--test', 'urn:li:test:owned'])).out, /^FAIL /);
    const since = new Date().toISOString();
    const compared = await postil(['explain', revenue, '--test', 'urn:li:test:owned', '--since', since]);
    assert.match(compared.out, /^.*\n.* FAIL: .*\n.* FAIL: .*\n$/);
  });

  it('are run for what was changed after a sequence or a time', async () => {
    const everything = await postil(['run', '--changed', '0', '--json']);
    const { results } = JSON.parse(everything.out) as { results: { urn: string }[] };
    assert.deepEqual(new Set(results.map(({ urn }) => urn.split(':')[2])), new Set(['dataset']));
    assert.equal(results.length, 4);
    const before = new Date().toISOString();
    assert.match((await postil(['run', '--changed', before])).out, /^0 entities, 0 verdicts, 0 failed\n$/);
    const proposal = {
      entityType: 'dataset',
      entityUrn: revenue,
      changeType: 'UPSERT',
      aspectName: 'ownership',
      aspect: { json: { owners: [{ owner: 'urn:li:corpuser:ben', type: 'DATAOWNER' }] } },
    };
    assert.equal(
      (await runPostil(['ingest', write(JSON.stringify([proposal]), 'json'), '--store', store])).code,
      0,
    );
    const after = await postil(['run', '--changed', before]);
    assert.deepEqual([after.code, after.out.split(' ').slice(0, 2)], [0, ['PASS', revenue]]);
    assert.match(after.out, /\n1 entity, 1 verdict, 0 failed\n$/);
    const nonsense = await postil(['run', '--changed', 'yesterday']);
    assert.deepEqual([nonsense.code, /not yesterday/.test(nonsense.err)], [1, true]);
  });

  it('freeze an entity into a fixture that passes', async () => {
    const file = write(owned);
    const frozen = await postil(['freeze', orders, file]);
    assert.equal(frozen.code, 0, frozen.err);
    assert.match(frozen.out, /^fixtures:\n {2}- name: urn:li:dataset:.*orders/);
    const checked = await runPostil(['test', 'fixtures', write(owned + frozen.out)]);
    assert.match(checked.out, /1 of 1 fixtures pass/);
    const other = await postil(['freeze', 'urn:li:container:bookshop', file]);
    assert.equal(other.code, 1);
    assert.match(other.err, /No valid test/);
  });
});
