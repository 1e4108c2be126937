import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const requirementsFile = join(import.meta.dirname, 'requirements.txt');

/** The version of DataHub's Python package that the suite runs. */
export const datahubPackageVersion =
  /^acryl-datahub==(.+)$/m.exec(readFileSync(requirementsFile, 'utf8'))?.[1] ?? '';

/** Either the folder with the clients' programs, or why they cannot be had here. */
export type PythonClients = { readonly bin: string } | { readonly unavailable: string };

export type Outcome = { readonly code: number | null; readonly out: string; readonly err: string };

/**
 * DataHub's Python clients at pinned versions, in a virtual environment below the system's folder for temporary files,
 * which later runs find again. Takes about a minute the first time.
 */
export async function preparePythonClients(): Promise<PythonClients> {
  const python = spawnSync('python3', ['-c', 'import ensurepip, sys, venv; print(sys.version)'], {
    encoding: 'utf8',
  });
  if (python.status !== 0) return { unavailable: 'python3 with venv and pip is missing' };
  const pinned = createHash('sha256').update(readFileSync(requirementsFile)).update(python.stdout);
  const owner = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `postil-clients-${owner}-${pinned.digest('hex').slice(0, 12)}`);
  const bin = join(folder, 'bin');
  const marker = join(folder, 'is-complete');
  if (isOwn(marker, owner) && isOwn(folder, owner)) return { bin };

  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  const made = await runProgram('python3', ['-m', 'venv', folder], process.env);
  if (made.code !== 0) return { unavailable: `python3 makes no virtual environment: ${lastLine(made)}` };
  const install = [
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--retries',
    '2',
    '--requirement',
    requirementsFile,
  ];
  const installed = await runProgram(join(bin, 'pip'), install, process.env);
  if (installed.code !== 0) return { unavailable: `pip installs no clients: ${lastLine(installed)}` };
  writeFileSync(marker, '');
  return { bin };
}

/** Runs a program to its end. The environment is the whole one, nothing is added. */
export async function runProgram(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  folder?: string,
): Promise<Outcome> {
  const child = spawn(program, args, {
    env: environment,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

/** Whether it is there and nobody else's: what is run from a folder that all may write to has to be one's own. */
function isOwn(path: string, owner: number): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && !stat.isSymbolicLink() && stat.uid === owner;
}

function lastLine({ out, err }: Outcome): string {
  return `${out}\n${err}`.trim().split('\n').at(-1) ?? '';
}
