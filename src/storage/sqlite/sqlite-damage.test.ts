import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import type { AspectStore } from '../../aspect/aspect-store.ts';
import { datasetUrn, keyDraft, write } from '../contract/change-batch.ts';
import { databaseFileName, openSqliteStore } from './sqlite-aspect-store.ts';

const orders = datasetUrn('shop.orders');
const damaged = { name: 'PostilError', code: 'CORRUPT_ASPECT' };

/** A store of one dataset, changed while it was closed. */
async function withDamage(statement: string, examine: (store: AspectStore) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'postil-damage-'));
  try {
    const sound = await openSqliteStore(folder);
    await write(sound, [keyDraft(orders), { urn: orders, aspect: 'status', text: '{"n":1}' }]);
    await sound.close();
    const database = new DatabaseSync(join(folder, databaseFileName), { defensive: false });
    database.exec(statement);
    database.close();
    const store = await openSqliteStore(folder);
    await examine(store);
    await store.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** STRICT tables refuse a blob where a text belongs; a flipped bit does not ask. */
const withoutStrictness = `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')');
  PRAGMA writable_schema = RESET;`;

describe('damage that only the embedded store knows (promise R18)', () => {
  for (const change of [
    `actor = 'urn:li:corpuser:eve'`,
    'time = time + 1',
    `command = 'nothing'`,
    'removed = 1',
  ]) {
    test(`a row of the change log with ${change} is refused and found`, async () => {
      await withDamage(`UPDATE change SET ${change} WHERE sequence = 2`, async (store) => {
        await assert.rejects(store.changes({ after: 0, count: 10 }), damaged);
        assert.equal((await store.changes({ after: 0, count: 1 })).length, 1);
        assert.deepEqual(await store.integrityProblems(), [
          { what: 'change log', where: '2', problem: 'does not match its checksum' },
        ]);
      });
    });
  }

  test('a row that is missing in the middle of the change log is noticed by whoever reads on', async () => {
    await withDamage('DELETE FROM change WHERE sequence = 1', async (store) => {
      await assert.rejects(store.changes({ after: 0, count: 10 }), damaged);
    });
  });

  test('a text that became a blob of the same bytes, and so of the same checksum, is refused', async () => {
    const statement = `${withoutStrictness} UPDATE aspect SET body = CAST(body AS BLOB) WHERE body = '{"n":1}'`;
    await withDamage(statement, async (store) => {
      await assert.rejects(store.read(orders, ['status']), damaged);
    });
  });

  for (const value of ['7', '7.5', 'NULL']) {
    test(`a text that became ${value} is refused`, async () => {
      const statement = `${withoutStrictness} PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'body     TEXT', 'body     ANY') WHERE name = 'aspect';
        PRAGMA writable_schema = RESET; UPDATE aspect SET body = ${value}`;
      await withDamage(statement, async (store) => {
        await assert.rejects(store.read(orders, ['status']), damaged);
      });
    });
  }

  test('a version that the log knows and that is gone is named by entity, aspect and version', async () => {
    await withDamage(`DELETE FROM aspect WHERE body = '{"n":1}'`, async (store) => {
      assert.deepEqual(await store.integrityProblems(), [
        { what: 'change log', where: `${orders} status version 1`, problem: 'is not stored' },
      ]);
    });
  });

  test('an old version to whose place the index leads wrongly is refused, and named by the check', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'postil-damage-'));
    try {
      const sound = await openSqliteStore(folder);
      for (const n of [1, 2, 3, 4]) {
        await write(sound, [keyDraft(orders), { urn: orders, aspect: 'status', text: `{"n":${n}}` }]);
      }
      await sound.close();
      const file = join(folder, databaseFileName);
      const database = new DatabaseSync(file);
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      const select = `SELECT key, rowid AS row FROM aspect_history WHERE body = '{"n":2}'`;
      const { key, row } = database.prepare(select).get() ?? {};
      database.close();
      const bytes = readFileSync(file);
      // An entry of the index: the types of a number of two bytes and of two of one byte; key, version, row.
      const entry = [4, 2, 1, 1, Number(key) >> 8, Number(key) & 255, 2, Number(row)];
      const at = bytes.indexOf(Buffer.from(entry));
      assert.ok(at > 0 && row !== 1, 'the entry is found');
      bytes[at + entry.length - 1] = Number(row) + 1;
      writeFileSync(file, bytes);
      const store = await openSqliteStore(folder);
      await assert.rejects(store.readVersion(orders, 'status', 2), damaged);
      assert.equal((await store.readVersion(orders, 'status', 3))?.text, '{"n":3}');
      const where = (await store.integrityProblems()).map((problem) => `${problem.what} ${problem.where}`);
      assert.ok(where.includes(`aspect history ${orders} status version 2`), where.join('; '));
      await store.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('a search index that cannot be read keeps nobody from the aspects, and is made anew', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'postil-damage-'));
    const searchEntries = [
      { urn: orders, aspect: 'status', entry: { fields: {}, terms: 'orders shop', nameWords: [] } },
    ];
    try {
      const sound = await openSqliteStore(folder);
      await write(sound, [keyDraft(orders), { urn: orders, aspect: 'status', text: '{"n":1}' }], {
        searchEntries,
      });
      await sound.close();
      const database = new DatabaseSync(join(folder, databaseFileName), { defensive: false });
      database.exec(`DELETE FROM search_bearer_data`);
      database.close();
      const store = await openSqliteStore(folder);
      assert.equal((await store.read(orders, ['status'])).get('status')?.text, '{"n":1}');
      await assert.rejects(store.search.bearers({ term: 'orders', isPrefix: false }), damaged);
      assert.ok((await store.integrityProblems()).some(({ what }) => what === 'search index'));
      const change = { urn: orders, aspect: 'status', text: '{"n":2}' };
      await store.search.clear();
      await write(store, [change], { searchEntries });
      assert.equal((await store.search.bearers({ term: 'orders', isPrefix: false })).length, 1);
      assert.deepEqual(await store.integrityProblems(), []);
      await store.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('tables that are not those of a store are refused as such when it is opened', async () => {
    await assert.rejects(
      withDamage('ALTER TABLE change RENAME COLUMN command TO order_given', async () => {}),
      { name: 'PostilError', code: 'STORE_UNUSABLE', message: /^Cannot open the store / },
    );
  });
});
