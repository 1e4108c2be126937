import { Aspect } from '../aspect/aspect.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import { aspectChecksum, fragmentChecksum } from './checksum.ts';

/** The columns of a stored version, in this order: version, body, system metadata, time, actor, checksum. */
export type AspectRow = [number, string | null, string | null, number, string, number];

/** Turns a row into an aspect; `undefined` for a tombstone. Throws CORRUPT_ASPECT when the row is not what was stored. */
export function aspectFromRow(
  urn: Urn,
  name: string,
  key: number,
  version: number,
  body: string | null,
  system: string | null,
  time: number,
  actor: string,
  checksum: number,
): Aspect | undefined {
  // A text can rot into a blob of the same bytes, and so of the same checksum, or into a number.
  if (
    !(body === null || isText(body)) ||
    aspectChecksum(key, version, time, actor, system, body) !== checksum
  ) {
    throw damaged(`aspect ${name} of ${urn}`);
  }
  return body === null ? undefined : new Aspect(name, version, body, { time, actor }, system);
}

/** The text of a fragment's row. Throws CORRUPT_ASPECT when it is not what was stored. */
export function fragmentFromRow(urn: Urn, name: string, key: number, body: string, checksum: number): string {
  if (!isText(body) || fragmentChecksum(key, body) !== checksum) throw damaged(`${name} of ${urn}`);
  return body;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** What is stored is not what was written. */
export function damaged(what: string): PostilError {
  return new PostilError(
    'CORRUPT_ASPECT',
    `The stored ${what} is damaged. Run postil check, then restore a backup.`,
  );
}
