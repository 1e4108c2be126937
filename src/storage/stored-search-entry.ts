import type { SearchEntry } from '../aspect/search-entry.ts';
import type { StoredSearchEntry } from '../search-index/search-index.ts';
import type { Urn } from '../urn/urn.ts';
import { searchEntryChecksum } from './checksum.ts';
import { damaged } from './stored-aspect.ts';

/** What stands between words, and between terms; neither ever holds one. */
export const separator = ' ';

/** The columns of an entry after its key, in this order: fields, words, checksum. */
export type SearchEntryRow = [string, string, number];

export function searchEntryRow(key: number, entry: SearchEntry): SearchEntryRow {
  const fields = JSON.stringify(entry.fields);
  const words = entry.words.join(separator);
  return [fields, words, searchEntryChecksum(key, fields, words)];
}

/** With `wanted`, only these fields, and no words. Throws CORRUPT_ASPECT when the row is not what was stored. */
export function searchEntryFromRow(
  urn: Urn,
  aspect: string,
  key: number,
  [fields, words, checksum]: SearchEntryRow,
  wanted?: readonly string[],
): StoredSearchEntry {
  // Rot can make a number or a blob of a text.
  if (
    typeof fields !== 'string' ||
    typeof words !== 'string' ||
    searchEntryChecksum(key, fields, words) !== checksum
  ) {
    throw damaged(`search entry of ${aspect} of ${urn}`);
  }
  const all = JSON.parse(fields) as SearchEntry['fields'];
  if (wanted === undefined) {
    return { aspect, fields: all, words: words === '' ? [] : words.split(separator) };
  }
  const chosen: Record<string, readonly string[]> = {};
  for (const field of wanted) {
    const values = all[field];
    if (values !== undefined) chosen[field] = values;
  }
  return { aspect, fields: chosen, words: [] };
}
