import { crc32 } from 'node:zlib';

/**
 * CRC-32 over everything a stored aspect version says, so that rot in any column is found when the row is read
 * (reliability promise R18). SQLite itself does not notice changed content.
 */
export function aspectChecksum(
  key: number,
  version: number,
  time: number,
  actor: string,
  system: string | null,
  body: string | null,
): number {
  const head = `${key}|${version}|${time}|${actor}|${system ?? ''}|${body === null ? 'removed' : 'stored'}`;
  return body === null ? crc32(head) : crc32(body, crc32(head));
}

/** CRC-32 over a row of the change log: its columns in their order. */
export function changeChecksum(columns: readonly (number | string)[]): number {
  return crc32(columns.join('|'));
}

/** CRC-32 of a fragment, bound to the row it belongs to. */
export function fragmentChecksum(key: number, body: string): number {
  return crc32(body, key % 0xffffffff);
}

/** CRC-32 of the fields of a search entry, bound to the row they belong to. */
export function searchEntryChecksum(key: number, fields: string): number {
  return crc32(fields, key % 0xffffffff);
}
