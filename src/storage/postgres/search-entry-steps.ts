import type { SearchEntry } from '../../aspect/search-entry.ts';
import { correctableWordsIn } from '../../search-index/search-terms.ts';
import { namesPerEntity } from '../aspect-key.ts';
import type { Step } from './batch-step.ts';
import type { Row, Run } from './postgres-connection.ts';
import {
  changedRows,
  entryParts,
  type EntryRow,
  packedEntry,
  type RowChange,
  rowKeyOf,
  rowKeySql,
  rowSeparator,
  rowsOf,
} from './search-entry-rows.ts';

/** Of a long entry only where its rows are: they are replaced as they are. Rows are named by numbers, because a join could go through all. */
const selectRows = `
  SELECT entity, name, part, checksum, CASE WHEN name = 0 THEN entries ELSE '' END AS entries,
    CASE WHEN name = 0 THEN terms ELSE '' END AS terms
  FROM search_entry
  WHERE entity = ANY ($1::integer[]) AND (name = 0 OR entity::bigint * ${namesPerEntity} + name = ANY ($2::bigint[]))`;

/** Texts come in one, each after a separator: as elements of an array every quote in them would be escaped, and read again. */
const columnsOfRows = `unnest($1::integer[], $2::smallint[], $3::smallint[], $4::bigint[],
  (string_to_array($5::text, '${rowSeparator}'))[2:], (string_to_array($6::text, E'\\n'))[2:])`;

type Entries = ReadonlyMap<number, SearchEntry | undefined>;

/**
 * The statements that replace what is stored under the keys, by nothing where there is no entry. Of entities in `added` nothing is
 * stored so far; of the others the rows that their entries share are read. `words` are those that the dictionary may lack.
 */
export async function searchEntrySteps(
  run: Run,
  entries: Entries,
  added: ReadonlySet<number>,
  words: readonly string[],
): Promise<readonly Step[]> {
  const known = new Map([...entries].filter(([key]) => !added.has(entityOf(key))));
  const fresh = new Map([...entries].filter(([key]) => added.has(entityOf(key))));
  const changes = [...(await changesOf(run, known)), ...[...byEntity(fresh)].map(newRows)];
  return [...statementsOf(changes), wordStep(words)].filter(({ columns }) => (columns[0]?.length ?? 0) > 0);
}

function newRows([entity, entries]: readonly [number, Entries]): RowChange {
  const packed = [...entries].flatMap(([name, entry]) =>
    entry === undefined ? [] : [packedEntry(name, entry)],
  );
  return { gone: [], added: rowsOf(entity, packed), withSameTerms: [], withOtherTerms: [] };
}

async function changesOf(run: Run, entries: Entries): Promise<readonly RowChange[]> {
  if (entries.size === 0) return [];
  const entities = byEntity(entries);
  const { rows } = await run(selectRows, [[...entities.keys()], [...entries.keys()]]);
  const before = Map.groupBy(rows.map(entryRowOf), ({ entity }) => entity);
  return [...entities].map(([entity, ofEntity]) => {
    const changed = new Map([...ofEntity].map(([name, entry]) => [name, entry && packedEntry(name, entry)]));
    return changedRows(entity, before.get(entity) ?? [], changed);
  });
}

