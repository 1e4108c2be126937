import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WriteTransaction } from '../../aspect/aspect-store.ts';
import { actor, apply, batchOf, datasetUrn, keyDraft, termUrn, textsOf, write } from './change-batch.ts';
import type { Subject } from './opened-store.ts';

const orders = datasetUrn('shop.orders');
const customers = datasetUrn('shop.customers');
const pii = termUrn('pii');

/** A batch whose last change was made for a version that is not stored: it fails after the others were written. */
async function applyStale(transaction: WriteTransaction): Promise<unknown> {
  const batch = await batchOf(
    transaction,
    [
      {
        ...keyDraft(customers),
        add: [{ kind: 'TermedWith', destination: pii, path: '' }],
      },
      { urn: orders, aspect: 'neverSeenBefore', text: '{}' },
      { urn: orders, aspect: 'status', text: '{"n":"stale"}' },
    ],
    {
      fragments: [{ urn: customers, name: 'columns', text: '[]' }],
      placements: [{ urn: pii, placement: { urn: pii, parent: undefined, name: 'PII' } }],
    },
  );
  const changes = batch.changes.map((change) =>
    change.aspect === 'status' ? { ...change, versionBefore: change.versionBefore + 1 } : change,
  );
  return transaction.apply({ ...batch, changes });
}

