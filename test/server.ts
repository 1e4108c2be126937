import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assignRole } from '../src/access-token/assign-role.ts';
import { createAccessToken } from '../src/access-token/create-access-token.ts';
import { newToken } from '../src/access-token/prepare-first-administrator.ts';
import type { CatalogueStore } from '../src/storage/catalogue-store.ts';
import type { JsonObject, JsonValue } from '../src/aspect/json.ts';
import type { Role } from '../src/auth/privilege.ts';
import { systemCaller } from '../src/auth/system-caller.ts';
import type { Catalogue } from '../src/catalogue.ts';
import { createWriteEngine } from '../src/command/write-engine.ts';
import { createLogger } from '../src/log/logger.ts';
import { projections } from '../src/projections.ts';
import { createPostilServer } from '../src/server.ts';
import { openSqliteStore } from '../src/storage/sqlite/sqlite-aspect-store.ts';

export type Answer = {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** The parsed body; undefined when it is empty or no JSON. */
  readonly body: JsonValue | undefined;
};

export type GraphqlBody = {
  readonly data?: JsonObject | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly locations?: readonly { readonly line: number; readonly column: number }[];
    readonly extensions: { readonly code?: number; readonly type?: string; readonly classification: string };
  }[];
  readonly extensions: JsonObject;
};

/** A whole server for one test file: real store, real engine, real HTTP on a free port of the loopback address. */
export type TestServer = AsyncDisposable & {
  readonly url: string;
  readonly catalogue: Catalogue;
  readonly tokens: Readonly<Record<Role, string>>;
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  /** POST /api/graphql as the editor, unless another token is given. */
  graphql(query: string, variables?: object, token?: string): Promise<GraphqlBody>;
  /** The data of an answer without errors; throws otherwise. */
  data(query: string, variables?: object, token?: string): Promise<JsonObject>;
  /** Stores one aspect through POST /aspects?action=ingestProposal as the administrator. */
  ingest(urn: string, aspect: string, body: JsonObject): Promise<void>;
  lastSequence(): Promise<number>;
  /** The lines that were logged as errors. */
  readonly problems: readonly string[];
  close(): Promise<void>;
};

export type SendOptions = {
  readonly body?: string | JsonValue | object;
  /** `null` sends no Authorization header; absent, the editor's token is sent. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
};

export async function startTestServer(
  options: {
    readonly store?: CatalogueStore;
    /** False: what is kept of metadata tests is what the test itself puts there; true unless given. */
    readonly keepsVerdicts?: boolean;
  } = {},
): Promise<TestServer> {
  const folder = options.store === undefined ? await mkdtemp(join(tmpdir(), 'postil-test-')) : undefined;
  const store = options.store ?? (await openSqliteStore(folder ?? ''));
  const engine = createWriteEngine({ store, projections, now: Date.now, newId: randomUUID });
  const problems: string[] = [];
  const server = createPostilServer(
    { store, engine },
    createLogger('error', (line) => void problems.push(line)),
    Date.now,
    { keepsVerdicts: options.keepsVerdicts ?? true },
  );
  const tokens = {
    Admin: await tokenFor({ store, engine }, 'Admin'),
    Editor: await tokenFor({ store, engine }, 'Editor'),
    Reader: await tokenFor({ store, engine }, 'Reader'),
  };
  const url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;

  async function send(
    method: string,
    path: string,
    { body, token, headers }: SendOptions = {},
  ): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token ?? tokens.Editor}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, headers: response.headers, body: parsed(text) };
  }

  async function graphql(query: string, variables?: object, token?: string): Promise<GraphqlBody> {
    const answer = await send('POST', '/api/graphql', {
      body: { query, ...(variables === undefined ? {} : { variables }) },
      ...(token === undefined ? {} : { token }),
    });
    if (answer.status !== 200) throw new Error(`HTTP ${answer.status}: ${answer.text}`);
    return answer.body as unknown as GraphqlBody;
  }

  const close = async (): Promise<void> => {
    await server.close();
    await engine.idle();
    await store.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  return {
    url,
    catalogue: { store, engine },
    tokens,
    send,
    graphql,
    async data(query, variables, token) {
      const { data, errors } = await graphql(query, variables, token);
      if (errors !== undefined || data === undefined || data === null) {
        throw new Error(`${JSON.stringify(errors)} ${problems.join('')}`);
      }
      return data;
    },
    async ingest(urn, aspect, body) {
      const answer = await send('POST', '/aspects?action=ingestProposal', {
        token: tokens.Admin,
        body: {
          proposal: {
            entityType: urn.split(':')[2],
            entityUrn: urn,
            changeType: 'UPSERT',
            aspectName: aspect,
            aspect: { contentType: 'application/json', value: JSON.stringify(body) },
          },
        },
      });
      if (answer.status !== 200) throw new Error(`HTTP ${answer.status}: ${answer.text}`);
    },
    lastSequence: () => store.lastSequence(),
    problems,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function tokenFor({ engine }: Catalogue, role: Role): Promise<string> {
  const { text, id, lastFour } = newToken('personal');
  const actorUrn = `urn:li:corpuser:${role.toLowerCase()}`;
  await engine.execute(assignRole, { actor: actorUrn, role }, systemCaller);
  await engine.execute(
    createAccessToken,
    { id, lastFour, kind: 'personal', actorUrn, name: 'test', description: undefined, durationMs: 3_600_000 },
    systemCaller,
  );
  return text;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
