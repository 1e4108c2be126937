import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startCheckpointer } from './checkpointer.ts';
import { openConnection } from './sqlite-connection.ts';

test('what is written reaches the database file while the store stays open', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'postil-checkpointer-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'catalogue.db');
  const database = openConnection(file, 'writing');
  t.after(() => database.close());
  database.exec("CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('kept')");
  assert.equal(notesInFile(file), undefined, 'it is in the log alone');
  const checkpointer = startCheckpointer(file);
  t.after(() => checkpointer.stop());
  for (let attempt = 0; attempt < 200 && notesInFile(file) === undefined; attempt += 1) await delay(50);
  assert.equal(notesInFile(file), 1);
});

/** How many notes the database file holds, whatever the log says; `undefined` where it has no such table. */
function notesInFile(file: string): number | undefined {
  const database = new DatabaseSync(`file:${file}?immutable=1`, { readOnly: true });
  try {
    return Number(database.prepare('SELECT count(*) AS notes FROM note').get()?.['notes']);
  } catch {
    return undefined;
  } finally {
    database.close();
  }
}
