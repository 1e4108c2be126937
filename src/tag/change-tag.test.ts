import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callerOf, openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import {
  customers,
  longOrderId,
  orders,
  pii,
  revenue,
  schemaOf,
  seedShop,
  unauthorized,
  unknownDataset,
} from '../../test/sample-metadata.ts';
import { addTags } from './add-tags.ts';
import { batchAddTags } from './batch-add-tags.ts';
import { batchRemoveTags } from './batch-remove-tags.ts';
import { createTag } from './create-tag.ts';
import { deleteTag } from './delete-tag.ts';
import { removeTag } from './remove-tag.ts';
import { setTagColor } from './set-tag-color.ts';
import { updateTag } from './update-tag.ts';

const stamp = { time: 1_790_000_000_000, actor: 'urn:li:corpuser:editor' };
const unknownTag = 'urn:li:tag:nobody-made-this';
const technical = 'urn:li:ownershipType:__system__technical_owner';
const column = (subResource: string): { subResourceType: 'DATASET_FIELD'; subResource: string } => ({
  subResourceType: 'DATASET_FIELD',
  subResource,
});

async function openShop(): Promise<TestCatalogue> {
  const shop = await openTestCatalogue({ now: () => stamp.time, newId: () => 'a-new-id' });
  await seedShop(shop);
  return shop;
}

describe('createTag', () => {
  it('stores what is said, makes the caller its owner, and answers the urn', async () => {
    await using shop = await openShop();
    const input = { id: 'gold', name: 'Gold', description: 'The best there is' };
    assert.equal(await shop.execute(createTag, input), 'urn:li:tag:gold');
    const gold = 'urn:li:tag:gold';
    assert.deepEqual(await shop.body(gold, 'tagProperties'), {
      name: 'Gold',
      description: 'The best there is',
    });
    assert.deepEqual(await shop.body(gold, 'ownership'), {
      owners: [
        { owner: stamp.actor, type: 'TECHNICAL_OWNER', typeUrn: technical, source: { type: 'MANUAL' } },
      ],
      ownerTypes: { [technical]: [stamp.actor] },
      lastModified: stamp,
    });
    assert.deepEqual(await shop.body(gold, 'tagKey'), { name: 'gold' });
  });

  it('makes up an id where none is sent, and stores no description then', async () => {
    await using shop = await openShop();
    assert.equal(await shop.execute(createTag, { name: 'Silver', id: '' }), 'urn:li:tag:a-new-id');
    assert.deepEqual(await shop.body('urn:li:tag:a-new-id', 'tagProperties'), { name: 'Silver' });
  });

  it('never overwrites a tag, and refuses a blank name', async () => {
    await using shop = await openShop();
    await shop.refuses(
      createTag,
      { id: 'pii', name: 'Other' },
      { code: 'ALREADY_EXISTS', message: 'This Tag already exists!' },
    );
    await shop.refuses(createTag, { name: ' ' }, { code: 'BAD_REQUEST', message: /^The name is blank\./ });
  });

  it('is for whoever may create tags, or manage them', async () => {
    await using shop = await openShop();
    await shop.refuses(createTag, { name: 'x', id: 'pii' }, unauthorized, shop.reader);
    for (const privilege of ['CREATE_TAGS', 'MANAGE_TAGS'] as const) {
      const caller = { ...shop.reader, privileges: new Set([privilege]) };
      assert.ok(await shop.execute(createTag, { name: privilege, id: privilege }, caller));
    }
  });
});

