import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openReadModel } from '../../test/read-model.ts';
import type { ReadModel } from '../../test/read-model.ts';
import type { Caller } from '../auth/caller.ts';
import { version } from '../version.ts';

describe('users and what they may do', () => {
  let model: ReadModel;

  before(async () => {
    model = await openReadModel();
  });
  after(() => model.close());

  async function privilegesOf(caller: Caller): Promise<unknown> {
    const { data, errors } = await model.ask(
      `{ me { corpUser { urn username } platformPrivileges { manageGlossaries manageTests viewTests managePolicies manageTokens
         generatePersonalAccessTokens manageTags viewAnalytics } } }`,
      {},
      caller,
    );
    assert.equal(errors, undefined);
    return data;
  }

  it('me is the owner of the token, with what their role allows', async () => {
    const nobodyMay = { viewAnalytics: false };
    const of = (role: string, platformPrivileges: object): object => ({
      me: { corpUser: { urn: `urn:li:corpuser:${role}`, username: role }, platformPrivileges },
    });
    const own = { viewTests: true, generatePersonalAccessTokens: true, ...nobodyMay };
    const editing = { manageGlossaries: true, manageTests: true, manageTags: true };
    const managing = { managePolicies: true, manageTokens: true };
    const none = { managePolicies: false, manageTokens: false };
    assert.deepEqual(await privilegesOf(model.admin), of('admin', { ...editing, ...managing, ...own }));
    assert.deepEqual(await privilegesOf(model.editor), of('editor', { ...editing, ...none, ...own }));
    assert.deepEqual(
      await privilegesOf(model.reader),
      of('reader', { manageGlossaries: false, manageTests: false, manageTags: false, ...none, ...own }),
    );
  });

  it('an entity tells what the caller may do to it, and nothing of what does not apply to its type', async () => {
    const query = `{
      dataset(urn: "urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)") { privileges {
        canEditDescription canEditGlossaryTerms canEditSchemaFieldGlossaryTerms canManageEntity } }
      glossaryTerm(urn: "urn:li:glossaryTerm:a") { privileges { canManageEntity canManageChildren canEditSchemaFieldDescription } }
    }`;
    const answer = (may: boolean): object => ({
      dataset: {
        privileges: {
          canEditDescription: may,
          canEditGlossaryTerms: may,
          canEditSchemaFieldGlossaryTerms: may,
          canManageEntity: null,
        },
      },
      glossaryTerm: {
        privileges: { canManageEntity: may, canManageChildren: null, canEditSchemaFieldDescription: null },
      },
    });
    assert.deepEqual((await model.ask(query, {}, model.editor)).data, answer(true));
    assert.deepEqual((await model.ask(query, {}, model.reader)).data, answer(false));
  });

  it('a user is read back', async () => {
    await model.seed('urn:li:corpuser:ana', {
      corpUserInfo: { active: true, displayName: 'Ana', managerUrn: 'urn:li:corpuser:bob', departmentId: 7 },
      corpUserEditableInfo: { aboutMe: 'Hello', teams: ['a'], skills: [] },
      corpUserStatus: { status: 'ACTIVE', lastModified: { time: 0, actor: 'urn:li:corpuser:ana' } },
      globalTags: { tags: [{ tag: 'urn:li:tag:x' }] },
    });
    const { data, errors } = await model.ask(
      `{ corpUser(urn: "urn:li:corpuser:ana") { username exists status properties { active displayName email manager { username }
           departmentId } info { displayName } editableProperties { aboutMe teams skills platforms { urn } }
         tags { tags { tag { name } } } } }`,
    );
    assert.equal(errors, undefined);
    assert.deepEqual(data, {
      corpUser: {
        username: 'ana',
        exists: true,
        status: 'ACTIVE',
        properties: {
          active: true,
          displayName: 'Ana',
          email: null,
          manager: { username: 'bob' },
          departmentId: 7,
        },
        info: { displayName: 'Ana' },
        editableProperties: { aboutMe: 'Hello', teams: ['a'], skills: [], platforms: null },
        tags: { tags: [{ tag: { name: 'x' } }] },
      },
    });
  });

  it('a group is read back', async () => {
    await model.seed('urn:li:corpGroup:data', {
      corpGroupInfo: { displayName: 'Data', admins: ['urn:li:corpuser:ana'], members: [], groups: [] },
      corpGroupEditableInfo: { description: 'Edited' },
    });
    const { data } = await model.ask(
      `{ corpGroup(urn: "urn:li:corpGroup:data") { name exists properties { displayName } editableProperties { description }
         info { admins { username } members { username } groups } } }`,
    );
    assert.deepEqual(data, {
      corpGroup: {
        name: 'data',
        exists: true,
        properties: { displayName: 'Data' },
        editableProperties: { description: 'Edited' },
        info: { admins: [{ username: 'ana' }], members: [], groups: [] },
      },
    });
  });

  it('the service tells its version and what it can do', async () => {
    const { data } = await model.ask(
      '{ appConfig { appVersion authConfig { tokenAuthEnabled } testsConfig { enabled } } globalViewsSettings { defaultView } }',
    );
    assert.deepEqual(data, {
      appConfig: {
        appVersion: version,
        authConfig: { tokenAuthEnabled: true },
        testsConfig: { enabled: true },
      },
      globalViewsSettings: { defaultView: null },
    });
  });
});
