import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAccessToken } from '../src/access-token/create-access-token.ts';
import { newToken } from '../src/access-token/prepare-first-administrator.ts';
import type { JsonObject } from '../src/aspect/json.ts';
import { systemCaller } from '../src/auth/system-caller.ts';
import { defaultPolicies } from '../src/policy/default-policies.ts';
import { parseUrn } from '../src/urn/urn.ts';
import { startTestServer, type SendOptions, type TestServer } from './server.ts';

// Nobody gives rights that they do not have, to themselves or to others, through any door.

const editor = 'urn:li:corpuser:editor';
const steward = 'urn:li:corpuser:steward';
const admins = 'urn:li:corpGroup:admins';
const plain = 'urn:li:corpGroup:plain';
const gone = 'urn:li:corpGroup:gone';
const admin = { roles: ['urn:li:dataHubRole:Admin'] };
const noFlags = { resourceOwners: false, allUsers: false, allGroups: false };
const allRights = {
  displayName: 'p',
  description: '',
  type: 'PLATFORM',
  state: 'ACTIVE',
  privileges: ['MANAGE_POLICIES', 'EDIT_ENTITY'],
  actors: { ...noFlags, allUsers: true },
  editable: true,
};

let server: TestServer;
/** Of somebody who manages users and groups, and owns the group of the administrators. */
let stewardToken: string;

before(async () => {
  server = await startTestServer({ keepsVerdicts: false });
  for (const { urn, info } of defaultPolicies) await server.ingest(urn, 'dataHubPolicyInfo', info);
  const info = { admins: [], members: [], groups: [] };
  for (const group of [admins, plain, gone]) await server.ingest(group, 'corpGroupInfo', info);
  await server.ingest(admins, 'roleMembership', admin);
  await server.ingest(gone, 'roleMembership', admin);
  await server.ingest(gone, 'status', { removed: true });
  await server.ingest(editor, 'groupMembership', { groups: [gone] });
  await server.ingest(admins, 'ownership', {
    owners: [{ owner: steward, type: 'NONE' }],
    lastModified: { time: 0, actor: steward },
  });
  await server.ingest('urn:li:dataHubPolicy:stewards', 'dataHubPolicyInfo', {
    ...allRights,
    privileges: ['MANAGE_USERS_AND_GROUPS'],
    actors: { ...noFlags, users: [steward] },
  });
  const { text, id, lastFour } = newToken('personal');
  const parts = { kind: 'personal', actorUrn: steward, name: 't', description: undefined } as const;
  await server.catalogue.engine.execute(
    createAccessToken,
    { id, lastFour, durationMs: 3_600_000, ...parts },
    systemCaller,
  );
  stewardToken = text;
});
after(() => server.close());

type Attempt = {
  readonly what: string;
  readonly path: string;
  readonly body: object;
  /** By the editor, unless by the steward. */
  readonly bySteward?: true;
};

const proposalOf = (urn: string, aspectName: string, value: object, changeType = 'UPSERT'): object => ({
  entityType: urn.split(':')[2],
  entityUrn: urn,
  changeType,
  aspectName,
  ...(changeType === 'DELETE'
    ? {}
    : {
        aspect: {
          contentType: 'application/json',
          value: JSON.stringify(value),
        },
      }),
});

function ingest(what: string, urn: string, aspect: string, value: object, changeType?: string): Attempt {
  const proposal = proposalOf(urn, aspect, value, changeType);
  return { what, path: '/aspects?action=ingestProposal', body: { proposal } };
}

const graphql = (what: string, mutation: string): Attempt => ({
  what,
  path: '/api/graphql',
  body: { query: `mutation { ${mutation} }` },
});

const snapshot = (aspects: JsonObject): object => ({
  entity: {
    value: { 'com.linkedin.metadata.snapshot.CorpUserSnapshot': { urn: editor, aspects: [aspects] } },
  },
});

