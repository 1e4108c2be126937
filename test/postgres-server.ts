import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  accessSync,
  chownSync,
  constants,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import postgres from 'postgres';

/** A PostgreSQL for one test file: `url` names an empty database of its own, `stop` drops it again. */
export type TestPostgres = { readonly url: string; stop(): Promise<void> };

/** Where tools/test.ts says that it has started one server for the whole run. */
export const sharedServerVariable = 'POSTIL_TEST_POSTGRES_URL';

const notInstalled = 'PostgreSQL is not installed: no initdb and postgres in PATH or /usr/lib/postgresql';

/** Why there is no PostgreSQL for tests on this machine; false when there is one. Made for `{ skip: ... }`. */
export function postgresUnavailable(): string | false {
  if (process.env[sharedServerVariable]) return false;
  if (findBinaries() === undefined) return notInstalled;
  if (isRoot() && serverUser() === undefined)
    return 'PostgreSQL refuses to run as root, and there is no other user';
  return false;
}

/**
 * An empty database on a throw-away server: the one of the whole test run when there is one, else one of this call's own.
 * Its default collation is a linguistic one (ICU, en-US), so statements that forget to say how they sort are found out.
 */
export async function startPostgres(): Promise<TestPostgres> {
  const shared = process.env[sharedServerVariable];
  const server = shared === undefined ? await startPostgresServer() : { url: shared, stop: async () => {} };
  try {
    const database = await createDatabase(server.url);
    return {
      url: database.url,
      stop: async () => {
        await database.drop();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** A server of its own, for tests that stop or kill it, and for a whole test run. Nothing of it survives `stop`. */
export async function startPostgresServer(): Promise<TestPostgres & { readonly process: ChildProcess }> {
  const binaries = findBinaries();
  if (binaries === undefined) throw new Error(notInstalled);
  const folder = mkdtempSync(join(tmpdir(), 'postil-postgres-'));
  const password = randomBytes(16).toString('hex');
  const identity = isRoot() ? serverUser() : undefined;
  try {
    writeFileSync(join(folder, 'password'), password);
    if (identity !== undefined) {
      for (const path of [folder, join(folder, 'password')]) chownSync(path, identity.uid, identity.gid);
    }
    initialize(binaries, folder, identity);
    const { server, port } = await launch(binaries, folder, identity);
    const kill = (): boolean => server.kill('SIGQUIT');
    process.on('exit', kill);
    return {
      url: `postgres://postil:${password}@127.0.0.1:${port}/postgres`,
      process: server,
      stop: async () => {
        process.off('exit', kill);
        await stopServer(server);
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

type Identity = { readonly uid: number; readonly gid: number };

function initialize(binaries: string, folder: string, identity: Identity | undefined): void {
  const result = spawnSync(
    join(binaries, 'initdb'),
    [
      `--pgdata=${join(folder, 'data')}`,
      `--pwfile=${join(folder, 'password')}`,
      '--username=postil',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--locale-provider=icu',
      '--icu-locale=en-US',
      '--no-sync',
    ],
    { ...identity, cwd: folder, encoding: 'utf8' },
  );
  if (result.status !== 0) throw new Error(`initdb failed: ${result.error?.message ?? result.stderr}`);
}

/** Starts the server on a free port of the loopback address; tries again when somebody else took the port meanwhile. */
async function launch(
  binaries: string,
  folder: string,
  identity: Identity | undefined,
): Promise<{ server: ChildProcess; port: number }> {
  let log = '';
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const port = await freePort();
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: 200,
      // The server is thrown away, and what these protect against is a crash of the machine.
      fsync: 'off',
      full_page_writes: 'off',
    };
    const server = spawn(
      join(binaries, 'postgres'),
      [
        '-D',
        join(folder, 'data'),
        ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
      ],
      { ...identity, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    log = await untilReady(server);
    if (server.exitCode === null && server.signalCode === null) return { server, port };
  }
  throw new Error(`PostgreSQL does not start: ${log}`);
}

/** Resolves with what the server logged, when it accepts connections or has ended. */
async function untilReady(server: ChildProcess): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let log = '';
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (log.length < 10_000) log += text;
    if (log.includes('ready to accept connections')) resolve(log);
  });
  server.on('error', (error) => resolve(error.message));
  server.on('exit', () => resolve(log));
  return promise;
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGINT');
  await ended;
}

async function createDatabase(serverUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `postil_test_${randomBytes(6).toString('hex')}`;
  const administer = async (statement: string): Promise<void> => {
    const sql = postgres(serverUrl, { max: 1, onnotice: () => {} });
    try {
      await sql.unsafe(statement);
    } finally {
      await sql.end();
    }
  };
  await administer(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: async () => administer(`drop database if exists ${name} with (force)`) };
}

/** The folder with initdb and postgres: of PATH, else the newest version where Debian and its relatives install them. */
function findBinaries(): string | undefined {
  const installed = '/usr/lib/postgresql';
  const versions = listFolder(installed).sort((left, right) => Number(right) - Number(left));
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(installed, version, 'bin')),
  ];
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => isExecutable(join(folder, name))));
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function serverUser(): Identity | undefined {
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find((account) => account.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port on 127.0.0.1');
  return address.port;
}
