import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** A server in a process of its own, as `npm start` runs it, on a free port. */
export type ServerProcess = {
  readonly url: string;
  readonly child: ChildProcess;
  /** Everything it wrote to standard output and standard error until now. */
  output(): string;
  /** Waits until what it wrote matches, and gives the match. */
  printed(pattern: RegExp): Promise<string>;
  /** SIGTERM, then waits; resolves with the exit code. */
  stop(): Promise<number | null>;
};

export async function startServerProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  // A test that fails before it stops its server must not leave it running.
  process.once('exit', () => child.kill('SIGKILL'));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const ready = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      output += `${line}\n`;
      const entry = JSON.parse(line) as { readonly msg: string; readonly url?: string };
      if (entry.msg === 'Postil is ready' && entry.url !== undefined) resolve(entry.url);
    });
  });
  const url = await Promise.race([
    ready,
    exited.then(([code]) => {
      throw new Error(`The server ended with code ${code} before it was ready: ${output}`);
    }),
  ]);
  return {
    url,
    child,
    output: () => output,
    async printed(pattern) {
      for (let attempt = 0; attempt < 100; attempt += 1) {
        const [match] = pattern.exec(output) ?? [];
        if (match !== undefined) return match;
        await delay(50);
      }
      throw new Error(`The server never wrote ${String(pattern)}: ${output}`);
    },
    async stop() {
      child.kill('SIGTERM');
      const [code] = await exited;
      return code;
    },
  };
}

/** Runs one command of the command line to its end. */
export async function runPostil(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}
