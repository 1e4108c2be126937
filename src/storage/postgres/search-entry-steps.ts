import { type SearchEntry, termSeparator, termsOf } from '../../aspect/search-entry.ts';
import { correctableWordsOf } from '../../search-index/search-terms.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { searchEntryRow } from '../stored-search-entry.ts';
import type { Step } from './batch-step.ts';

/** A vector holds 1 MB of terms; so many letters are less, whatever they are. */
const vectorLettersMax = 200_000;
/**
 * Entries with terms of up to so many bytes stand together in the one vector of their entity, and a change of one of them makes that
 * one anew. So many of each of 511 aspects are less than 1 MB.
 */
const shortBytesMax = 2_000;
/** The part of an entry whose terms are short; the others are counted from 1 on. */
const shortPart = 0;

/** Replaces what is stored under the keys, by nothing where there is no entry. `words` are those that the dictionary may lack. */
export function searchEntrySteps(
  entries: ReadonlyMap<number, SearchEntry | undefined>,
  words: readonly string[],
): readonly Step[] {
  const keys = [...entries.keys()];
  const entities = [...new Set(keys.map(entityOf))];
  const kept = [...entries].flatMap(([key, entry]) => (entry === undefined ? [] : [[key, entry] as const]));
  const rows = kept.map(([key, entry]) => [key, ...searchEntryRow(key, entry)] as const);
  const vectors = kept.flatMap(([key, { terms }]) => vectorsOf(key, terms));
  const long = vectors.filter(({ part }) => part !== shortPart);
  return [
    {
      sql: `DELETE FROM search_bearer
        WHERE entity = ANY ($1::integer[]) AND (part = ${shortPart} OR entity::bigint * ${namesPerEntity} + name = ANY ($2::bigint[]))`,
      columns: [entities, keys],
    },
    { sql: 'DELETE FROM search_term WHERE key = ANY ($1::bigint[])', columns: [keys] },
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
      columns: [
        vectors.map(({ key }) => key),
        vectors.map(({ part }) => part),
        vectors.map(({ terms }) => terms),
      ],
    },
    // Statements of their own: the index is made of the terms that lie there when a statement begins.
    {
      sql: `INSERT INTO search_bearer (entity, name, part)
        SELECT touched.id, 0, ${shortPart} FROM unnest($1::integer[]) AS touched (id) WHERE EXISTS
          (SELECT 1 FROM search_term WHERE part = ${shortPart}
           AND key >= touched.id::bigint * ${namesPerEntity} AND key < (touched.id::bigint + 1) * ${namesPerEntity})`,
      columns: [entities],
    },
    {
      sql: `INSERT INTO search_bearer (entity, name, part)
        SELECT * FROM unnest($1::integer[], $2::smallint[], $3::smallint[])`,
      columns: [
        long.map(({ key }) => entityOf(key)),
        long.map(({ key }) => key % namesPerEntity),
        long.map(({ part }) => part),
      ],
    },
    {
      // Under the lock of the one writer, so that numbers ascend from commit to commit.
      sql: 'INSERT INTO search_word (word) SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING',
      columns: [words],
    },
  ];
}

/** The words of an entry that the dictionary has to hold. */
export function nameWordsOf(entry: SearchEntry): readonly string[] {
  return [...correctableWordsOf(termsOf(entry))];
}

function entityOf(key: number): number {
  return Math.floor(key / namesPerEntity);
}

/** The rows of search_term for an entry. */
function vectorsOf(
  key: number,
  terms: string,
): readonly { readonly key: number; readonly part: number; readonly terms: string }[] {
  if (terms === '') return [];
  if (Buffer.byteLength(terms) <= shortBytesMax) return [{ key, part: shortPart, terms }];
  return partsOf(terms).map((part, place) => ({ key, part: place + 1, terms: part }));
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
