import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A second connection that knows nothing of Postil's code: what it reads is what is stored. */
export type RawStore = {
  /** The latest bodies of one aspect of several entities, of one committed state; `undefined` where there is none. */
  bodies(urns: readonly string[], aspect: string): readonly (string | undefined)[];
  /** Bodies of all versions of an aspect, oldest first. */
  versions(urn: string, aspect: string): readonly string[];
  /** Rows and highest sequence of the change log: equal when it has no gap. */
  changeLog(): { readonly rows: number; readonly last: number };
  close(): void;
};

/** Opens the store of a folder for reading, also while a server has it. Throws while there is no store yet. */
export function openRawStore(folder: string): RawStore {
  const database = new DatabaseSync(join(folder, 'catalogue.db'), { readOnly: true });
  try {
    return rawStoreOn(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function rawStoreOn(database: DatabaseSync): RawStore {
  database.exec('PRAGMA busy_timeout = 10000');
  const key = `(SELECT id FROM entity WHERE urn = ?) * 512 + (SELECT id FROM name WHERE text = ?)`;
  const latest = database.prepare(`SELECT body FROM aspect WHERE key = ${key}`);
  const all = database.prepare(
    `SELECT version, body FROM aspect_history WHERE key = ${key}
     UNION ALL SELECT version, body FROM aspect WHERE key = ${key} ORDER BY version`,
  );
  const log = database.prepare('SELECT count(*) AS rows, coalesce(max(sequence), 0) AS last FROM change');
  return {
    bodies(urns, aspect) {
      database.exec('BEGIN');
      try {
        return urns.map((urn) => textOf(latest.get(urn, aspect)));
      } finally {
        database.exec('ROLLBACK');
      }
    },
    versions: (urn, aspect) => all.all(urn, aspect, urn, aspect).flatMap((row) => textOf(row) ?? []),
    changeLog() {
      const row = log.get();
      return { rows: Number(row?.['rows']), last: Number(row?.['last']) };
    },
    close: () => database.close(),
  };
}

function textOf(row: Record<string, unknown> | undefined): string | undefined {
  const body = row?.['body'];
  return typeof body === 'string' ? body : undefined;
}
