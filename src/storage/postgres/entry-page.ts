import type { Row, Run } from './postgres-connection.ts';

/*
 * Entries come from the server as few large values: a row for each would take the client as long as an entry takes to be read.
 */

const lineEnd = '\n';
/** A key and a checksum, eight bytes each. */
const pairBytes = 16;

/** Names of aspects by their number. */
export async function aspectNames(run: Run): Promise<ReadonlyMap<number, string>> {
  const { rows } = await run('SELECT id, text FROM name');
  return new Map(rows.map(({ id, text }) => [Number(id), String(text)]));
}

/** The texts of `string_agg(text, E'\n')`. */
function linesOf(value: unknown): readonly string[] {
  return typeof value === 'string' ? value.split(lineEnd) : [];
}

export type KeyedChecksum = { readonly key: number; readonly checksum: number };

/** Entities with their entries: of both, what has the same place belongs together. */
export type EntryPage = {
  readonly numbers: readonly number[];
  readonly urns: readonly string[];
  readonly pairs: readonly KeyedChecksum[];
  readonly fields: readonly string[];
};

/**
 * What `EntryPage` is made of, of the entities that exist. `entities` has id, urn and present, `entries` has key, checksum and fields.
 * Neither URNs nor JSON as it is stored have line ends.
 */
export function pageColumns(entities: string, entries: string): string {
  return `
    (SELECT string_agg(int4send(id::integer), '') FILTER (WHERE present = 1) AS ids,
       string_agg(urn, E'\\n') FILTER (WHERE present = 1) AS urns FROM ${entities}) AS entities,
    (SELECT string_agg(int8send(key) || int8send(checksum), '') AS keys, string_agg(fields, E'\\n') AS fields
     FROM ${entries}) AS entries`;
}

export function pageOf(row: Row): EntryPage {
  const ids = bytesIn(row['ids']);
  return {
    numbers: Array.from({ length: ids.length / 4 }, (_, index) => ids.readInt32BE(index * 4)),
    urns: linesOf(row['urns']),
    pairs: keysOf(row['keys']),
    fields: linesOf(row['fields']),
  };
}

/** The pairs of `string_agg(int8send(key) || int8send(checksum), '')`. */
function keysOf(value: unknown): readonly KeyedChecksum[] {
  const pairs = bytesIn(value);
  return Array.from({ length: pairs.length / pairBytes }, (_, place) => ({
    key: largeNumber(pairs, place * pairBytes),
    checksum: largeNumber(pairs, place * pairBytes + 8),
  }));
}

function bytesIn(value: unknown): Buffer {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.alloc(0);
}

/** Below 2 ** 53, as all keys and checksums are. */
function largeNumber(bytes: Buffer, at: number): number {
  return bytes.readInt32BE(at) * 0x1_0000_0000 + bytes.readUInt32BE(at + 4);
}
