import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../../test/server.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { createAccessToken } from '../access-token/create-access-token.ts';
import { newToken } from '../access-token/prepare-first-administrator.ts';
import { systemCaller } from '../auth/system-caller.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)';
const other = 'urn:li:dataset:(urn:li:dataPlatform:hive,other,PROD)';
const pii = 'urn:li:tag:Pii';
const ana = 'urn:li:corpuser:ana';

const nobody = { resourceOwners: false, allUsers: false, allGroups: false };

function policyInput(parts: object = {}): object {
  return {
    type: 'METADATA',
    name: 'Ana tags orders',
    state: 'ACTIVE',
    privileges: ['EDIT_ENTITY_TAGS'],
    actors: { ...nobody, users: [ana] },
    resources: { filter: { criteria: [{ field: 'URN', values: [orders], condition: 'EQUALS' }] } },
    ...parts,
  };
}

describe('policies, asked through the server', () => {
  let server: TestServer;
  let token: string;

  before(async () => {
    server = await startTestServer({ keepsVerdicts: false });
    await server.ingest(orders, 'datasetProperties', { description: 'o', customProperties: {} });
    await server.ingest(other, 'datasetProperties', { description: 'o', customProperties: {} });
    await server.ingest(pii, 'tagProperties', { name: 'Pii' });
    token = await tokenOf(ana);
  });
  after(() => server.close());

  async function tokenOf(actorUrn: string): Promise<string> {
    const { text, id, lastFour } = newToken('personal');
    await server.catalogue.engine.execute(
      createAccessToken,
      { id, lastFour, kind: 'personal', actorUrn, name: 't', description: undefined, durationMs: 3_600_000 },
      systemCaller,
    );
    return text;
  }

  async function admin(query: string, variables: object = {}): Promise<JsonObject> {
    return server.data(query, variables, server.tokens.Admin);
  }

  const create = 'mutation ($input: PolicyUpdateInput!) { createPolicy(input: $input) }';
  const update =
    'mutation ($urn: String!, $input: PolicyUpdateInput!) { updatePolicy(urn: $urn, input: $input) }';
  const remove = 'mutation ($urn: String!) { deletePolicy(urn: $urn) }';

  async function createPolicy(input: object): Promise<string> {
    return String((await admin(create, { input }))['createPolicy']);
  }

  async function codeOf(query: string, variables: object, as: string): Promise<number | undefined> {
    const { errors } = await server.graphql(query, variables, as);
    return errors?.[0]?.extensions.code;
  }

  const tag = 'mutation ($on: String!) { addTag(input: {tagUrn: "urn:li:tag:Pii", resourceUrn: $on}) }';
  const untag = 'mutation ($on: String!) { removeTag(input: {tagUrn: "urn:li:tag:Pii", resourceUrn: $on}) }';

  it('a policy lets its user do what it names to its resource, and nothing else', async () => {
    assert.equal(await codeOf(tag, { on: orders }, token), 403);
    const urn = await createPolicy(policyInput());
    assert.equal(await codeOf(tag, { on: orders }, token), undefined);
    assert.equal(await codeOf(tag, { on: other }, token), 403);
    assert.equal(await codeOf(tag, { on: orders }, server.tokens.Reader), 403);
    const links =
      'mutation ($on: String!) { addLink(input: {linkUrl: "https://a.example", label: "a", resourceUrn: $on}) }';
    assert.equal(await codeOf(links, { on: orders }, token), 403);
    await admin(remove, { urn });
    assert.equal(await codeOf(untag, { on: orders }, token), 403);
  });

  it('a policy that is switched off, changed or deleted counts for the next request, each time', async () => {
    for (let round = 0; round < 20; round += 1) {
      const urn = await createPolicy(policyInput());
      assert.equal(await codeOf(tag, { on: orders }, token), undefined);
      await admin(update, { urn, input: policyInput({ state: 'INACTIVE' }) });
      assert.equal(await codeOf(tag, { on: orders }, token), 403);
      await admin(update, { urn, input: policyInput({ resources: { allResources: true } }) });
      assert.equal(await codeOf(tag, { on: other }, token), undefined);
      await admin(remove, { urn });
      assert.equal(await codeOf(untag, { on: other }, token), 403);
    }
  });

  it('while others write, no write that begins after a policy is gone is let through', async () => {
    for (let round = 0; round < 10; round += 1) {
      const urn = await createPolicy(policyInput());
      let isGone = false;
      const writers = Array.from({ length: 4 }, async () => {
        for (let turn = 0; turn < 20; turn += 1) {
          const wasGone = isGone;
          const code = await codeOf(turn % 2 === 0 ? tag : untag, { on: orders }, token);
          if (wasGone) assert.equal(code, 403);
        }
      });
      await admin(remove, { urn });
      isGone = true;
      await Promise.all(writers);
    }
  });

  it('a policy with a constraint lets put on and take off what it names, and nothing beside it', async () => {
    await server.ingest('urn:li:tag:Tier', 'tagProperties', { name: 'Tier' });
    const criteria = [{ field: 'URN', values: [pii], condition: 'EQUALS' }];
    const resources = { allResources: true, privilegeConstraints: { criteria } };
    const urn = await createPolicy(policyInput({ resources }));
    const addTags =
      'mutation ($tags: [String!]!, $on: String!) { addTags(input: {tagUrns: $tags, resourceUrn: $on}) }';
    assert.equal(await codeOf(addTags, { tags: [pii], on: orders }, token), undefined);
    assert.equal(await codeOf(addTags, { tags: ['urn:li:tag:Tier'], on: orders }, token), 403);
    assert.equal(await codeOf(addTags, { tags: [pii, 'urn:li:tag:Tier'], on: orders }, token), 403);
    assert.equal(await codeOf(untag, { on: orders }, token), undefined);
    await admin(remove, { urn });
  });

  it('groups and their roles count from the moment somebody is a member', async () => {
    await server.ingest('urn:li:corpGroup:editors', 'corpGroupInfo', { admins: [], members: [], groups: [] });
    await server.ingest('urn:li:corpGroup:editors', 'roleMembership', {
      roles: ['urn:li:dataHubRole:Editor'],
    });
    assert.equal(await codeOf(tag, { on: orders }, token), 403);
    await server.ingest(ana, 'groupMembership', { groups: ['urn:li:corpGroup:editors'] });
    assert.equal(await codeOf(tag, { on: orders }, token), undefined);
    await server.ingest('urn:li:corpGroup:editors', 'roleMembership', { roles: [] });
    assert.equal(await codeOf(untag, { on: orders }, token), 403);
    await server.ingest(ana, 'groupMembership', { groups: [] });
  });

  it('policies are listed for who manages them, by text and by filters', async () => {
    const first = await createPolicy(policyInput({ name: 'Listed first', description: 'Abracadabra' }));
    const second = await createPolicy(policyInput({ name: 'Listed second', state: 'INACTIVE' }));
    const list = async (input: object): Promise<readonly string[]> => {
      const answer = await admin(
        'query ($input: ListPoliciesInput!) { listPolicies(input: $input) { start count total policies { urn } } }',
        { input },
      );
      const { policies } = answer['listPolicies'] as { policies: { urn: string }[] };
      return policies.map(({ urn }) => urn);
    };
    assert.deepEqual(await list({ query: 'abracadABRA' }), [first]);
    assert.deepEqual(new Set(await list({ query: 'listed' })), new Set([first, second]));
    const filter = (field: string, value: string): object => ({
      query: 'listed',
      orFilters: [{ and: [{ field, values: [value] }] }],
    });
    assert.deepEqual(await list(filter('state', 'INACTIVE')), [second]);
    assert.deepEqual(await list(filter('users', 'urn:li:corpuser:nobody')), []);
    assert.equal((await list({ start: 1, count: 1 })).length, 1);
    assert.equal(await codeOf('{ listPolicies(input: {}) { total } }', {}, server.tokens.Editor), 403);
    assert.equal(await codeOf(`{ policy(urn: "${first}") { urn } }`, {}, server.tokens.Editor), 403);
    await admin(remove, { urn: first });
    await admin(remove, { urn: second });
  });

  it('a policy is read as it was sent', async () => {
    const urn = await createPolicy(
      policyInput({
        description: 'd',
        actors: { ...nobody, users: [ana], groups: ['urn:li:corpGroup:g'], resourceOwners: true },
      }),
    );
    const query = `query ($urn: String!) { policy(urn: $urn) { urn type name state description privileges editable
      resources { type allResources filter { criteria { field condition values { value entity { urn } } } } }
      actors { users groups roles resourceOwners allUsers allGroups resolvedUsers { username } } } }`;
    assert.deepEqual((await admin(query, { urn }))['policy'], {
      urn,
      type: 'METADATA',
      name: 'Ana tags orders',
      state: 'ACTIVE',
      description: 'd',
      privileges: ['EDIT_ENTITY_TAGS'],
      editable: true,
      resources: {
        type: null,
        allResources: false,
        filter: {
          criteria: [
            { field: 'URN', condition: 'EQUALS', values: [{ value: orders, entity: { urn: orders } }] },
          ],
        },
      },
      actors: {
        users: [ana],
        groups: ['urn:li:corpGroup:g'],
        roles: null,
        resourceOwners: true,
        allUsers: false,
        allGroups: false,
        resolvedUsers: [{ username: 'ana' }],
      },
    });
    const sequence = await server.lastSequence();
    await admin(update, {
      urn,
      input: policyInput({
        description: 'd',
        actors: { ...nobody, users: [ana], groups: ['urn:li:corpGroup:g'], resourceOwners: true },
      }),
    });
    assert.equal(await server.lastSequence(), sequence, 'equal input changes nothing');
    await admin(remove, { urn });
    assert.equal((await admin(query, { urn }))['policy'], null);
  });

  it('what cannot be meant is refused, and names what it is', async () => {
    const refusals: readonly (readonly [object, RegExp])[] = [
      [policyInput({ name: ' ' }), /name/],
      [policyInput({ privileges: ['EDIT_EVERYTHING'] }), /EDIT_EVERYTHING/],
      [policyInput({ actors: { ...nobody, users: ['ana'] } }), /ana/],
      [policyInput({ actors: { ...nobody, groups: [ana] } }), /corpuser:ana.*corpGroup/],
      [
        policyInput({
          resources: { filter: { criteria: [{ field: 'COLOR', values: [], condition: 'EQUALS' }] } },
        }),
        /COLOR.*DOMAIN/,
      ],
    ];
    const sequence = await server.lastSequence();
    for (const [input, says] of refusals) {
      const { errors } = await server.graphql(create, { input }, server.tokens.Admin);
      assert.match(errors?.[0]?.message ?? '', says);
    }
    assert.equal(await server.lastSequence(), sequence);
  });

  it('policies that come with the catalogue are neither changed nor deleted, and keep their roles', async () => {
    const urn = 'urn:li:dataHubPolicy:system';
    const stored = { displayName: 's', description: '', type: 'PLATFORM', state: 'ACTIVE', privileges: [] };
    const actors = { users: [], groups: [], roles: ['urn:li:dataHubRole:Custom'], ...nobody };
    await server.ingest(urn, 'dataHubPolicyInfo', { ...stored, actors, editable: false });
    assert.equal(await codeOf(update, { urn, input: policyInput() }, server.tokens.Admin), 400);
    assert.equal(await codeOf(remove, { urn }, server.tokens.Admin), 400);
    await server.ingest(urn, 'dataHubPolicyInfo', { ...stored, actors, editable: true });
    await admin(update, { urn, input: policyInput() });
    const roles = await admin(`{ policy(urn: "${urn}") { actors { roles } } }`);
    assert.deepEqual(roles['policy'], { actors: { roles: ['urn:li:dataHubRole:Custom'] } });
    await admin(remove, { urn });
  });

  it('privileges of an entity are what policies let the caller do to it', async () => {
    const urn = await createPolicy(policyInput());
    const query = `query ($urn: String!) { dataset(urn: $urn) { privileges { canEditTags canEditOwners canEditLinks } } }`;
    const may = async (on: string): Promise<JsonValue | undefined> =>
      (await server.data(query, { urn: on }, token))['dataset'];
    const privileges = { canEditTags: true, canEditOwners: false, canEditLinks: false };
    assert.deepEqual(await may(orders), { privileges });
    assert.deepEqual(await may(other), { privileges: { ...privileges, canEditTags: false } });
    await admin(remove, { urn });
    assert.deepEqual(await may(orders), { privileges: { ...privileges, canEditTags: false } });
  });

  it('granted privileges are told to oneself and to who manages policies', async () => {
    const urn = await createPolicy(policyInput());
    const query = `query ($actor: String!, $urn: String!) { getGrantedPrivileges(input: {actorUrn: $actor,
      resourceSpec: {resourceType: DATASET, resourceUrn: $urn}, includeEvaluationDetails: true}) {
      privileges evaluationDetails { policyName reason } } }`;
    const granted = async (
      on: string,
      as: string,
    ): Promise<{ privileges: string[]; evaluationDetails: object[] }> =>
      (await server.data(query, { actor: ana, urn: on }, as))['getGrantedPrivileges'] as never;
    assert.ok((await granted(orders, token)).privileges.includes('EDIT_ENTITY_TAGS'));
    const elsewhere = await granted(other, server.tokens.Admin);
    assert.equal(elsewhere.privileges.includes('EDIT_ENTITY_TAGS'), false);
    assert.match(JSON.stringify(elsewhere.evaluationDetails), /Ana tags orders.*URN EQUALS/);
    assert.equal(await codeOf(query, { actor: ana, urn: orders }, server.tokens.Editor), 403);

    const debug = `{ debugAccess(userUrn: "${ana}") { roles groups policies privileges } }`;
    const { policies, privileges } = (await admin(debug))['debugAccess'] as {
      policies: string[];
      privileges: string[];
    };
    assert.ok(policies.includes(urn));
    assert.ok(privileges.includes('EDIT_ENTITY_TAGS'));
    assert.equal(await codeOf(debug, {}, token), 403);
    await admin(remove, { urn });
  });

  it('access is explained: what grants it, or what is missing and what came near', async () => {
    const urn = await createPolicy(policyInput());
    const query = `query ($input: ExplainAccessInput!) { explainAccess(input: $input) { isAllowed missing demands {
      isAllowed anyOf { privilege isAllowed grantedBy { kind urn name } near { urn name reason } } } } }`;
    type Explained = {
      isAllowed: boolean;
      missing: string | null;
      demands: { anyOf: { privilege: string; grantedBy: object[]; near: { reason: string }[] }[] }[];
    };
    const explain = async (input: object, as: string): Promise<Explained> =>
      (await server.data(query, { input }, as))['explainAccess'] as never;
    const privileges = ['EDIT_ENTITY_TAGS'];

    const allowed = await explain({ actorUrn: ana, privileges, resourceUrn: orders }, server.tokens.Admin);
    assert.equal(allowed.isAllowed, true);
    assert.equal(allowed.missing, null);
    assert.deepEqual(allowed.demands[0]?.anyOf[0]?.grantedBy, [
      { kind: 'POLICY', urn, name: 'Ana tags orders' },
    ]);

    const refused = await explain({ privileges, resourceUrn: other }, token);
    assert.equal(refused.isAllowed, false);
    assert.equal(refused.missing, `${ana} lacks EDIT_ENTITY_TAGS on ${other}`);
    assert.match(refused.demands[0]?.anyOf[0]?.near[0]?.reason ?? '', /asks for URN EQUALS/);

    const forOthers = await explain({ privileges, resourceUrn: orders }, server.tokens.Reader);
    assert.deepEqual(forOthers.demands[0]?.anyOf[0]?.near, [], 'policies for others are not shown');

    const byRole = await explain({ privileges, resourceUrn: other }, server.tokens.Editor);
    assert.deepEqual(byRole.demands[0]?.anyOf[0]?.grantedBy, [
      { kind: 'ROLE', urn: 'urn:li:dataHubRole:Editor', name: 'Editor' },
    ]);

    const byMutation = await explain({ mutation: 'addTag', resourceUrn: other }, token);
    assert.equal(byMutation.missing, `${ana} lacks EDIT_ENTITY or EDIT_ENTITY_TAGS on ${other}`);
    assert.equal((await explain({ mutation: 'addTag', resourceUrn: orders }, token)).isAllowed, true);

    const input = { actorUrn: 'urn:li:corpuser:never', privileges, resourceUrn: orders };
    assert.match((await explain(input, server.tokens.Admin)).missing ?? '', /no user/);
    assert.equal(await codeOf(query, { input }, server.tokens.Editor), 403);
    await admin(remove, { urn });
  });

  it('somebody sees what they may do to an entity, and why not what they may not', async () => {
    const query = `query ($urn: String) { myPrivileges(urn: $urn) { privilege displayName isAllowed missing } }`;
    const own = (await server.data(query, { urn: orders }, token))['myPrivileges'] as {
      privilege: string;
      displayName: string;
      isAllowed: boolean;
      missing: string | null;
    }[];
    assert.deepEqual(
      own.find(({ privilege }) => privilege === 'EDIT_ENTITY_TAGS'),
      {
        privilege: 'EDIT_ENTITY_TAGS',
        displayName: 'Edit Tags',
        isAllowed: false,
        missing: `No role and no policy gives ${ana} EDIT_ENTITY_TAGS on ${orders}`,
      },
    );
    assert.equal(own.find(({ privilege }) => privilege === 'VIEW_ENTITY_PAGE')?.isAllowed, true);
  });

  it('the service tells what policies can grant', async () => {
    const { appConfig } = await admin(
      '{ appConfig { policiesConfig { enabled platformPrivileges { type } resourcePrivileges { resourceType entityType privileges { type } } } } }',
    );
    const { policiesConfig } = appConfig as {
      policiesConfig: {
        enabled: boolean;
        platformPrivileges: { type: string }[];
        resourcePrivileges: { resourceType: string; entityType: string; privileges: { type: string }[] }[];
      };
    };
    assert.equal(policiesConfig.enabled, true);
    assert.ok(policiesConfig.platformPrivileges.some(({ type }) => type === 'MANAGE_POLICIES'));
    const dataset = policiesConfig.resourcePrivileges.find(({ resourceType }) => resourceType === 'dataset');
    assert.equal(dataset?.entityType, 'DATASET');
    assert.ok(dataset?.privileges.some(({ type }) => type === 'EDIT_DATASET_COL_TAGS'));
  });
});