describe('updateTag', () => {
  it('changes name and description, keeps the colour, and empties a description that is sent empty', async () => {
    await using shop = await openShop();
    await shop.seed(pii, { tagProperties: { name: 'pii', description: 'old', colorHex: '#e02020' } });
    const input = { urn: pii, name: 'Personal', description: 'About people' };
    assert.equal(await shop.execute(updateTag, { urn: pii, input }), pii);
    const stored = { name: 'Personal', description: 'About people', colorHex: '#e02020' };
    assert.deepEqual(await shop.body(pii, 'tagProperties'), stored);
    await shop.changesNothing(updateTag, { urn: pii, input: { urn: pii, name: 'Personal' } });
    await shop.execute(updateTag, { urn: pii, input: { urn: pii, name: 'Personal', description: '' } });
    assert.deepEqual(await shop.body(pii, 'tagProperties'), { name: 'Personal', colorHex: '#e02020' });
  });

  it('replaces the owners where they are sent', async () => {
    await using shop = await openShop();
    const ana = 'urn:li:corpuser:ana';
    const ownership = { owners: [{ owner: ana, type: 'DATA_STEWARD' }] };
    const change = { urn: pii, input: { urn: pii, name: 'pii', ownership } };
    await shop.execute(updateTag, change);
    const steward = 'urn:li:ownershipType:__system__data_steward';
    assert.deepEqual(await shop.body(pii, 'ownership'), {
      owners: [{ owner: ana, type: 'DATA_STEWARD', typeUrn: steward, source: { type: 'MANUAL' } }],
      ownerTypes: { [steward]: [ana] },
      lastModified: stamp,
    });
    await shop.changesNothing(updateTag, change);
    const docs = { ...shop.reader, privileges: new Set(['EDIT_ENTITY_DOCS'] as const) };
    await shop.refuses(updateTag, change, unauthorized, docs);
  });

  it('refuses a tag that does not exist, another tag in the input, and what is no tag', async () => {
    await using shop = await openShop();
    await shop.refuses(
      updateTag,
      { urn: unknownTag, input: { urn: unknownTag, name: 'x' } },
      { code: 'ENTITY_NOT_FOUND', message: `Failed to update ${unknownTag}. ${unknownTag} does not exist.` },
    );
    await shop.refuses(
      updateTag,
      { urn: pii, input: { urn: unknownTag, name: 'x' } },
      { code: 'BAD_REQUEST', message: /names another tag/ },
    );
    await shop.refuses(
      updateTag,
      { urn: revenue, input: { urn: revenue, name: 'x' } },
      { code: 'BAD_REQUEST', message: /is no tag\./ },
    );
  });
});

