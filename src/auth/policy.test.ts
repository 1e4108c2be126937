import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import type { JsonObject } from '../aspect/json.ts';
import { parseUrn, type Urn } from '../urn/urn.ts';
import { isAllowedOn } from './authorize.ts';
import type { Caller } from './caller.ts';
import { callerWith, readPolicies, standingAspects, standingOf } from './standing.ts';

const ana = parseUrn('urn:li:corpuser:ana');
const steward = 'urn:li:ownershipType:__system__data_steward';
const orders = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)');
const other = parseUrn('urn:li:dataset:(urn:li:dataPlatform:kafka,other,PROD)');
const chart = parseUrn('urn:li:chart:(looker,c)');

/** A policy that lets ana tag everything, with other members in the place of those. */
function policy(parts: JsonObject = {}): JsonObject {
  return {
    displayName: 'p',
    description: '',
    type: 'METADATA',
    state: 'ACTIVE',
    privileges: ['EDIT_ENTITY_TAGS'],
    editable: true,
    actors: actors({ users: [ana] }),
    ...parts,
  };
}

function actors(parts: JsonObject): JsonObject {
  return { users: [], groups: [], resourceOwners: false, allUsers: false, allGroups: false, ...parts };
}

function criterion(field: string, values: readonly string[], condition = 'EQUALS'): JsonObject {
  return { resources: { filter: { criteria: [{ field, values: [...values], condition }] } } };
}

type Case = {
  readonly what: string;
  readonly policy: JsonObject;
  /** Where ana may tag by it: on orders, on another dataset, on a chart. */
  readonly allows: readonly ('orders' | 'other' | 'chart')[];
};

const everywhere = ['orders', 'other', 'chart'] as const;

