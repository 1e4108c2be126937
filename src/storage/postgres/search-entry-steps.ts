import { type SearchEntry, termSeparator, termsOf } from '../../aspect/search-entry.ts';
import { correctableWordsOf } from '../../search-index/search-terms.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { searchEntryRow } from '../stored-search-entry.ts';
import type { Step } from './batch-step.ts';

/** A vector holds 1 MB of terms; so many letters are less, whatever they are. */
const vectorLettersMax = 200_000;
/**
 * Entries with terms of up to so many bytes stand together in one vector of their entity: short ones, and apart from them those with few,
 * as of a tag, so that adding one does not make the vector of all short ones anew. The short ones of 511 aspects are less than 1 MB.
 */
const bytesMax = { few: 100, short: 2_000 } as const;
/** Parts of an entry: the two that it shares with others, under the name 0, and the first one of its own. */
export const termParts = { few: 0, short: 1, own: 2 } as const;

/**
 * Replaces what is stored under the keys, by nothing where there is no entry. Of entities in `added` nothing is stored so far. `words` are
 * those that the dictionary may lack.
 */
export function searchEntrySteps(
  entries: ReadonlyMap<number, SearchEntry | undefined>,
  added: ReadonlySet<number>,
  words: readonly string[],
): readonly Step[] {
  const entities = [...new Set([...entries.keys()].map(entityOf))];
  const isKnown = (entity: number): boolean => !added.has(entity);
  const before = [...entries.keys()].filter((key) => isKnown(entityOf(key)));
  const kept = [...entries].flatMap(([key, entry]) => (entry === undefined ? [] : [[key, entry] as const]));
  const rows = kept.map(([key, entry]) => [key, ...searchEntryRow(key, entry)] as const);
  const vectors = kept.flatMap(([key, { terms }]) => vectorsOf(key, terms));
  const [shared, own] = [
    vectors.filter(({ part }) => part < termParts.own),
    vectors.filter(({ part }) => part >= termParts.own),
  ];
  return [
    {
      // Those of the entries as they are and as they will be. Without a join, whose plan could go through all bearers.
      sql: `DELETE FROM search_bearer WHERE entity = ANY ($1::integer[]) AND CASE WHEN name = 0
        THEN entity::bigint * ${namesPerEntity} + part = ANY ($3::bigint[]) OR EXISTS
          (SELECT 1 FROM search_term AS old WHERE old.part = search_bearer.part AND old.key + 0 = ANY ($2::bigint[])
           AND old.key >= entity::bigint * ${namesPerEntity} AND old.key < (entity::bigint + 1) * ${namesPerEntity})
        ELSE entity::bigint * ${namesPerEntity} + name = ANY ($2::bigint[]) END`,
      columns: [
        entities.filter(isKnown),
        before,
        shared.map(({ key, part }) => entityOf(key) * namesPerEntity + part),
      ],
    },
    { sql: 'DELETE FROM search_term WHERE key = ANY ($1::bigint[])', columns: [before] },
    {
      sql: 'DELETE FROM search_entry WHERE key = ANY ($1::bigint[])',
      columns: [[...entries].flatMap(([key, entry]) => (entry === undefined ? [key] : []))],
    },
    {
      // One statement, because each costs a small write as much as what it does.
      sql: `WITH entries AS (
          INSERT INTO search_entry (key, checksum, fields) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[])
          ON CONFLICT (key) DO UPDATE SET checksum = excluded.checksum, fields = excluded.fields)
        INSERT INTO search_term (key, part, terms)
        SELECT key, part, array_to_tsvector(string_to_array(terms, '${termSeparator}'))
        FROM unnest($4::bigint[], $5::smallint[], $6::text[]) AS new (key, part, terms)`,
      columns: [
        rows.map(([key]) => key),
        rows.map(([, checksum]) => checksum),
        rows.map(([, , fields]) => fields),
        vectors.map(({ key }) => key),
        vectors.map(({ part }) => part),
        vectors.map(({ terms }) => terms),
      ],
    },
    // Statements of their own: the index is made of the terms that lie there when a statement begins.
    {
      sql: `INSERT INTO search_bearer (entity, name, part)
        SELECT touched.id, 0, shared.part
        FROM unnest($1::integer[]) AS touched (id) CROSS JOIN (VALUES (${termParts.few}), (${termParts.short})) AS shared (part)
        WHERE (SELECT true FROM search_term WHERE search_term.part = shared.part
          AND key >= touched.id::bigint * ${namesPerEntity} AND key < (touched.id::bigint + 1) * ${namesPerEntity} LIMIT 1)
        ON CONFLICT DO NOTHING`,
      columns: [entities],
    },
    {
      sql: `INSERT INTO search_bearer (entity, name, part)
        SELECT * FROM unnest($1::integer[], $2::smallint[], $3::smallint[])`,
      columns: [
        own.map(({ key }) => entityOf(key)),
        own.map(({ key }) => key % namesPerEntity),
        own.map(({ part }) => part),
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
  const bytes = Buffer.byteLength(terms);
  if (bytes <= bytesMax.few) return [{ key, part: termParts.few, terms }];
  if (bytes <= bytesMax.short) return [{ key, part: termParts.short, terms }];
  return partsOf(terms).map((part, place) => ({ key, part: termParts.own + place, terms: part }));
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