function statementsOf(changes: readonly RowChange[]): readonly Step[] {
  const all = (member: keyof RowChange): readonly EntryRow[] => changes.flatMap((change) => change[member]);
  const [gone, added, withOtherTerms] = [all('gone'), all('added'), all('withOtherTerms')];
  const replaced = [...withOtherTerms, ...all('withSameTerms')];
  const [few, others] = bearersOf([...gone, ...withOtherTerms]);
  const [newFew, newOthers] = bearersOf([...added, ...withOtherTerms].filter(({ terms }) => terms !== ''));
  return [
    deleteRows('search_bearer', others),
    { sql: 'DELETE FROM search_few WHERE entity = ANY ($1::integer[])', columns: [entitiesOf(few)] },
    deleteRows('search_entry', gone),
    {
      sql: `INSERT INTO search_entry SELECT * FROM ${columnsOfRows}`,
      columns: numbersOf(added),
      shared: textsOf(added),
    },
    {
      // As an insertion, because the plan of an update could go through all rows.
      sql: `INSERT INTO search_entry SELECT * FROM ${columnsOfRows} ON CONFLICT (entity, name, part) DO UPDATE
        SET checksum = excluded.checksum, entries = excluded.entries, terms = excluded.terms`,
      columns: numbersOf(replaced),
      shared: textsOf(replaced),
    },
    // After the entries: the index is made of the terms that lie there when a statement begins.
    {
      sql: 'INSERT INTO search_bearer SELECT * FROM unnest($1::integer[], $2::smallint[], $3::smallint[])',
      columns: numbersOf(newOthers).slice(0, 3),
    },
    { sql: 'INSERT INTO search_few SELECT * FROM unnest($1::integer[])', columns: [entitiesOf(newFew)] },
  ];
}

/** Under the lock of the one writer, so that numbers ascend from commit to commit. */
function wordStep(words: readonly string[]): Step {
  return {
    sql: 'INSERT INTO search_word (word) SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING',
    columns: [words],
  };
}

/** The words of entries that the dictionary has to hold, each once. */
export function nameWordsOf(entries: Iterable<SearchEntry | undefined>): readonly string[] {
  const words = new Set<string>();
  for (const entry of entries) {
    for (const word of correctableWordsIn(entry?.terms ?? '')) words.add(word);
  }
  return [...words];
}

/** A row as it was read. */
export function entryRowOf(row: Row): EntryRow {
  return {
    entity: Number(row['entity']),
    name: Number(row['name']),
    part: Number(row['part']),
    checksum: Number(row['checksum']),
    entries: String(row['entries']),
    terms: String(row['terms']),
  };
}

/** Those whose bearers lie in search_few, and those whose bearers lie in search_bearer. */
function bearersOf(
  rows: readonly EntryRow[],
): readonly [few: readonly EntryRow[], others: readonly EntryRow[]] {
  return [
    rows.filter(({ part }) => part === entryParts.few),
    rows.filter(({ part }) => part !== entryParts.few),
  ];
}

function deleteRows(table: 'search_bearer' | 'search_entry', rows: readonly EntryRow[]): Step {
  return {
    sql: `DELETE FROM ${table} WHERE entity = ANY ($1::integer[]) AND ${rowKeySql} = ANY ($2::bigint[])`,
    columns: [[...new Set(entitiesOf(rows))], rows.map(rowKeyOf)],
  };
}

function entitiesOf(rows: readonly EntryRow[]): readonly number[] {
  return rows.map(({ entity }) => entity);
}

function numbersOf(rows: readonly EntryRow[]): Step['columns'] {
  return [
    entitiesOf(rows),
    rows.map(({ name }) => name),
    rows.map(({ part }) => part),
    rows.map(({ checksum }) => checksum),
  ];
}

function textsOf(rows: readonly EntryRow[]): readonly string[] {
  return [
    rows.map(({ entries }) => rowSeparator + entries).join(''),
    rows.map(({ terms }) => `\n${terms}`).join(''),
  ];
}

/** Entries by the number of their aspect's name, for each entity. */
function byEntity(entries: Entries): ReadonlyMap<number, Entries> {
  const entities = new Map<number, Map<number, SearchEntry | undefined>>();
  for (const [key, entry] of entries) {
    const entity = entityOf(key);
    const ofEntity = entities.get(entity) ?? new Map<number, SearchEntry | undefined>();
    entities.set(entity, ofEntity.set(key % namesPerEntity, entry));
  }
  return entities;
}

function entityOf(key: number): number {
  return Math.floor(key / namesPerEntity);
}
