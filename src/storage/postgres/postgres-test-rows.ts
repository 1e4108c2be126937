import { PostilError } from '../../errors/postil-error.ts';
import type { Urn } from '../../urn/urn.ts';
import { listColumns, numberColumns } from '../../verdict/test-row.ts';
import type { ListColumn, NumberColumn, TestRow } from '../../verdict/test-row.ts';
import { rowColumns } from '../row-columns.ts';
import type { Run } from './postgres-connection.ts';
import type { NumbersByColumn, RowValues } from './postgres-row-values.ts';

/** So many rows go to the server with one statement. */
const rowsInBatch = 1_000;

const columnNames = [...listColumns, ...numberColumns].map((column) => rowColumns[column]);

/** Lists are sent as texts of arrays, which may differ in length. */
const upsertRows = `
  INSERT INTO test_row (entity, type, removed, ${columnNames.join(', ')})
  SELECT entity.id, new.type, new.removed,
    ${[
      ...listColumns.map((column) => `new.${rowColumns[column]}::integer[]`),
      ...numberColumns.map((column) => `new.${rowColumns[column]}`),
    ].join(', ')}
  FROM unnest($1::text[], $2::text[], $3::integer[],
    ${columnNames
      .map((_, index) => `$${index + 4}::${index < listColumns.length ? 'text' : 'integer'}[]`)
      .join(', ')}) AS new (urn, type, removed, ${columnNames.join(', ')})
  JOIN entity ON entity.urn = new.urn
  ON CONFLICT (entity) DO UPDATE SET type = excluded.type, removed = excluded.removed,
    ${columnNames.map((column) => `${column} = excluded.${column}`).join(', ')}`;

/** Adds or replaces rows. Throws ENTITY_NOT_FOUND for an entity that nothing has named. */
export async function putRows(run: Run, values: RowValues, rows: readonly TestRow[]): Promise<void> {
  const latest = [...new Map(rows.map((row) => [row.urn, row])).values()];
  for (let first = 0; first < latest.length; first += rowsInBatch) {
    const batch = latest.slice(first, first + rowsInBatch);
    const numbers = await values.intern(run, textsOf(batch));
    const { count } = await run(upsertRows, [
      batch.map(({ urn }) => urn),
      batch.map(({ type }) => type),
      batch.map(({ removed }) => (removed ? 1 : 0)),
      ...listColumns.map((column) => batch.map((row) => arrayOf(row, column, numbers))),
      ...numberColumns.map((column) => batch.map((row) => row.numbers[column])),
    ]);
    if (count !== batch.length) throw await neverHeardOf(run, batch);
  }
}

async function neverHeardOf(run: Run, rows: readonly TestRow[]): Promise<PostilError> {
  const found = await run('SELECT urn FROM entity WHERE urn = ANY ($1::text[])', [
    rows.map(({ urn }) => urn),
  ]);
  const known = new Set(found.rows.map((row) => String(row['urn'])));
  const unknown = rows.find(({ urn }) => !known.has(urn));
  return new PostilError(
    'ENTITY_NOT_FOUND',
    `There can be no row of ${String(unknown?.urn)}: the store has never heard of it.`,
  );
}

function textsOf(rows: readonly TestRow[]): ReadonlyMap<ListColumn, ReadonlySet<string>> {
  return new Map(listColumns.map((column) => [column, new Set(rows.flatMap((row) => row.lists[column]))]));
}

function arrayOf({ lists }: TestRow, column: ListColumn, numbers: NumbersByColumn): string {
  const ids = new Set<number>();
  for (const text of lists[column]) {
    const id = numbers.get(column)?.get(text);
    if (id === undefined) throw new Error(`No number was given to a text of ${column}`);
    ids.add(id);
  }
  return `{${[...ids].sort((left, right) => left - right).join(',')}}`;
}

export async function removeRows(run: Run, urns: readonly Urn[]): Promise<void> {
  await run('DELETE FROM test_row WHERE entity IN (SELECT id FROM entity WHERE urn = ANY ($1::text[]))', [
    urns,
  ]);
}

/** Rows as they are stored, with the texts that their numbers stand for. */
export async function readRows(run: Run, urns: readonly Urn[]): Promise<ReadonlyMap<Urn, TestRow>> {
  if (urns.length === 0) return new Map();
  const { rows } = await run(
    `SELECT entity.urn, test_row.* FROM entity JOIN test_row ON test_row.entity = entity.id
     WHERE entity.urn = ANY ($1::text[])`,
    [urns],
  );
  const idsOf = (value: unknown): readonly number[] => (Array.isArray(value) ? value.map(Number) : []);
  const ids = new Set(rows.flatMap((row) => listColumns.flatMap((column) => idsOf(row[rowColumns[column]]))));
  const texts = new Map<number, string>();
  const values = await run('SELECT id, text FROM test_value WHERE id = ANY ($1::integer[])', [[...ids]]);
  for (const { id, text } of values.rows) texts.set(Number(id), String(text));
  return new Map(
    rows.map((row) => {
      const urn = String(row['urn']) as Urn;
      const lists = listColumns.map((column) => [
        column,
        idsOf(row[rowColumns[column]]).map((id) => texts.get(id) ?? ''),
      ]);
      const numbers = numberColumns.map((column) => [column, Number(row[rowColumns[column]])]);
      return [
        urn,
        {
          urn,
          type: String(row['type']),
          removed: row['removed'] !== 0,
          lists: Object.fromEntries(lists) as Record<ListColumn, string[]>,
          numbers: Object.fromEntries(numbers) as Record<NumberColumn, number>,
        },
      ];
    }),
  );
}
