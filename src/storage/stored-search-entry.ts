import type { SearchEntry } from '../aspect/search-entry.ts';
import type { StoredSearchEntry } from '../search-index/search-index.ts';
import type { Urn } from '../urn/urn.ts';
import { searchEntryChecksum } from './checksum.ts';
import { damaged } from './stored-aspect.ts';

/** What stands between terms; none ever holds one. */
export const separator = ' ';

/** The columns of an entry after its key, in this order: checksum, fields. */
export type SearchEntryRow = [number, string];

export function searchEntryRow(key: number, entry: SearchEntry): SearchEntryRow {
  const fields = JSON.stringify(entry.fields);
  return [searchEntryChecksum(key, fields), fields];
}

/** With `wanted`, only these fields. Throws CORRUPT_ASPECT when the row is not what was stored. */
export function searchEntryFromRow(
  urn: Urn,
  aspect: string,
  key: number,
  [checksum, fields]: SearchEntryRow,
  wanted?: readonly string[],
): StoredSearchEntry {
  // Rot can make a number or a blob of a text.
  if (typeof fields !== 'string' || searchEntryChecksum(key, fields) !== checksum) {
    throw damaged(`search entry of ${aspect} of ${urn}`);
  }
  const all = JSON.parse(fields) as SearchEntry['fields'];
  if (wanted === undefined) return { aspect, fields: all };
  const chosen: Record<string, readonly string[]> = {};
  for (const field of wanted) {
    const values = all[field];
    if (values !== undefined) chosen[field] = values;
  }
  return { aspect, fields: chosen };
}
