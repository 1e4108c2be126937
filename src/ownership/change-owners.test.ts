import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import {
  customers,
  orders,
  pii,
  seedShop,
  unauthorized,
  unknownDataset,
} from '../../test/sample-metadata.ts';
import { addOwners } from './add-owners.ts';
import { batchAddOwners } from './batch-add-owners.ts';
import { batchRemoveOwners } from './batch-remove-owners.ts';
import { createOwnershipType } from './create-ownership-type.ts';
import { deleteOwnershipType } from './delete-ownership-type.ts';
import type { OwnerInput } from './owner-changes.ts';
import { removeOwner } from './remove-owner.ts';
import { updateOwnershipType } from './update-ownership-type.ts';

const stamp = { time: 1_790_000_000_000, actor: 'urn:li:corpuser:editor' };
const ana = 'urn:li:corpuser:ana';
const team = 'urn:li:corpGroup:team';
const nobody = 'urn:li:corpuser:nobody';
const unknownType = 'urn:li:ownershipType:nobody-made-this';
const madeType = 'urn:li:ownershipType:a-new-id';
const source = { type: 'MANUAL' };
const system = (kind: string): string => `urn:li:ownershipType:__system__${kind}`;
const user = (ownerUrn: string, parts: Partial<OwnerInput> = {}): OwnerInput => ({
  ownerUrn,
  ownerEntityType: 'CORP_USER',
  ...parts,
});
const group: OwnerInput = { ownerUrn: team, ownerEntityType: 'CORP_GROUP', type: 'BUSINESS_OWNER' };

async function openShop(now: () => number = () => stamp.time): Promise<TestCatalogue> {
  const shop = await openTestCatalogue({ now, newId: () => 'a-new-id' });
  await seedShop(shop);
  await shop.seed(ana);
  await shop.seed(team);
  return shop;
}

