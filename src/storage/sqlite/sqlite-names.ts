import type { DatabaseSync } from 'node:sqlite';
import { damaged } from '../stored-aspect.ts';
import { namesPerEntity, tooManyNames } from '../aspect-key.ts';

/** Names of aspects and fragments as small numbers; remembered, since they never change once given. */
export type Names = {
  idOf(text: string): number | undefined;
  /** Throws CORRUPT_ASPECT for a number that has no name. */
  textOf(id: number): string;
  /** Gives the name a number; inside a write transaction only. */
  ensure(text: string): number;
  /** After a rollback: numbers given since may not exist. */
  forget(): void;
};

export function createNames(database: DatabaseSync): Names {
  const idByText = new Map<string, number>();
  const textById = new Map<number, string>();
  const selectId = database.prepare('SELECT id, text FROM name WHERE text = ?');
  // What the index says of the text as well, so that a row that rotted is found out.
  const selectText = database.prepare(
    'SELECT id, text, (SELECT entry.id FROM name AS entry WHERE entry.text = name.text) AS indexed FROM name WHERE id = ?',
  );
  const insert = database.prepare('INSERT INTO name (text) VALUES (?) RETURNING id, text');

  function remember(row: Record<string, unknown> | undefined): void {
    if (row === undefined) return;
    const id = Number(row['id']);
    const text = String(row['text']);
    idByText.set(text, id);
    textById.set(id, text);
  }

  function idOf(text: string): number | undefined {
    const known = idByText.get(text);
    if (known !== undefined) return known;
    remember(selectId.get(text));
    return idByText.get(text);
  }

  function textOf(id: number): string {
    const known = textById.get(id);
    if (known !== undefined) return known;
    const row = selectText.get(id);
    const text = row?.['text'];
    if (typeof text !== 'string' || row?.['indexed'] !== id) throw damaged(`name ${id}`);
    remember(row);
    return text;
  }

  function ensure(text: string): number {
    const known = idOf(text);
    if (known !== undefined) return known;
    const row = insert.get(text);
    const id = Number(row?.['id']);
    if (id >= namesPerEntity) throw tooManyNames(text);
    remember(row);
    return id;
  }

  return {
    idOf,
    textOf,
    ensure,
    forget() {
      idByText.clear();
      textById.clear();
    },
  };
}
