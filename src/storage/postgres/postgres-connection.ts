import postgres from 'postgres';
import { PostilError } from '../../errors/postil-error.ts';
import { codeOf, postgresError } from './postgres-error.ts';

export type Row = Readonly<Record<string, unknown>>;
export type Result = { readonly rows: readonly Row[]; readonly count: number; readonly command: string };
type Scalar = string | number | null;
/** The client has no arrays of bytes; those are sent as text in base64. */
export type Value = Scalar | Uint8Array | readonly Scalar[];
/** Runs one statement; throws what `postgresError` makes of a failure. */
export type Run = (sql: string, values?: readonly Value[]) => Promise<Result>;

/** One connection for one transaction: whoever has it is alone on it until it is released. */
export type Session = {
  readonly run: Run;
  /** True when the connection broke: then its transaction is gone, and nothing more can be sent. */
  readonly isLost: () => boolean;
  release(): void;
};

export type Connections = {
  /** Runs a statement by itself, on any of the reading connections. */
  readonly run: Run;
  /** As `run`, for statements that go through many rows: each is planned for its own values, and not kept. */
  readonly scan: Run;
  /** The one writing connection of this process. */
  reserve(): Promise<Session>;
  close(): Promise<void>;
};

const readingConnections = 8;
/** For statements that go through many rows. */
export const scanningConnections = 2;
const scanningIdleSeconds = 30;
const integerType = 20;

/** Where the data is, without the password and without anything else that may be secret. */
export function locationOf(url: string): string {
  const { username, host, pathname } = parsedUrl(url);
  return `postgres://${username === '' ? '' : `${username}@`}${host}${pathname}`;
}

function parsedUrl(url: string): URL {
  if (URL.canParse(url)) return new URL(url);
  // The text may hold a password, so it is not repeated.
  throw new PostilError(
    'INVALID_CONFIGURATION',
    'The URL of the store is not valid; it looks like postgres://user:password@host:5432/database',
  );
}

export function connect(url: string): Connections {
  parsedUrl(url);
  const session = {
    application_name: 'postil',
    jit: 'off',
    // A node that froze in the middle of a write must not keep the others waiting for ever.
    idle_in_transaction_session_timeout: 60_000,
  };
  const options = {
    types: {
      bigint: { to: integerType, from: [integerType], serialize: String, parse: Number },
    },
    connection: {
      ...session,
      // Plans are made once and kept, perhaps on an empty catalogue: every statement has an index to go by.
      enable_seqscan: 'off',
      enable_hashjoin: 'off',
      enable_mergejoin: 'off',
    },
    connect_timeout: 10,
    max_lifetime: null,
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 1),
    onnotice: () => undefined,
  };
  const reading = postgres(url, { ...options, max: readingConnections });
  const scanning = postgres(url, {
    ...options,
    connection: session,
    max: scanningConnections,
    idle_timeout: scanningIdleSeconds,
  });
  let lose: (() => void) | undefined;
  const writing = postgres(url, { ...options, max: 1, onclose: () => lose?.() });

  /**
   * The client would go on to send statements of a broken connection, through a socket that is gone or over the next
   * connection and outside any transaction. So every statement first looks whether the connection is still the one.
   */
  async function reserve(): Promise<Session> {
    const reserved = await writing.reserve().catch((error: unknown) => {
      throw postgresError(error);
    });
    const loss = Promise.withResolvers<never>();
    loss.promise.catch(() => undefined);
    let lost: PostilError | undefined;
    lose = () => {
      lost = new PostilError(
        'STORAGE_UNREACHABLE',
        'The connection to PostgreSQL broke: nothing was stored.',
      );
      loss.reject(lost);
    };
    return {
      async run(sql, values) {
        if (lost !== undefined) throw lost;
        return Promise.race([send(reserved, sql, values), loss.promise]);
      },
      isLost: () => lost !== undefined,
      release() {
        lose = undefined;
        if (lost === undefined) reserved.release();
      },
    };
  }

  return {
    run: (sql, values) => send(reading, sql, values),
    scan: (sql, values) => send(scanning, sql, values, false),
    reserve,
    async close() {
      // Reads that run may end; of the writing connection nothing is left, and the client waits in vain for a broken one.
      await Promise.all([
        reading.end({ timeout: 5 }),
        scanning.end({ timeout: 5 }),
        writing.end({ timeout: 0 }),
      ]);
    },
  };
}

type Sender = Pick<postgres.Sql<{ bigint: number }>, 'unsafe'>;

async function send(
  client: Sender,
  sql: string,
  values: readonly Value[] = [],
  prepare = true,
): Promise<Result> {
  if (values.some(holdsNul)) {
    // The server would refuse it as well, and with it everything else in the transaction.
    throw new PostilError('BAD_REQUEST', 'PostgreSQL cannot store the character U+0000; remove it');
  }
  try {
    const rows = await client.unsafe<Record<string, unknown>[]>(sql, [...values], { prepare });
    return { rows, count: Number(rows.count), command: rows.command };
  } catch (error) {
    throw postgresError(error);
  }
}

function holdsNul(value: Value): boolean {
  if (typeof value === 'string') return value.includes('\u0000');
  return Array.isArray(value) && value.some(holdsNul);
}

/**
 * Refuses a server on which an answered write could be lost, or text could change.
 * Throws STORE_UNUSABLE, or STORAGE_UNREACHABLE when no server answers.
 */
export async function assertUsable({ run }: Connections, location: string): Promise<void> {
  let settings: Row | undefined;
  try {
    const { rows } = await run(
      `SELECT current_setting('server_version_num')::bigint AS number, current_setting('server_version') AS version,
         current_setting('synchronous_commit') AS durability, current_setting('server_encoding') AS encoding`,
    );
    settings = rows[0];
  } catch (error) {
    const code = error instanceof PostilError ? error.code : 'STORE_UNUSABLE';
    const reason = error instanceof Error ? error.message : codeOf(error);
    throw new PostilError(code, `Cannot use the store at ${location}: ${reason}`, { cause: error });
  }
  const refuse = (problem: string): PostilError =>
    new PostilError('STORE_UNUSABLE', `Cannot use the store at ${location}: ${problem}`);
  if (Number(settings?.['number']) < 150_000) {
    throw refuse(`it is PostgreSQL ${String(settings?.['version'])}; 15 or newer is needed`);
  }
  if (settings?.['durability'] === 'off') {
    throw refuse('its setting synchronous_commit is off, so an answered write could be lost; set it to on');
  }
  if (settings?.['encoding'] !== 'UTF8') {
    throw refuse(`its database has the encoding ${String(settings?.['encoding'])}; UTF8 is needed`);
  }
}
