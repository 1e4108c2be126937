import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createReadSnapshot } from './read-snapshot.ts';

describe('the snapshot that one turn reads from', () => {
  let folder: string;
  let writing: DatabaseSync;
  let reading: DatabaseSync;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'postil-snapshot-'));
    writing = new DatabaseSync(join(folder, 'a.db'));
    writing.exec(
      'PRAGMA journal_mode = WAL; CREATE TABLE number (value INTEGER); INSERT INTO number VALUES (1)',
    );
    reading = new DatabaseSync(join(folder, 'a.db'), { readOnly: true });
  });
  after(() => {
    reading.close();
    writing.close();
    rmSync(folder, { recursive: true });
  });
  const read = (): unknown => reading.prepare('SELECT value FROM number').get()?.['value'];

  it('is one state until it is released, and then the newest', () => {
    const snapshot = createReadSnapshot(reading);
    snapshot.hold();
    const first = read();
    writing.exec('UPDATE number SET value = value + 1');
    snapshot.hold();
    assert.equal(read(), first);
    snapshot.release();
    snapshot.hold();
    assert.equal(read(), Number(first) + 1);
    snapshot.release();
  });

  it('ends with the turn by itself, however often it was released and held', async () => {
    const snapshot = createReadSnapshot(reading);
    for (let times = 0; times < 3; times += 1) {
      snapshot.hold();
      snapshot.release();
      snapshot.hold();
      assert.ok(reading.isTransaction);
      await nextTurn();
      await nextTurn();
      assert.ok(!reading.isTransaction);
    }
  });

  it('survives that the transaction ended without it', () => {
    const snapshot = createReadSnapshot(reading);
    snapshot.hold();
    reading.exec('ROLLBACK');
    snapshot.release();
    snapshot.hold();
    assert.ok(reading.isTransaction);
    snapshot.release();
  });
});
