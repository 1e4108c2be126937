import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AspectStore, Relationship, UsePage, UseQuery } from '../../aspect/aspect-store.ts';
import type { SearchEntry } from '../../aspect/search-entry.ts';
import { removedTerm } from '../../search-index/search-terms.ts';
import type { Urn } from '../../urn/urn.ts';
import { apply, datasetUrn, termUrn, write } from './change-batch.ts';
import type { Subject } from './opened-store.ts';

const orders = datasetUrn('shop.orders');
const customers = datasetUrn('shop.customers');
const items = datasetUrn('shop.items');
const pii = termUrn('pii');

const edge = (path = '', kind = 'TermedWith', destination: Urn = pii): Relationship => ({
  kind,
  destination,
  path,
});

const removed: SearchEntry = { fields: { removed: ['true'] }, terms: removedTerm };

async function ask(store: Pick<AspectStore, 'uses'>, query: Partial<UseQuery> = {}): Promise<UsePage> {
  const usual = {
    urn: pii,
    direction: 'INCOMING',
    kinds: ['TermedWith'],
    withRemoved: false,
    start: 0,
    count: 100,
  } as const;
  return store.uses({ ...usual, ...query });
}

/** Two columns of orders, one of them said by two aspects; customers and one of its columns; items, which is removed. */
async function fill(store: AspectStore): Promise<void> {
  await write(store, [
    { urn: orders, aspect: 'schemaMetadata', text: '{}', add: [edge('a'), edge('b')] },
    { urn: orders, aspect: 'editableSchemaMetadata', text: '{}', add: [edge('a')] },
    { urn: customers, aspect: 'glossaryTerms', text: '{}', add: [edge(), edge('', 'IsA')] },
    { urn: customers, aspect: 'schemaMetadata', text: '{}', add: [edge('x'), edge('', 'IsPartOf', orders)] },
  ]);
  const searchEntries = [{ urn: items, aspect: 'status', entry: removed }];
  await write(
    store,
    [
      { urn: items, aspect: 'status', text: '{"removed":true}' },
      { urn: items, aspect: 'schemaMetadata', text: '{}', add: [edge('a'), edge('b')] },
    ],
    { searchEntries },
  );
}

export function testUses(subject: Subject): void {
  test('uses are entities and columns, each once, with the aspects that say so and counts of all of them', async () => {
    const { store } = subject();
    await fill(store);
    const kind = 'TermedWith';
    const counts = { entities: 2, columns: 3, total: 4 };
    assert.deepEqual(await ask(store), {
      items: [
        { kind, urn: orders, path: 'a', aspects: ['editableSchemaMetadata', 'schemaMetadata'] },
        { kind, urn: orders, path: 'b', aspects: ['schemaMetadata'] },
        { kind, urn: customers, path: '', aspects: ['glossaryTerms'] },
        { kind, urn: customers, path: 'x', aspects: ['schemaMetadata'] },
      ],
      counts,
      countsByKind: [{ kind, ...counts }],
    });
  });

  test('uses by what is marked as removed count only where they are asked for', async () => {
    const { store } = subject();
    await fill(store);
    const all = await ask(store, { withRemoved: true });
    assert.deepEqual(all.counts, { entities: 3, columns: 5, total: 6 });
    assert.deepEqual(
      all.items.slice(4).map(({ urn, path }) => [urn, path]),
      [
        [items, 'a'],
        [items, 'b'],
      ],
    );
    await write(store, [{ urn: items, aspect: 'status', text: '{}' }], {
      searchEntries: [{ urn: items, aspect: 'status', entry: undefined }],
    });
    assert.deepEqual(await ask(store), all);
  });

  test('uses of several kinds are told kind by kind, and an entity counts once among them', async () => {
    const { store } = subject();
    await fill(store);
    const {
      items: found,
      counts,
      countsByKind,
    } = await ask(store, { kinds: ['TermedWith', 'IsA', 'HasA', 'IsA'] });
    assert.deepEqual(counts, { entities: 2, columns: 3, total: 5 });
    assert.deepEqual(countsByKind, [
      { kind: 'IsA', entities: 1, columns: 0, total: 1 },
      { kind: 'TermedWith', entities: 2, columns: 3, total: 4 },
    ]);
    assert.deepEqual(
      found.map(({ kind, path }) => [kind, path]),
      [
        ['IsA', ''],
        ['TermedWith', 'a'],
        ['TermedWith', 'b'],
        ['TermedWith', ''],
        ['TermedWith', 'x'],
      ],
    );
  });

  test('uses come in pages across kinds, and every page tells all counts', async () => {
    const { store } = subject();
    await fill(store);
    const kinds = ['IsA', 'TermedWith'];
    const all = await ask(store, { kinds });
    for (let start = 0; start <= 6; start += 1) {
      for (const count of [0, 1, 2, 10]) {
        const page = await ask(store, { kinds, start, count });
        assert.deepEqual(page, { ...all, items: all.items.slice(start, start + count) }, `${start} ${count}`);
      }
    }
  });

  test('uses are told in the other direction too, and nothing is used that nobody names', async () => {
    const { store } = subject();
    await fill(store);
    const outgoing = await ask(store, {
      urn: customers,
      direction: 'OUTGOING',
      kinds: ['TermedWith', 'IsPartOf'],
    });
    assert.deepEqual(
      outgoing.items.map(({ urn, path }) => [urn, path]),
      [
        [orders, ''],
        [pii, ''],
        [pii, 'x'],
      ],
    );
    const nothing = { items: [], counts: { entities: 0, columns: 0, total: 0 }, countsByKind: [] };
    assert.deepEqual(await ask(store, { kinds: [] }), nothing);
    assert.deepEqual(await ask(store, { kinds: ['HasA'] }), nothing);
    assert.deepEqual(await ask(store, { urn: termUrn('never') }), nothing);
  });

  test('counts of many uses agree with every change as soon as it is stored', async () => {
    const { store } = subject();
    const columns = Array.from({ length: 1500 }, (_, at) => edge(`c${at}`));
    await write(store, [{ urn: orders, aspect: 'schemaMetadata', text: '{}', add: columns }]);
    await write(store, [{ urn: items, aspect: 'schemaMetadata', text: '{}', add: columns.slice(0, 10) }]);
    const expect = async (entities: number, total: number): Promise<void> => {
      for (let time = 0; time < 2; time += 1) {
        assert.deepEqual((await ask(store)).counts, { entities, columns: total, total });
      }
    };
    await expect(2, 1510);
    await write(store, [
      { urn: orders, aspect: 'schemaMetadata', text: '{"n":2}', remove: columns.slice(0, 1) },
    ]);
    await expect(2, 1509);
    const mark = (entry: SearchEntry | undefined): Promise<unknown> =>
      write(store, [], { searchEntries: [{ urn: items, aspect: 'status', entry }] });
    await mark(removed);
    await expect(1, 1499);
    await mark(undefined);
    await expect(2, 1509);
  });

  test('a transaction counts the uses that it has stored itself', async () => {
    const { store } = subject();
    await fill(store);
    await store.transact(async (transaction) => {
      await apply(
        transaction,
        [{ urn: items, aspect: 'glossaryTerms', text: '{}', add: [edge('', 'IsA')] }],
        {
          searchEntries: [{ urn: items, aspect: 'status', entry: undefined }],
        },
      );
      const { counts } = await ask(transaction, { kinds: ['IsA', 'TermedWith'] });
      assert.deepEqual(counts, { entities: 3, columns: 5, total: 8 });
    });
  });
}
