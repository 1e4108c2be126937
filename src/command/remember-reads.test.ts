import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import { customers, orders, seedShop } from '../../test/sample-metadata.ts';
import { parseUrn } from '../urn/urn.ts';
import type { Command, DecisionView } from './command.ts';

const urn = parseUrn(orders);

/** A command that only looks, so that a test sees what decisions see. */
function looking<Result>(look: (view: DecisionView) => Promise<Result>): Command<null, Result> {
  return {
    name: 'look',
    demands: () => [],
    decide: async (view) => ({ writes: [], result: await look(view) }),
  };
}

async function openShop(): Promise<TestCatalogue> {
  const shop = await openTestCatalogue();
  await seedShop(shop);
  return shop;
}

describe('what a group of commands has read', () => {
  it('is the same aspect when it is read again, alone, among others or with everything', async () => {
    await using shop = await openShop();
    await shop.execute(
      looking(async (view) => {
        const first = (await view.read(urn, ['datasetProperties'])).get('datasetProperties');
        const many = await view.readMany([urn, parseUrn(customers)], ['schemaMetadata', 'datasetProperties']);
        assert.ok(first !== undefined);
        assert.equal(many.get(urn)?.get('datasetProperties'), first);
        assert.equal(many.get(parseUrn(customers))?.size, 0);
        const all = await view.read(urn);
        assert.equal(all.get('datasetProperties'), first);
        assert.deepEqual([...all.keys()].sort(), [
          'dataPlatformInstance',
          'datasetKey',
          'datasetProperties',
          'schemaMetadata',
        ]);
      }),
      null,
    );
  });

  it('holds only what was asked for', async () => {
    await using shop = await openShop();
    await shop.execute(
      looking(async (view) => {
        await view.read(urn);
        assert.deepEqual([...(await view.read(urn, ['datasetKey', 'status'])).keys()], ['datasetKey']);
        assert.deepEqual([...(await view.readMany([urn], [])).keys()], [urn]);
      }),
      null,
    );
  });

  it('is read anew after a change, also by commands of the same group, and after a refusal', async () => {
    await using shop = await openShop();
    const removed = (): Promise<unknown> =>
      shop.execute(
        looking(async (view) => (await view.read(urn, ['status'])).get('status')?.body['removed']),
        null,
      );
    const outcomes = await Promise.allSettled([
      removed(),
      shop.seed(orders, { status: { removed: true } }),
      removed(),
      shop.seed(orders, { status: { removed: 'not a boolean' } }),
      removed(),
      shop.seed(orders, { status: { removed: false } }),
      removed(),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'refused')),
      [undefined, orders, true, 'refused', true, orders, false],
    );
  });
});
