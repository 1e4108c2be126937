import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestCatalogue } from '../../test/catalogue.ts';
import type { TestCatalogue } from '../../test/catalogue.ts';
import type { AspectReader } from '../aspect/aspect-store.ts';
import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import { createRequestContext } from './request-context.ts';
import type { RequestContext } from './request-context.ts';

const orders = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)');
const margin = parseUrn('urn:li:glossaryTerm:Margin');
const profit = parseUrn('urn:li:glossaryTerm:Profit');
const absent = parseUrn('urn:li:glossaryTerm:Absent');

/** The real store, with a note of every call; `damaged` cannot be read. */
function recording(
  { store }: TestCatalogue,
  damaged?: Urn,
): { readonly reader: AspectReader; readonly calls: string[] } {
  const calls: string[] = [];
  const refuse = (urns: readonly Urn[]): void => {
    if (damaged !== undefined && urns.includes(damaged))
      throw new PostilError('CORRUPT_ASPECT', `Damaged: ${damaged}`);
  };
  const reader: AspectReader = Object.assign(Object.create(store), {
    async read(urn: Urn, names: readonly string[]) {
      calls.push(`read ${names.join()}`);
      refuse([urn]);
      return await store.read(urn, names);
    },
    async readMany(urns: readonly Urn[], names: readonly string[]) {
      calls.push(`readMany ${urns.length} ${names.join()}`);
      refuse(urns);
      return await store.readMany(urns, names);
    },
    async existing(urns: readonly Urn[]) {
      calls.push(`existing ${urns.length}`);
      return await store.existing(urns);
    },
  });
  return { reader, calls };
}

function contextOn(catalogue: TestCatalogue, reader: AspectReader): RequestContext {
  const { editor: caller, engine } = catalogue;
  return createRequestContext({ caller, reader, execute: engine.execute, now: () => 7, services: {} });
}

async function stocked(): Promise<TestCatalogue> {
  const catalogue = await openTestCatalogue();
  await catalogue.seed(orders, { datasetProperties: { description: 'orders', customProperties: {} } });
  for (const term of [margin, profit]) {
    await catalogue.seed(term, { glossaryTermInfo: { name: term, definition: 'd', termSource: 'INTERNAL' } });
  }
  return catalogue;
}

test('what is asked for in one turn is read in one call, across awaits of what is there already', async () => {
  await using catalogue = await stocked();
  const { reader, calls } = recording(catalogue);
  const context = contextOn(catalogue, reader);
  const [first, second, third, both] = await Promise.all([
    context.load(margin, 'glossaryTermInfo'),
    context.load(profit, 'glossaryTermInfo'),
    Promise.resolve().then(() => context.load(absent, 'glossaryTermInfo')),
    context.loadAll(orders, ['datasetProperties', 'status']),
  ]);
  assert.equal(first?.body['name'], margin);
  assert.equal(second?.body['name'], profit);
  assert.equal(third, undefined);
  assert.equal(both.get('datasetProperties')?.body['description'], 'orders');
  assert.deepEqual(calls, ['readMany 4 glossaryTermInfo,datasetProperties,status']);
});

test('nothing is read twice in one request, not even what another entity was asked for', async () => {
  await using catalogue = await stocked();
  const { reader, calls } = recording(catalogue);
  const context = contextOn(catalogue, reader);
  const first = await context.load(margin, 'glossaryTermInfo');
  assert.equal(await context.load(margin, 'glossaryTermInfo'), first);
  assert.equal((await context.loadAll(margin, ['glossaryTermInfo'])).get('glossaryTermInfo'), first);
  assert.deepEqual(calls, ['read glossaryTermInfo']);
  await Promise.all([context.load(orders, 'status'), context.load(profit, 'glossaryTermInfo')]);
  assert.equal(await context.load(orders, 'glossaryTermInfo'), undefined);
  assert.deepEqual(calls.slice(1), ['readMany 2 status,glossaryTermInfo']);
});

test('existence is asked for together, and once', async () => {
  await using catalogue = await stocked();
  const { reader, calls } = recording(catalogue);
  const context = contextOn(catalogue, reader);
  const answers = await Promise.all([context.exists(margin), context.exists(absent), context.exists(margin)]);
  assert.deepEqual(answers, [true, false, true]);
  assert.equal(await context.exists(absent), false);
  assert.deepEqual(calls, ['existing 2']);
});

test('every URN that was read is recorded, whether something was there or not', async () => {
  await using catalogue = await stocked();
  const context = contextOn(catalogue, catalogue.store);
  await Promise.all([
    context.load(absent, 'glossaryTermInfo'),
    context.exists(margin),
    context.fragment(orders, 'f'),
  ]);
  assert.deepEqual(new Set(context.readUrns), new Set([absent, margin, orders]));
});

test('a damaged aspect fails only for the entity that has it', async () => {
  await using catalogue = await stocked();
  const { reader } = recording(catalogue, profit);
  const context = contextOn(catalogue, reader);
  const [good, bad] = await Promise.allSettled([
    context.load(margin, 'glossaryTermInfo'),
    context.load(profit, 'glossaryTermInfo'),
  ]);
  assert.equal(good.status === 'fulfilled' && good.value?.body['name'], margin);
  assert.equal(
    bad.status === 'rejected' && bad.reason instanceof PostilError && bad.reason.code,
    'CORRUPT_ASPECT',
  );
  await assert.rejects(async () => context.load(profit, 'glossaryTermInfo'), { code: 'CORRUPT_ASPECT' });
});

const rename: Command<Urn, boolean> = {
  name: 'rename',
  demands: () => [],
  async decide(_view, urn) {
    const body = { name: 'renamed', definition: 'd', termSource: 'INTERNAL' };
    return { writes: [{ urn, aspect: 'glossaryTermInfo', body }], result: true };
  },
};

test('after a command the request sees what it stored', async () => {
  await using catalogue = await stocked();
  const context = contextOn(catalogue, catalogue.store);
  assert.equal((await context.load(margin, 'glossaryTermInfo'))?.body['name'], margin);
  assert.equal(await context.execute(rename, margin), true);
  assert.equal((await context.load(margin, 'glossaryTermInfo'))?.body['name'], 'renamed');
});
