import type { SearchEntry } from '../../aspect/search-entry.ts';
import { searchEntryRow, separator } from '../stored-search-entry.ts';
import type { Step } from './batch-step.ts';

/** A vector holds 1 MB of terms; so many letters are less, whatever they are. */
const vectorLettersMax = 200_000;

/** Replaces what is stored under the keys, by nothing where there is no entry. */
export function searchEntrySteps(entries: ReadonlyMap<number, SearchEntry | undefined>): readonly Step[] {
  const kept = [...entries].flatMap(([key, entry]) => (entry === undefined ? [] : [[key, entry] as const]));
  const rows = kept.map(([key, entry]) => [key, ...searchEntryRow(key, entry)] as const);
  const vectors = kept.flatMap(([key, { terms }]) => partsOf(terms).map((part) => [key, part] as const));
  return [
    { sql: 'DELETE FROM search_term WHERE key = ANY ($1::bigint[])', columns: [[...entries.keys()]] },
    {
      sql: 'DELETE FROM search_entry WHERE key = ANY ($1::bigint[])',
      columns: [[...entries].flatMap(([key, entry]) => (entry === undefined ? [key] : []))],
    },
    {
      sql: `INSERT INTO search_entry (key, checksum, fields)
        SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[])
        ON CONFLICT (key) DO UPDATE SET checksum = excluded.checksum, fields = excluded.fields`,
      columns: [
        rows.map(([key]) => key),
        rows.map(([, checksum]) => checksum),
        rows.map(([, , fields]) => fields),
      ],
    },
    {
      sql: `INSERT INTO search_term (key, terms)
        SELECT key, array_to_tsvector(string_to_array(terms, '${separator}'))
        FROM unnest($1::bigint[], $2::text[]) AS new (key, terms)`,
      columns: [vectors.map(([key]) => key), vectors.map(([, terms]) => terms)],
    },
  ];
}

/** The terms as texts that a vector can hold. */
function partsOf(terms: readonly string[]): readonly string[] {
  const parts: string[][] = [];
  let letters = Infinity;
  for (const term of terms) {
    if (letters + term.length > vectorLettersMax) {
      parts.push([]);
      letters = 0;
    }
    parts.at(-1)?.push(term);
    letters += term.length + separator.length;
  }
  return parts.map((part) => part.join(separator));
}
