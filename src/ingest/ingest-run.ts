import { PostilError } from '../errors/postil-error.ts';
import type { ErrorCode } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import type { Proposal } from './proposal.ts';

/** Where proposals go: a store that nobody else holds, or a server. */
export type ProposalSink = {
  /** Stores all or none of them. Throws PostilError when they were refused, or could not be delivered. */
  ingest(proposals: readonly Proposal[]): Promise<void>;
};

/** One record of a file with what it asks for; `error` in place of proposals when it could not be read. */
export type SourceRecord = {
  readonly file: string;
  /** Counted from 1. */
  readonly number: number;
  /** Where it is, for people: a byte offset or a line. */
  readonly place: string;
  readonly bytes: number;
  readonly proposals: readonly Proposal[];
  readonly error?: PostilError;
};

/** What went wrong with one record; the other aspects of the record may have been stored. */
export type RecordProblem = {
  readonly file: string;
  readonly number: number;
  readonly place: string;
  readonly urn?: Urn;
  readonly aspect?: string;
  readonly code: ErrorCode;
  readonly message: string;
};

export type IngestSummary = {
  readonly records: number;
  /** Records of which at least one aspect was not stored. */
  readonly failedRecords: number;
  readonly aspects: number;
  readonly failedAspects: number;
};

export type IngestOptions = {
  readonly onProblem?: (problem: RecordProblem) => void;
  /** After every batch, for a progress bar. */
  readonly onProgress?: (soFar: IngestSummary) => void;
};

/** Clients of the wire protocol send at most so much in one request (wire 2.2). */
const batchProposalsMax = 200;
const batchBytesMax = 4 * 1024 * 1024;

/** Errors that say nothing about the proposals: going on would fail in the same way for every record. */
const fatalCodes: ReadonlySet<ErrorCode> = new Set([
  'UNAUTHENTICATED',
  'OVERLOADED',
  'TOO_MANY_REQUESTS',
  'STORAGE_FULL',
  'STORAGE_FAILED',
  'STORAGE_UNREACHABLE',
  'STORE_LOCKED',
  'STORE_UNUSABLE',
  'TIMED_OUT',
  'ROUTE_NOT_FOUND',
]);

type Pending = { readonly record: SourceRecord; readonly proposal: Proposal };

/**
 * Sends the proposals of all records to the sink in their order, in batches. A batch that is refused is halved until what
 * is bad stands alone; everything else is stored, and reading goes on. Throws when the sink cannot be reached or cannot
 * store at all: the message tells how far it came.
 */
export async function ingestRecords(
  source: AsyncIterable<SourceRecord>,
  sink: ProposalSink,
  options: IngestOptions = {},
): Promise<IngestSummary> {
  let records = 0;
  let aspects = 0;
  let failedAspects = 0;
  const failed = new WeakSet<SourceRecord>();
  let failedRecords = 0;
  let batch: Pending[] = [];
  let batchBytes = 0;
  const summary = (): IngestSummary => ({ records, failedRecords, aspects, failedAspects });

  const fail = (record: SourceRecord, error: PostilError, proposal?: Proposal): void => {
    if (!failed.has(record)) failedRecords += 1;
    failed.add(record);
    const { file, number, place } = record;
    options.onProblem?.({
      file,
      number,
      place,
      ...(proposal === undefined ? {} : { urn: proposal.urn, aspect: proposal.aspect }),
      code: error.code,
      message: error.message,
    });
  };

  const send = async (pending: readonly Pending[]): Promise<void> => {
    try {
      await sink.ingest(pending.map(({ proposal }) => proposal));
      aspects += pending.length;
      return;
    } catch (error) {
      if (!(error instanceof PostilError)) throw error;
      if (fatalCodes.has(error.code)) {
        throw withProgress(error);
      }
      const [only] = pending;
      if (pending.length === 1 && only !== undefined) {
        failedAspects += 1;
        fail(only.record, error, only.proposal);
        return;
      }
    }
    const half = pending.length >> 1;
    await send(pending.slice(0, half));
    await send(pending.slice(half));
  };

  const withProgress = (error: PostilError): PostilError =>
    new PostilError(error.code, `${error.message} (after ${aspects} aspects had been stored)`, {
      cause: error,
    });

  const flush = async (): Promise<void> => {
    if (batch.length > 0) await send(batch);
    batch = [];
    batchBytes = 0;
    options.onProgress?.(summary());
  };

  let broken: PostilError | undefined;
  for await (const record of untilBroken(source, (error) => (broken = error))) {
    records += 1;
    if (record.error !== undefined) fail(record, record.error);
    const share = record.proposals.length === 0 ? 0 : record.bytes / record.proposals.length;
    for (const proposal of record.proposals) {
      if (batch.length >= batchProposalsMax || (batch.length > 0 && batchBytes + share > batchBytesMax))
        await flush();
      batch.push({ record, proposal });
      batchBytes += share;
    }
  }
  await flush();
  // A file that cannot be read to its end; what came before is stored.
  if (broken !== undefined) throw withProgress(broken);
  return summary();
}

/** The records as far as they can be read; tells what they broke off with. */
async function* untilBroken(
  source: AsyncIterable<SourceRecord>,
  onBroken: (error: PostilError) => void,
): AsyncGenerator<SourceRecord> {
  try {
    yield* source;
  } catch (error) {
    if (!(error instanceof PostilError)) throw error;
    onBroken(error);
  }
}
