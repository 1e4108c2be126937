import { isJsonObject } from '../../aspect/json.ts';
import type { VerdictReader, VerdictTransaction } from '../../verdict/verdict-store.ts';
import { rowFormat } from '../rows/test-row-of.ts';
import type { VerdictRecord } from './test-state.ts';

/** How far the keeper is in the change log, who it is, and how far rows are. */
export type KeeperPlace = {
  /** Everything up to this sequence was considered; `undefined` in a store where nothing was ever kept. */
  readonly sequence: number | undefined;
  readonly rows: RowsPlace;
};

export type RowsPlace = {
  /** Somebody needs rows: there was a test, or a preview. */
  readonly isWanted: boolean;
  /** Chunks that have their rows; all of them once `isComplete`. */
  readonly chunks: number;
  readonly isComplete: boolean;
};

/** One node keeps at a time, and says so until then. */
type Lease = { readonly owner: string; readonly until: number };

type RecordReader = Pick<VerdictReader, 'record'>;

const kind = 'progress';
const cursorKey = 'cursor';
const rowsKey = 'rows';
const leaseKey = 'lease';

/** How long a node keeps its place without saying that it is still there. Milliseconds. */
export const leaseMs = 10_000;

/** Another node has taken over, or has moved on: what is known in memory is no longer true. */
export class LostPlace extends Error {}

export async function readPlace(reader: RecordReader): Promise<KeeperPlace> {
  const cursor = parsed(await reader.record(kind, cursorKey));
  const rows = parsed(await reader.record(kind, rowsKey));
  const isOfForm = rows['form'] === rowFormat;
  return {
    sequence: typeof cursor['sequence'] === 'number' ? cursor['sequence'] : undefined,
    rows: {
      isWanted: rows['isWanted'] === true,
      chunks: isOfForm && typeof rows['chunks'] === 'number' ? rows['chunks'] : 0,
      isComplete: isOfForm && rows['isComplete'] === true,
    },
  };
}

export function cursorRecord(sequence: number): VerdictRecord {
  return { kind, key: cursorKey, text: JSON.stringify({ sequence }) };
}

export function rowsRecord(rows: RowsPlace): VerdictRecord {
  return { kind, key: rowsKey, text: JSON.stringify({ form: rowFormat, ...rows }) };
}

/** Says for whoever keeps that somebody on another node needs rows, if nobody did before. */
export async function askForRows(transaction: VerdictTransaction): Promise<void> {
  const { rows } = await readPlace(transaction);
  if (!rows.isWanted) await transaction.putRecords([rowsRecord({ ...rows, isWanted: true })]);
}

/** Throws LostPlace unless the stored place is the one that is known. */
export async function requirePlace(
  transaction: VerdictTransaction,
  sequence: number | undefined,
): Promise<void> {
  const cursor = parsed(await transaction.record(kind, cursorKey));
  if (cursor['sequence'] !== sequence) throw new LostPlace(`The cursor is at ${String(cursor['sequence'])}`);
}

/** When another node's lease ends; `undefined` when this one may keep. */
export async function leaseOfOther(
  reader: RecordReader,
  owner: string,
  now: number,
): Promise<number | undefined> {
  const lease = await readLease(reader);
  return lease === undefined || lease.owner === owner || lease.until <= now ? undefined : lease.until;
}

/** Takes or renews the lease within a transaction. Throws LostPlace when another node has it. */
export async function takeLease(transaction: VerdictTransaction, owner: string, now: number): Promise<void> {
  const until = await leaseOfOther(transaction, owner, now);
  if (until !== undefined) throw new LostPlace('Another node keeps the verdicts');
  await transaction.putRecords([leaseRecord({ owner, until: now + leaseMs })]);
}

/** Throws LostPlace when the lease is not this node's any more, even if it has run out. */
export async function requireLease(transaction: VerdictTransaction, owner: string): Promise<void> {
  if ((await readLease(transaction))?.owner !== owner) throw new LostPlace('Another node keeps the verdicts');
}

/** Gives the lease up, so that another node need not wait for its end. */
export async function giveUpLease(transaction: VerdictTransaction, owner: string): Promise<void> {
  if ((await readLease(transaction))?.owner !== owner) return;
  await transaction.putRecords([{ kind, key: leaseKey, text: undefined }]);
}

async function readLease(reader: RecordReader): Promise<Lease | undefined> {
  const { owner, until } = parsed(await reader.record(kind, leaseKey));
  return typeof owner === 'string' && typeof until === 'number' ? { owner, until } : undefined;
}

function leaseRecord(lease: Lease): VerdictRecord {
  return { kind, key: leaseKey, text: JSON.stringify(lease) };
}

function parsed(text: string | undefined): { readonly [member: string]: unknown } {
  const body: unknown = text === undefined ? {} : JSON.parse(text);
  return isJsonObject(body) ? body : {};
}
