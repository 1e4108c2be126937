import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import { orders, seedShop, unauthorized } from '../../test/sample-metadata.ts';
import type { Caller } from '../auth/caller.ts';
import { createGroup } from './create-group.ts';
import { addGroupMembers, removeGroupMembers } from './group-members.ts';
import { removeGroup } from './remove-group.ts';
import { updateGroup } from './update-group.ts';

const now = 1_790_000_000_000;
const data = 'urn:li:corpGroup:data';
const ana = 'urn:li:corpuser:ana';
const bob = 'urn:li:corpuser:bob';

async function openShop(): Promise<TestCatalogue> {
  const shop = await openTestCatalogue({ now: () => now, newId: () => 'random' });
  await seedShop(shop);
  await shop.seed(ana);
  await shop.seed(bob);
  await shop.execute(createGroup, { id: 'data', name: 'Data' }, shop.admin);
  return shop;
}

const groupsOf = async (shop: TestCatalogue, user: string): Promise<unknown> =>
  (await shop.body(user, 'nativeGroupMembership'))?.['nativeGroups'];

describe('a group', () => {
  it('is made here, by whoever may manage groups', async () => {
    await using shop = await openShop();
    const urn = await shop.execute(createGroup, { name: 'People', description: 'All' }, shop.admin);
    assert.equal(urn, 'urn:li:corpGroup:random');
    assert.deepEqual(await shop.body(urn, 'corpGroupInfo'), {
      displayName: 'People',
      description: 'All',
      admins: [],
      members: [],
      groups: [],
      created: { time: now, actor: 'urn:li:corpuser:admin' },
    });
    assert.deepEqual(await shop.body(urn, 'origin'), { type: 'NATIVE' });
    await shop.refuses(
      createGroup,
      { id: 'data', name: 'x' },
      { code: 'ALREADY_EXISTS', message: /data/ },
      shop.admin,
    );
    await shop.refuses(createGroup, { name: ' ' }, { code: 'BAD_REQUEST', message: /name/ }, shop.admin);
    await shop.refuses(createGroup, { name: 'x' }, unauthorized, shop.editor);
  });

  it('gets members and loses them', async () => {
    await using shop = await openShop();
    const input = { groupUrn: data, userUrns: [ana, bob] };
    assert.equal(await shop.execute(addGroupMembers, input, shop.admin), true);
    assert.deepEqual([await groupsOf(shop, ana), await groupsOf(shop, bob)], [[data], [data]]);
    const before = await shop.lastSequence();
    await shop.execute(addGroupMembers, input, shop.admin);
    assert.equal(await shop.lastSequence(), before);
    await shop.execute(removeGroupMembers, { groupUrn: data, userUrns: [bob] }, shop.admin);
    assert.deepEqual([await groupsOf(shop, ana), await groupsOf(shop, bob)], [[data], []]);
  });

  it('loses members whom another system put into it', async () => {
    await using shop = await openShop();
    await shop.seed(ana, { groupMembership: { groups: ['urn:li:corpGroup:other', data] } });
    await shop.execute(addGroupMembers, { groupUrn: data, userUrns: [ana] }, shop.admin);
    assert.equal(await groupsOf(shop, ana), undefined, 'who is a member already stays one as they are');
    await shop.execute(removeGroupMembers, { groupUrn: data, userUrns: [ana] }, shop.admin);
    assert.deepEqual(await shop.body(ana, 'groupMembership'), { groups: ['urn:li:corpGroup:other'] });
  });

  it('takes no members here when another system says who they are', async () => {
    await using shop = await openShop();
    await shop.seed(data, { origin: { type: 'EXTERNAL', externalType: 'Okta' } });
    const refusal = { code: 'BAD_REQUEST', message: /data comes from an external system/ } as const;
    await shop.refuses(addGroupMembers, { groupUrn: data, userUrns: [ana] }, refusal, shop.admin);
  });

  it('takes all the members or none', async () => {
    await using shop = await openShop();
    for (const command of [addGroupMembers, removeGroupMembers]) {
      const missing = { code: 'ENTITY_NOT_FOUND', message: /corpuser:no does not exist/ } as const;
      await shop.refuses(
        command,
        { groupUrn: data, userUrns: [ana, 'urn:li:corpuser:no'] },
        missing,
        shop.admin,
      );
      const group = { code: 'ENTITY_NOT_FOUND', message: /corpGroup:no does not exist/ } as const;
      await shop.refuses(command, { groupUrn: 'urn:li:corpGroup:no', userUrns: [ana] }, group, shop.admin);
      await shop.refuses(
        command,
        { groupUrn: data, userUrns: [data] },
        { ...missing, message: /corpGroup:data/ },
        shop.admin,
      );
      await shop.refuses(command, { groupUrn: data, userUrns: [ana] }, unauthorized, shop.reader);
    }
  });

  it('does not let somebody into rights that they do not have, themselves least of all', async () => {
    await using shop = await openShop();
    await shop.seed(data, { roleMembership: { roles: ['urn:li:dataHubRole:Admin'] } });
    const caller: Caller = {
      ...shop.reader,
      privileges: new Set([...shop.reader.privileges, 'EDIT_GROUP_MEMBERS', 'MANAGE_USERS_AND_GROUPS']),
    };
    await shop.seed(caller.actor);
    for (const user of [caller.actor, ana]) {
      const refusal = { code: 'FORBIDDEN', message: /corpGroup:data have its role/ } as const;
      await shop.refuses(addGroupMembers, { groupUrn: data, userUrns: [user] }, refusal, caller);
    }
    await shop.execute(addGroupMembers, { groupUrn: data, userUrns: [ana] }, shop.admin);
  });

  it('is described, with what is left out staying as it is', async () => {
    await using shop = await openShop();
    assert.equal(
      await shop.execute(updateGroup, { urn: data, description: 'Us', slack: '#data' }, shop.admin),
      data,
    );
    await shop.execute(updateGroup, { urn: data, email: 'data@shop.example' }, shop.admin);
    const expected = { description: 'Us', slack: '#data', email: 'data@shop.example' };
    assert.deepEqual(await shop.body(data, 'corpGroupEditableInfo'), expected);
    await shop.changesNothing(updateGroup, { urn: data, description: 'Us' });
    const missing = { code: 'ENTITY_NOT_FOUND', message: /corpGroup:no does not exist/ } as const;
    await shop.refuses(updateGroup, { urn: 'urn:li:corpGroup:no', email: 'x' }, missing);
    await shop.refuses(updateGroup, { urn: data }, unauthorized, shop.reader);
    const contact: Caller = { ...shop.reader, privileges: new Set(['EDIT_CONTACT_INFO'] as const) };
    await shop.execute(updateGroup, { urn: data, email: 'x@shop.example' }, contact);
    await shop.refuses(updateGroup, { urn: data, email: 'y', description: 'y' }, unauthorized, contact);
  });

  it('is removed from its members and from what it owns', async () => {
    await using shop = await openShop();
    await shop.execute(addGroupMembers, { groupUrn: data, userUrns: [ana] }, shop.admin);
    await shop.seed(orders, {
      ownership: {
        owners: [
          { owner: data, type: 'NONE' },
          { owner: ana, type: 'NONE' },
        ],
      },
    });
    assert.equal(await shop.execute(removeGroup, { urn: data }, shop.admin), true);
    assert.equal(await shop.body(data, 'corpGroupInfo'), undefined);
    assert.deepEqual(await groupsOf(shop, ana), []);
    assert.deepEqual((await shop.body(orders, 'ownership'))?.['owners'], [{ owner: ana, type: 'NONE' }]);
    const missing = { code: 'MISSING_FOR_DELETE', message: /does not exist: .*data/ } as const;
    await shop.refuses(removeGroup, { urn: data }, missing, shop.admin);
    await shop.refuses(removeGroup, { urn: data }, unauthorized, shop.editor);
  });
});
