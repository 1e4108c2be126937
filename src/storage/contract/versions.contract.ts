import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actor, apply, datasetUrn, keyDraft, termUrn, textsOf, write } from './change-batch.ts';
import type { Subject } from './opened-store.ts';

const orders = datasetUrn('shop.orders');
const customers = datasetUrn('shop.customers');
const oddTexts = {
  'line separators': '{"text":"a\u2028b\u2029c"}',
  emoji: '{"text":"👩‍👩‍👧 \u{1F600} e\u0301"}',
  'an escaped NUL': '{"text":"\\u0000"}',
  'escaped halves of a character': '{"text":"\\ud83d"}',
  'white space and numbers as they were sent': '{ "n" : 60.0, "big": 12345678901234567890,\n\t"e": 1E3 }\n',
  'control characters and delete': '{"text":"\\u001f\u007f\u0080"}',
  'array syntax of SQL': `{"text":"{\\"a\\",NULL} \\\\ ' '' $1 ? --"}`,
  'the last characters of Unicode': '{"text":"\uffff\u{10ffff}\ufeff"}',
};

export function testVersions(subject: Subject): void {
  test('versions of an aspect count from 1 and every one of them can be read', async () => {
    const { store } = subject();
    for (const number of [1, 2, 3, 4, 5]) {
      await write(
        store,
        [{ urn: orders, aspect: 'status', text: `{"n":${number}}`, system: `{"run":${number}}` }],
        {
          time: number,
        },
      );
    }
    const latest = (await store.read(orders)).get('status');
    assert.equal(latest?.version, 5);
    assert.deepEqual(latest.stamp, { time: 5, actor });
    for (const number of [1, 2, 3, 4, 5]) {
      const aspect = await store.readVersion(orders, 'status', number);
      assert.deepEqual(
        [aspect?.name, aspect?.version, aspect?.text, aspect?.stamp.time, aspect?.systemText],
        ['status', number, `{"n":${number}}`, number, `{"run":${number}}`],
      );
    }
    for (const absent of [0, 6, -1]) {
      assert.equal(await store.readVersion(orders, 'status', absent), undefined);
    }
    assert.equal(await store.readVersion(orders, 'ownership', 1), undefined);
    assert.equal(await store.readVersion(customers, 'status', 1), undefined);
  });

  test('history has no limit: the first of 300 versions is still there', async () => {
    const { store } = subject();
    await store.transact(async (transaction) => {
      for (let number = 1; number <= 300; number += 1) {
        await apply(transaction, [{ urn: orders, aspect: 'status', text: `{"n":${number}}` }]);
      }
    });
    assert.equal((await store.readVersion(orders, 'status', 1))?.text, '{"n":1}');
    assert.equal((await store.readVersion(orders, 'status', 299))?.text, '{"n":299}');
    assert.equal((await store.read(orders)).get('status')?.version, 300);
  });

  test('a removed aspect is gone for readers, keeps its history, and its next version continues', async () => {
    const { store } = subject();
    await write(store, [{ urn: orders, aspect: 'status', text: '{"n":1}' }]);
    const [removal] = await write(store, [{ urn: orders, aspect: 'status' }]);
    assert.deepEqual([removal?.versionBefore, removal?.versionAfter, removal?.removed], [1, 2, true]);
    assert.equal((await store.read(orders)).size, 0);
    assert.equal((await store.read(orders, ['status'])).size, 0);
    assert.equal(await store.readVersion(orders, 'status', 2), undefined);
    assert.equal((await store.readVersion(orders, 'status', 1))?.text, '{"n":1}');
    const [again] = await write(store, [{ urn: orders, aspect: 'status', text: '{"n":3}' }]);
    assert.deepEqual([again?.versionBefore, again?.versionAfter, again?.removed], [2, 3, false]);
    assert.deepEqual(await textsOf(store, orders), { status: '3: {"n":3}' });
    assert.equal(await store.readVersion(orders, 'status', 2), undefined);
  });

  test('an entity exists from its key aspect to the removal of its key aspect', async () => {
    const { store } = subject();
    await write(store, [{ urn: orders, aspect: 'status', text: '{}' }]);
    assert.deepEqual(await store.existing([orders, customers]), new Set());
    await write(store, [keyDraft(orders)]);
    assert.deepEqual(await store.existing([customers, orders]), new Set([orders]));
    await write(store, [{ urn: orders, aspect: 'datasetKey', existence: 'ends' }]);
    assert.deepEqual(await store.existing([orders]), new Set());
    await write(store, [keyDraft(orders)]);
    assert.deepEqual(await store.existing([orders]), new Set([orders]));
    assert.deepEqual(await store.existing([]), new Set());
  });

  test('a read answers the aspects that were asked for, and readMany has every URN as a key', async () => {
    const { store } = subject();
    await write(store, [
      { urn: orders, aspect: 'status', text: '{"of":"orders"}' },
      { urn: orders, aspect: 'ownership', text: '{"owners":[]}' },
      { urn: customers, aspect: 'status', text: '{"of":"customers"}' },
    ]);
    assert.deepEqual(await textsOf(store, orders), {
      status: '1: {"of":"orders"}',
      ownership: '1: {"owners":[]}',
    });
    assert.deepEqual([...(await store.read(orders, ['ownership', 'globalTags'])).keys()], ['ownership']);
    assert.equal((await store.read(orders, [])).size, 0);
    const never = datasetUrn('never');
    const many = await store.readMany([never, orders, customers, orders], ['status']);
    assert.deepEqual([...many.keys()].sort(), [customers, never, orders].sort());
    assert.deepEqual(
      [orders, customers, never].map((urn) => many.get(urn)?.get('status')?.text),
      ['{"of":"orders"}', '{"of":"customers"}', undefined],
    );
    assert.equal((await store.readMany([orders])).get(orders)?.size, 2);
    assert.equal((await store.readMany([])).size, 0);
  });

  test('a thousand entities are read at once', async () => {
    const { store } = subject();
    const urns = Array.from({ length: 1000 }, (_, index) => datasetUrn(`wide.t${index}`));
    await write(
      store,
      urns.map((urn, index) => ({ urn, aspect: 'status', text: `{"n":${index}}` })),
    );
    const many = await store.readMany(urns, ['status']);
    assert.deepEqual(
      urns.map((urn) => many.get(urn)?.get('status')?.text),
      urns.map((_, index) => `{"n":${index}}`),
    );
  });

  for (const [what, text] of Object.entries(oddTexts)) {
    test(`a text is kept as it was sent: ${what}`, async () => {
      const { store, reopen } = subject();
      await write(store, [{ urn: orders, aspect: 'status', text, system: text }]);
      const aspect = (await store.read(orders)).get('status');
      assert.deepEqual([aspect?.text, aspect?.systemText], [text, text]);
      const reopened = await reopen();
      assert.equal((await reopened.read(orders)).get('status')?.text, text);
    });
  }

  test('a text of a megabyte is kept as it was sent', async () => {
    const { store } = subject();
    const text = JSON.stringify({ text: 'Ä"\\\n€😀'.repeat(100_000) });
    await write(store, [{ urn: orders, aspect: 'schemaMetadata', text }]);
    assert.equal((await store.read(orders)).get('schemaMetadata')?.text === text, true);
  });

  test('URNs are told apart by every character', async () => {
    const { store } = subject();
    const urns = ['a', 'A', 'ä', 'a\u0308', 'a%20', 'a '].map(termUrn);
    await write(
      store,
      urns.map((urn, index) => ({ urn, aspect: 'status', text: `{"n":${index}}` })),
    );
    for (const [index, urn] of urns.entries()) {
      assert.deepEqual(await textsOf(store, urn), { status: `1: {"n":${index}}` });
    }
  });

  test('an observation replaces the system metadata and keeps version, text and stamp', async () => {
    const { store, reopen } = subject();
    await write(store, [{ urn: orders, aspect: 'status', text: '{"n":1}', system: '{"runId":"a"}' }], {
      time: 1,
    });
    const current = (await store.read(orders)).get('status');
    assert.ok(current);
    const changes = await write(store, [], {
      time: 2,
      observations: [{ urn: orders, aspect: 'status', current, systemText: '{"runId":"b"}' }],
    });
    assert.deepEqual(changes, []);
    assert.equal(await store.lastSequence(), 1);
    const observed = (await (await reopen()).read(orders)).get('status');
    assert.deepEqual(
      [observed?.version, observed?.text, observed?.stamp.time, observed?.systemMetadata],
      [1, '{"n":1}', 1, { runId: 'b' }],
    );
  });

  test('everything is there after a restart', async () => {
    const { store, reopen } = subject();
    await write(store, [keyDraft(orders), { urn: orders, aspect: 'status', text: '{"n":1}' }]);
    await write(store, [{ urn: orders, aspect: 'status', text: '{"n":2}' }]);
    const reopened = await reopen();
    assert.deepEqual(await textsOf(reopened, orders), { datasetKey: '1: {}', status: '2: {"n":2}' });
    assert.equal((await reopened.readVersion(orders, 'status', 1))?.text, '{"n":1}');
    assert.deepEqual(await reopened.existing([orders]), new Set([orders]));
    const [next] = await write(reopened, [{ urn: orders, aspect: 'status', text: '{"n":3}' }]);
    assert.deepEqual([next?.sequence, next?.versionAfter], [4, 3]);
  });
}
