import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AspectStore, Relationship, RelationshipQuery } from '../../aspect/aspect-store.ts';
import type { Urn } from '../../urn/urn.ts';
import { datasetUrn, keyDraft, termUrn, write } from './change-batch.ts';
import type { Subject } from './opened-store.ts';

const orders = datasetUrn('shop.orders');
const customers = datasetUrn('shop.customers');
const pii = termUrn('pii');
const secret = termUrn('secret');

const edge = (destination: Urn, path = '', kind = 'TermedWith'): Relationship => ({
  kind,
  destination,
  path,
});

async function ask(
  store: Pick<AspectStore, 'relationships'>,
  query: Pick<RelationshipQuery, 'urn' | 'direction'> & Partial<RelationshipQuery>,
): Promise<{ readonly total: number; readonly items: readonly (readonly [string, Urn, string])[] }> {
  const { items, total } = await store.relationships({ start: 0, count: 100, distinct: false, ...query });
  return { total, items: items.map(({ kind, urn, path }) => [kind, urn, path] as const) };
}

async function place(
  store: AspectStore,
  entries: readonly (readonly [Urn, Urn | undefined, string])[],
): Promise<void> {
  await write(store, [], {
    placements: entries.map(([urn, parent, name]) => ({ urn, placement: { urn, parent, name } })),
  });
}

