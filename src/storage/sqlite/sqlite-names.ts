import type { DatabaseSync } from 'node:sqlite';

/** Entity ids and name ids share one integer key; 512 names are twice what the registry holds. */
export const namesPerEntity = 512;

/** Names of aspects and fragments as small numbers; remembered, since they never change once given. */
export type Names = {
  idOf(text: string): number | undefined;
  textOf(id: number): string;
  /** Gives the name a number; inside a write transaction only. */
  ensure(text: string): number;
  /** After a rollback: numbers given since may not exist. */
  forget(): void;
};

export function createNames(database: DatabaseSync): Names {
  const idByText = new Map<string, number>();
  const textById = new Map<number, string>();
  const select = database.prepare('SELECT id, text FROM name');
  const insert = database.prepare('INSERT INTO name (text) VALUES (?) ON CONFLICT (text) DO NOTHING');

  function refresh(): void {
    for (const row of select.all()) {
      const id = Number(row['id']);
      const text = String(row['text']);
      idByText.set(text, id);
      textById.set(id, text);
    }
  }

  function idOf(text: string): number | undefined {
    const known = idByText.get(text);
    if (known !== undefined) return known;
    refresh();
    return idByText.get(text);
  }

  function textOf(id: number): string {
    if (!textById.has(id)) refresh();
    return textById.get(id) ?? `name ${id}`;
  }

  function ensure(text: string): number {
    const known = idOf(text);
    if (known !== undefined) return known;
    insert.run(text);
    refresh();
    const id = idByText.get(text);
    if (id === undefined || id >= namesPerEntity) {
      throw new RangeError(`No number left for the name ${text}: ${namesPerEntity} names are the limit`);
    }
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
