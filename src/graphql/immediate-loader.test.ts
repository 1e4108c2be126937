import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestCatalogue } from '../../test/catalogue.ts';
import type { ImmediateReader } from '../aspect/aspect-store.ts';
import { parseUrn } from '../urn/urn.ts';
import { createImmediateLoader } from './immediate-loader.ts';

const orders = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)');
const absent = parseUrn('urn:li:glossaryTerm:Absent');

test('what the store answers at once is what it answers later', async () => {
  await using catalogue = await openTestCatalogue();
  const { store } = catalogue;
  await catalogue.seed(orders, { status: { removed: false }, datasetProperties: { description: 'd' } });
  const { immediate } = store;
  assert.ok(immediate !== undefined);
  for (const urn of [orders, absent]) {
    const later = await store.read(urn);
    for (const name of ['status', 'datasetProperties', 'datasetKey', 'glossaryTerms']) {
      assert.deepEqual(immediate.aspect(urn, name), later.get(name));
    }
    assert.equal(immediate.exists(urn), (await store.existing([urn])).has(urn));
    assert.equal(immediate.fragment(urn, 'columns'), await store.readFragment(urn, 'columns'));
  }
});

test('everything is read at most once per request, also what is not there, and again when it was cleared', async () => {
  await using catalogue = await openTestCatalogue();
  await catalogue.seed(orders, { status: { removed: false } });
  const { immediate } = catalogue.store;
  assert.ok(immediate !== undefined);
  const calls: string[] = [];
  const reader: ImmediateReader = {
    aspect(urn, name) {
      calls.push(name);
      return immediate.aspect(urn, name);
    },
    exists(urn) {
      calls.push('exists');
      return immediate.exists(urn);
    },
    fragment: immediate.fragment,
  };
  const loader = createImmediateLoader(reader);
  const names = ['status', 'glossaryTerms'];
  for (let times = 0; times < 2; times += 1) {
    const aspects = await loader.loadAll(orders, names);
    assert.deepEqual([...aspects.keys()], ['status']);
    assert.equal(loader.load(orders, 'status'), aspects.get('status'));
    assert.equal(loader.exists(absent), false);
    assert.equal(loader.exists(orders), true);
  }
  assert.deepEqual(calls, ['status', 'glossaryTerms', 'exists', 'exists']);
  assert.deepEqual([...loader.readUrns], [orders, absent]);
  loader.clear();
  assert.ok(loader.load(orders, 'status') !== undefined);
  assert.equal(calls.at(-1), 'status');
  assert.equal(calls.length, 5);
});
