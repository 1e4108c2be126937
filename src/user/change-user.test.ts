import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import { orders, seedShop, unauthorized } from '../../test/sample-metadata.ts';
import type { Caller } from '../auth/caller.ts';
import { parseUrn } from '../urn/urn.ts';
import { batchAssignRole } from './batch-assign-role.ts';
import { removeUser } from './remove-user.ts';
import { updateUser } from './update-user.ts';
import { updateUserStatus } from './update-user-status.ts';

const now = 1_790_000_000_000;
const ana = parseUrn('urn:li:corpuser:ana');
const nobody = 'urn:li:corpuser:nobody';
const data = 'urn:li:corpGroup:data';
const editorRole = 'urn:li:dataHubRole:Editor';

async function openShop(): Promise<TestCatalogue> {
  const shop = await openTestCatalogue({ now: () => now });
  await seedShop(shop);
  await shop.seed(ana, { corpUserInfo: { active: true, displayName: 'Ana' } });
  await shop.seed(data);
  return shop;
}

const missing = { code: 'ENTITY_NOT_FOUND', message: /corpuser:nobody does not exist/ } as const;

describe('updateCorpUserProperties', () => {
  it('changes what users say of themselves, who may do it themselves, and keeps what is left out', async () => {
    await using shop = await openShop();
    const self: Caller = { ...shop.reader, actor: ana, privileges: new Set() };
    await shop.execute(updateUser, { urn: ana, displayName: 'Ana L.', teams: ['data'] }, self);
    const platform = 'urn:li:dataPlatform:hive';
    await shop.execute(updateUser, { urn: ana, email: 'ana@shop.example', platformUrns: [platform] }, self);
    assert.deepEqual(await shop.body(ana, 'corpUserEditableInfo'), {
      displayName: 'Ana L.',
      teams: ['data'],
      email: 'ana@shop.example',
      platforms: [platform],
    });
    assert.equal((await shop.body(ana, 'corpUserInfo'))?.['displayName'], 'Ana');
    await shop.refuses(updateUser, { urn: 'urn:li:corpuser:bob', title: 'x' }, unauthorized, self);
  });

  it('needs a right for others, and somebody who exists', async () => {
    await using shop = await openShop();
    const caller: Caller = { ...shop.reader, privileges: new Set(['EDIT_USER_PROFILE'] as const) };
    await shop.execute(updateUser, { urn: ana, title: 'x' }, caller);
    await shop.refuses(updateUser, { urn: nobody, title: 'x' }, missing, caller);
    await shop.refuses(updateUser, { urn: nobody, title: 'x' }, unauthorized, shop.reader);
    const refusal = { code: 'BAD_REQUEST', message: /orders.*not the urn of a data platform/ } as const;
    await shop.refuses(updateUser, { urn: ana, platformUrns: [orders] }, refusal, caller);
    await shop.changesNothing(updateUser, { urn: ana, title: 'x' });
    // A profile is metadata of the user, and EDIT_ENTITY is enough for that (contract section 12).
    await shop.execute(updateUser, { urn: ana, title: 'y' }, shop.editor);
    assert.equal((await shop.body(ana, 'corpUserEditableInfo'))?.['title'], 'y');
  });
});

describe('updateUserStatus', () => {
  it('suspends a user and lets them in again', async () => {
    await using shop = await openShop();
    const suspend = { urn: ana, status: 'SUSPENDED' } as const;
    assert.equal(await shop.execute(updateUserStatus, suspend, shop.admin), 'SUSPENDED');
    assert.deepEqual(await shop.body(ana, 'corpUserStatus'), {
      status: 'SUSPENDED',
      lastModified: { time: now, actor: 'urn:li:corpuser:admin' },
    });
    const before = await shop.lastSequence();
    await shop.execute(updateUserStatus, suspend, shop.admin);
    assert.equal(await shop.lastSequence(), before);
    await shop.execute(updateUserStatus, { urn: ana, status: 'ACTIVE' }, shop.admin);
    assert.equal((await shop.body(ana, 'corpUserStatus'))?.['status'], 'ACTIVE');
    await shop.refuses(updateUserStatus, { urn: nobody, status: 'ACTIVE' }, missing, shop.admin);
    await shop.refuses(updateUserStatus, suspend, unauthorized, shop.editor);
  });
});

