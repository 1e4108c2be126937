import type { SearchEntry } from '../aspect/search-entry.ts';
import type { PostilError } from '../errors/postil-error.ts';
import type { StoredSearchEntry } from '../search-index/search-index.ts';
import type { Urn } from '../urn/urn.ts';
import { searchEntryChecksum } from './checksum.ts';
import { damaged } from './stored-aspect.ts';

/** The columns of an entry after its key, in this order: checksum, fields. */
export type SearchEntryRow = [number, string];

export function searchEntryRow(key: number, entry: SearchEntry): SearchEntryRow {
  const fields = JSON.stringify(entry.fields);
  return [searchEntryChecksum(key, fields), fields];
}

/** Throws CORRUPT_ASPECT when the row is not what was stored. */
export function searchEntryFromRow(
  urn: Urn,
  aspect: string,
  key: number,
  [checksum, fields]: SearchEntryRow,
): StoredSearchEntry {
  if (!isUndamaged(key, checksum, fields)) throw damagedEntry(urn, aspect);
  return parsedEntry(aspect, fields);
}

/** Whether a text is what was stored with this checksum in the row with this key. */
export function isUndamaged(key: number, checksum: unknown, text: unknown): boolean {
  // Rot can make a number or a blob of a text.
  return typeof text === 'string' && searchEntryChecksum(key, text) === checksum;
}

export function damagedEntry(urn: Urn, aspect: string): PostilError {
  return damaged(`search entry of ${aspect} of ${urn}`);
}

/** Of a row that is known to be what was stored. */
export function parsedEntry(aspect: string, fields: string): StoredSearchEntry {
  return { aspect, fields: JSON.parse(fields) as SearchEntry['fields'] };
}