const cases: readonly Case[] = [
  { what: 'a policy without resources holds for all', policy: policy(), allows: everywhere },
  { what: 'an inactive policy grants nothing', policy: policy({ state: 'INACTIVE' }), allows: [] },
  { what: 'a draft grants nothing', policy: policy({ state: 'DRAFT' }), allows: [] },
  {
    what: 'another privilege does not do',
    policy: policy({ privileges: ['EDIT_ENTITY_OWNERS'] }),
    allows: [],
  },
  {
    what: 'another user gets nothing',
    policy: policy({ actors: actors({ users: ['urn:li:corpuser:bob'] }) }),
    allows: [],
  },
  { what: 'all users', policy: policy({ actors: actors({ allUsers: true }) }), allows: everywhere },
  {
    what: 'a group of the user',
    policy: policy({ actors: actors({ groups: ['urn:li:corpGroup:data'] }) }),
    allows: everywhere,
  },
  {
    what: 'a native group of the user',
    policy: policy({ actors: actors({ groups: ['urn:li:corpGroup:native'] }) }),
    allows: everywhere,
  },
  {
    what: 'a group that was removed',
    policy: policy({ actors: actors({ groups: ['urn:li:corpGroup:removed'] }) }),
    allows: [],
  },
  {
    what: 'a group that does not exist',
    policy: policy({ actors: actors({ groups: ['urn:li:corpGroup:never'] }) }),
    allows: [],
  },
  { what: 'all groups', policy: policy({ actors: actors({ allGroups: true }) }), allows: everywhere },
  {
    what: 'a role of the user',
    policy: policy({ actors: actors({ roles: ['urn:li:dataHubRole:Steward'] }) }),
    allows: everywhere,
  },
  {
    what: 'a role of a group of the user',
    policy: policy({ actors: actors({ roles: ['urn:li:dataHubRole:OfGroup'] }) }),
    allows: everywhere,
  },
  {
    what: 'owners, by themselves and by their groups',
    policy: policy({ actors: actors({ resourceOwners: true }) }),
    allows: ['orders', 'other'],
  },
  {
    what: 'owners of one type',
    policy: policy({ actors: actors({ resourceOwners: true, resourceOwnersTypes: [steward] }) }),
    allows: ['orders'],
  },
  {
    what: 'types of owners without owners',
    policy: policy({ actors: actors({ resourceOwnersTypes: [steward] }) }),
    allows: [],
  },
  {
    what: 'one type, all resources',
    policy: policy({ resources: { type: 'dataset', allResources: true } }),
    allows: ['orders', 'other'],
  },
  {
    what: 'one type, some resources',
    policy: policy({ resources: { type: 'dataset', resources: [orders], allResources: false } }),
    allows: ['orders'],
  },
  {
    what: 'some resources of another type',
    policy: policy({ resources: { type: 'chart', resources: [orders] } }),
    allows: [],
  },
  {
    what: 'resources that name nothing',
    policy: policy({ resources: { type: 'dataset', allResources: false } }),
    allows: [],
  },
  { what: 'by type', policy: policy(criterion('TYPE', ['chart', 'tag'])), allows: ['chart'] },
  {
    what: 'by type, under its old name',
    policy: policy(criterion('RESOURCE_TYPE', ['chart'])),
    allows: ['chart'],
  },
  {
    what: 'by the start of the URN',
    policy: policy(criterion('URN', ['urn:li:dataset:(urn:li:dataPlatform:hive,'], 'STARTS_WITH')),
    allows: ['orders'],
  },
  {
    what: 'all but one',
    policy: policy(criterion('URN', [orders], 'NOT_EQUALS')),
    allows: ['other', 'chart'],
  },
  { what: 'by domain', policy: policy(criterion('DOMAIN', ['urn:li:domain:shop'])), allows: ['orders'] },
  {
    what: 'by a domain above',
    policy: policy(criterion('DOMAIN', ['urn:li:domain:company'])),
    allows: ['orders'],
  },
  {
    what: 'by container',
    policy: policy(criterion('CONTAINER', ['urn:li:container:db'])),
    allows: ['orders'],
  },
  { what: 'by tag', policy: policy(criterion('TAG', ['urn:li:tag:Pii'])), allows: ['orders'] },
  {
    what: 'by term',
    policy: policy(criterion('GLOSSARY_TERM', ['urn:li:glossaryTerm:Order'])),
    allows: ['orders'],
  },
  { what: 'by owner', policy: policy(criterion('OWNER', [ana])), allows: ['orders'] },
  {
    what: 'by platform',
    policy: policy(criterion('DATA_PLATFORM', ['urn:li:dataPlatform:kafka'])),
    allows: ['other'],
  },
  {
    what: 'by what is not known, even if negated',
    policy: policy(criterion('COLOUR', ['red'], 'NOT_EQUALS')),
    allows: [],
  },
  {
    what: 'by a condition that is not known',
    policy: policy(criterion('TYPE', ['dataset'], 'MATCHES')),
    allows: [],
  },
  { what: 'by no value', policy: policy(criterion('TYPE', [])), allows: [] },
  {
    what: 'criteria all have to hold',
    policy: policy({
      resources: {
        filter: {
          criteria: [
            { field: 'TYPE', values: ['dataset'], condition: 'EQUALS' },
            { field: 'TAG', values: ['urn:li:tag:Pii'], condition: 'NOT_EQUALS' },
          ],
        },
      },
    }),
    allows: ['other'],
  },
  {
    what: 'a constraint on what is put on, where nothing says what it is',
    policy: policy({
      resources: {
        allResources: true,
        privilegeConstraints: {
          criteria: [{ field: 'URN', values: ['urn:li:tag:Pii'], condition: 'EQUALS' }],
        },
      },
    }),
    allows: [],
  },
];