export function testProjections(subject: Subject): void {
  test('relationships are found from both ends, by kind, column by column or once for each entity', async () => {
    const { store } = subject();
    await write(store, [
      { urn: orders, aspect: 'terms', text: '{}', add: [edge(pii, 'a'), edge(pii, 'b'), edge(secret)] },
      { urn: orders, aspect: 'lineage', text: '{}', add: [edge(customers, '', 'DownstreamOf')] },
      { urn: customers, aspect: 'terms', text: '{}', add: [edge(pii)] },
    ]);
    assert.deepEqual(await ask(store, { urn: orders, direction: 'OUTGOING' }), {
      total: 4,
      items: [
        ['DownstreamOf', customers, ''],
        ['TermedWith', pii, 'a'],
        ['TermedWith', pii, 'b'],
        ['TermedWith', secret, ''],
      ],
    });
    assert.deepEqual(await ask(store, { urn: pii, direction: 'INCOMING' }), {
      total: 3,
      items: [
        ['TermedWith', orders, 'a'],
        ['TermedWith', orders, 'b'],
        ['TermedWith', customers, ''],
      ],
    });
    assert.deepEqual(await ask(store, { urn: pii, direction: 'INCOMING', distinct: true }), {
      total: 2,
      items: [
        ['TermedWith', orders, ''],
        ['TermedWith', customers, ''],
      ],
    });
    const outgoing = { urn: orders, direction: 'OUTGOING' } as const;
    assert.equal((await ask(store, { ...outgoing, kinds: ['TermedWith'] })).total, 3);
    assert.equal((await ask(store, { ...outgoing, kinds: ['TermedWith', 'DownstreamOf'] })).total, 4);
    assert.equal((await ask(store, { ...outgoing, kinds: ['IsA'] })).total, 0);
    assert.equal((await ask(store, { ...outgoing, kinds: [] })).total, 0);
    assert.equal((await ask(store, { urn: pii, direction: 'OUTGOING' })).total, 0);
    assert.equal((await ask(store, { urn: termUrn('never'), direction: 'INCOMING' })).total, 0);
  });

  test('relationships come in pages that tell the total, also beyond the last', async () => {
    const { store } = subject();
    const terms = Array.from({ length: 7 }, (_, index) => termUrn(`t${index}`));
    await write(store, [{ urn: orders, aspect: 'terms', text: '{}', add: terms.map((term) => edge(term)) }]);
    const page = async (start: number, count: number): Promise<readonly [number, readonly Urn[]]> => {
      const { items, total } = await ask(store, { urn: orders, direction: 'OUTGOING', start, count });
      return [total, items.map(([, urn]) => urn)];
    };
    assert.deepEqual(await page(0, 3), [7, terms.slice(0, 3)]);
    assert.deepEqual(await page(3, 3), [7, terms.slice(3, 6)]);
    assert.deepEqual(await page(6, 3), [7, terms.slice(6)]);
    assert.deepEqual(await page(7, 3), [7, []]);
    assert.deepEqual(await page(0, 0), [7, []]);
  });

  test('an edge that two aspects say stays when one of them no longer says it', async () => {
    const { store } = subject();
    await write(store, [
      { urn: orders, aspect: 'schemaMetadata', text: '{}', add: [edge(pii, 'a')] },
      { urn: orders, aspect: 'editableSchemaMetadata', text: '{}', add: [edge(pii, 'a')] },
    ]);
    const all = { urn: pii, direction: 'INCOMING' } as const;
    assert.deepEqual(await ask(store, all), { total: 1, items: [['TermedWith', orders, 'a']] });
    await write(store, [
      { urn: orders, aspect: 'schemaMetadata', text: '{"n":2}', remove: [edge(pii, 'a')] },
    ]);
    assert.equal((await ask(store, all)).total, 1);
    await write(store, [{ urn: orders, aspect: 'editableSchemaMetadata', remove: [edge(pii, 'a')] }]);
    assert.equal((await ask(store, all)).total, 0);
  });

  test('relationships are found by the aspects that say them', async () => {
    const { store } = subject();
    await write(store, [
      { urn: orders, aspect: 'schemaMetadata', text: '{}', add: [edge(pii, 'a'), edge(pii, 'b')] },
      { urn: orders, aspect: 'editableSchemaMetadata', text: '{}', add: [edge(pii, 'a')] },
    ]);
    const said = async (...aspects: readonly string[]): Promise<readonly string[]> =>
      (await ask(store, { urn: pii, direction: 'INCOMING', kinds: ['TermedWith'], aspects })).items.map(
        ([, , path]) => path,
      );
    assert.deepEqual(await said('schemaMetadata'), ['a', 'b']);
    assert.deepEqual(await said('editableSchemaMetadata'), ['a']);
    assert.deepEqual(await said('editableSchemaMetadata', 'schemaMetadata'), ['a', 'b']);
    assert.deepEqual(await said('glossaryTerms'), []);
    assert.deepEqual(await said(), []);
  });

  test('adding an edge that is there and removing one that is not change nothing', async () => {
    const { store } = subject();
    await write(store, [{ urn: orders, aspect: 'terms', text: '{}', add: [edge(pii), edge(pii)] }]);
    await write(store, [
      { urn: orders, aspect: 'terms', text: '{}', add: [edge(pii)], remove: [edge(secret)] },
    ]);
    assert.equal((await ask(store, { urn: orders, direction: 'OUTGOING' })).total, 1);
  });

  test('an edge that is removed and added by one change is there afterwards', async () => {
    const { store } = subject();
    await write(store, [{ urn: orders, aspect: 'terms', text: '{}', add: [edge(pii)] }]);
    await write(store, [{ urn: orders, aspect: 'terms', text: '{}', add: [edge(pii)], remove: [edge(pii)] }]);
    assert.equal((await ask(store, { urn: orders, direction: 'OUTGOING' })).total, 1);
  });

  test('field paths and names may be long', async () => {
    const { store } = subject();
    // Nothing repeats, so no compression makes it short enough for an index by luck.
    const long = Array.from({ length: 900 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
    ).join('');
    const other = `${long}.x`;
    await write(store, [
      { urn: orders, aspect: 'terms', text: '{}', add: [edge(pii, long), edge(pii, other)] },
    ]);
    assert.equal((await ask(store, { urn: pii, direction: 'INCOMING' })).total, 2);
    await write(store, [{ urn: orders, aspect: 'terms', text: '{}', remove: [edge(pii, long)] }]);
    assert.deepEqual((await ask(store, { urn: pii, direction: 'INCOMING' })).items, [
      ['TermedWith', orders, other],
    ]);
    await place(store, [
      [pii, undefined, other],
      [secret, undefined, long],
    ]);
    assert.deepEqual(await store.childrenNamed('glossaryTerm', undefined, long), [secret]);
    const { items } = await store.children({ type: 'glossaryTerm', parent: undefined, start: 0, count: 9 });
    assert.deepEqual(items, [secret, pii]);
  });

  test('children are ordered by the bytes of their names, then of their URNs', async () => {
    const { store } = subject();
    const root = termUrn('root');
    // UTF-16 order and linguistic order both differ from the order of bytes.
    const names = ['', ' ', '10', '9', 'Z', '_', 'a', 'aB', 'ab', 'b', 'ä', '\uffee', '\u{1F600}'];
    await place(store, [
      ...names.map((name, index) => [termUrn(`n${names.length - index}`), root, name] as const).reverse(),
      [termUrn('same2'), root, 'same'],
      [termUrn('Same3'), root, 'same'],
      [termUrn('same1'), root, 'same'],
      [root, undefined, 'Root'],
      [datasetUrn('elsewhere'), root, 'a'],
    ]);
    const sorted = names.map((_, index) => termUrn(`n${names.length - index}`));
    const at = names.indexOf('ä');
    const expected = [
      ...sorted.slice(0, at),
      ...['Same3', 'same1', 'same2'].map(termUrn),
      ...sorted.slice(at),
    ];
    const query = { type: 'glossaryTerm', parent: root, start: 0, count: 100 };
    assert.deepEqual(await store.children(query), { items: expected, total: expected.length });
    assert.deepEqual(await store.children({ ...query, start: 2, count: 3 }), {
      items: expected.slice(2, 5),
      total: expected.length,
    });
    assert.deepEqual(await store.children({ ...query, count: 0 }), { items: [], total: expected.length });
    assert.deepEqual(await store.children({ ...query, start: 99 }), { items: [], total: expected.length });
    assert.deepEqual(await store.children({ ...query, parent: undefined }), { items: [root], total: 1 });
    assert.deepEqual(await store.children({ ...query, parent: termUrn('never') }), { items: [], total: 0 });
    assert.deepEqual(
      await store.childrenNamed('glossaryTerm', root, 'same'),
      ['Same3', 'same1', 'same2'].map(termUrn),
    );
    assert.deepEqual(await store.childrenNamed('glossaryTerm', root, 'Same'), []);
    assert.deepEqual(await store.childrenNamed('glossaryTerm', undefined, 'same'), []);
    assert.deepEqual(await store.childrenNamed('glossaryTerm', termUrn('never'), 'same'), []);
    assert.deepEqual(await store.childrenNamed('dataset', root, 'a'), [datasetUrn('elsewhere')]);
  });

  test('an entity stands in one place: it moves, is renamed, and is taken out', async () => {
    const { store } = subject();
    await place(store, [[pii, undefined, 'PII']]);
    await place(store, [[pii, secret, 'Personal']]);
    assert.deepEqual((await store.projectionsOf(pii)).placement, {
      urn: pii,
      parent: secret,
      name: 'Personal',
    });
    assert.deepEqual(await store.childrenNamed('glossaryTerm', undefined, 'PII'), []);
    assert.deepEqual(await store.childrenNamed('glossaryTerm', secret, 'Personal'), [pii]);
    await write(store, [], { placements: [{ urn: pii, placement: undefined }] });
    assert.equal((await store.projectionsOf(pii)).placement, undefined);
    assert.equal(
      (await store.children({ type: 'glossaryTerm', parent: secret, start: 0, count: 9 })).total,
      0,
    );
  });

  test('fragments are kept verbatim beside their entity, replaced and removed', async () => {
    const { store, reopen } = subject();
    const text = '{"fields": [ 1.0, "\u2028😀" ]}';
    await write(store, [], {
      fragments: [
        { urn: orders, name: 'columns', text },
        { urn: orders, name: 'header', text: '' },
      ],
    });
    const reopened = await reopen();
    assert.equal(await reopened.readFragment(orders, 'columns'), text);
    assert.equal(await reopened.readFragment(orders, 'header'), '');
    assert.equal(await reopened.readFragment(orders, 'never'), undefined);
    assert.equal(await reopened.readFragment(customers, 'columns'), undefined);
    await write(reopened, [], {
      fragments: [
        { urn: orders, name: 'columns', text: '[]' },
        { urn: orders, name: 'header', text: undefined },
        { urn: customers, name: 'header', text: undefined },
      ],
    });
    assert.equal(await reopened.readFragment(orders, 'columns'), '[]');
    assert.equal(await reopened.readFragment(orders, 'header'), undefined);
    assert.equal((await reopened.read(orders)).size, 0);
  });

  test('existing entities of a type come in the order in which they were first stored, in pages', async () => {
    const { store } = subject();
    const urns = ['c', 'a', 'd', 'b'].map(datasetUrn);
    for (const urn of urns) await write(store, [keyDraft(urn), keyDraft(termUrn(`of${urns.indexOf(urn)}`))]);
    await write(store, [{ urn: orders, aspect: 'status', text: '{}' }]);
    const page = (start: number, count: number): ReturnType<AspectStore['entities']> =>
      store.entities({ type: 'dataset', start, count });
    assert.deepEqual(await page(0, 100), { items: urns, total: 4 });
    assert.deepEqual(await page(1, 2), { items: urns.slice(1, 3), total: 4 });
    assert.deepEqual(await page(4, 2), { items: [], total: 4 });
    const a = datasetUrn('a');
    await write(store, [{ urn: a, aspect: 'datasetKey', existence: 'ends' }]);
    assert.deepEqual(await page(0, 100), { items: urns.filter((urn) => urn !== a), total: 3 });
    await write(store, [keyDraft(a)]);
    assert.deepEqual(await page(0, 100), { items: urns, total: 4 });
  });

  test('the projections of one entity, and the counts of the whole store', async () => {
    const { store } = subject();
    await write(
      store,
      [
        keyDraft(orders),
        { urn: orders, aspect: 'terms', text: '{}', add: [edge(pii, 'a'), edge(secret)] },
        { urn: orders, aspect: 'lineage', text: '{}', add: [edge(secret)] },
        { urn: customers, aspect: 'terms', text: '{}', add: [edge(orders, '', 'DownstreamOf')] },
      ],
      { fragments: [{ urn: orders, name: 'columns', text: '[1]' }] },
    );
    await write(store, [{ urn: orders, aspect: 'lineage', remove: [edge(secret)] }]);
    const { relationships, fragments, placement } = await store.projectionsOf(orders);
    const byPath = relationships.toSorted((left, right) => (left.path < right.path ? -1 : 1));
    assert.deepEqual(byPath, [
      { ...edge(secret), aspect: 'terms' },
      { ...edge(pii, 'a'), aspect: 'terms' },
    ]);
    assert.deepEqual(fragments, new Map([['columns', '[1]']]));
    assert.equal(placement, undefined);
    assert.deepEqual(await store.projectionsOf(termUrn('never')), {
      relationships: [],
      fragments: new Map(),
      placement: undefined,
    });
    assert.deepEqual(await store.statistics(), { entities: 1, aspects: 3, lastSequence: 5 });
  });
}
