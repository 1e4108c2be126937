import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { errorText } from '../../errors/error-text.ts';
import { PostilError, type ErrorCode } from '../../errors/postil-error.ts';
import { chunkSpan, type ChunkSet } from '../../verdict/chunk-set.ts';
import type { ListColumn } from '../../verdict/test-row.ts';
import { type CountedValues, createValueCounter, rowsToCount, setCountOf } from '../value-counter.ts';
import type { Sql } from './row-expression.ts';
import { linesStatement, setsOf, type ScanStatement } from './row-statement.ts';
import { openConnection } from './sqlite-connection.ts';

/**
 * Reads wide rows beside the thread that answers requests, over a connection of its own: it sees what was committed before it
 * was asked. One question after another, in the order in which they came.
 */
export type ScanRequest =
  | { readonly kind: 'prepare'; readonly scan: number; readonly statements: readonly ScanStatement[] }
  | { readonly kind: 'chunk'; readonly scan: number; readonly chunk: number }
  | { readonly kind: 'close'; readonly scan: number }
  | {
      readonly kind: 'values';
      readonly columns: readonly ListColumn[];
      readonly chunks: ReadonlyMap<number, readonly ChunkSet[]>;
    }
  | { readonly kind: 'find'; readonly statement: Sql };

/** What is answered to each kind of request. */
export type ScanAnswers = {
  readonly prepare: undefined;
  /** One array of sets for each statement. */
  readonly chunk: readonly Uint8Array<ArrayBuffer>[];
  readonly close: undefined;
  readonly values: CountedValues;
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
  const bytes = bytesOf(statement, [...parameters, first, first + chunkSpan]);
  return setsOf(bytes, questions);
}

/** The only value that a statement gives. */
function bytesOf(statement: StatementSync, parameters: Sql['parameters']): Uint8Array {
  const row: unknown = statement.get(...parameters);
  const value: unknown = Array.isArray(row) ? row[0] : undefined;
  return value instanceof Uint8Array ? value : new Uint8Array();
}

function countValues({ columns, chunks }: ScanRequest & { readonly kind: 'values' }): CountedValues {
  const counter = createValueCounter(columns.length, setCountOf(chunks));
  for (const [chunk, sets] of chunks) {
    const rows = rowsToCount(chunk, sets);
    if (rows.length === 0) continue;
    const { text, parameters } = linesStatement(columns, chunk, rows);
    counter.add(bytesOf(prepared(text), parameters), sets);
  }
  return counter.counted();
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
    case 'values':
      return countValues(request);
    case 'find': {
      const { text, parameters } = request.statement;
      return (prepared(text).all(...parameters) as unknown as [number][]).map(([entity]) => entity);
    }
  }
}

function errorOf(error: unknown): ScanError {
  const message = errorText(error);
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
    const isOfArrays = request.kind === 'chunk' || request.kind === 'values';
    const buffers = isOfArrays
      ? (answer as ScanAnswers[typeof request.kind]).map(({ buffer }) => buffer)
      : [];
    parentPort?.postMessage({ id, answer } satisfies ScanReply, buffers);
  } catch (error) {
    parentPort?.postMessage({ id, error: errorOf(error) } satisfies ScanReply);
  }
});
