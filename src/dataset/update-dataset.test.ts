import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import {
  customers,
  longOrderId,
  orders,
  pii,
  revenue,
  seedShop,
  unauthorized,
  unknownDataset,
  unknownStamp,
} from '../../test/sample-metadata.ts';
import type { Privilege } from '../auth/privilege.ts';
import type { DatasetUpdateInput } from './update-dataset-input.ts';
import { updateDataset } from './update-dataset.ts';
import { updateDatasets } from './update-datasets.ts';

const stamp = { time: 1_790_000_000_000, actor: 'urn:li:corpuser:editor' };
const ana = 'urn:li:corpuser:ana';
const team = 'urn:li:corpGroup:team';
const gold = 'urn:li:tag:gold';
const unknownTag = 'urn:li:tag:unknown';
const wiki = { url: 'https://wiki.example/orders', description: 'Wiki', author: ana };
const tagged = (...urns: string[]): { tags: { tag: { urn: string } }[] } => ({
  tags: urns.map((urn) => ({ tag: { urn } })),
});

async function openShop(): Promise<TestCatalogue> {
  const shop = await openTestCatalogue({ now: () => stamp.time });
  await seedShop(shop);
  await shop.seed(gold, { tagProperties: { name: 'gold' } });
  return shop;
}

const update = (shop: TestCatalogue, input: DatasetUpdateInput): Promise<string> =>
  shop.execute(updateDataset, { urn: orders, update: input });