const attempts: readonly Attempt[] = [
  ingest('a role by ingestion', editor, 'roleMembership', admin),
  ingest('a role for a group of one’s own', plain, 'roleMembership', admin),
  {
    what: 'a role in a batch',
    path: '/aspects?action=ingestProposalBatch',
    body: {
      proposals: [
        proposalOf(plain, 'status', { removed: false }),
        proposalOf(editor, 'roleMembership', admin),
      ],
    },
  },
  {
    what: 'a role in a snapshot',
    path: '/entities?action=ingest',
    body: snapshot({ 'com.linkedin.identity.RoleMembership': admin }),
  },
  ingest('a policy by ingestion', 'urn:li:dataHubPolicy:mine', 'dataHubPolicyInfo', allRights),
  ingest('a policy out of the way', 'urn:li:dataHubPolicy:7', 'dataHubPolicyKey', {}, 'DELETE'),
  ingest('a role description', 'urn:li:dataHubRole:Admin', 'dataHubRoleInfo', { name: 'a', description: '' }),
  ingest('a membership by ingestion', editor, 'groupMembership', { groups: [gone, admins] }),
  ingest('a native membership by ingestion', editor, 'nativeGroupMembership', { nativeGroups: [admins] }),
  ingest('a removed group of one’s own back', gone, 'status', { removed: false }),
  ingest('the mark that it is removed away', gone, 'status', {}, 'DELETE'),
  ingest('an administrator out', 'urn:li:corpuser:admin', 'status', { removed: true }),
  ingest('a suspension away', editor, 'corpUserStatus', {}, 'DELETE'),
  ingest('a token by ingestion', 'urn:li:dataHubAccessToken:t', 'dataHubAccessTokenInfo', {
    name: 'n',
    actorUrn: 'urn:li:corpuser:admin',
    ownerUrn: editor,
    createdAt: 0,
  }),
  graphql(
    'a removed group back, by GraphQL',
    `batchUpdateSoftDeleted(input: {urns: ["${gone}"], deleted: false})`,
  ),
  graphql(
    'a role by GraphQL',
    `batchAssignRole(input: {roleUrn: "urn:li:dataHubRole:Admin", actors: ["${editor}"]})`,
  ),
  graphql(
    'a membership by GraphQL',
    `addGroupMembers(input: {groupUrn: "${admins}", userUrns: ["${editor}"]})`,
  ),
  graphql(
    'a policy by GraphQL',
    'createPolicy(input: {type: PLATFORM, name: "n", state: ACTIVE, privileges: ["MANAGE_POLICIES"], actors: {allUsers: true, allGroups: false, resourceOwners: false}})',
  ),
  graphql(
    'a token of somebody else',
    'createAccessToken(input: {type: PERSONAL, actorUrn: "urn:li:corpuser:admin", duration: ONE_HOUR, name: "n"}) { accessToken }',
  ),
  { ...ingest('a role by who manages users', steward, 'roleMembership', admin), bySteward: true },
  {
    ...ingest('a membership by who manages users', steward, 'groupMembership', { groups: [admins] }),
    bySteward: true,
  },
  {
    ...graphql(
      'a member of the administrators by the owner of that group',
      `addGroupMembers(input: {groupUrn: "${admins}", userUrns: ["${steward}"]})`,
    ),
    bySteward: true,
  },
  {
    ...ingest('a role for a group by its owner', admins, 'roleMembership', { roles: [] }),
    bySteward: true,
  },
];

for (const { what, path, body, bySteward } of attempts) {
  test(`nobody without the right gets ${what}`, async () => {
    const sequence = await server.lastSequence();
    const answer = await server.send('POST', path, {
      body,
      token: bySteward === true ? stewardToken : server.tokens.Editor,
    } satisfies SendOptions);
    const { errors } = (answer.body ?? {}) as { errors?: { extensions: { code: number } }[] };
    const code = answer.status === 200 ? errors?.[0]?.extensions.code : answer.status;
    assert.equal(code, 403, answer.text);
    assert.equal(await server.lastSequence(), sequence);
  });
}

test('who manages users makes members of a group whose rights they have', async () => {
  const { errors } = await server.graphql(
    `mutation { addGroupMembers(input: {groupUrn: "${plain}", userUrns: ["${editor}"]}) }`,
    {},
    stewardToken,
  );
  assert.equal(errors, undefined);
});

test('who comes to be called as somebody who was deleted has none of their rights', async () => {
  const leaver = 'urn:li:corpuser:leaver';
  await server.ingest(leaver, 'corpUserInfo', { active: true });
  await server.ingest(leaver, 'groupMembership', { groups: [admins] });
  const urn = 'urn:li:dataHubPolicy:leaver';
  await server.ingest(urn, 'dataHubPolicyInfo', { ...allRights, actors: { ...noFlags, users: [leaver] } });
  const created = await server.data(
    `mutation { createAccessToken(input: {type: PERSONAL, actorUrn: "${leaver}", duration: ONE_HOUR, name: "n"}) { accessToken } }`,
    {},
    server.tokens.Admin,
  );
  const { accessToken } = created['createAccessToken'] as { accessToken: string };
  const mayManage = async (): Promise<number> =>
    (
      await server.send('POST', '/api/graphql', {
        body: { query: '{ listPolicies(input: {}) { total } }' },
        token: accessToken,
      })
    ).status;
  assert.equal(await mayManage(), 200);
  const deletion = await server.send('POST', '/entities?action=delete', {
    body: { urn: leaver },
    token: server.tokens.Admin,
  });
  assert.equal(deletion.status, 200, deletion.text);
  await server.ingest(leaver, 'corpUserInfo', { active: true });
  assert.equal(await mayManage(), 401);
  const policy = await server.data(`{ policy(urn: "${urn}") { actors { users } } }`, {}, server.tokens.Admin);
  assert.deepEqual(policy['policy'], { actors: { users: [] } });
  const debug = await server.data(
    `{ debugAccess(userUrn: "${leaver}") { groups } }`,
    {},
    server.tokens.Admin,
  );
  assert.deepEqual(debug['debugAccess'], { groups: [] });
});

