import { isJsonObject } from '../../aspect/json.ts';
import { integerIn, textIn } from '../../entity/stored-member.ts';
import { isUrn, type Urn } from '../../urn/urn.ts';
import {
  type ChunkSet,
  decodeChunkSet,
  emptyChunkSet,
  encodeChunkSet,
  minus,
  sizeOfSet,
} from '../../verdict/chunk-set.ts';
import { type ActionRecord, allRecords, objectOf, type RecordReader } from './action-state.ts';

/**
 * Entities of one chunk that a run has to look at, durable, as a set of bits (A2). What is to be done follows from the verdict
 * at the time it is done, so an entity that changes its verdict twice is looked at once.
 */
export type QueuedChunk = {
  readonly chunk: number;
  readonly test: Urn;
  readonly run: string;
  /** How many actions led to it, one after the other (A8). */
  readonly depth: number;
  /** A transition makes an old decision of people void; a comparison of all that is does not (A5). */
  readonly origin: 'transition' | 'comparison';
  readonly entities: ChunkSet;
};

const kind = 'action-queue';

/** In the order of chunks, so that all that is queued for an entity comes together. */
export async function* readQueue(reader: RecordReader, chunk?: number): AsyncGenerator<QueuedChunk> {
  const from = chunk === undefined ? '' : chunkKey(chunk);
  const to = chunk === undefined ? '~' : chunkKey(chunk + 1);
  for await (const { key, text } of allRecords(reader, kind, from, to)) {
    const queued = chunkOfRecord(key, text);
    if (queued !== undefined) yield queued;
  }
}

/** What is queued of one run. */
export async function* queuedOf(
  reader: RecordReader,
  run: { readonly test: Urn; readonly id: string },
): AsyncGenerator<QueuedChunk> {
  for await (const queued of readQueue(reader)) {
    if (queued.test === run.test && queued.run === run.id) yield queued;
  }
}

/** Adds entities to what is queued in the transaction; records that are to be put. */
export async function queueRecord(reader: RecordReader, added: QueuedChunk): Promise<ActionRecord> {
  const text = await reader.record(kind, keyOf(added));
  const before = text === undefined ? undefined : chunkOfRecord(keyOf(added), text);
  if (before === undefined) return recordOf(added, added.entities);
  return recordOf(
    added,
    added.entities.map((byte, index) => byte | (before.entities[index] ?? 0)),
  );
}

/** Takes entities out of what is queued as it is now; whatever joined in the meantime stays. */
export async function dequeueRecord(
  reader: RecordReader,
  queued: QueuedChunk,
  done: ChunkSet,
): Promise<ActionRecord> {
  const text = await reader.record(kind, keyOf(queued));
  const before = text === undefined ? undefined : chunkOfRecord(keyOf(queued), text);
  return recordOf(queued, before === undefined ? emptyChunkSet() : minus(before.entities, done));
}

export function droppedRecord(queued: QueuedChunk): ActionRecord {
  return { kind, key: keyOf(queued), text: undefined };
}

function recordOf(queued: QueuedChunk, entities: ChunkSet): ActionRecord {
  const isEmpty = sizeOfSet(entities) === 0;
  const text = JSON.stringify({ entities: Buffer.from(encodeChunkSet(entities)).toString('base64') });
  return { kind, key: keyOf(queued), text: isEmpty ? undefined : text };
}

function chunkKey(chunk: number): string {
  return String(chunk).padStart(8, '0');
}

function keyOf({ chunk, test, run, depth, origin }: QueuedChunk): string {
  return [chunkKey(chunk), test, run, depth, origin].join('\n');
}

function chunkOfRecord(key: string, text: string): QueuedChunk | undefined {
  const [chunk, test, run, depth, origin] = key.split('\n');
  if (test === undefined || !isUrn(test) || run === undefined) return undefined;
  const entities = Buffer.from(textIn(objectOf(text), 'entities') ?? '', 'base64');
  return {
    chunk: Number(chunk),
    test,
    run,
    depth: Number(depth),
    origin: origin === 'comparison' ? 'comparison' : 'transition',
    entities: decodeChunkSet(new Uint8Array(entities)),
  };
}

const causeKind = 'action-cause';

/** What actions wrote lately, by offset in the chunk: how deep they were, and when. */
export type Causes = ReadonlyMap<number, { readonly depth: number; readonly time: number }>;

export async function readCauses(reader: RecordReader, chunk: number): Promise<Causes> {
  const text = await reader.record(causeKind, chunkKey(chunk));
  const stored = text === undefined ? {} : objectOf(text);
  return new Map(
    Object.entries(stored).map(([offset, cause]) => {
      const body = isJsonObject(cause) ? cause : {};
      return [Number(offset), { depth: integerIn(body, 'depth') ?? 0, time: integerIn(body, 'time') ?? 0 }];
    }),
  );
}

/** Forgets causes that are too old to have caused anything. */
export function causesRecord(chunk: number, causes: Causes, since: number): ActionRecord {
  const kept = [...causes].filter(([, { time }]) => time >= since);
  const text = kept.length === 0 ? undefined : JSON.stringify(Object.fromEntries(kept));
  return { kind: causeKind, key: chunkKey(chunk), text };
}
