import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { parseUrn } from '../../urn/urn.ts';
import { batchOf, keyDraft, write } from '../contract/change-batch.ts';
import { databaseFileName, openSqliteStore } from './sqlite-aspect-store.ts';
import { openConnection } from './sqlite-connection.ts';

const pii = parseUrn('urn:li:glossaryTerm:pii');

describe('the file of an embedded store', () => {
  let folder = '';
  let file = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'postil-file-'));
    file = join(folder, databaseFileName);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const hash = (): string => createHash('sha256').update(readFileSync(file)).digest('hex');

  test('the writing connection syncs every commit, and a database that cannot is refused', () => {
    const database = openConnection(file, 'writing');
    assert.equal(database.prepare('PRAGMA journal_mode').get()?.['journal_mode'], 'wal');
    assert.equal(database.prepare('PRAGMA synchronous').get()?.['synchronous'], 2);
    database.close();
    assert.throws(() => openConnection(':memory:', 'writing'), {
      code: 'STORE_UNUSABLE',
      message: /not durable: journal_mode is memory/,
    });
  });

  test('the reading connection cannot write', () => {
    openConnection(file, 'writing').close();
    const database = openConnection(file, 'reading');
    assert.throws(() => database.exec('CREATE TABLE x (y)'), /readonly/);
    database.close();
  });

  test('migrations run once: opening again changes nothing', async () => {
    const first = await openSqliteStore(folder);
    await write(first, [keyDraft(pii)]);
    await first.close();
    const before = hash();
    const again = await openSqliteStore(folder);
    assert.deepEqual(await again.existing([pii]), new Set([pii]));
    await again.close();
    assert.equal(hash(), before);
  });

  for (const mode of ['WAL', 'DELETE']) {
    test(`a store of a newer Postil is refused without a write (journal mode ${mode})`, async () => {
      await (await openSqliteStore(folder)).close();
      const database = new DatabaseSync(file);
      database.exec(`PRAGMA journal_mode = ${mode}; PRAGMA user_version = 999`);
      database.close();
      const before = hash();
      await assert.rejects(openSqliteStore(folder), {
        code: 'STORE_UNUSABLE',
        message: /This store has format 999; this Postil knows formats up to \d+\. Use a newer Postil\./,
      });
      assert.equal(hash(), before);
    });
  }

  test('a file that is no database is refused and left alone', async () => {
    writeFileSync(file, 'not a database, but long enough to be looked at as one '.repeat(50));
    const before = hash();
    await assert.rejects(openSqliteStore(folder), {
      code: 'STORE_UNUSABLE',
      message: /Cannot open the store .*catalogue/,
    });
    assert.equal(hash(), before);
  });

  test('a folder that cannot be made is refused by name', async () => {
    writeFileSync(join(folder, 'file'), '');
    await assert.rejects(openSqliteStore(join(folder, 'file', 'store')), {
      code: 'STORE_UNUSABLE',
      message: /Cannot make the folder .*file\/store/,
    });
  });

  test('a full disk refuses the whole transaction, even when its work goes on, and heals when there is space', async (t) => {
    const store = await openSqliteStore(folder);
    await write(store, [keyDraft(pii)]);
    const big = { urn: pii, aspect: 'glossaryTermInfo', text: JSON.stringify('x'.repeat(1_000_000)) };
    const small = { urn: pii, aspect: 'status', text: '{}' };
    // A limit on the pages of the file fails a write in the way a full disk does: with SQLITE_FULL.
    let pages = 40;
    const exec = DatabaseSync.prototype.exec;
    t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
      exec.call(this, sql === 'BEGIN IMMEDIATE' ? `PRAGMA max_page_count = ${pages}; ${sql}` : sql);
    });
    const full = { name: 'PostilError', code: 'STORAGE_FULL' };
    await assert.rejects(
      store.transact(async (transaction) => {
        await transaction.apply(await batchOf(transaction, [small]));
        await assert.rejects(transaction.apply(await batchOf(transaction, [big])), full);
        await assert.rejects(transaction.apply(await batchOf(transaction, [small])), full);
      }),
      full,
    );
    assert.equal(await store.lastSequence(), 1);
    pages = 1_000_000;
    await write(store, [big]);
    assert.equal(await store.lastSequence(), 2);
    await store.close();
  });
});