describe('updateDataset', () => {
  it('answers the urn, and changes only what is sent', async () => {
    await using shop = await openShop();
    await shop.seed(orders, { editableDatasetProperties: { name: 'Orders', created: unknownStamp } });
    const before = await shop.lastSequence();
    const description = '# Orders\n\nwith *markdown*';
    assert.equal(await update(shop, { editableProperties: { description }, tags: null }), orders);
    assert.deepEqual(await shop.body(orders, 'editableDatasetProperties'), {
      name: 'Orders',
      created: unknownStamp,
      description,
      lastModified: stamp,
    });
    const changes = await shop.store.changes({ after: before, count: 10 });
    assert.deepEqual(
      changes.map(({ aspect }) => aspect),
      ['editableDatasetProperties'],
    );
    const again = { urn: orders, update: { editableProperties: { description, name: 'Orders' } } };
    assert.equal(await shop.changesNothing(updateDataset, again), orders);
    assert.equal(await shop.changesNothing(updateDataset, { urn: orders, update: {} }), orders);
  });

  it('takes the edited description away when the text is empty', async () => {
    await using shop = await openShop();
    await update(shop, { editableProperties: { description: 'edited', name: 'Orders' } });
    await update(shop, { editableProperties: { description: '' } });
    assert.deepEqual(await shop.body(orders, 'editableDatasetProperties'), {
      name: 'Orders',
      created: stamp,
      lastModified: stamp,
    });
  });

  it('adds links, the same url with the same description once, with author and time', async () => {
    await using shop = await openShop();
    await update(shop, { institutionalMemory: { elements: [wiki, wiki] } });
    const other = { url: wiki.url, author: ana, createdAt: 5 };
    await update(shop, { institutionalMemory: { elements: [wiki, other] } });
    assert.deepEqual(await shop.body(orders, 'institutionalMemory'), {
      elements: [
        { url: wiki.url, description: 'Wiki', createStamp: { time: stamp.time, actor: ana } },
        { url: wiki.url, description: '', createStamp: { time: 5, actor: ana } },
      ],
    });
    const again = { urn: orders, update: { institutionalMemory: { elements: [other, wiki] } } };
    assert.equal(await shop.changesNothing(updateDataset, again), orders);
  });

  it('merges columns and never loses their terms, tags or descriptions', async () => {
    await using shop = await openShop();
    const glossaryTerms = { terms: [{ urn: revenue }], auditStamp: unknownStamp };
    const globalTags = { tags: [{ tag: pii, context: 'scan' }] };
    const untouched = { fieldPath: 'customer.id', description: 'kept', glossaryTerms };
    await shop.seed(orders, {
      editableSchemaMetadata: {
        editableSchemaFieldInfo: [untouched, { fieldPath: 'user_name', glossaryTerms, globalTags }],
      },
    });
    await update(shop, {
      editableSchemaMetadata: {
        editableSchemaFieldInfo: [
          { fieldPath: 'user_name', description: 'who ordered' },
          { fieldPath: 'order_id', globalTags: tagged(gold) },
          { fieldPath: 'user_name', globalTags: tagged(gold, pii) },
        ],
      },
    });
    assert.deepEqual(await shop.body(orders, 'editableSchemaMetadata'), {
      editableSchemaFieldInfo: [
        untouched,
        {
          fieldPath: 'user_name',
          description: 'who ordered',
          glossaryTerms,
          globalTags: { tags: [{ tag: gold }, { tag: pii, context: 'scan' }] },
        },
        { fieldPath: longOrderId, globalTags: { tags: [{ tag: gold }] } },
      ],
    });
    await update(shop, {
      editableSchemaMetadata: { editableSchemaFieldInfo: [{ fieldPath: 'customer.id', description: '' }] },
    });
    const { editableSchemaFieldInfo } = (await shop.body(orders, 'editableSchemaMetadata')) ?? {};
    assert.deepEqual(Array.isArray(editableSchemaFieldInfo) ? editableSchemaFieldInfo[0] : undefined, {
      fieldPath: 'customer.id',
      glossaryTerms,
    });
  });

  it('replaces tags; `tags` wins over `globalTags`, and what stays keeps its context', async () => {
    await using shop = await openShop();
    await shop.seed(orders, { globalTags: { tags: [{ tag: pii, context: 'scan' }] } });
    await update(shop, { tags: tagged(gold, pii, gold), globalTags: tagged() });
    assert.deepEqual(await shop.body(orders, 'globalTags'), {
      tags: [{ tag: gold }, { tag: pii, context: 'scan' }],
    });
    await update(shop, { globalTags: tagged(gold) });
    assert.deepEqual(await shop.body(orders, 'globalTags'), { tags: [{ tag: gold }] });
    await update(shop, { tags: tagged() });
    assert.deepEqual(await shop.body(orders, 'globalTags'), { tags: [] });
  });

  it('replaces owners, and names their kind by its urn', async () => {
    await using shop = await openShop();
    const steward = 'urn:li:ownershipType:__system__data_steward';
    const kept = { owner: ana, type: 'DATA_STEWARD', typeUrn: steward, source: { type: 'AUDIT' } };
    await shop.seed(orders, { ownership: { owners: [kept, { owner: ana, type: 'PRODUCER' }] } });
    const owners = [
      { owner: ana, ownershipTypeUrn: steward },
      { owner: team, type: 'BUSINESS_OWNER' },
      { owner: team },
      { owner: team, ownershipTypeUrn: 'urn:li:ownershipType:mine' },
      { owner: team },
    ];
    await update(shop, { ownership: { owners } });
    const source = { type: 'MANUAL' };
    const typeUrn = (key: string): string => `urn:li:ownershipType:${key}`;
    assert.deepEqual(await shop.body(orders, 'ownership'), {
      owners: [
        kept,
        { owner: team, type: 'BUSINESS_OWNER', typeUrn: typeUrn('__system__business_owner'), source },
        { owner: team, type: 'NONE', typeUrn: typeUrn('__system__none'), source },
        { owner: team, type: 'CUSTOM', typeUrn: typeUrn('mine'), source },
      ],
      ownerTypes: {
        [steward]: [ana],
        [typeUrn('__system__business_owner')]: [team],
        [typeUrn('__system__none')]: [team],
        [typeUrn('mine')]: [team],
      },
      lastModified: stamp,
    });
    await shop.changesNothing(updateDataset, { urn: orders, update: { ownership: { owners } } });
  });

  it('deprecates, keeps a decommission time that is not sent, and takes one away that is null', async () => {
    await using shop = await openShop();
    const note = 'use customers';
    await update(shop, { deprecation: { deprecated: true, note, decommissionTime: 7 } });
    const expected = { deprecated: true, note, decommissionTime: 7, actor: stamp.actor };
    assert.deepEqual(await shop.body(orders, 'deprecation'), expected);
    const same = { urn: orders, update: { deprecation: { deprecated: true, note } } };
    await shop.changesNothing(updateDataset, same);
    await update(shop, { deprecation: { deprecated: false, note, decommissionTime: null } });
    assert.deepEqual(await shop.body(orders, 'deprecation'), {
      deprecated: false,
      note,
      actor: stamp.actor,
    });
  });

  const refused: readonly (readonly [string, DatasetUpdateInput, Parameters<TestCatalogue['refuses']>[2]])[] =
    [
      [
        'an unusable url',
        { institutionalMemory: { elements: [wiki, { ...wiki, url: 'javascript:alert(1)' }] } },
        {
          code: 'BAD_REQUEST',
          message: /^Failed to change institutional memory for resource urn:li:dataset.* Expected an url\./,
        },
      ],
      [
        'an author that is no user',
        { institutionalMemory: { elements: [{ ...wiki, author: team }] } },
        { code: 'BAD_REQUEST', message: `Failed to update ${orders}. The author ${team} is not a corpuser.` },
      ],
      [
        'an author that is no urn',
        { institutionalMemory: { elements: [{ ...wiki, author: 'ana' }] } },
        { code: 'INVALID_URN', message: /"ana"/ },
      ],
      [
        'an owner that is neither user nor group',
        { ownership: { owners: [{ owner: pii }] } },
        {
          code: 'BAD_REQUEST',
          message: `Failed to update ${orders}. The owner ${pii} is neither a corpuser nor a corpGroup.`,
        },
      ],
      [
        'an unknown tag',
        { tags: tagged(pii, unknownTag) },
        {
          code: 'ENTITY_NOT_FOUND',
          message: `Failed to validate label with urn ${unknownTag}. Urn does not exist.`,
        },
      ],
      [
        'a term where a tag is expected, on a column',
        {
          editableSchemaMetadata: {
            editableSchemaFieldInfo: [{ fieldPath: 'user_name', globalTags: tagged(revenue) }],
          },
        },
        {
          code: 'BAD_REQUEST',
          message: `Failed to validate label with urn ${revenue}. Urn type does not match entity type tag..`,
        },
      ],
      [
        'an unknown column, whatever else is sent',
        {
          editableProperties: { description: 'new' },
          editableSchemaMetadata: { editableSchemaFieldInfo: [{ fieldPath: 'nothing_like_it' }] },
        },
        {
          code: 'COLUMN_NOT_FOUND',
          message:
            `Failed to update ${orders} & field nothing_like_it. ` +
            'Field nothing_like_it does not exist in the datasets schema.',
        },
      ],
    ];
  for (const [what, input, refusal] of refused) {
    it(`refuses ${what}, and changes nothing`, async () => {
      await using shop = await openShop();
      await shop.refuses(updateDataset, { urn: orders, update: input }, refusal);
    });
  }

  it('refuses a dataset that does not exist instead of bringing it into being', async () => {
    await using shop = await openShop();
    await shop.refuses(
      updateDataset,
      { urn: unknownDataset, update: { editableProperties: { description: 'x' } } },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to update ${unknownDataset}. ${unknownDataset} does not exist.`,
      },
    );
    await shop.refuses(
      updateDataset,
      { urn: revenue, update: {} },
      { code: 'BAD_REQUEST', message: `Failed to update ${revenue}. ${revenue} is not a dataset.` },
    );
  });

  it('demands the privilege of each member that is sent, and some privilege where none is', async () => {
    await using shop = await openShop();
    const needs: readonly (readonly [DatasetUpdateInput, readonly Privilege[]])[] = [
      [{ editableProperties: { description: 'x' } }, ['EDIT_ENTITY_DOCS']],
      [{ institutionalMemory: { elements: [wiki] } }, ['EDIT_ENTITY_DOC_LINKS']],
      [{ ownership: { owners: [{ owner: ana }] } }, ['EDIT_ENTITY_OWNERS']],
      [{ deprecation: { deprecated: true, note: '' } }, ['EDIT_ENTITY_STATUS']],
      [{ globalTags: tagged(pii) }, ['EDIT_ENTITY_TAGS']],
      [{ tags: tagged(gold) }, ['EDIT_ENTITY_TAGS']],
      [
        { editableSchemaMetadata: { editableSchemaFieldInfo: [] } },
        ['EDIT_DATASET_COL_TAGS', 'EDIT_DATASET_COL_DESCRIPTION'],
      ],
    ];
    const all = needs.flatMap(([, privileges]) => privileges);
    for (const [input, privileges] of needs) {
      for (const missing of privileges) {
        const caller = { ...shop.reader, privileges: new Set(all.filter((each) => each !== missing)) };
        await shop.refuses(updateDataset, { urn: orders, update: input }, unauthorized, caller);
      }
      const caller = { ...shop.reader, privileges: new Set(privileges) };
      assert.equal(await shop.execute(updateDataset, { urn: orders, update: input }, caller), orders);
    }
    await shop.refuses(updateDataset, { urn: unknownDataset, update: {} }, unauthorized, shop.reader);
  });
});

describe('updateDatasets', () => {
  it('changes all of them in order, one that is named twice too, and answers their urns', async () => {
    await using shop = await openShop();
    const updates = [
      { urn: orders, update: { editableProperties: { description: 'first', name: 'Orders' } } },
      { urn: customers, update: { institutionalMemory: { elements: [wiki] } } },
      { urn: orders, update: { editableProperties: { description: 'second' }, tags: tagged(pii) } },
    ];
    const before = await shop.lastSequence();
    assert.deepEqual(await shop.execute(updateDatasets, updates), [orders, customers, orders]);
    const edited = await shop.body(orders, 'editableDatasetProperties');
    assert.deepEqual([edited?.['name'], edited?.['description']], ['Orders', 'second']);
    assert.deepEqual(await shop.body(orders, 'globalTags'), { tags: [{ tag: pii }] });
    const changes = await shop.store.changes({ after: before, count: 10 });
    assert.equal(changes.length, 3);
    assert.equal(new Set(changes.map(({ commit }) => commit)).size, 1);
  });

  it('changes nothing when one of them is missing, or not allowed', async () => {
    await using shop = await openShop();
    const text = { editableProperties: { description: 'x' } };
    const updates = [
      { urn: orders, update: text },
      { urn: unknownDataset, update: text },
    ];
    await shop.refuses(updateDatasets, updates, {
      code: 'ENTITY_NOT_FOUND',
      message: `Failed to update ${unknownDataset}. ${unknownDataset} does not exist.`,
    });
    const caller = { ...shop.reader, privileges: new Set(['EDIT_ENTITY_DOCS'] as const) };
    const mixed = [
      { urn: orders, update: text },
      { urn: customers, update: { tags: tagged(pii) } },
    ];
    await shop.refuses(updateDatasets, mixed, unauthorized, caller);
  });
});
