import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isJsonObject, type JsonObject } from '../../src/aspect/json.ts';

const token = 'reliability-suite-token-0001';
const main = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

/** A test that fails must not leave servers behind. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export type ServerProcess = {
  readonly child: ChildProcess;
  readonly url: string;
  /** Milliseconds from the start of the process to its line "Postil is ready". */
  readonly startMs: number;
  /** Ends it without warning; resolves when it is gone. */
  kill(): Promise<void>;
  /** Asks it to stop; resolves with its exit code. */
  stop(): Promise<number | null>;
};

/** The real `postil serve` in a process of its own. Throws with what it said when it ends instead of getting ready. */
export async function startServer(location: string): Promise<ServerProcess> {
  return launchServer(location).ready;
}

/** The same, for who does not wait until it is ready. */
export function launchServer(
  location: string,
): Pick<ServerProcess, 'kill'> & { readonly ready: Promise<ServerProcess> } {
  const start = performance.now();
  const child = spawn(process.execPath, [main, 'serve', '--store', location, '--port', '0', '--no-sample'], {
    env: { ...process.env, POSTIL_TOKEN: token },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const ended = once(child, 'exit').finally(() => running.delete(child));
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-10_000);
  });
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
    return child.exitCode;
  };
  const kill = async (): Promise<void> => {
    await end('SIGKILL');
  };
  const ready = new Promise<ServerProcess>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry: unknown = JSON.parse(line);
      if (!isJsonObject(entry) || entry['msg'] !== 'Postil is ready') return;
      const startMs = performance.now() - start;
      resolve({ child, url: String(entry['url']), startMs, kill, stop: () => end('SIGTERM') });
    });
    ended.then(
      () => reject(new Error(`The server ended with ${String(child.exitCode)}: ${complaints}`)),
      reject,
    );
  });
  return { kill, ready };
}

/** Runs a command of `postil` to its end. */
export async function runPostil(
  ...words: readonly string[]
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await once(child, 'close');
  return { code: child.exitCode, output };
}

export type HttpAnswer = { readonly status: number; readonly body: unknown };

/** Over one connection of its own that is kept open. Rejects when there was no whole answer. */
export type Client = {
  post(path: string, body: unknown): Promise<HttpAnswer>;
  /** The `data` of a GraphQL answer. Throws a RefusedRequest when there are errors. */
  graphql(query: string, variables?: JsonObject): Promise<JsonObject>;
  /** `POST /aspects?action=ingestProposalBatch`, all or nothing. Throws a RefusedRequest unless it is answered with 200. */
  ingest(proposals: readonly JsonObject[]): Promise<void>;
  close(): void;
};

/** The server answered, and the answer is that it did not do it. */
export class RefusedRequest extends Error {
  readonly status: number;

  constructor(status: number, body: unknown) {
    super(`refused with ${status}: ${JSON.stringify(body)}`);
    this.status = status;
  }
}

export function connect(url: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post: Client['post'] = (path, body) =>
    new Promise((resolve, reject) => {
      const text = JSON.stringify(body);
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const sent = request(`${url}${path}`, { method: 'POST', agent, headers }, (response) => {
        let answer = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          answer += chunk;
        });
        response.on('error', reject);
        response.on('end', () => {
          try {
            resolve({
              status: response.statusCode ?? 0,
              body: answer === '' ? undefined : JSON.parse(answer),
            });
          } catch (error) {
            reject(new Error(`The answer is not JSON: ${answer}`, { cause: error }));
          }
        });
      });
      sent.on('error', reject);
      sent.end(text);
    });
  return {
    post,
    async graphql(query, variables = {}) {
      const { status, body } = await post('/api/graphql', { query, variables });
      if (!isJsonObject(body)) throw new RefusedRequest(status, body);
      const [error] = Array.isArray(body['errors']) ? body['errors'] : [];
      if (error !== undefined) throw new RefusedRequest(statusOf(error), error);
      const data = body['data'];
      if (!isJsonObject(data)) throw new RefusedRequest(status, body);
      return data;
    },
    async ingest(proposals) {
      const { status, body } = await post('/aspects?action=ingestProposalBatch', { proposals });
      if (status !== 200) throw new RefusedRequest(status, body);
    },
    close: () => agent.destroy(),
  };
}

/** `extensions.code` of a GraphQL error. */
function statusOf(error: unknown): number {
  const extensions = isJsonObject(error) ? error['extensions'] : undefined;
  return isJsonObject(extensions) ? Number(extensions['code']) : 0;
}

/** A proposal that stores an aspect. */
export function proposalOf(urn: string, aspect: string, value: JsonObject): JsonObject {
  return {
    entityUrn: urn,
    entityType: urn.split(':')[2] ?? '',
    aspectName: aspect,
    changeType: 'UPSERT',
    aspect: { contentType: 'application/json', value: JSON.stringify(value) },
  };
}

export function datasetUrn(name: string): string {
  return `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
}

export function termUrn(id: string): string {
  return `urn:li:glossaryTerm:${id}`;
}