describe('addOwners', () => {
  it('adds users and groups, each in its way, and keeps the owners by type in step', async () => {
    await using shop = await openShop();
    const steward = system('data_steward');
    const owners = [user(ana, { ownershipTypeUrn: steward }), group, user(ana)];
    assert.equal(await shop.execute(addOwners, { owners, resourceUrn: orders }), true);
    assert.deepEqual(await shop.body(orders, 'ownership'), {
      owners: [
        { owner: ana, type: 'DATA_STEWARD', typeUrn: steward, source },
        { owner: team, type: 'BUSINESS_OWNER', typeUrn: system('business_owner'), source },
        { owner: ana, type: 'NONE', typeUrn: system('none'), source },
      ],
      ownerTypes: { [steward]: [ana], [system('business_owner')]: [team], [system('none')]: [ana] },
      lastModified: stamp,
    });
    assert.equal(await shop.changesNothing(addOwners, { owners, resourceUrn: orders }), true);
  });

  it('replaces an owner that owns in the same way, and keeps the others as they are', async () => {
    await using shop = await openShop();
    const kept = { owner: team, type: 'DATAOWNER', source: { type: 'SERVICE' } };
    const ingested = { owner: ana, type: 'TECHNICAL_OWNER', source: { type: 'SERVICE' } };
    await shop.seed(orders, { ownership: { owners: [ingested, kept] } });
    const owners = [user(ana, { type: 'TECHNICAL_OWNER' })];
    await shop.execute(addOwners, { owners, resourceUrn: orders });
    assert.deepEqual((await shop.body(orders, 'ownership'))?.['owners'], [
      { owner: ana, type: 'TECHNICAL_OWNER', typeUrn: system('technical_owner'), source },
      kept,
    ]);
    assert.equal(await shop.changesNothing(addOwners, { owners, resourceUrn: orders }), true);
  });

  it('leaves the time of the last change alone when nothing changes', async () => {
    let time = stamp.time;
    await using shop = await openShop(() => time++);
    const input = { owners: [user(ana), group], resourceUrn: orders };
    await shop.execute(addOwners, input);
    await shop.changesNothing(addOwners, input);
    await shop.changesNothing(removeOwner, { ownerUrn: nobody, resourceUrn: orders });
    const urn = await shop.execute(createOwnershipType, { name: 'Godparent' });
    await shop.changesNothing(updateOwnershipType, { urn, input: { name: 'Godparent' } });
  });

  it('refuses owners, types and entities that do not exist, or are of another kind', async () => {
    await using shop = await openShop();
    const start = 'Failed to change ownership for resource(s).';
    const refused = [
      [user(nobody), 'ENTITY_NOT_FOUND', `${start} Owner with urn ${nobody} does not exist.`],
      [user(team), 'BAD_REQUEST', `${start} Expected a corp user urn, found ${team}.`],
      [
        user(ana, { ownerEntityType: 'CORP_GROUP' }),
        'BAD_REQUEST',
        `${start} Expected a corp group urn, found ${ana}.`,
      ],
      [
        user(ana, { ownershipTypeUrn: unknownType }),
        'ENTITY_NOT_FOUND',
        `${start} Custom Ownership type with urn ${unknownType} does not exist.`,
      ],
      [user(ana, { ownershipTypeUrn: pii }), 'BAD_REQUEST', /^urn:li:tag:pii is no ownership type\./],
    ] as const;
    for (const [owner, code, message] of refused) {
      await shop.refuses(addOwners, { owners: [group, owner], resourceUrn: orders }, { code, message });
    }
    await shop.refuses(
      addOwners,
      { owners: [group], resourceUrn: unknownDataset },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to change ownership for resource ${unknownDataset}. Resource does not exist.`,
      },
    );
    await shop.refuses(
      addOwners,
      { owners: [group], resourceUrn: ana },
      { code: 'UNKNOWN_ASPECT', message: /^Entities of type corpuser have no aspect "ownership"/ },
    );
  });

  it('is for whoever may edit the owners', async () => {
    await using shop = await openShop();
    const input = { owners: [user(nobody)], resourceUrn: unknownDataset };
    await shop.refuses(addOwners, input, unauthorized, shop.reader);
    const caller = { ...shop.reader, privileges: new Set(['EDIT_ENTITY_OWNERS'] as const) };
    assert.equal(await shop.execute(addOwners, { owners: [group], resourceUrn: orders }, caller), true);
  });

  it('keeps the owners of all who add at the same time', async () => {
    await using shop = await openShop();
    const people = Array.from({ length: 50 }, (_, index) => `urn:li:corpuser:${index}`);
    await Promise.all(people.map((person) => shop.seed(person)));
    await Promise.all(
      people.map((person) => shop.execute(addOwners, { owners: [user(person)], resourceUrn: orders })),
    );
    const ownership = await shop.body(orders, 'ownership');
    const found = new Set(Object.values(ownership?.['ownerTypes'] ?? {}).flat());
    assert.deepEqual(found, new Set(people));
  });
});

describe('batchAddOwners and batchRemoveOwners', () => {
  it('change several entities, in the way of the batch where an owner names none', async () => {
    await using shop = await openShop();
    const steward = system('data_steward');
    const resources = [{ resourceUrn: orders }, { resourceUrn: customers }, { resourceUrn: orders }];
    const input = { owners: [user(ana), group], ownershipTypeUrn: steward, resources };
    assert.equal(await shop.execute(batchAddOwners, input), true);
    for (const urn of [orders, customers]) {
      assert.deepEqual((await shop.body(urn, 'ownership'))?.['ownerTypes'], {
        [steward]: [ana],
        [system('business_owner')]: [team],
      });
    }
    assert.equal(await shop.changesNothing(batchAddOwners, input), true);
    const ownerUrns = [ana, team, nobody];
    await shop.execute(batchRemoveOwners, { ownerUrns, ownershipTypeUrn: steward, resources });
    assert.deepEqual((await shop.body(customers, 'ownership'))?.['ownerTypes'], {
      [system('business_owner')]: [team],
    });
    await shop.execute(batchRemoveOwners, { ownerUrns, resources });
    assert.deepEqual(await shop.body(orders, 'ownership'), {
      owners: [],
      ownerTypes: {},
      lastModified: stamp,
    });
    assert.equal(await shop.changesNothing(batchRemoveOwners, { ownerUrns, resources }), true);
  });

  it('change nothing when one of two entities is missing, or a column is named', async () => {
    await using shop = await openShop();
    await shop.execute(addOwners, { owners: [group], resourceUrn: orders });
    const resources = [{ resourceUrn: orders }, { resourceUrn: unknownDataset }];
    const missing = {
      code: 'ENTITY_NOT_FOUND',
      message: `Failed to change ownership for resource ${unknownDataset}. Resource does not exist.`,
    } as const;
    await shop.refuses(batchAddOwners, { owners: [user(ana)], resources }, missing);
    await shop.refuses(batchRemoveOwners, { ownerUrns: [team], resources }, missing);
    const column = [{ resourceUrn: orders, subResourceType: 'DATASET_FIELD', subResource: 'id' }] as const;
    await shop.refuses(
      batchAddOwners,
      { owners: [user(ana)], resources: column },
      {
        code: 'BAD_REQUEST',
        message: /^Malformed input provided: owners cannot be applied to subresources\./,
      },
    );
  });
});

describe('removeOwner', () => {
  it('takes one way of owning or all of them, also of an owner who left long ago', async () => {
    await using shop = await openShop();
    const ways = ['TECHNICAL_OWNER', 'DATA_STEWARD', 'NONE'];
    await shop.seed(orders, {
      ownership: { owners: [...ways.map((type) => ({ owner: nobody, type })), { owner: ana, type: 'NONE' }] },
    });
    const input = { ownerUrn: nobody, resourceUrn: orders };
    await shop.execute(removeOwner, { ...input, ownershipTypeUrn: system('data_steward') });
    const left = await shop.body(orders, 'ownership');
    assert.deepEqual(left?.['owners'], [
      { owner: nobody, type: 'TECHNICAL_OWNER' },
      { owner: nobody, type: 'NONE' },
      { owner: ana, type: 'NONE' },
    ]);
    assert.equal(await shop.execute(removeOwner, input), true);
    assert.deepEqual((await shop.body(orders, 'ownership'))?.['owners'], [{ owner: ana, type: 'NONE' }]);
    assert.equal(await shop.changesNothing(removeOwner, input), true);
    await shop.refuses(removeOwner, input, unauthorized, shop.reader);
  });
});

describe('ownership types', () => {
  it('are made, renamed and described, and owners can own in that way', async () => {
    await using shop = await openShop();
    assert.equal(await shop.execute(createOwnershipType, { name: 'Godparent' }), madeType);
    assert.deepEqual(await shop.body(madeType, 'ownershipTypeInfo'), {
      name: 'Godparent',
      created: stamp,
      lastModified: stamp,
    });
    const change = { urn: madeType, input: { description: 'Looks after it' } };
    assert.equal(await shop.execute(updateOwnershipType, change), madeType);
    assert.deepEqual(await shop.body(madeType, 'ownershipTypeInfo'), {
      name: 'Godparent',
      description: 'Looks after it',
      created: stamp,
      lastModified: stamp,
    });
    await shop.changesNothing(updateOwnershipType, change);
    await shop.execute(addOwners, {
      owners: [user(ana, { ownershipTypeUrn: madeType })],
      resourceUrn: orders,
    });
    assert.deepEqual((await shop.body(orders, 'ownership'))?.['owners'], [
      { owner: ana, type: 'CUSTOM', typeUrn: madeType, source },
    ]);
  });

  it('go, and whoever owned in that way stays an owner without it', async () => {
    await using shop = await openShop();
    await shop.execute(createOwnershipType, { name: 'Godparent' });
    const owners = [user(ana, { ownershipTypeUrn: madeType })];
    await shop.execute(addOwners, { owners, resourceUrn: orders });
    assert.equal(await shop.execute(deleteOwnershipType, { urn: madeType }), true);
    assert.deepEqual(await shop.body(orders, 'ownership'), {
      owners: [{ owner: ana, type: 'CUSTOM', source }],
      ownerTypes: { [system('custom')]: [ana] },
      lastModified: stamp,
    });
    await shop.refuses(
      deleteOwnershipType,
      { urn: madeType },
      { code: 'MISSING_FOR_DELETE', message: `This urn does not exist: ${madeType}` },
    );
  });

  it('go alone when their references shall stay', async () => {
    await using shop = await openShop();
    await shop.execute(createOwnershipType, { name: 'Godparent' });
    const owners = [user(ana, { ownershipTypeUrn: madeType })];
    await shop.execute(addOwners, { owners, resourceUrn: orders });
    const before = await shop.body(orders, 'ownership');
    await shop.execute(deleteOwnershipType, { urn: madeType, deleteReferences: false });
    assert.deepEqual(await shop.body(orders, 'ownership'), before);
    assert.equal(await shop.body(madeType, 'ownershipTypeInfo'), undefined);
  });

  it('are refused where they do not exist or come with the catalogue, and to whoever may not manage them', async () => {
    await using shop = await openShop();
    await shop.refuses(
      updateOwnershipType,
      { urn: unknownType, input: { name: 'x' } },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to update ${unknownType}. ${unknownType} does not exist.`,
      },
    );
    await shop.refuses(createOwnershipType, { name: '' }, { code: 'BAD_REQUEST', message: /blank/ });
    await shop.refuses(
      deleteOwnershipType,
      { urn: system('none') },
      { code: 'BAD_REQUEST', message: /comes with the catalogue/ },
    );
    await shop.refuses(createOwnershipType, { name: '' }, unauthorized, shop.reader);
    const change = { urn: unknownType, input: {} };
    await shop.refuses(updateOwnershipType, change, unauthorized, shop.reader);
    await shop.refuses(deleteOwnershipType, { urn: unknownType }, unauthorized, shop.reader);
  });
});
