import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { PostilError, type ErrorCode } from '../../errors/postil-error.ts';
import { chunkSpan } from '../../verdict/chunk-set.ts';
import type { TallyRow } from '../../verdict/verdict-store.ts';
import type { Sql } from './row-expression.ts';
import { codesPerColumn, setsOf, type ScanStatement } from './row-statement.ts';
import { messageOf, openConnection } from './sqlite-connection.ts';

/**
 * Reads wide rows beside the thread that answers requests, over a connection of its own: it sees what was committed before it
 * was asked. One question after another, in the order in which they came.
 */
export type ScanRequest =
  | { readonly kind: 'prepare'; readonly scan: number; readonly statements: readonly ScanStatement[] }
  | { readonly kind: 'chunk'; readonly scan: number; readonly chunk: number }
  | { readonly kind: 'close'; readonly scan: number }
  | { readonly kind: 'tally'; readonly statement: Sql; readonly rules: number; readonly isGrouped: boolean }
  | { readonly kind: 'find'; readonly statement: Sql };

/** What is answered to each kind of request. */
export type ScanAnswers = {
  readonly prepare: undefined;
  /** One array of sets for each statement. */
  readonly chunk: readonly Uint8Array<ArrayBuffer>[];
  readonly close: undefined;
  readonly tally: readonly TallyRow[];
  readonly find: readonly number[];
};

export type ScanReply =
  | { readonly id: number; readonly answer: ScanAnswers[keyof ScanAnswers] }
  | { readonly id: number; readonly error: ScanError };

/** What of an error survives the way between threads: its message, and its code, of ours or of SQLite. */
export type ScanError = { readonly message: string; readonly code?: ErrorCode; readonly errcode?: number };

type PreparedStatement = Pick<ScanStatement, 'parameters' | 'questions'> & {
  readonly statement: StatementSync;
};

const { file } = workerData as { file: string };
const scans = new Map<number, readonly PreparedStatement[]>();
let database: DatabaseSync | undefined;

function prepared(text: string): StatementSync {
  database ??= openConnection(file, 'reading');
  const statement = database.prepare(text);
  statement.setReturnArrays(true);
  return statement;
}

function readChunk(
  { statement, parameters, questions }: PreparedStatement,
  chunk: number,
): Uint8Array<ArrayBuffer> {
  const first = chunk * chunkSpan;
  const rows = statement.iterate(...parameters, first, first + chunkSpan) as Iterable<unknown> as Iterable<
    number[]
  >;
  return setsOf(rows, first, questions);
}

/** A row with several values counts once for each, so what was grouped by whole lists is added up by value. */
function tally(statement: Sql, ruleCount: number, isGrouped: boolean): readonly TallyRow[] {
  const rows = prepared(statement.text).iterate(...statement.parameters) as Iterable<unknown>;
  const counts = new Map<string, { group: number | undefined; rules: TallyRow['rules']; count: number }>();
  for (const row of rows as Iterable<readonly (number | string)[]>) {
    const codes = row.slice(0, -2).map(Number);
    const list = isGrouped ? String(row.at(-2)).split(',').filter(Boolean).map(Number) : [];
    const count = Number(row.at(-1));
    for (const group of list.length === 0 ? [undefined] : list) {
      const key = `${codes.join()} ${group}`;
      const known = counts.get(key);
      if (known === undefined) counts.set(key, { group, rules: truthsOf(codes, ruleCount), count });
      else known.count += count;
    }
  }
  return [...counts.values()];
}

const truths = [null, true, false, null] as const;

function truthsOf(codes: readonly number[], count: number): readonly (boolean | null)[] {
  return Array.from({ length: count }, (_, rule) => {
    const code = ((codes[Math.floor(rule / codesPerColumn)] ?? 0) >>> (2 * (rule % codesPerColumn))) & 3;
    return truths[code] ?? null;
  });
}

function answerTo(request: ScanRequest): ScanAnswers[keyof ScanAnswers] {
  switch (request.kind) {
    case 'prepare':
      scans.set(
        request.scan,
        request.statements.map(({ text, parameters, questions }) => ({
          statement: prepared(text),
          parameters,
          questions,
        })),
      );
      return undefined;
    case 'chunk':
      return (scans.get(request.scan) ?? []).map((statement) => readChunk(statement, request.chunk));
    case 'close':
      scans.delete(request.scan);
      return undefined;
    case 'tally':
      return tally(request.statement, request.rules, request.isGrouped);
    case 'find': {
      const { text, parameters } = request.statement;
      return (prepared(text).all(...parameters) as unknown as [number][]).map(([entity]) => entity);
    }
  }
}

function errorOf(error: unknown): ScanError {
  const message = messageOf(error);
  if (error instanceof PostilError) return { message, code: error.code };
  const isCoded = typeof error === 'object' && error !== null && 'errcode' in error;
  return isCoded && typeof error.errcode === 'number' ? { message, errcode: error.errcode } : { message };
}

parentPort?.on('message', (message: 'stop' | { readonly id: number; readonly request: ScanRequest }) => {
  if (message === 'stop') {
    database?.close();
    parentPort?.close();
    return;
  }
  const { id, request } = message;
  try {
    const answer = answerTo(request);
    const buffers =
      request.kind === 'chunk' ? (answer as ScanAnswers['chunk']).map(({ buffer }) => buffer) : [];
    parentPort?.postMessage({ id, answer } satisfies ScanReply, buffers);
  } catch (error) {
    parentPort?.postMessage({ id, error: errorOf(error) } satisfies ScanReply);
  }
});
