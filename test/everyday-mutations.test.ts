import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { schemaOf } from './sample-metadata.ts';
import { startTestServer, type TestServer } from './server.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,everyday.orders,PROD)';
const other = 'urn:li:dataset:(urn:li:dataPlatform:hive,everyday.customers,PROD)';
const ana = 'urn:li:corpuser:ana';
const team = 'urn:li:corpGroup:team';
const gold = 'urn:li:tag:gold';
const sales = 'urn:li:domain:sales';
const web = 'urn:li:domain:web';
const steward = 'urn:li:ownershipType:__system__data_steward';

const column = 'subResourceType: DATASET_FIELD, subResource: "id"';

/** Each row is one mutation as a client writes it, and its answer; every row builds on those before it. */
const mutations: readonly (readonly [document: string, answer: unknown])[] = [
  ['createTag(input: {id: "gold", name: "Gold", description: "The best"})', gold],
  ['createTag(input: {id: "lead", name: "Lead"})', 'urn:li:tag:lead'],
  [`setTagColor(urn: "${gold}", colorHex: "#ffd700")`, true],
  [
    `updateTag(urn: "${gold}", input: {urn: "${gold}", name: "Golden"}) {
      urn properties { name description colorHex } ownership { owners { owner { ... on CorpUser { urn } } } } }`,
    {
      urn: gold,
      properties: { name: 'Golden', description: 'The best', colorHex: '#ffd700' },
      ownership: { owners: [{ owner: { urn: 'urn:li:corpuser:editor' } }] },
    },
  ],
  [`addTag(input: {tagUrn: "${gold}", resourceUrn: "${orders}"})`, true],
  [`addTags(input: {tagUrns: ["${gold}", "urn:li:tag:lead"], resourceUrn: "${other}"})`, true],
  [
    `batchAddTags(input: {tagUrns: ["${gold}", "urn:li:tag:lead"],
      resources: [{resourceUrn: "${orders}"}, {resourceUrn: "${orders}", ${column}}]})`,
    true,
  ],
  [`removeTag(input: {tagUrn: "${gold}", resourceUrn: "${orders}", ${column}})`, true],
  [`removeTag(input: {tagUrn: "${sales}", resourceUrn: "${orders}"})`, false],
  [`batchRemoveTags(input: {tagUrns: ["${gold}"], resources: [{resourceUrn: "${other}"}]})`, true],
  [
    `addOwner(input: {ownerUrn: "${ana}", ownerEntityType: CORP_USER, type: TECHNICAL_OWNER,
      resourceUrn: "${orders}"})`,
    true,
  ],
  [
    `addOwners(input: {owners: [{ownerUrn: "${team}", ownerEntityType: CORP_GROUP, ownershipTypeUrn: "${steward}"}],
      resourceUrn: "${orders}"})`,
    true,
  ],
  [
    `batchAddOwners(input: {owners: [{ownerUrn: "${ana}", ownerEntityType: CORP_USER}],
      ownershipTypeUrn: "${steward}", resources: [{resourceUrn: "${orders}"}, {resourceUrn: "${other}"}]})`,
    true,
  ],
  [
    `removeOwner(input: {ownerUrn: "${ana}", ownershipTypeUrn: "${steward}", resourceUrn: "${orders}"})`,
    true,
  ],
  [`batchRemoveOwners(input: {ownerUrns: ["${ana}"], resources: [{resourceUrn: "${other}"}]})`, true],
  [
    'createOwnershipType(input: {name: "Godparent", description: "Looks after it"}) { info { name description } }',
    { info: { name: 'Godparent', description: 'Looks after it' } },
  ],
  ['createDomain(input: {id: "sales", name: "Sales"})', sales],
  [`createDomain(input: {id: "web", name: "Web", description: "Online", parentDomain: "${sales}"})`, web],
  [`setDomain(entityUrn: "${orders}", domainUrn: "${web}")`, true],
  [`batchSetDomain(input: {domainUrn: "${web}", resources: [{resourceUrn: "${other}"}]})`, true],
  [`unsetDomain(entityUrn: "${other}")`, true],
  [`moveDomain(input: {resourceUrn: "${web}", parentDomain: null})`, true],
  [`deleteDomain(urn: "${sales}")`, true],
  [`updateName(input: {urn: "${web}", name: "Online shop"})`, true],
  [`updateDescription(input: {resourceUrn: "${web}", description: "Everything online"})`, true],
  [
    `updateDeprecation(input: {urn: "${orders}", deprecated: true, note: "old", decommissionTime: 7,
      replacement: "${other}"})`,
    true,
  ],
  [
    `batchUpdateDeprecation(input: {deprecated: true, note: "use key",
      resources: [{resourceUrn: "${orders}", ${column}}]})`,
    true,
  ],
  [`batchUpdateSoftDeleted(input: {urns: ["${orders}", "${other}"], deleted: true})`, true],
  [`batchUpdateSoftDeleted(input: {urns: ["${orders}"], deleted: false})`, true],
  ['deleteTag(urn: "urn:li:tag:lead")', true],
];