describe('what a policy allows', () => {
  let catalogue: TestCatalogue;

  before(async () => {
    catalogue = await openTestCatalogue();
    await catalogue.seed(ana, {
      roleMembership: { roles: ['urn:li:dataHubRole:Steward'] },
      groupMembership: {
        groups: ['urn:li:corpGroup:data', 'urn:li:corpGroup:removed', 'urn:li:corpGroup:never'],
      },
      nativeGroupMembership: { nativeGroups: ['urn:li:corpGroup:native'] },
    });
    await catalogue.seed('urn:li:corpGroup:data', {
      roleMembership: { roles: ['urn:li:dataHubRole:OfGroup'] },
    });
    await catalogue.seed('urn:li:corpGroup:native');
    await catalogue.seed('urn:li:corpGroup:removed', { status: { removed: true } });
    await catalogue.seed('urn:li:domain:company', { domainProperties: { name: 'Company' } });
    await catalogue.seed('urn:li:domain:shop', {
      domainProperties: { name: 'Shop', parentDomain: 'urn:li:domain:company' },
    });
    const stamp = { time: 0, actor: ana };
    await catalogue.seed(orders, {
      ownership: { owners: [{ owner: ana, type: 'DATA_STEWARD' }], lastModified: stamp },
      domains: { domains: ['urn:li:domain:shop'] },
      container: { container: 'urn:li:container:db' },
      globalTags: { tags: [{ tag: 'urn:li:tag:Pii' }] },
      glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:Order' }], auditStamp: stamp },
    });
    await catalogue.seed(other, {
      ownership: {
        owners: [{ owner: 'urn:li:corpGroup:data', type: 'CUSTOM', typeUrn: 'urn:li:ownershipType:x' }],
        lastModified: stamp,
      },
    });
  });
  after(() => catalogue.close());

  async function callerBy(...bodies: readonly JsonObject[]): Promise<Caller> {
    const policies: Urn[] = [];
    for (const [index, body] of bodies.entries()) {
      policies.push(await catalogue.seed(`urn:li:dataHubPolicy:p${index}`, { dataHubPolicyInfo: body }));
    }
    const user = await catalogue.store.read(ana, standingAspects);
    const standing = await standingOf(catalogue.store, ana, user);
    const inForce = (await readPolicies(catalogue.store)).filter(({ urn }) => policies.includes(urn));
    return callerWith(standing, inForce, undefined);
  }

  const may = (caller: Caller, on: Urn, about?: readonly Urn[]): Promise<boolean> =>
    isAllowedOn(catalogue.store, caller, [
      { anyOf: ['EDIT_ENTITY_TAGS'], on, ...(about === undefined ? {} : { about }) },
    ]);

  for (const { what, policy: body, allows } of cases) {
    it(what, async () => {
      const caller = await callerBy(body);
      const found = [];
      if (await may(caller, orders)) found.push('orders');
      if (await may(caller, other)) found.push('other');
      if (await may(caller, chart)) found.push('chart');
      assert.deepEqual(found, allows);
    });
  }

  it('a constraint lets put on what it names, and nothing beside it', async () => {
    const [pii, tier] = [parseUrn('urn:li:tag:Pii'), parseUrn('urn:li:tag:Tier')];
    const caller = await callerBy(
      policy({
        resources: {
          allResources: true,
          privilegeConstraints: { criteria: [{ field: 'URN', values: [pii], condition: 'EQUALS' }] },
        },
      }),
    );
    assert.equal(await may(caller, orders, [pii]), true);
    assert.equal(await may(caller, orders, [pii, tier]), false);
    assert.equal(await may(caller, orders, []), false);
  });

  it('a demand without a resource is not met by a policy on resources', async () => {
    const caller = await callerBy(policy({ privileges: ['MANAGE_TAGS'], ...criterion('TYPE', ['tag']) }));
    assert.equal(await isAllowedOn(catalogue.store, caller, [{ anyOf: ['MANAGE_TAGS'] }]), false);
    const tag = parseUrn('urn:li:tag:Pii');
    assert.equal(await isAllowedOn(catalogue.store, caller, [{ anyOf: ['MANAGE_TAGS'], on: tag }]), true);
  });

  it('of several demands each is met by whichever policy', async () => {
    const caller = await callerBy(policy(criterion('URN', [orders])), policy(criterion('URN', [other])));
    const demand = (on: Urn) => ({ anyOf: ['EDIT_ENTITY_TAGS'], on }) as const;
    assert.equal(await isAllowedOn(catalogue.store, caller, [demand(orders), demand(other)]), true);
    assert.equal(await isAllowedOn(catalogue.store, caller, [demand(orders), demand(chart)]), false);
  });

  it('granting more never forbids, and taking a policy away never allows', async () => {
    const seed = Number(process.env['POSTIL_SEED'] ?? Date.now() % 1_000_000);
    let state = seed;
    const random = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    const bodies = cases.map((each) => each.policy);
    const resources = [orders, other, chart];
    for (let round = 0; round < 60; round += 1) {
      const fewer = Array.from({ length: random(4) }, () => bodies[random(bodies.length)] ?? policy());
      const more = [...fewer, bodies[random(bodies.length)] ?? policy()];
      const less = await callerBy(...fewer);
      const allowed = await Promise.all(resources.map((on) => may(less, on)));
      const greater = await callerBy(...more);
      const allowedByMore = await Promise.all(resources.map((on) => may(greater, on)));
      for (const [index, isAllowed] of allowed.entries()) {
        assert.ok(!isAllowed || allowedByMore[index] === true, `seed ${seed}, round ${round}`);
      }
    }
  });
});