test('what took rights away is undone by nobody without the right, and a revoked token by nobody', async () => {
  const lastChange = async (aspect: string): Promise<number> => {
    const last = await server.lastSequence();
    const changes = await server.catalogue.store.changes({ after: last - 5, count: 5 });
    return changes.findLast((change) => change.aspect === aspect)?.sequence ?? 0;
  };
  const undo = async (sequence: number, token: string): Promise<number | undefined> => {
    const { errors } = await server.graphql(
      `mutation { undoChange(sequence: ${sequence}) { urn } }`,
      {},
      token,
    );
    return errors?.[0]?.extensions.code;
  };
  await server.ingest('urn:li:corpuser:undone', 'roleMembership', admin);
  await server.ingest('urn:li:corpuser:undone', 'roleMembership', { roles: [] });
  assert.equal(await undo(await lastChange('roleMembership'), server.tokens.Editor), 403);

  await server.ingest('urn:li:corpuser:undone', 'status', { removed: true });
  assert.equal(await undo(await lastChange('status'), server.tokens.Editor), 403);

  const created = await server.data(
    'mutation { createAccessToken(input: {type: PERSONAL, actorUrn: "urn:li:corpuser:editor", duration: ONE_HOUR, name: "n"}) { metadata { id } } }',
  );
  const { metadata } = created['createAccessToken'] as { metadata: { id: string } };
  await server.data('mutation ($id: String!) { revokeAccessToken(tokenId: $id) }', { id: metadata.id });
  for (const aspect of ['dataHubAccessTokenInfo', 'dataHubAccessTokenKey']) {
    // To who may not see tokens, there is no such change.
    assert.equal(await undo(await lastChange(aspect), server.tokens.Editor), 400);
    assert.equal(await undo(await lastChange(aspect), server.tokens.Admin), 403);
  }
});

test('a deleted user or group is brought back by who may manage them, and by nobody else', async () => {
  for (const [urn, aspect, body] of [
    [
      'urn:li:corpuser:back',
      'corpUserStatus',
      { status: 'SUSPENDED', lastModified: { time: 0, actor: steward } },
    ],
    ['urn:li:corpGroup:back', 'corpGroupInfo', { admins: [], members: [], groups: [] }],
  ] as const) {
    await server.ingest(urn, aspect, body);
    const key = urn.includes('corpuser') ? 'corpUserKey' : 'corpGroupKey';
    const deletion = await server.send('POST', '/entities?action=delete', {
      body: { urn },
      token: server.tokens.Admin,
    });
    assert.equal(deletion.status, 200, deletion.text);
    const changes = await server.catalogue.store.changesOf({ urn: parseUrn(urn), count: 10 });
    const sequence = changes.find((change) => change.aspect === key)?.sequence;
    const undo = async (token: string): Promise<number | undefined> => {
      const query = `mutation { undoChange(sequence: ${sequence}) { urn } }`;
      return (await server.graphql(query, {}, token)).errors?.[0]?.extensions.code;
    };
    assert.equal(await undo(server.tokens.Editor), 403);
    assert.equal(await undo(stewardToken), undefined);
  }
});

test('a system policy cannot be deleted, not even by who manages policies', async () => {
  for (const path of ['/entities?action=delete', '/aspects?action=ingestProposal']) {
    const urn = 'urn:li:dataHubPolicy:0';
    const body = path.startsWith('/entities')
      ? { urn }
      : { proposal: proposalOf(urn, 'dataHubPolicyKey', {}, 'DELETE') };
    const answer = await server.send('POST', path, { body, token: server.tokens.Admin });
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.text, /system policy/);
  }
});

test('policies are shown to who manages them, through every door', async () => {
  const paths = [
    '/entitiesV2/urn%3Ali%3AdataHubPolicy%3A0',
    '/aspects/urn%3Ali%3AdataHubPolicy%3A0?aspect=dataHubPolicyInfo',
  ];
  for (const path of paths) {
    assert.equal((await server.send('GET', path, { token: server.tokens.Admin })).status, 200, path);
    assert.equal((await server.send('GET', path)).status, 403, path);
  }
});

test('whom policies are for is told by no relationship, unless to who manages them', async () => {
  const kinds = '["IsAssociatedWithUser", "OwnedBy"]';
  const totals = async (token: string): Promise<readonly unknown[]> => {
    const data = await server.data(
      `{ whereUsed(input: {urn: "${steward}", kinds: ${kinds}}) { total }
         onlyPolicies: whereUsed(input: {urn: "${steward}", kinds: ["IsAssociatedWithUser"]}) { total }
         entity(urn: "${steward}") { relationships(input: {types: ${kinds}, direction: INCOMING}) { total } } }`,
      {},
      token,
    );
    const total = (value: unknown): unknown => (value as { total: number }).total;
    const { relationships } = data['entity'] as { relationships: unknown };
    return [total(data['whereUsed']), total(data['onlyPolicies']), total(relationships)];
  };
  assert.deepEqual(await totals(server.tokens.Admin), [2, 1, 2]);
  assert.deepEqual(await totals(server.tokens.Reader), [1, 0, 1]);
});
