import { termSeparator } from '../../aspect/search-entry.ts';
import type { IndexedEntity, SearchIndex, TermQuery } from '../../search-index/search-index.ts';
import type { Urn } from '../../urn/urn.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { ascendingNumbers, heldBy, isTerm } from '../bearer-list.ts';
import { searchEntryFromRow, type SearchEntryRow } from '../stored-search-entry.ts';
import { aspectNames, type EntryPage, type KeyedChecksum, pageColumns, pageOf } from './entry-page.ts';
import type { Run } from './postgres-connection.ts';

/** Of so few entities each is asked by itself. */
const askedByThemselvesMax = 500;

/** Numbers in one string of bytes, because a row for each would cost several times as much; in no order, and some several times. */
const selectBearers = `
  SELECT string_agg(int4send(entity), '') AS bearers FROM search_bearer
  WHERE search_terms_of(entity, name, part) @@ $1::text::tsquery`;

const selectBearersAmong = `
  SELECT string_agg(int4send(bearer), '') AS bearers FROM
    (SELECT DISTINCT asked.id::integer AS bearer FROM unnest($2::bigint[]) AS asked (id) CROSS JOIN LATERAL
       (SELECT terms FROM search_term
        WHERE key >= asked.id * ${namesPerEntity} AND key < (asked.id + 1) * ${namesPerEntity} OFFSET 0) AS own
     WHERE own.terms @@ $1::text::tsquery) AS found`;

const selectTerms = `
  SELECT asked.id, string_agg(array_to_string(tsvector_to_array(terms), '${termSeparator}'), '${termSeparator}') AS terms
  FROM unnest($1::bigint[]) AS asked (id)
  JOIN search_term ON key >= asked.id * ${namesPerEntity} AND key < (asked.id + 1) * ${namesPerEntity}
  GROUP BY asked.id`;

/**
 * All of them in one row, because the client takes longer to take rows apart than the server to find them. In no order, which would
 * have to be made of their texts.
 */
const selectIndexed = `
  WITH chosen AS MATERIALIZED (SELECT id, urn, present FROM entity WHERE id = ANY ($1::bigint[]))
  SELECT entities.*, entries.* FROM ${pageColumns(
    'chosen',
    `chosen JOIN search_entry ON key >= id * ${namesPerEntity} AND key < (id + 1) * ${namesPerEntity}`,
  )}`;

const selectWords = 'SELECT id, word FROM search_word WHERE id > $1 ORDER BY id LIMIT 5000';

/** Answers the port's questions, each with one statement, so each answer is of one state. */
export function createPostgresSearchIndex(
  run: Run,
): Pick<SearchIndex, 'bearers' | 'termsOf' | 'indexed' | 'nameWords' | 'countEntries'> {
  /** Names of aspects by number, as many as were met. */
  let known: ReadonlyMap<number, string> = new Map();
  async function namesOf(pairs: readonly KeyedChecksum[]): Promise<ReadonlyMap<number, string>> {
    const isKnown = pairs.every(({ key }) => known.has(key % namesPerEntity));
    if (!isKnown) known = await aspectNames(run);
    return known;
  }

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
      const page = pageOf(rows[0] ?? {});
      return entitiesOf(page, await namesOf(page.pairs));
    },
    async *nameWords() {
      for (let after = 0; ;) {
        const { rows } = await run(selectWords, [after]);
        const last = rows.at(-1);
        if (last === undefined) return;
        after = Number(last['id']);
        yield rows.map((row) => String(row['word']));
      }
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

/** Those that exist and have entries. */
function entitiesOf(
  { numbers, urns, pairs, fields }: EntryPage,
  names: ReadonlyMap<number, string>,
): ReadonlyMap<number, IndexedEntity> {
  const rows = pairs
    .map(({ key, checksum }, place) => ({ key, row: [checksum, fields[place] ?? ''] as SearchEntryRow }))
    .sort((one, other) => one.key - other.key);
  const rowsByNumber = Map.groupBy(rows, ({ key }) => Math.floor(key / namesPerEntity));
  const found = new Map<number, IndexedEntity>();
  for (const [place, number] of numbers.entries()) {
    const own = rowsByNumber.get(number);
    if (own === undefined) continue;
    const urn = (urns[place] ?? '') as Urn;
    const entries = own.map(({ key, row }) => {
      const name = key % namesPerEntity;
      return searchEntryFromRow(urn, names.get(name) ?? `name ${name}`, key, row);
    });
    found.set(number, { number, urn, entries });
  }
  return found;
}
