import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import {
  customers,
  longOrderId,
  orders,
  pii,
  seedShop,
  unauthorized,
  unknownDataset,
} from '../../test/sample-metadata.ts';
import type { Command } from '../command/command.ts';
import { deletionOf } from '../relationship/deletion.ts';
import { parseUrn, type Urn } from '../urn/urn.ts';
import { batchUpdateDeprecation } from './batch-update-deprecation.ts';
import { batchUpdateSoftDeleted } from './batch-update-soft-deleted.ts';
import { updateDeprecation } from './update-deprecation.ts';

const deleteEntity: Command<Urn, true> = {
  name: 'deleteEntity',
  demands: () => [],
  decide: async (view, urn) => ({ writes: await deletionOf(view, urn), result: true }),
};
const stamp = { time: 1_790_000_000_000, actor: 'urn:li:corpuser:editor' };
const column = (subResource: string): { subResourceType: 'DATASET_FIELD'; subResource: string } => ({
  subResourceType: 'DATASET_FIELD',
  subResource,
});
const columnUrn = (path: string): string => `urn:li:schemaField:(${orders},${path})`;

async function openShop(): Promise<TestCatalogue> {
  const shop = await openTestCatalogue({ now: () => stamp.time });
  await seedShop(shop);
  return shop;
}

describe('updateDeprecation', () => {
  it('says all that is sent, and no longer what is not', async () => {
    await using shop = await openShop();
    const input = { urn: orders, deprecated: true, note: 'gone soon', decommissionTime: 7 };
    assert.equal(await shop.execute(updateDeprecation, { ...input, replacement: customers }), true);
    assert.deepEqual(await shop.body(orders, 'deprecation'), {
      deprecated: true,
      note: 'gone soon',
      decommissionTime: 7,
      replacement: customers,
      actor: stamp.actor,
    });
    assert.equal(await shop.changesNothing(updateDeprecation, { ...input, replacement: customers }), true);
    await shop.execute(updateDeprecation, { ...input, replacement: customers }, shop.admin);
    assert.equal((await shop.body(orders, 'deprecation'))?.['actor'], stamp.actor, 'who said it first');
    await shop.execute(updateDeprecation, { urn: orders, deprecated: false });
    const expected = { deprecated: false, note: '', actor: stamp.actor };
    assert.deepEqual(await shop.body(orders, 'deprecation'), expected);
    assert.equal(await shop.changesNothing(updateDeprecation, { urn: customers, deprecated: false }), true);
  });

  it('names no replacement any more once that is deleted, and whoever is about to delete it can ask', async () => {
    await using shop = await openShop();
    const input = { urn: orders, deprecated: true, note: 'use customers', replacement: customers };
    await shop.execute(updateDeprecation, input);
    const asked = {
      urn: parseUrn(customers),
      direction: 'INCOMING',
      distinct: true,
      start: 0,
      count: 10,
    } as const;
    const { items } = await shop.store.relationships({ ...asked, kinds: ['ReplacedBy'] });
    assert.deepEqual(
      items.map(({ urn }) => urn),
      [orders],
    );
    await shop.execute(deleteEntity, parseUrn(customers));
    assert.deepEqual(await shop.body(orders, 'deprecation'), {
      deprecated: true,
      note: 'use customers',
      actor: stamp.actor,
    });
    assert.deepEqual((await shop.store.relationships(asked)).items, []);
  });

  it('outdoes what an older aspect says of a dataset', async () => {
    await using shop = await openShop();
    await shop.seed(orders, { datasetDeprecation: { deprecated: true, note: 'long ago' } });
    await shop.execute(updateDeprecation, { urn: orders, deprecated: false });
    const expected = { deprecated: false, note: '', actor: stamp.actor };
    assert.deepEqual(await shop.body(orders, 'deprecation'), expected);
  });

  it('speaks of a column that is found by its simple path, on the entity that stands for it', async () => {
    await using shop = await openShop();
    const input = { urn: orders, deprecated: true, note: 'use id', ...column('order_id') };
    assert.equal(await shop.execute(updateDeprecation, input), true);
    assert.deepEqual(await shop.body(columnUrn(longOrderId), 'deprecation'), {
      deprecated: true,
      note: 'use id',
      actor: stamp.actor,
    });
    assert.equal(await shop.body(orders, 'deprecation'), undefined);
    assert.equal(await shop.changesNothing(updateDeprecation, input), true);
  });

  it('refuses entities, columns and replacements that do not exist, and what cannot be deprecated', async () => {
    await using shop = await openShop();
    await shop.refuses(
      updateDeprecation,
      { urn: unknownDataset, deprecated: true },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to update deprecation for Entity ${unknownDataset}. Entity does not exist.`,
      },
    );
    await shop.refuses(
      updateDeprecation,
      { urn: orders, deprecated: true, ...column('user_nam') },
      { code: 'COLUMN_NOT_FOUND', message: /Did you mean "user_name"\?$/ },
    );
    await shop.refuses(
      updateDeprecation,
      { urn: orders, deprecated: true, replacement: unknownDataset },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to update deprecation. The replacement ${unknownDataset} does not exist.`,
      },
    );
    const person = await shop.seed('urn:li:corpuser:ana');
    await shop.refuses(
      updateDeprecation,
      { urn: person, deprecated: true },
      { code: 'UNKNOWN_ASPECT', message: /^Entities of type corpuser have no aspect "deprecation"/ },
    );
    const unknown = { urn: unknownDataset, deprecated: true };
    await shop.refuses(updateDeprecation, unknown, unauthorized, shop.reader);
    const caller = { ...shop.reader, privileges: new Set(['EDIT_DEPRECATION_PRIVILEGE'] as const) };
    assert.ok(await shop.execute(updateDeprecation, { urn: orders, deprecated: true }, caller));
  });
});

