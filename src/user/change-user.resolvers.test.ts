import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../../test/server.ts';
import { bootstrapCatalogue } from '../bootstrap/bootstrap-catalogue.ts';
import { systemCaller } from '../auth/system-caller.ts';

const ana = 'urn:li:corpuser:ana';

let server: TestServer;

before(async () => {
  server = await startTestServer();
  await server.catalogue.engine.execute(bootstrapCatalogue, {}, systemCaller);
  await server.ingest(ana, 'corpUserInfo', { active: true, displayName: 'Ana' });
});

after(() => server.close());

const asAdmin = (query: string): Promise<unknown> => server.data(query, {}, server.tokens.Admin);

async function tokenOfAna(): Promise<string> {
  const created = await asAdmin(`mutation { createAccessToken(input: {type: PERSONAL, actorUrn: "${ana}",
    duration: ONE_HOUR, name: "t"}) { accessToken } }`);
  return (created as { createAccessToken: { accessToken: string } }).createAccessToken.accessToken;
}

const statusWith = async (token: string): Promise<number> =>
  (await server.send('POST', '/api/graphql', { token, body: { query: '{ me { corpUser { urn } } }' } }))
    .status;

test('the roles of a fresh catalogue are listed, with those who have them', async () => {
  await asAdmin(
    `mutation { batchAssignRole(input: {roleUrn: "urn:li:dataHubRole:Editor", actors: ["${ana}"]}) }`,
  );
  const members = 'relationships(input: {types: ["IsMemberOfRole"], direction: INCOMING}) { total }';
  const answer = await asAdmin(`{ listRoles(input: {start: 0, count: 2}) { start count total
    roles { urn type name description exists users: ${members} } }
    found: listRoles(input: {query: "read"}) { roles { name } } }`);
  assert.deepEqual(answer, {
    listRoles: {
      start: 0,
      count: 2,
      total: 3,
      roles: [
        {
          urn: 'urn:li:dataHubRole:Admin',
          type: 'DATAHUB_ROLE',
          name: 'Admin',
          description: 'Can do everything.',
          exists: true,
          users: { total: 1 },
        },
        {
          urn: 'urn:li:dataHubRole:Editor',
          type: 'DATAHUB_ROLE',
          name: 'Editor',
          description: 'Can change all metadata, and cannot manage who may do what.',
          exists: true,
          users: { total: 2 },
        },
      ],
    },
    found: { roles: [{ name: 'Reader' }] },
  });
});

test('a user shows their groups and roles, what they set, and that they do not sign in here', async () => {
  await asAdmin('mutation { createGroup(input: {id: "data", name: "Data"}) }');
  await asAdmin(
    `mutation { addGroupMembers(input: {groupUrn: "urn:li:corpGroup:data", userUrns: ["${ana}"]}) }`,
  );
  await asAdmin(
    `mutation { updateCorpUserProperties(urn: "${ana}", input: {title: "Steward", teams: ["a"]}) { urn } }`,
  );
  await server.ingest('urn:li:dataHubView:mine', 'dataHubViewInfo', { name: 'Mine', type: 'PERSONAL' });
  await server.ingest(ana, 'corpUserSettings', {
    appearance: { showSimplifiedHomepage: true },
    views: { defaultView: 'urn:li:dataHubView:mine' },
  });
  const edges = (type: string): string =>
    `relationships(input: {types: ["${type}"], direction: OUTGOING}) { relationships { entity { urn } } }`;
  const answer =
    await asAdmin(`{ corpUser(urn: "${ana}") { username exists isNativeUser properties { displayName }
      editableProperties { title teams } settings { appearance { showSimplifiedHomepage showThemeV2 }
        views { defaultView { urn type name description viewType } } }
      groups: ${edges('IsMemberOfNativeGroup')} roles: ${edges('IsMemberOfRole')} }
    corpGroup(urn: "urn:li:corpGroup:data") { origin { type externalType } properties { displayName }
      members: relationships(input: {types: ["IsMemberOfGroup", "IsMemberOfNativeGroup"], direction: INCOMING}) {
        total relationships { entity { ... on CorpUser { username } } } } } }`);
  assert.deepEqual(answer, {
    corpUser: {
      username: 'ana',
      exists: true,
      isNativeUser: false,
      properties: { displayName: 'Ana' },
      editableProperties: { title: 'Steward', teams: ['a'] },
      settings: {
        appearance: { showSimplifiedHomepage: true, showThemeV2: null },
        views: {
          defaultView: {
            urn: 'urn:li:dataHubView:mine',
            type: 'DATAHUB_VIEW',
            name: 'Mine',
            description: null,
            viewType: 'PERSONAL',
          },
        },
      },
      groups: { relationships: [{ entity: { urn: 'urn:li:corpGroup:data' } }] },
      roles: { relationships: [{ entity: { urn: 'urn:li:dataHubRole:Editor' } }] },
    },
    corpGroup: {
      origin: { type: 'NATIVE', externalType: null },
      properties: { displayName: 'Data' },
      members: { total: 1, relationships: [{ entity: { username: 'ana' } }] },
    },
  });
  const group = await asAdmin(`mutation { updateCorpGroupProperties(urn: "urn:li:corpGroup:data",
    input: {description: "Us"}) { editableProperties { description } } }`);
  assert.deepEqual(group, { updateCorpGroupProperties: { editableProperties: { description: 'Us' } } });
  await asAdmin(
    `mutation { removeGroupMembers(input: {groupUrn: "urn:li:corpGroup:data", userUrns: ["${ana}"]}) }`,
  );
  assert.deepEqual(await asAdmin('mutation { removeGroup(urn: "urn:li:corpGroup:data") }'), {
    removeGroup: true,
  });
});

test('the token of a suspended user is dead while they are, and that of a removed user for ever', async () => {
  const token = await tokenOfAna();
  assert.equal(await statusWith(token), 200);
  const status = (value: string): string => `mutation { updateUserStatus(urn: "${ana}", status: ${value}) }`;
  assert.deepEqual(await asAdmin(status('SUSPENDED')), { updateUserStatus: 'SUSPENDED' });
  assert.equal(await statusWith(token), 401);
  await asAdmin(status('ACTIVE'));
  assert.equal(await statusWith(token), 200);
  assert.deepEqual(await asAdmin(`mutation { removeUser(urn: "${ana}") }`), { removeUser: true });
  assert.equal(await statusWith(token), 401);
  await server.ingest(ana, 'corpUserInfo', { active: true, displayName: 'Another Ana' });
  assert.equal(await statusWith(token), 401);
});

test('nobody gets rights that they do not have by a role or a group that they give themselves', async () => {
  const editor = 'urn:li:corpuser:editor';
  await asAdmin('mutation { createGroup(input: {id: "chiefs", name: "Chiefs"}) }');
  await asAdmin(
    `mutation { batchAssignRole(input: {roleUrn: "urn:li:dataHubRole:Admin", actors: ["urn:li:corpGroup:chiefs"]}) }`,
  );
  for (const mutation of [
    `batchAssignRole(input: {roleUrn: "urn:li:dataHubRole:Admin", actors: ["${editor}"]})`,
    `addGroupMembers(input: {groupUrn: "urn:li:corpGroup:chiefs", userUrns: ["${editor}"]})`,
    'removeUser(urn: "urn:li:corpuser:admin")',
    'updateUserStatus(urn: "urn:li:corpuser:admin", status: SUSPENDED)',
  ]) {
    const { errors } = await server.graphql(`mutation { ${mutation} }`);
    assert.equal(errors?.[0]?.extensions.code, 403, mutation);
  }
});