export function testTransactions(subject: Subject): void {
  test('the change log has no gaps, and all changes of a command carry the number of the first', async () => {
    const { store } = subject();
    const first = await write(store, [keyDraft(orders), { urn: orders, aspect: 'status', text: '{}' }], {
      command: 'create',
      time: 7,
    });
    const both = await store.transact(async (transaction) => [
      await apply(transaction, [{ urn: orders, aspect: 'status', text: '{"n":2}' }], { command: 'second' }),
      await apply(transaction, [keyDraft(customers), { urn: orders, aspect: 'status' }], {
        command: 'third',
      }),
    ]);
    const log = await store.changes({ after: 0, count: 100 });
    assert.deepEqual(log, [...first, ...both.flat()]);
    assert.deepEqual(
      log.map(({ sequence, commit, command }) => [sequence, commit, command]),
      [
        [1, 1, 'create'],
        [2, 1, 'create'],
        [3, 3, 'second'],
        [4, 4, 'third'],
        [5, 4, 'third'],
      ],
    );
    assert.deepEqual(log[1], {
      sequence: 2,
      commit: 1,
      time: 7,
      actor,
      command: 'create',
      urn: orders,
      aspect: 'status',
      versionBefore: 0,
      versionAfter: 1,
      removed: false,
    });
    assert.equal(await store.lastSequence(), 5);
  });

  test('the change log is read in pages', async () => {
    const { store } = subject();
    assert.equal(await store.lastSequence(), 0);
    assert.deepEqual(await store.changes({ after: 0, count: 10 }), []);
    for (let number = 1; number <= 5; number += 1)
      await write(store, [{ urn: orders, aspect: `a${number}`, text: '{}' }]);
    const sequences = async (after: number, count: number): Promise<readonly number[]> =>
      (await store.changes({ after, count })).map(({ sequence }) => sequence);
    assert.deepEqual(await sequences(0, 2), [1, 2]);
    assert.deepEqual(await sequences(2, 2), [3, 4]);
    assert.deepEqual(await sequences(4, 2), [5]);
    assert.deepEqual(await sequences(5, 2), []);
    assert.deepEqual(await sequences(0, 0), []);
  });

  test('the changes of one entity are read newest first, in pages, without those of others', async () => {
    const { store } = subject();
    assert.deepEqual(await store.changesOf({ urn: orders, count: 10 }), []);
    for (let number = 1; number <= 4; number += 1) {
      await write(store, [{ urn: orders, aspect: `a${number}`, text: '{}' }]);
      await write(store, [{ urn: customers, aspect: `a${number}`, text: '{}' }]);
    }
    const all = await store.changesOf({ urn: orders, count: 10 });
    assert.deepEqual(
      all.map(({ urn, sequence, aspect }) => [urn, sequence, aspect]),
      [
        [orders, 7, 'a4'],
        [orders, 5, 'a3'],
        [orders, 3, 'a2'],
        [orders, 1, 'a1'],
      ],
    );
    assert.deepEqual(await store.changesOf({ urn: orders, count: 2 }), all.slice(0, 2));
    assert.deepEqual(await store.changesOf({ urn: orders, before: 5, count: 2 }), all.slice(2));
    assert.deepEqual(await store.changesOf({ urn: orders, before: 1, count: 2 }), []);
  });

  test('a transaction sees its own writes, and nobody else does before the commit', async () => {
    const { store } = subject();
    await write(store, [{ urn: orders, aspect: 'status', text: '{"n":1}' }]);
    await store.transact(async (transaction) => {
      await apply(
        transaction,
        [
          keyDraft(customers),
          {
            urn: orders,
            aspect: 'status',
            text: '{"n":2}',
            add: [{ kind: 'TermedWith', destination: pii, path: '' }],
          },
        ],
        { fragments: [{ urn: orders, name: 'columns', text: '[]' }] },
      );
      const edges = { urn: pii, direction: 'INCOMING', start: 0, count: 10, distinct: false } as const;
      assert.deepEqual(await textsOf(transaction, orders), { status: '2: {"n":2}' });
      assert.equal((await transaction.readVersion(orders, 'status', 1))?.text, '{"n":1}');
      assert.deepEqual(await transaction.existing([customers]), new Set([customers]));
      assert.equal((await transaction.relationships(edges)).total, 1);
      assert.equal(await transaction.readFragment(orders, 'columns'), '[]');
      assert.equal(await transaction.lastSequence(), 3);
      assert.equal((await transaction.changes({ after: 1, count: 10 })).length, 2);
      assert.equal((await transaction.entities({ type: 'dataset', start: 0, count: 10 })).total, 1);
      assert.deepEqual(
        await transaction.lastVersions([
          { urn: orders, aspect: 'status' },
          { urn: customers, aspect: 'status' },
          { urn: customers, aspect: 'datasetKey' },
        ]),
        [2, 0, 1],
      );

      assert.deepEqual(await textsOf(store, orders), { status: '1: {"n":1}' });
      assert.deepEqual(await store.existing([customers]), new Set());
      assert.equal((await store.readMany([customers])).get(customers)?.size, 0);
      assert.equal((await store.relationships(edges)).total, 0);
      assert.equal(await store.readFragment(orders, 'columns'), undefined);
      assert.equal(await store.lastSequence(), 1);
      assert.equal((await store.changes({ after: 0, count: 10 })).length, 1);
      assert.deepEqual(await store.statistics(), { entities: 0, aspects: 1, lastSequence: 1 });
    });
    assert.deepEqual(await textsOf(store, orders), { status: '2: {"n":2}' });
    assert.deepEqual(await store.existing([customers]), new Set([customers]));
  });

  test('a batch that fails leaves nothing, and the rest of its transaction is stored', async () => {
    const { store, reopen } = subject();
    await write(store, [{ urn: orders, aspect: 'status', text: '{"n":1}' }]);
    await store.transact(async (transaction) => {
      await apply(transaction, [{ urn: orders, aspect: 'before', text: '{}' }]);
      await assert.rejects(applyStale(transaction), { name: 'PostilError', code: 'PRECONDITION_FAILED' });
      assert.deepEqual(await transaction.existing([customers]), new Set());
      assert.deepEqual(await textsOf(transaction, orders), { before: '1: {}', status: '1: {"n":1}' });
      await apply(transaction, [{ urn: orders, aspect: 'neverSeenBefore', text: '{"after":1}' }]);
      await apply(transaction, [{ urn: customers, aspect: 'afterwards', text: '{"after":2}' }]);
    });
    for (const restarted of [false, true]) {
      const reader = restarted ? await reopen() : store;
      assert.deepEqual(await textsOf(reader, orders), {
        before: '1: {}',
        neverSeenBefore: '1: {"after":1}',
        status: '1: {"n":1}',
      });
      assert.deepEqual(await textsOf(reader, customers), { afterwards: '1: {"after":2}' });
      assert.deepEqual(await reader.existing([customers]), new Set());
      assert.deepEqual((await reader.projectionsOf(customers)).relationships, []);
      assert.equal(await reader.readFragment(customers, 'columns'), undefined);
      assert.equal(
        (await reader.children({ type: 'glossaryTerm', parent: undefined, start: 0, count: 9 })).total,
        0,
      );
      assert.deepEqual(
        (await reader.changes({ after: 0, count: 10 })).map(({ sequence, commit }) => [sequence, commit]),
        [
          [1, 1],
          [2, 2],
          [3, 3],
          [4, 4],
        ],
      );
      assert.deepEqual(await reader.integrityProblems(), []);
    }
  });

  test('a change that was decided on another version than the stored one is refused', async () => {
    const { store } = subject();
    const status = { urn: orders, aspect: 'status', text: '{}' };
    const stale = await store.transact((transaction) => batchOf(transaction, [status]));
    await write(store, [status]);
    const refused = { name: 'PostilError', code: 'PRECONDITION_FAILED' };
    await assert.rejects(
      store.transact((transaction) => transaction.apply(stale)),
      refused,
    );
    await write(store, [status]);
    const second = { ...stale, changes: stale.changes.map((change) => ({ ...change, versionBefore: 1 })) };
    await assert.rejects(
      store.transact((transaction) => transaction.apply(second)),
      refused,
    );
    assert.deepEqual(await textsOf(store, orders), { status: '2: {}' });
    assert.equal(await store.lastSequence(), 2);
  });

  test('a rejected transaction leaves nothing, and ids and names that it gave are given anew', async () => {
    const { store, reopen } = subject();
    const refusal = new Error('refused');
    for (const attempt of [1, 2]) {
      await assert.rejects(
        store.transact(async (transaction) => {
          await apply(transaction, [keyDraft(orders), { urn: orders, aspect: `name${attempt}`, text: '{}' }]);
          await apply(transaction, [keyDraft(customers)]);
          throw refusal;
        }),
        refusal,
      );
    }
    assert.equal(await store.lastSequence(), 0);
    assert.equal((await store.read(orders)).size, 0);
    assert.deepEqual(await store.statistics(), { entities: 0, aspects: 0, lastSequence: 0 });
    await write(store, [
      keyDraft(customers),
      { urn: customers, aspect: 'name2', text: '{"of":"customers"}' },
    ]);
    await write(store, [keyDraft(orders), { urn: orders, aspect: 'name1', text: '{"of":"orders"}' }]);
    for (const restarted of [false, true]) {
      const reader = restarted ? await reopen() : store;
      assert.deepEqual(await textsOf(reader, customers), {
        datasetKey: '1: {}',
        name2: '1: {"of":"customers"}',
      });
      assert.deepEqual(await textsOf(reader, orders), { datasetKey: '1: {}', name1: '1: {"of":"orders"}' });
      assert.deepEqual(await reader.integrityProblems(), []);
      assert.equal(await reader.lastSequence(), 4);
    }
  });

  test('transactions run one after another, in the order in which they came', async () => {
    const { store } = subject();
    const order: string[] = [];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.transact(async (transaction) => {
          order.push(`${index} begins`);
          const count = Number((await transaction.read(orders)).get('status')?.text ?? '0');
          await new Promise((resolve) => setImmediate(resolve));
          await apply(transaction, [{ urn: orders, aspect: 'status', text: String(count + 1) }]);
          order.push(`${index} ends`);
        }),
      ),
    );
    assert.deepEqual(
      order,
      Array.from({ length: 20 }, (_, index) => [`${index} begins`, `${index} ends`]).flat(),
    );
    assert.deepEqual(await textsOf(store, orders), { status: '20: 20' });
  });

  test('a transaction answers what its work answers, and an empty one stores nothing', async () => {
    const { store } = subject();
    assert.equal(await store.transact(async () => 42), 42);
    assert.deepEqual(await store.transact((transaction) => apply(transaction, [])), []);
    assert.equal(await store.lastSequence(), 0);
  });

  test('closing waits for the transaction that runs, twice is as good as once, and nothing is stored after it', async () => {
    const { store, reopen } = subject();
    const running = store.transact(async (transaction) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return apply(transaction, [keyDraft(orders)]);
    });
    await Promise.all([store.close(), store.close()]);
    await store.close();
    assert.equal((await running).length, 1);
    const closed = { name: 'PostilError', code: 'STORAGE_FAILED' };
    await assert.rejects(write(store, [keyDraft(customers)]), closed);
    await assert.rejects(store.read(orders), closed);
    await assert.rejects(store.lastSequence(), closed);
    const reopened = await reopen();
    assert.deepEqual(await reopened.existing([orders, customers]), new Set([orders]));
  });
}
