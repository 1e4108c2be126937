import { type SearchEntry, termSeparator } from '../../aspect/search-entry.ts';
import { searchEntryRow } from '../stored-search-entry.ts';
import type { Step } from './batch-step.ts';

/** A vector holds 1 MB of terms; so many letters are less, whatever they are. */
const vectorLettersMax = 200_000;

/** Replaces what is stored under the keys, by nothing where there is no entry. `words` are those that the dictionary may lack. */
export function searchEntrySteps(
  entries: ReadonlyMap<number, SearchEntry | undefined>,
  words: readonly string[],
): readonly Step[] {
  const kept = [...entries].flatMap(([key, entry]) => (entry === undefined ? [] : [[key, entry] as const]));
  const rows = kept.map(([key, entry]) => [key, ...searchEntryRow(key, entry)] as const);
  const vectors = kept.flatMap(([key, { terms }]) =>
    partsOf(terms).map((part, number) => [key, number, part] as const),
  );
  const vectorKeys = vectors.map(([key]) => key);
  const parts = vectors.map(([, number]) => number);
  return [
    { sql: 'DELETE FROM search_bearer WHERE key = ANY ($1::bigint[])', columns: [[...entries.keys()]] },
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
      sql: `INSERT INTO search_term (key, part, terms)
        SELECT key, part, array_to_tsvector(string_to_array(terms, '${termSeparator}'))
        FROM unnest($1::bigint[], $2::smallint[], $3::text[]) AS new (key, part, terms)`,
      columns: [vectorKeys, parts, vectors.map(([, , terms]) => terms)],
    },
    {
      // A statement of its own: the index is made of the terms that lie there when the statement begins.
      sql: 'INSERT INTO search_bearer (key, part) SELECT * FROM unnest($1::bigint[], $2::smallint[])',
      columns: [vectorKeys, parts],
    },
    {
      // Under the lock of the one writer, so that numbers ascend from commit to commit.
      sql: 'INSERT INTO search_word (word) SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING',
      columns: [words],
    },
  ];
}

/** The terms as texts that a vector can hold. */
function partsOf(terms: string): readonly string[] {
  const parts: string[] = [];
  let rest = terms;
  while (rest.length > vectorLettersMax) {
    const end = rest.lastIndexOf(termSeparator, vectorLettersMax);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end + termSeparator.length);
  }
  return rest === '' ? parts : [...parts, rest];
}
