import type { IndexedEntity, SearchIndex, TermQuery } from '../../search-index/search-index.ts';
import type { Urn } from '../../urn/urn.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { ascendingNumbers, heldBy, isTerm } from '../bearer-list.ts';
import { searchEntryFromRow } from '../stored-search-entry.ts';
import type { Row, Run } from './postgres-connection.ts';

/** Of so few entities each is asked by itself. */
const askedByThemselvesMax = 500;

/** Numbers in one string of bytes, because a row for each would cost several times as much; in no order, and some several times. */
const selectBearers = `
  SELECT string_agg(int4send((key / ${namesPerEntity})::integer), '') AS bearers FROM search_bearer
  WHERE search_terms_of(key, part) @@ $1::text::tsquery`;

const selectBearersAmong = `
  SELECT string_agg(int4send(bearer), '') AS bearers FROM
    (SELECT DISTINCT asked.id::integer AS bearer FROM unnest($2::bigint[]) AS asked (id) CROSS JOIN LATERAL
       (SELECT terms FROM search_term
        WHERE key >= asked.id * ${namesPerEntity} AND key < (asked.id + 1) * ${namesPerEntity} OFFSET 0) AS own
     WHERE own.terms @@ $1::text::tsquery) AS found`;

const selectTerms = `
  SELECT asked.id, string_agg(array_to_string(tsvector_to_array(terms), ' '), ' ') AS terms
  FROM unnest($1::bigint[]) AS asked (id)
  JOIN search_term ON key >= asked.id * ${namesPerEntity} AND key < (asked.id + 1) * ${namesPerEntity}
  GROUP BY asked.id`;

/** A condition on `present` would make the planner go through all entities that exist. */
const selectIndexed = `
  SELECT chosen.id, chosen.urn, chosen.present, key, name.text AS aspect, checksum, fields
  FROM (SELECT id, urn, present FROM entity WHERE id = ANY ($1::bigint[])) AS chosen LEFT JOIN search_entry
    ON key >= chosen.id * ${namesPerEntity} AND key < (chosen.id + 1) * ${namesPerEntity}
  LEFT JOIN name ON name.id = key % ${namesPerEntity} ORDER BY chosen.id, key`;

/** Answers the port's questions, each with one statement, so each answer is of one state. */
export function createPostgresSearchIndex(
  run: Run,
): Pick<SearchIndex, 'bearers' | 'termsOf' | 'indexed' | 'nameWordsAfter' | 'countEntries'> {
  return {
    async bearers(query, among) {
      if (!isTerm(query.term)) return new Uint32Array();
      const asked = queryOf(query);
      if (among !== undefined && among.length <= askedByThemselvesMax) {
        const { rows } = await run(selectBearersAmong, [asked, among]);
        return numbersOf(rows[0]?.['bearers']);
      }
      const { rows } = await run(selectBearers, [asked]);
      const bearers = numbersOf(rows[0]?.['bearers']);
      return among === undefined ? bearers : heldBy(bearers, among);
    },
    async termsOf(numbers) {
      if (numbers.length === 0) return new Map();
      const { rows } = await run(selectTerms, [numbers]);
      return new Map(rows.map((row) => [Number(row['id']), String(row['terms'])]));
    },
    async indexed(numbers) {
      if (numbers.length === 0) return new Map();
      const { rows } = await run(selectIndexed, [numbers]);
      return new Map(indexedOf(rows).map((entity) => [entity.number, entity]));
    },
    async nameWordsAfter(after, count) {
      const { rows } = await run('SELECT id, word FROM search_word WHERE id > $1 ORDER BY id LIMIT $2', [
        after,
        count,
      ]);
      return rows.map((row) => ({ number: Number(row['id']), word: String(row['word']) }));
    },
    async countEntries() {
      const { rows } = await run('SELECT count(*) AS entries FROM search_entry');
      return Number(rows[0]?.['entries']);
    },
  };
}

/** The term as one quoted lexeme, in which nothing is syntax. */
function queryOf({ term, isPrefix }: TermQuery): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'${isPrefix ? ':*' : ''}`;
}

function numbersOf(bytes: unknown): Uint32Array {
  if (!(bytes instanceof Uint8Array)) return new Uint32Array();
  // Bytes of their own, so that they begin where numbers may begin.
  const own = Buffer.from(new Uint8Array(bytes).buffer);
  own.swap32();
  return ascendingNumbers([new Uint32Array(own.buffer)]);
}

/** Left out is what does not exist, and what has no entry. */
function indexedOf(rows: readonly Row[]): readonly IndexedEntity[] {
  const found: IndexedEntity[] = [];
  let entries: IndexedEntity['entries'][number][] = [];
  let last: number | undefined;
  for (const row of rows) {
    if (row['key'] === null || row['present'] !== 1) continue;
    const number = Number(row['id']);
    const key = Number(row['key']);
    const urn = String(row['urn']) as Urn;
    const aspect = String(row['aspect'] ?? `name ${key % namesPerEntity}`);
    if (number !== last) {
      entries = [];
      found.push({ number, urn, entries });
      last = number;
    }
    const columns: [number, string] = [Number(row['checksum']), String(row['fields'])];
    entries.push(searchEntryFromRow(urn, aspect, key, columns));
  }
  return found;
}
