import { hash } from 'node:crypto';
import { PostilError } from '../errors/postil-error.ts';
import type { RelevanceStatistics } from './relevance.ts';
import type { SearchQuery } from './search-engine.ts';

/** Where a page ended, with what the order was made from. */
export type SearchPosition =
  | {
      readonly by: 'relevance';
      /** 0 is the best class. */
      readonly class: number;
      /** `null`: among those that are ordered by number alone. */
      readonly score: number | null;
      readonly number: number;
      /** Up to this number, the class is ordered by score. */
      readonly rankedUpTo: number;
      readonly statistics: RelevanceStatistics | null;
    }
  | {
      readonly by: 'fields';
      /** Of the last hit, in the order of the sort fields; `null` where it has none. */
      readonly values: readonly (string | null)[];
      readonly number: number;
    };

const checksumLetters = 10;
const cursorLettersMax = 16_384;

/** What a cursor is bound to: everything in the query that decides what is found, and in which order. */
export function queryDigest({ text, types, filter, among, includeSoftDeleted, sort }: SearchQuery): string {
  const query = [
    text,
    types?.toSorted() ?? null,
    filter ?? [],
    among ?? null,
    includeSoftDeleted === true,
    sort ?? [],
  ];
  return hash('sha1', JSON.stringify(query), 'base64url').slice(0, 16);
}

export function writeCursor(position: SearchPosition, digest: string): string {
  const text = JSON.stringify({ digest, position });
  return Buffer.from(checksumOf(text) + text).toString('base64url');
}

/** Throws BAD_REQUEST for what is no cursor, is damaged, or belongs to another query. */
export function readCursor(cursor: string, digest: string): SearchPosition {
  const bytes = cursor.length > cursorLettersMax ? '' : Buffer.from(cursor, 'base64url').toString();
  const text = bytes.slice(checksumLetters);
  if (text === '' || checksumOf(text) !== bytes.slice(0, checksumLetters)) {
    throw new PostilError(
      'BAD_REQUEST',
      'The cursor (scroll id) is none of this service, or it is damaged. Begin again without one.',
    );
  }
  // The checksum says that it was written here.
  const read = JSON.parse(text) as { readonly digest: string; readonly position: SearchPosition };
  if (read.digest !== digest) {
    throw new PostilError(
      'BAD_REQUEST',
      'The cursor (scroll id) belongs to another query: text, types, filters and order must stay the same from page to page.',
    );
  }
  return read.position;
}

function checksumOf(text: string): string {
  return hash('sha1', `search cursor\u0000${text}`, 'base64url').slice(0, checksumLetters);
}
