import type { Run } from './postgres-connection.ts';

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
export function linesOf(value: unknown): readonly string[] {
  return typeof value === 'string' ? value.split(lineEnd) : [];
}

export type KeyedChecksum = { readonly key: number; readonly checksum: number };

/** The pairs of `string_agg(int8send(key) || int8send(checksum), '')`. */
export function keysOf(value: unknown): readonly KeyedChecksum[] {
  const pairs = bytesIn(value);
  return Array.from({ length: pairs.length / pairBytes }, (_, place) => ({
    key: largeNumber(pairs, place * pairBytes),
    checksum: largeNumber(pairs, place * pairBytes + 8),
  }));
}

export function bytesIn(value: unknown): Buffer {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.alloc(0);
}

/** Below 2 ** 53, as all keys and checksums are. */
function largeNumber(bytes: Buffer, at: number): number {
  return bytes.readInt32BE(at) * 0x1_0000_0000 + bytes.readUInt32BE(at + 4);
}