describe('batchUpdateDeprecation', () => {
  it('keeps every change: several columns of one dataset, the dataset itself and a tag', async () => {
    await using shop = await openShop();
    const resources = [
      { resourceUrn: orders, ...column('user_name') },
      { resourceUrn: orders, ...column('order_id') },
      { resourceUrn: orders },
      { resourceUrn: pii },
    ];
    const input = { deprecated: true, note: 'n', resources };
    assert.equal(await shop.execute(batchUpdateDeprecation, input), true);
    for (const urn of [columnUrn('user_name'), columnUrn(longOrderId), orders, pii]) {
      const expected = { deprecated: true, note: 'n', actor: stamp.actor };
      assert.deepEqual(await shop.body(urn, 'deprecation'), expected, urn);
    }
    assert.equal(await shop.changesNothing(batchUpdateDeprecation, input), true);
  });

  it('changes nothing when one of two entities, or a column, is missing', async () => {
    await using shop = await openShop();
    const refused = [
      [
        { resourceUrn: unknownDataset },
        'ENTITY_NOT_FOUND',
        `Failed to update resource with urn ${unknownDataset}. Entity does not exist.`,
      ],
      [{ resourceUrn: customers, ...column('id') }, 'COLUMN_NOT_FOUND', /has no schema\.$/],
    ] as const;
    for (const [resource, code, message] of refused) {
      const resources = [{ resourceUrn: orders }, resource];
      await shop.refuses(batchUpdateDeprecation, { deprecated: true, resources }, { code, message });
    }
    const input = { deprecated: true, resources: [{ resourceUrn: unknownDataset }] };
    await shop.refuses(batchUpdateDeprecation, input, unauthorized, shop.reader);
  });
});

describe('batchUpdateSoftDeleted', () => {
  it('marks entities as removed and brings them back, and keeps what else their status says', async () => {
    await using shop = await openShop();
    await shop.seed(orders, { status: { removed: false, lifecycleStage: 'urn:li:lifecycleStageType:x' } });
    const urns = [orders, customers, orders];
    assert.equal(await shop.execute(batchUpdateSoftDeleted, { urns, deleted: true }), true);
    const stage = { lifecycleStage: 'urn:li:lifecycleStageType:x' };
    assert.deepEqual(await shop.body(orders, 'status'), { removed: true, ...stage });
    assert.deepEqual(await shop.body(customers, 'status'), { removed: true });
    assert.equal(await shop.changesNothing(batchUpdateSoftDeleted, { urns, deleted: true }), true);
    await shop.execute(batchUpdateSoftDeleted, { urns, deleted: false });
    assert.deepEqual(await shop.body(orders, 'status'), { removed: false, ...stage });
    const never = { urns: [pii], deleted: false };
    assert.equal(await shop.changesNothing(batchUpdateSoftDeleted, never), true);
  });

  it('changes nothing when one of two entities is missing or cannot be removed so', async () => {
    await using shop = await openShop();
    const domain = await shop.seed('urn:li:domain:sales');
    await shop.refuses(
      batchUpdateSoftDeleted,
      { urns: [orders, unknownDataset], deleted: true },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to soft delete entity with urn ${unknownDataset}. Entity does not exist.`,
      },
    );
    await shop.refuses(
      batchUpdateSoftDeleted,
      { urns: [orders, domain], deleted: true },
      { code: 'UNKNOWN_ASPECT', message: /^Entities of type domain have no aspect "status"/ },
    );
  });

  it('is for whoever may delete every one of them', async () => {
    await using shop = await openShop();
    const input = { urns: [orders, unknownDataset], deleted: true };
    await shop.refuses(batchUpdateSoftDeleted, input, unauthorized, shop.reader);
    const caller = { ...shop.reader, privileges: new Set(['DELETE_ENTITY'] as const) };
    assert.ok(await shop.execute(batchUpdateSoftDeleted, { urns: [orders], deleted: true }, caller));
  });

  it('keeps what all who change other aspects at the same time say', async () => {
    await using shop = await openShop();
    const columns = ['user_name', 'customer.id', 'order_id', 'both'];
    await Promise.all([
      shop.execute(batchUpdateSoftDeleted, { urns: [orders], deleted: true }),
      ...columns.map((name) =>
        shop.execute(updateDeprecation, { urn: orders, deprecated: true, note: name, ...column(name) }),
      ),
      shop.execute(updateDeprecation, { urn: orders, deprecated: true, note: 'whole' }),
    ]);
    assert.deepEqual(await shop.body(orders, 'status'), { removed: true });
    assert.equal((await shop.body(orders, 'deprecation'))?.['note'], 'whole');
    const both = columnUrn('[version=2.0].[key=True].[type=string].both');
    assert.equal((await shop.body(both, 'deprecation'))?.['note'], 'both');
    assert.equal((await shop.body(columnUrn('customer.id'), 'deprecation'))?.['note'], 'customer.id');
  });
});
