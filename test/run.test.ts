import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

const repository = dirname(import.meta.dirname);
let folder: string;

/** A clone in which nothing is installed, and an npm that counts how often it is asked to install. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postil-run-'));
  for (const file of ['install.mjs', 'runtime.mjs', 'run.mjs']) {
    cpSync(join(repository, 'tools', file), join(folder, 'tools', file));
  }
  writeFileSync(join(folder, 'package-lock.json'), '{"packages":{"":{}}}');
  mkdirSync(join(folder, 'npm'));
  writeFileSync(
    join(folder, 'npm', 'npm-cli.js'),
    `const fs = require('node:fs');
fs.rmSync('node_modules', { recursive: true, force: true });
if (fs.existsSync('npm-fails')) process.exit(1);
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
fs.mkdirSync('node_modules');
fs.appendFileSync('installs', process.argv[2] + '\\n');`,
  );
  writeFileSync(
    join(folder, 'tell.ts'),
    `const words: string[] = process.argv.slice(2);
process.on('SIGTERM', () => { console.log('asked to stop'); process.exit(5); });
console.log(...words, ...(words[0] === 'flags' ? process.execArgv : []));
if (words[0] === 'exit') process.exit(Number(words[1]));
if (words[0] === 'die') process.kill(process.pid, 'SIGKILL');
if (words[0] === 'wait') setInterval(() => {}, 1000);`,
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function start(args: readonly string[], runtime = '') {
  const child = spawn(process.execPath, [join(folder, 'tools', 'run.mjs'), 'tell.ts', ...args], {
    env: { ...process.env, npm_execpath: join(folder, 'npm', 'npm-cli.js'), POSTIL_RUNTIME: runtime },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.errors += text));
  const ended = once(child, 'close').then(() => ({
    ...said,
    code: child.exitCode,
    signal: child.signalCode,
  }));
  return { child, ended };
}

const installs = (): number =>
  existsSync(join(folder, 'installs'))
    ? readFileSync(join(folder, 'installs'), 'utf8').split('\n').length - 1
    : 0;

test('the first run installs, the next does not, and a changed lockfile makes it install again', async () => {
  const first = await start(['--port', '9000']).ended;
  assert.equal(first.out, '--port 9000\n', 'the arguments arrive, and nothing else is on standard output');
  assert.match(first.errors, /installing the packages/);
  assert.deepEqual(await start(['again']).ended, { out: 'again\n', errors: '', code: 0, signal: null });
  assert.equal(installs(), 1);
  writeFileSync(join(folder, 'package-lock.json'), '{"packages":{"":{"version":"2.0.0"}}}');
  await start([]).ended;
  assert.equal(installs(), 2);
});

test('runs that start together install once, and all of them work', async () => {
  const runs = await Promise.all(['a', 'b', 'c', 'd'].map(async (word) => start([word]).ended));
  assert.deepEqual(
    runs.map(({ out, code }) => [out, code]),
    [
      ['a\n', 0],
      ['b\n', 0],
      ['c\n', 0],
      ['d\n', 0],
    ],
  );
  assert.equal(installs(), 1);
});

test('a set-up that was killed does not block the next one', async () => {
  const { child, ended } = start(['killed']);
  child.kill('SIGKILL');
  await ended;
  mkdirSync(join(folder, '.cache', 'setup.lock'), { recursive: true });
  writeFileSync(join(folder, '.cache', 'setup.lock', 'owner'), String(child.pid));
  assert.equal((await start(['next']).ended).out, 'next\n');
  assert.equal(existsSync(join(folder, '.cache', 'setup.lock')), false);
});

test('what was installed by hand is accepted when it is complete', async () => {
  writeFileSync(
    join(folder, 'package-lock.json'),
    '{"packages":{"":{},"node_modules/a":{"version":"1.0.0"},"node_modules/b":{"version":"1.0.0","optional":true}}}',
  );
  mkdirSync(join(folder, 'node_modules'));
  const record = join(folder, 'node_modules', '.package-lock.json');
  writeFileSync(record, '{"packages":{"node_modules/a":{"version":"1.0.0"}}}');
  await start([]).ended;
  assert.equal(installs(), 0);
  writeFileSync(record, '{"packages":{"node_modules/a":{"version":"0.9.0"}}}');
  rmSync(join(folder, 'node_modules', '.postil-lock'));
  await start([]).ended;
  assert.equal(installs(), 1);
});

test('a failed installation is told, and tried again by the next run', async () => {
  writeFileSync(join(folder, 'npm-fails'), '');
  const failed = await start(['x']).ended;
  assert.deepEqual([failed.out, failed.code], ['', 1]);
  assert.match(failed.errors, /npm ci failed/);
  rmSync(join(folder, 'npm-fails'));
  assert.equal((await start(['x']).ended).out, 'x\n');
});

test('the run ends as the script ends, with its exit code or its signal', async () => {
  assert.equal((await start(['exit', '3']).ended).code, 3);
  assert.equal((await start(['die']).ended).signal, 'SIGKILL');
});

test('a signal reaches the script, which decides how to end', async () => {
  const { child, ended } = start(['wait']);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  const { out, code } = await ended;
  assert.deepEqual([out, code], ['wait\nasked to stop\n', 5]);
});

test('the runtime that comes with Postil compiles WebAssembly once, and another is given no flags', async (t) => {
  if (process.platform === 'win32') return t.skip('links need rights of their own on Windows');
  await start(['installed']).ended;
  const bin = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(process.execPath, join(bin, 'node'));
  assert.equal((await start(['flags']).ended).out, 'flags --liftoff-only\n');
  assert.equal((await start(['flags'], process.execPath).ended).out, 'flags\n');
});

test('POSTIL_RUNTIME has to name a file', async () => {
  const { errors, code } = await start(['x'], '/nowhere/node').ended;
  assert.equal(code, 1);
  assert.match(errors, /POSTIL_RUNTIME is \/nowhere\/node, and there is no such file/);
});
