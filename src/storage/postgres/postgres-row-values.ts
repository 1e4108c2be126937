import { listColumns } from '../../verdict/test-row.ts';
import type { ListColumn } from '../../verdict/test-row.ts';
import type { Run } from './postgres-connection.ts';

/** Texts of the dictionary by column. */
export type TextsByColumn = ReadonlyMap<ListColumn, ReadonlySet<string>>;
export type NumbersByColumn = ReadonlyMap<ListColumn, ReadonlyMap<string, number>>;

/** Remembered texts; their numbers never change once committed, so only memory bounds it. */
const rememberedTexts = 50_000;
/** A longer text is looked up each time. */
const rememberedLength = 500;

/** Numbers of the dictionary, given by the one writer. What a rollback took back must be forgotten. */
export type RowValues = {
  /** Looks up all of these, and adds those that are new. */
  intern(run: Run, texts: TextsByColumn): Promise<NumbersByColumn>;
  forget(): void;
};

type Asked = { readonly column: ListColumn; readonly text: string };

export function createRowValues(): RowValues {
  const remembered = new Map<ListColumn, Map<string, number>>(
    listColumns.map((column) => [column, new Map()]),
  );

  function remember({ column, text }: Asked, id: number): void {
    if (text.length > rememberedLength) return;
    const ofColumn = remembered.get(column);
    if (ofColumn === undefined) return;
    if (ofColumn.size >= rememberedTexts / listColumns.length) ofColumn.clear();
    ofColumn.set(text, id);
  }

  return {
    async intern(run, texts) {
      const numbers = new Map<ListColumn, Map<string, number>>();
      const unknown: Asked[] = [];
      for (const [column, ofColumn] of texts) {
        const known = new Map<string, number>();
        numbers.set(column, known);
        for (const text of ofColumn) {
          const id = remembered.get(column)?.get(text);
          if (id === undefined) unknown.push({ column, text });
          else known.set(text, id);
        }
      }
      const found = await numbersOf(run, unknown);
      const missing = unknown.filter((_, index) => found[index] === undefined);
      const added = await addTo(run, missing);
      for (const [asked, id] of [...pairs(unknown, found), ...pairs(missing, added)]) {
        numbers.get(asked.column)?.set(asked.text, id);
        remember(asked, id);
      }
      return numbers;
    },
    forget() {
      for (const ofColumn of remembered.values()) ofColumn.clear();
    },
  };
}

function pairs(
  asked: readonly Asked[],
  ids: readonly (number | undefined)[],
): readonly (readonly [Asked, number])[] {
  return asked.flatMap((each, index) => {
    const id = ids[index];
    return id === undefined ? [] : [[each, id] as const];
  });
}

/** Found by hash, told apart by the text itself. */
async function numbersOf(run: Run, asked: readonly Asked[]): Promise<readonly (number | undefined)[]> {
  if (asked.length === 0) return [];
  const { rows } = await run(
    `SELECT id FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (property, text, place)
     LEFT JOIN test_value ON test_value.property = asked.property AND md5(test_value.text) = md5(asked.text)
       AND test_value.text = asked.text ORDER BY place`,
    [asked.map(({ column }) => column), asked.map(({ text }) => text)],
  );
  return rows.map(({ id }) => (id === null ? undefined : Number(id)));
}

/** Nobody else can add the same: whoever does this holds the writer's lock. */
async function addTo(run: Run, asked: readonly Asked[]): Promise<readonly number[]> {
  if (asked.length === 0) return [];
  const { rows } = await run(
    `INSERT INTO test_value (id, property, text)
     SELECT (SELECT coalesce(max(id), 0) FROM test_value) + place, property, text
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (property, text, place)
     RETURNING id`,
    [asked.map(({ column }) => column), asked.map(({ text }) => text)],
  );
  // The numbers ascend with the places, whatever the order in which rows come back.
  return rows.map(({ id }) => Number(id)).sort((left, right) => left - right);
}