describe('setTagColor', () => {
  it('sets the colour and nothing else, also of a tag that nothing is said of', async () => {
    await using shop = await openShop();
    assert.equal(await shop.execute(setTagColor, { urn: pii, colorHex: '#e02020' }), true);
    assert.deepEqual(await shop.body(pii, 'tagProperties'), { name: 'pii', colorHex: '#e02020' });
    await shop.changesNothing(setTagColor, { urn: pii, colorHex: '#e02020' });
    await shop.seed('urn:li:tag:bare');
    await shop.execute(setTagColor, { urn: 'urn:li:tag:bare', colorHex: '#000' });
    assert.deepEqual(await shop.body('urn:li:tag:bare', 'tagProperties'), { name: 'bare', colorHex: '#000' });
  });

  it('refuses a tag that does not exist, a blank colour, and callers without the privilege', async () => {
    await using shop = await openShop();
    const unknown = { urn: unknownTag, colorHex: '#000' };
    const message = `Failed to set Tag ${unknownTag} color. Tag does not exist.`;
    await shop.refuses(setTagColor, unknown, { code: 'ENTITY_NOT_FOUND', message });
    const blank = { urn: pii, colorHex: '' };
    await shop.refuses(setTagColor, blank, { code: 'BAD_REQUEST', message: /such as #e02020/ });
    await shop.refuses(setTagColor, unknown, unauthorized, shop.reader);
  });
});

describe('deleteTag', () => {
  it('takes the tag off datasets and columns, wherever it came from, in one commit', async () => {
    await using shop = await openShop();
    const gold = await shop.execute(createTag, { id: 'gold', name: 'Gold' });
    const both = { tags: [{ tag: pii }, { tag: gold }] };
    await shop.seed(customers, {
      schemaMetadata: schemaOf([{ fieldPath: 'id', globalTags: both }]),
      globalTags: both,
    });
    const resources = [{ resourceUrn: orders }, { resourceUrn: orders, ...column('user_name') }];
    await shop.execute(batchAddTags, { tagUrns: [pii, gold], resources });
    const before = await shop.lastSequence();
    assert.equal(await shop.execute(deleteTag, { urn: pii }), true);
    const left = { tags: [{ tag: gold }] };
    assert.deepEqual(await shop.body(orders, 'globalTags'), left);
    assert.deepEqual(await shop.body(customers, 'globalTags'), left);
    assert.deepEqual(
      await shop.body(customers, 'schemaMetadata'),
      schemaOf([{ fieldPath: 'id', globalTags: left }]),
    );
    assert.deepEqual(await shop.body(orders, 'editableSchemaMetadata'), {
      editableSchemaFieldInfo: [{ fieldPath: 'user_name', globalTags: left }],
    });
    assert.equal(await shop.body(pii, 'tagProperties'), undefined);
    const changes = await shop.store.changes({ after: before, count: 100 });
    assert.equal(new Set(changes.map(({ commit }) => commit)).size, 1);
    await shop.refuses(
      deleteTag,
      { urn: pii },
      { code: 'MISSING_FOR_DELETE', message: `This urn does not exist: ${pii}` },
    );
  });

  it('deletes nothing but tags, and only for whoever may', async () => {
    await using shop = await openShop();
    await shop.refuses(deleteTag, { urn: revenue }, { code: 'BAD_REQUEST', message: /is no tag\./ });
    await shop.refuses(deleteTag, { urn: unknownTag }, unauthorized, shop.reader);
  });
});

describe('addTags', () => {
  it('attaches tags to a dataset in the order given, each once, and leaves what is there as it is', async () => {
    await using shop = await openShop();
    const gold = await shop.execute(createTag, { id: 'gold', name: 'Gold' });
    const ingested = { tag: gold, context: 'from dbt' };
    await shop.seed(orders, { globalTags: { tags: [ingested] } });
    const input = { tagUrns: [pii, gold, pii], resourceUrn: orders };
    assert.equal(await shop.execute(addTags, input), true);
    assert.deepEqual(await shop.body(orders, 'globalTags'), { tags: [ingested, { tag: pii }] });
    assert.equal(await shop.changesNothing(addTags, input), true);
  });

  it('attaches tags to a column that is found by its simple path, and keeps the rest of its record', async () => {
    await using shop = await openShop();
    await shop.seed(orders, {
      editableSchemaMetadata: {
        editableSchemaFieldInfo: [{ fieldPath: longOrderId, description: 'the id' }],
      },
    });
    await shop.execute(addTags, { tagUrns: [pii], resourceUrn: orders, ...column('order_id') });
    assert.deepEqual(await shop.body(orders, 'editableSchemaMetadata'), {
      editableSchemaFieldInfo: [
        { fieldPath: longOrderId, description: 'the id', globalTags: { tags: [{ tag: pii }] } },
      ],
    });
  });

  it('refuses unknown tags, other labels, unknown datasets and columns, and what bears no tags', async () => {
    await using shop = await openShop();
    const start = 'Failed to validate label with urn';
    const on = { tagUrns: [pii], resourceUrn: orders };
    await shop.refuses(
      addTags,
      { ...on, tagUrns: [pii, unknownTag] },
      { code: 'ENTITY_NOT_FOUND', message: `${start} ${unknownTag}. Urn does not exist.` },
    );
    await shop.refuses(
      addTags,
      { ...on, tagUrns: [revenue] },
      { code: 'BAD_REQUEST', message: `${start} ${revenue}. Urn type does not match entity type tag..` },
    );
    await shop.refuses(
      addTags,
      { ...on, resourceUrn: unknownDataset },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to update resource with urn ${unknownDataset}. Entity does not exist.`,
      },
    );
    await shop.refuses(
      addTags,
      { ...on, ...column('user_nam') },
      { code: 'COLUMN_NOT_FOUND', message: /Did you mean "user_name"\?$/ },
    );
    await shop.refuses(
      addTags,
      { ...on, resourceUrn: revenue },
      { code: 'UNKNOWN_ASPECT', message: /^Entities of type glossaryTerm have no aspect "globalTags"/ },
    );
  });

  it('asks for the right that fits: of the entity, or of its columns', async () => {
    await using shop = await openShop();
    const input = { tagUrns: [pii], resourceUrn: orders };
    const columns = { ...shop.reader, privileges: new Set(['EDIT_DATASET_COL_TAGS'] as const) };
    const entities = { ...shop.reader, privileges: new Set(['EDIT_ENTITY_TAGS'] as const) };
    await shop.refuses(addTags, input, unauthorized, columns);
    await shop.refuses(addTags, { ...input, ...column('user_name') }, unauthorized, entities);
    assert.equal(await shop.execute(addTags, { ...input, ...column('user_name') }, columns), true);
    assert.equal(await shop.execute(addTags, input, entities), true);
  });

  it('says which tags it is about, so that a policy can grant some of them only', () => {
    for (const demands of [
      addTags.demands({ tagUrns: [pii], resourceUrn: orders }, callerOf('Editor')),
      removeTag.demands({ tagUrn: pii, resourceUrn: orders }, callerOf('Editor')),
    ]) {
      assert.deepEqual(demands, [{ anyOf: ['EDIT_ENTITY', 'EDIT_ENTITY_TAGS'], on: orders, about: [pii] }]);
    }
  });

  it('keeps the tags of all who attach at the same time, to a dataset and to its columns', async () => {
    await using shop = await openShop();
    const tags = Array.from({ length: 40 }, (_, index) => `urn:li:tag:${index}`);
    await Promise.all(tags.map((tag) => shop.seed(tag, { tagProperties: { name: tag } })));
    await Promise.all(
      tags.flatMap((tag, index) => [
        shop.execute(addTags, { tagUrns: [tag], resourceUrn: orders }),
        shop.execute(addTags, {
          tagUrns: [tag],
          resourceUrn: orders,
          ...column(index % 2 === 0 ? 'user_name' : 'order_id'),
        }),
      ]),
    );
    const found = JSON.stringify([
      await shop.body(orders, 'globalTags'),
      await shop.body(orders, 'editableSchemaMetadata'),
    ]);
    for (const tag of tags) assert.equal(found.split(`"${tag}"`).length - 1, 2, tag);
  });
});

describe('batchAddTags and batchRemoveTags', () => {
  it('keep every change: several columns of one dataset, the dataset itself and another one', async () => {
    await using shop = await openShop();
    const gold = await shop.execute(createTag, { id: 'gold', name: 'Gold' });
    const resources = [
      { resourceUrn: orders, ...column('user_name') },
      { resourceUrn: orders, ...column('order_id') },
      { resourceUrn: orders },
      { resourceUrn: customers },
    ];
    assert.equal(await shop.execute(batchAddTags, { tagUrns: [pii, gold], resources }), true);
    const columns = (globalTags: object): object => ({
      editableSchemaFieldInfo: [
        { fieldPath: 'user_name', globalTags },
        { fieldPath: longOrderId, globalTags },
      ],
    });
    const both = { tags: [{ tag: pii }, { tag: gold }] };
    assert.deepEqual(await shop.body(orders, 'editableSchemaMetadata'), columns(both));
    assert.deepEqual(await shop.body(orders, 'globalTags'), both);
    assert.deepEqual(await shop.body(customers, 'globalTags'), both);

    const input = { tagUrns: [pii, unknownTag, revenue], resources };
    assert.equal(await shop.execute(batchRemoveTags, input), true);
    const left = { tags: [{ tag: gold }] };
    assert.deepEqual(await shop.body(orders, 'editableSchemaMetadata'), columns(left));
    assert.deepEqual(await shop.body(orders, 'globalTags'), left);
    assert.deepEqual(await shop.body(customers, 'globalTags'), left);
    assert.equal(await shop.changesNothing(batchRemoveTags, input), true);
  });

  it('change nothing when one of two datasets is missing, or one of two tags', async () => {
    await using shop = await openShop();
    const resources = [{ resourceUrn: orders }, { resourceUrn: unknownDataset }];
    const missing = {
      code: 'ENTITY_NOT_FOUND',
      message: `Failed to update resource with urn ${unknownDataset}. Entity does not exist.`,
    } as const;
    await shop.refuses(batchAddTags, { tagUrns: [pii], resources }, missing);
    await shop.execute(addTags, { tagUrns: [pii], resourceUrn: orders });
    await shop.refuses(batchRemoveTags, { tagUrns: [pii], resources }, missing);
    await shop.refuses(
      batchAddTags,
      { tagUrns: [pii, unknownTag], resources: [{ resourceUrn: customers }] },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to validate label with urn ${unknownTag}. Urn does not exist.`,
      },
    );
    await shop.refuses(batchRemoveTags, { tagUrns: [pii], resources }, unauthorized, shop.reader);
  });
});

describe('removeTag', () => {
  it('detaches a tag from a column, wherever it came from, and answers true when nothing is attached', async () => {
    await using shop = await openShop();
    const globalTags = { tags: [{ tag: pii }] };
    await shop.seed(orders, {
      schemaMetadata: schemaOf([{ fieldPath: 'user_name', globalTags }]),
      editableSchemaMetadata: { editableSchemaFieldInfo: [{ fieldPath: 'user_name', globalTags }] },
    });
    const input = { tagUrn: pii, resourceUrn: orders, ...column('user_name') };
    assert.equal(await shop.execute(removeTag, input), true);
    const empty = { tags: [] };
    assert.deepEqual(
      await shop.body(orders, 'schemaMetadata'),
      schemaOf([{ fieldPath: 'user_name', globalTags: empty }]),
    );
    assert.deepEqual(await shop.body(orders, 'editableSchemaMetadata'), {
      editableSchemaFieldInfo: [{ fieldPath: 'user_name', globalTags: empty }],
    });
    assert.equal(await shop.changesNothing(removeTag, input), true);
    assert.equal(await shop.changesNothing(removeTag, { tagUrn: unknownTag, resourceUrn: orders }), true);
    assert.equal(await shop.changesNothing(removeTag, { tagUrn: revenue, resourceUrn: orders }), false);
  });
});
