import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';

const repository = dirname(import.meta.dirname);
let folder: string;

/** A repository with three test files and a long suite, run by our runner. */
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'postil-runner-'));
  for (const path of [
    'tools/test.ts',
    'test/postgres-server.ts',
    'src/config.ts',
    'src/errors',
    'package.json',
  ]) {
    cpSync(join(repository, path), join(folder, path), { recursive: true });
  }
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const write = (path: string, lines: readonly string[]): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), ["import { test } from 'node:test';", ...lines].join('\n'));
  };
  write('src/urn/good.test.ts', ["test('good', () => {});"]);
  write('src/term/skipped.test.ts', ["test('skipped', { skip: 'no such server' }, () => {});"]);
  write('test/bad.test.ts', ["test('bad', () => { throw new Error('on purpose'); });"]);
  write('test/long/long.suite.ts', [
    "test('long', () => { if (process.env['POSTIL_PORT']) throw new Error('set'); });",
  ]);
});
after(() => rmSync(folder, { recursive: true, force: true }));

function runTests(...args: string[]): { out: string; errors: string; code: number | null } {
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const result = spawnSync(process.execPath, [join(folder, 'tools', 'test.ts'), ...args], {
    cwd: folder,
    env: { ...environment, POSTIL_PORT: '9' },
    encoding: 'utf8',
  });
  return { out: result.stdout, errors: result.stderr, code: result.status };
}

test('a run ends with the counts, and fails when a test fails', () => {
  const { out, code } = runTests();
  assert.match(out, /tests 3\n[^]*pass 1\n[^]*fail 1\n[^]*skipped 1\n/);
  assert.equal(code, 1);
});

test('paths narrow the run', () => {
  const { out, code } = runTests('src/urn');
  assert.match(out, /tests 1\n[^]*pass 1\n/);
  assert.equal(code, 0);
});

test('a skipped test is told with its reason, and fails the run where skips are forbidden', () => {
  assert.equal(runTests('src').code, 0);
  const { errors, code } = runTests('--forbid-skips', 'src');
  assert.match(errors, /src\/term\/skipped\.test\.ts: skipped \(no such server\)/);
  assert.equal(code, 1);
});

test('long suites run when they are asked for, untouched by settings of a server of one’s own', () => {
  const { out, code } = runTests('--suite', 'long', 'src/urn', 'test/long');
  assert.match(out, /tests 2\n[^]*pass 2\n/);
  assert.equal(code, 0);
});

test('what does not exist is refused, not passed over', () => {
  for (const args of [['--suite', 'none'], ['src/nothing'], ['--unknown']]) {
    const { errors, code } = runTests(...args);
    assert.equal(code, 2, args.join(' '));
    assert.match(errors, /none|nothing|unknown/);
    assert.match(errors, /usage: npm test/);
  }
});
