import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { AspectStore } from '../../aspect/aspect-store.ts';
import { datasetUrn, keyDraft, termUrn, write } from './change-batch.ts';
import type { Subject } from './opened-store.ts';

const orders = datasetUrn('shop.orders');
const customers = datasetUrn('shop.customers');

const keyOf = (aspect: string): string =>
  `(SELECT entity.id * 512 + name.id FROM entity, name WHERE entity.urn = '${orders}' AND name.text = '${aspect}')`;

/** Everything that can rot in a row, each in a statement that both backends understand. */
const damages = {
  'a changed text': `UPDATE aspect SET body = body || ' ' WHERE key = ${keyOf('status')}`,
  'a text that is gone': `UPDATE aspect SET body = NULL WHERE key = ${keyOf('status')}`,
  'changed system metadata': `UPDATE aspect SET system = '{}' WHERE key = ${keyOf('status')}`,
  'a changed version': `UPDATE aspect SET version = version + 1 WHERE key = ${keyOf('status')}`,
  'a changed time': `UPDATE aspect SET time = time + 1 WHERE key = ${keyOf('status')}`,
  'a changed actor': `UPDATE aspect SET actor = 'urn:li:corpuser:eve' WHERE key = ${keyOf('status')}`,
  'a changed checksum': `UPDATE aspect SET checksum = checksum + 1 WHERE key = ${keyOf('status')}`,
  'the text of another entity': `UPDATE aspect SET body = '{"n":3}' WHERE key = ${keyOf('status')}`,
};

const damaged = { name: 'PostilError', code: 'CORRUPT_ASPECT' };

async function problemsOf(store: AspectStore): Promise<readonly string[]> {
  return (await store.integrityProblems()).map(({ what }) => what);
}

async function damagedRows(store: AspectStore): Promise<readonly string[]> {
  const rows: string[] = [];
  for await (const { urn, aspect, version, intact, value } of store.scrub()) {
    if (!intact) rows.push(`${urn} ${aspect} ${version}`);
    assert.equal(intact || value === undefined, true);
  }
  return rows;
}

export function testDamage(subject: Subject): void {
  describe('what is damaged is found and never answered', () => {
    beforeEach(async () => {
      const { store } = subject();
      const edge = { kind: 'TermedWith', destination: termUrn('pii'), path: '' };
      await write(store, [keyDraft(orders), { urn: orders, aspect: 'status', text: '{"n":1}', add: [edge] }]);
      await write(store, [{ urn: orders, aspect: 'status', text: '{"n":2}', system: '{"runId":"a"}' }], {
        fragments: [{ urn: orders, name: 'columns', text: '[]' }],
      });
      await write(store, [keyDraft(customers), { urn: customers, aspect: 'status', text: '{"n":3}' }]);
      await write(store, [{ urn: customers, aspect: 'status' }]);
    });

    test('a sound store scrubs clean, every version of it, and has no problems', async () => {
      const { store } = subject();
      const rows: string[] = [];
      for await (const { urn, aspect, version, latest, intact, removed, value } of store.scrub()) {
        rows.push([urn, aspect, version, latest, intact, removed, value?.text].join(' '));
      }
      assert.deepEqual(
        rows.sort(),
        [
          `${orders} datasetKey 1 true true false {}`,
          `${orders} status 1 false true false {"n":1}`,
          `${orders} status 2 true true false {"n":2}`,
          `${customers} datasetKey 1 true true false {}`,
          `${customers} status 1 false true false {"n":3}`,
          `${customers} status 2 true true true `,
        ].sort(),
      );
      assert.deepEqual(await store.integrityProblems(), []);
    });

    for (const [what, statement] of Object.entries(damages)) {
      test(`an aspect with ${what} is refused by every read and named by the scrub`, async () => {
        const { store, sql } = subject();
        await sql(statement);
        await assert.rejects(store.read(orders), damaged);
        await assert.rejects(store.read(orders, ['status']), damaged);
        await assert.rejects(store.readMany([customers, orders]), damaged);
        await assert.rejects(store.readMany([orders], ['status']), damaged);
        await assert.rejects(
          store.transact((transaction) => transaction.read(orders)),
          damaged,
        );
        const version = what === 'a changed version' ? 3 : 2;
        await assert.rejects(store.readVersion(orders, 'status', version), damaged);
        assert.equal((await store.read(orders, ['datasetKey'])).size, 1);
        assert.deepEqual(await damagedRows(store), [`${orders} status ${version}`]);
      });
    }

    test('a damaged earlier version is refused and named', async () => {
      const { store, sql } = subject();
      await sql(`UPDATE aspect_history SET body = '{"n":4}' WHERE key = ${keyOf('status')}`);
      await assert.rejects(store.readVersion(orders, 'status', 1), damaged);
      assert.equal((await store.read(orders)).get('status')?.text, '{"n":2}');
      assert.deepEqual(await damagedRows(store), [`${orders} status 1`]);
    });

    test('a damaged fragment is refused', async () => {
      const { store, sql } = subject();
      await sql(`UPDATE fragment SET body = '[1]'`);
      await assert.rejects(store.readFragment(orders, 'columns'), damaged);
    });

    test('a gap in the change log is a problem', async () => {
      const { store, sql } = subject();
      await sql('DELETE FROM change WHERE sequence = 2');
      assert.deepEqual(await problemsOf(store), ['change log']);
    });

    test('an aspect that the change log knows and that is gone is a problem', async () => {
      const { store, sql } = subject();
      await sql(`DELETE FROM aspect WHERE key = ${keyOf('datasetKey')}`);
      assert.deepEqual(await problemsOf(store), ['change log']);
    });

    test('a version that is missing in the history is a problem', async () => {
      const { store, sql } = subject();
      await sql(`DELETE FROM aspect_history WHERE key = ${keyOf('status')}`);
      assert.deepEqual(await problemsOf(store), ['aspect history']);
    });

    test('rows that belong to no entity are a problem', async () => {
      const { store, sql } = subject();
      await sql(`DELETE FROM entity WHERE urn = '${orders}'`);
      const problems = new Set(await problemsOf(store));
      for (const table of ['aspect', 'aspect_history', 'relationship', 'fragment'])
        assert.ok(problems.has(table), table);
      assert.ok((await damagedRows(store)).length > 0);
    });
  });
}
