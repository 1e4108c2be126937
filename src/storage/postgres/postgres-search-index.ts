import { termSeparator } from '../../aspect/search-entry.ts';
import type { SearchIndex, TermQuery } from '../../search-index/search-index.ts';
import { ascendingNumbers, heldBy, isTerm } from '../bearer-list.ts';
import { parsedEntry } from '../stored-search-entry.ts';
import { createAspectNames, entitiesOf, pageColumns, pageOf } from './entry-page.ts';
import type { Run } from './postgres-connection.ts';
import { entryParts } from './search-entry-rows.ts';

/** Of so few entities each is asked by itself. */
const askedByThemselvesMax = 500;

/** Numbers in one string of bytes, because a row for each would cost several times as much; in no order, and some several times. */
const selectBearers = `
  SELECT (SELECT string_agg(int4send(entity), '') FROM search_bearer
      WHERE search_terms_of(entity, name, part) @@ $1::text::tsquery) AS bearers,
    (SELECT string_agg(int4send(entity), '') FROM search_few
      WHERE search_terms_of(entity, 0::smallint, 0::smallint) @@ $1::text::tsquery) AS few`;

const selectBearersAmong = `
  SELECT string_agg(int4send(entity), '') AS bearers FROM search_entry
  WHERE entity = ANY ($2::integer[]) AND strpos('${termSeparator}' || terms || '${termSeparator}', $1) > 0`;

const selectTerms = `
  SELECT entity, string_agg(terms, '${termSeparator}') AS terms FROM search_entry
  WHERE entity = ANY ($1::integer[]) AND terms <> '' GROUP BY entity`;

/**
 * All of them in one row, because the client takes longer to take rows apart than the server to find them. In no order, which would
 * have to be made of their texts.
 */
const selectIndexed = `
  WITH chosen AS MATERIALIZED (SELECT id, urn, present FROM entity WHERE id = ANY ($1::bigint[]))
  SELECT entities.*, rows.* FROM ${pageColumns(
    'chosen',
    `search_entry WHERE entity = ANY ($1::integer[]) AND part <= ${entryParts.own}`,
  )}`;

const selectWords = 'SELECT id, word FROM search_word WHERE id > $1 ORDER BY id LIMIT 5000';

/** Answers the port's questions, each with one statement, so each answer is of one state. */
export function createPostgresSearchIndex(
  run: Run,
): Pick<SearchIndex, 'bearers' | 'termsOf' | 'indexed' | 'nameWords' | 'countEntries'> {
  const names = createAspectNames(run);

  return {
    async bearers(query, among) {
      if (!isTerm(query.term)) return new Uint32Array();
      if (among !== undefined && among.length <= askedByThemselvesMax) {
        const wanted = termSeparator + query.term + (query.isPrefix ? '' : termSeparator);
        const { rows } = await run(selectBearersAmong, [wanted, among]);
        return numbersOf([rows[0]?.['bearers']]);
      }
      const { rows } = await run(selectBearers, [queryOf(query)]);
      const bearers = numbersOf([rows[0]?.['bearers'], rows[0]?.['few']]);
      return among === undefined ? bearers : heldBy(bearers, among);
    },
    async termsOf(numbers) {
      if (numbers.length === 0) return new Map();
      const { rows } = await run(selectTerms, [numbers]);
      return new Map(rows.map((row) => [Number(row['entity']), String(row['terms'])]));
    },
    async indexed(numbers) {
      if (numbers.length === 0) return new Map();
      const { rows } = await run(selectIndexed, [numbers]);
      const page = pageOf(rows[0] ?? {});
      const found = await names.sure(() =>
        entitiesOf(page, (name, fields) => parsedEntry(names.of(name), fields)),
      );
      return new Map(found.map((entity) => [entity.number, entity]));
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
      const { rows } = await run(
        `SELECT sum(cardinality(string_to_array(entries, E'\\n'))) AS entries FROM search_entry WHERE entries <> ''`,
      );
      return Number(rows[0]?.['entries']);
    },
  };
}

/** The term as one quoted lexeme, in which nothing is syntax. */
function queryOf({ term, isPrefix }: TermQuery): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'${isPrefix ? ':*' : ''}`;
}

/** The numbers of `string_agg(int4send(number), '')`, ascending, each once. */
function numbersOf(lists: readonly unknown[]): Uint32Array {
  return ascendingNumbers(
    lists
      .filter((bytes) => bytes instanceof Uint8Array)
      .map((bytes) => {
        // Bytes of their own, so that they begin where numbers may begin.
        const own = Buffer.from(new Uint8Array(bytes).buffer);
        own.swap32();
        return new Uint32Array(own.buffer);
      }),
  );
}
