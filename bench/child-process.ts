import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '..');
/** What `npm start` sets as well (tools/runtime.mjs): without it, every process loads what strips types, and keeps it. */
const compiledCode = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled') };
/** The token of every server that a benchmark starts; they listen on 127.0.0.1 only. */
export const benchToken = 'bench-token-that-opens-nothing-else';

export type ChildOptions = {
  /** Servers get one processor and load another where both can be had; `any`: the operating system decides. */
  readonly processor: 'server' | 'load' | 'any';
  readonly hasMessages?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly nodeOptions?: readonly string[];
};

/** True where processes can be kept on processors of their own. */
export const canPin: boolean =
  process.platform === 'linux' &&
  availableParallelism() > 1 &&
  spawnSync('taskset', ['--version']).status === 0;

/** Starts a TypeScript file, named from bench/, on the runtime that runs this. */
export function startNode(file: string, args: readonly string[], options: ChildOptions): ChildProcess {
  const words = [process.execPath, ...(options.nodeOptions ?? []), join(import.meta.dirname, file), ...args];
  if (canPin && options.processor !== 'any')
    words.unshift('taskset', '-c', options.processor === 'server' ? '0' : '1');
  const [command = '', ...rest] = words;
  return spawn(command, rest, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit', ...(options.hasMessages === true ? (['ipc'] as const) : [])],
    env: { ...compiledCode, ...process.env, POSTIL_LOG_LEVEL: 'info', ...options.environment },
  });
}

/** A server under test. */
export type ServerProcess = {
  readonly port: number;
  readonly pid: number;
  /** Milliseconds from the start of the process until its line that says it is ready was read. */
  readonly readyMs: number;
  /** Microseconds of processor time that all its threads have used; `undefined` where this cannot be told. */
  cpuMicroseconds(): number | undefined;
  /** Resident memory in MiB. */
  residentMebibytes(): number | undefined;
  /** Ends it as an operator would, and waits for it. */
  stop(): Promise<void>;
};

/** Starts a server that prints a line with `"url":"http://...:PORT"` when it is ready. */
export async function startServer(
  file: string,
  args: readonly string[],
  options: ChildOptions = { processor: 'server' },
): Promise<ServerProcess> {
  const start = performance.now();
  const child = startNode(file, args, options);
  const ended = once(child, 'exit');
  const port = await Promise.race([
    portOf(child),
    ended.then(([code]) => {
      throw new Error(`${file} ended with exit code ${String(code)} before it was ready`);
    }),
  ]);
  const readyMs = performance.now() - start;
  const pid = child.pid ?? 0;
  return {
    port,
    pid,
    readyMs,
    cpuMicroseconds: () => readProcess(() => cpuOf(pid)),
    residentMebibytes: () => readProcess(() => residentOf(pid)),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Starts Postil itself from source on a store. */
export function startPostil(
  store: string,
  { profile }: { readonly profile: string | undefined },
  options: Pick<ChildOptions, 'processor' | 'environment'> = { processor: 'server' },
): Promise<ServerProcess> {
  return startServer('../src/main.ts', ['serve', '--store', store, '--port', '0', '--no-sample'], {
    ...options,
    nodeOptions: profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`],
    environment: { ...options.environment, POSTIL_TOKEN: benchToken },
  });
}

async function portOf(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error('The process has no output');
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const port = /"url":"http:\/\/[^"]*:(\d+)"/.exec(line)?.[1];
    if (port === undefined) continue;
    lines.close();
    child.stdout.resume();
    return Number(port);
  }
  throw new Error('The process ended before it was ready');
}

function readProcess(read: () => number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return read();
  } catch {
    return undefined;
  }
}

function cpuOf(pid: number): number {
  let nanoseconds = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ', 1)[0]);
  }
  return nanoseconds / 1_000;
}

function residentOf(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) / 1_024;
}