describe('everyday mutations through GraphQL', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    await server.ingest(orders, 'schemaMetadata', schemaOf(['[version=2.0].[type=int].id']));
    await server.ingest(other, 'datasetProperties', {});
    await server.ingest(ana, 'corpUserInfo', { active: true });
    await server.ingest(team, 'corpGroupInfo', { admins: [], members: [], groups: [] });
  });
  after(() => server.close());

  it('answer what they promise, one after the other', async () => {
    for (const [document, answer] of mutations) {
      assert.deepEqual(await server.data(`mutation { answer: ${document} }`), { answer }, document);
    }
  });

  it('have done what they answered, and can be read at once', async () => {
    const data = await server.data(
      `query read($orders: String!, $other: String!, $web: String!) {
        orders: dataset(urn: $orders) {
          tags { tags { tag { urn } associatedUrn } }
          schemaMetadata { fields { tags { tags { tag { urn } } }
            schemaFieldEntity { deprecation { deprecated note } } } }
          ownership { owners { type ownershipType { urn }
            owner { ... on CorpUser { urn } ... on CorpGroup { urn } } } }
          domain { domain { urn properties { name description } parentDomains { count } } }
          deprecation { deprecated note decommissionTime actor replacement { urn } }
          status { removed }
        }
        other: dataset(urn: $other) {
          tags { tags { tag { urn } } } ownership { owners { type } } domain { domain { urn } } status { removed }
        }
        web: domain(urn: $web) { ownership { owners { type } } }
      }`,
      { orders, other, web },
    );
    assert.deepEqual(data, {
      orders: {
        tags: { tags: [{ tag: { urn: gold }, associatedUrn: orders }] },
        schemaMetadata: {
          fields: [
            {
              tags: { tags: [] },
              schemaFieldEntity: { deprecation: { deprecated: true, note: 'use key' } },
            },
          ],
        },
        ownership: {
          owners: [
            {
              type: 'TECHNICAL_OWNER',
              ownershipType: { urn: 'urn:li:ownershipType:__system__technical_owner' },
              owner: { urn: ana },
            },
            { type: 'DATA_STEWARD', ownershipType: { urn: steward }, owner: { urn: team } },
          ],
        },
        domain: {
          domain: {
            urn: web,
            properties: { name: 'Online shop', description: 'Everything online' },
            parentDomains: { count: 0 },
          },
        },
        deprecation: {
          deprecated: true,
          note: 'old',
          decommissionTime: 7,
          actor: 'urn:li:corpuser:editor',
          replacement: { urn: other },
        },
        status: { removed: false },
      },
      other: { tags: { tags: [] }, ownership: { owners: [] }, domain: null, status: { removed: true } },
      web: { ownership: { owners: [{ type: 'TECHNICAL_OWNER' }] } },
    });
  });

  it('are refused with the codes and texts that clients know', async () => {
    const refused = [
      ['createTag(input: {id: "gold", name: "x"})', 400, 'This Tag already exists!'],
      ['createDomain(input: {id: "web", name: "x"})', 400, 'This Domain already exists!'],
      [
        'createDomain(input: {name: "Online shop"})',
        409,
        '"Online shop" already exists in this domain. Please pick a unique name.',
      ],
      [
        `setDomain(entityUrn: "${orders}", domainUrn: "urn:li:domain:none")`,
        400,
        `Failed to add Entity ${orders} to Domain urn:li:domain:none. Domain does not exist.`,
      ],
      [
        `addOwner(input: {ownerUrn: "urn:li:corpuser:no", ownerEntityType: CORP_USER, resourceUrn: "${orders}"})`,
        400,
        'Failed to change ownership for resource(s). Owner with urn urn:li:corpuser:no does not exist.',
      ],
    ] as const;
    const sequence = await server.lastSequence();
    for (const [document, code, message] of refused) {
      const { errors } = await server.graphql(`mutation { ${document} }`);
      assert.equal(errors?.[0]?.message, message);
      assert.equal(errors[0].extensions.code, code, document);
    }
    assert.equal(await server.lastSequence(), sequence);
  });
});