describe('removeUser', () => {
  it('takes what refers to the user along, and their tokens', async () => {
    await using shop = await openShop();
    const token = 'urn:li:dataHubAccessToken:one';
    const other = 'urn:li:dataHubAccessToken:two';
    const info = { name: 'n', ownerUrn: ana, createdAt: 0 };
    await shop.seed(token, { dataHubAccessTokenInfo: { ...info, actorUrn: ana } });
    await shop.seed(other, { dataHubAccessTokenInfo: { ...info, actorUrn: 'urn:li:corpuser:bob' } });
    await shop.seed(orders, { ownership: { owners: [{ owner: ana, type: 'NONE' }] } });
    assert.equal(await shop.execute(removeUser, { urn: ana }, shop.admin), true);
    assert.equal(await shop.body(ana, 'corpUserInfo'), undefined);
    assert.equal(await shop.body(token, 'dataHubAccessTokenInfo'), undefined);
    assert.ok(await shop.body(other, 'dataHubAccessTokenInfo'));
    assert.deepEqual((await shop.body(orders, 'ownership'))?.['owners'], []);
    const gone = { code: 'MISSING_FOR_DELETE', message: /does not exist: .*ana/ } as const;
    await shop.refuses(removeUser, { urn: ana }, gone, shop.admin);
    await shop.refuses(removeUser, { urn: data }, { ...gone, message: /data/ }, shop.admin);
    await shop.refuses(removeUser, { urn: ana }, unauthorized, shop.editor);
  });
});

describe('batchAssignRole', () => {
  it('gives users and groups one role in the place of others, and takes it away', async () => {
    await using shop = await openShop();
    const input = { roleUrn: editorRole, actors: [ana, data] };
    assert.equal(await shop.execute(batchAssignRole, input, shop.admin), true);
    assert.deepEqual(await shop.body(ana, 'roleMembership'), { roles: [editorRole] });
    assert.deepEqual(await shop.body(data, 'roleMembership'), { roles: [editorRole] });
    const before = await shop.lastSequence();
    await shop.execute(batchAssignRole, input, shop.admin);
    assert.equal(await shop.lastSequence(), before);
    await shop.execute(batchAssignRole, { actors: [ana] }, shop.admin);
    assert.deepEqual(await shop.body(ana, 'roleMembership'), { roles: [] });
  });

  it('refuses roles and people that do not exist, all together', async () => {
    await using shop = await openShop();
    const role = {
      code: 'ENTITY_NOT_FOUND',
      message: /dataHubRole:Owner does not exist; see listRoles/,
    } as const;
    await shop.refuses(
      batchAssignRole,
      { roleUrn: 'urn:li:dataHubRole:Owner', actors: [ana] },
      role,
      shop.admin,
    );
    await shop.refuses(batchAssignRole, { roleUrn: editorRole, actors: [ana, nobody] }, missing, shop.admin);
    const dataset = { code: 'ENTITY_NOT_FOUND', message: /user or group .*orders/ } as const;
    await shop.refuses(batchAssignRole, { roleUrn: editorRole, actors: [orders] }, dataset, shop.admin);
    await shop.seed('urn:li:dataHubRole:Owner', { dataHubRoleInfo: { name: 'Owner', description: '' } });
    await shop.execute(batchAssignRole, { roleUrn: 'urn:li:dataHubRole:Owner', actors: [ana] }, shop.admin);
  });

  it('lets nobody give themselves a role', async () => {
    await using shop = await openShop();
    const caller: Caller = {
      ...shop.reader,
      privileges: new Set([...shop.editor.privileges, 'MANAGE_USERS_AND_GROUPS']),
    };
    await shop.seed(caller.actor);
    const input = { roleUrn: 'urn:li:dataHubRole:Admin', actors: [caller.actor] };
    await shop.refuses(batchAssignRole, input, unauthorized, caller);
  });
});
