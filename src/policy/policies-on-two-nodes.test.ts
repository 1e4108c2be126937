import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { schemaForEachTest } from '../../test/postgres-schemas.ts';
import { startTestServer, type TestServer } from '../../test/server.ts';
import { openStore } from '../storage/open-store.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)';
const shop = 'urn:li:domain:shop';
const tag = `mutation { addTag(input: {tagUrn: "urn:li:tag:Pii", resourceUrn: "${orders}"}) }`;

describe('two processes on one PostgreSQL', () => {
  const schema = schemaForEachTest('policies');

  async function codeOf(server: TestServer, query: string): Promise<number | undefined> {
    const { errors } = await server.graphql(query, {}, server.tokens.Reader);
    return errors?.[0]?.extensions.code;
  }

  it('a policy that one takes back is gone there at once, and soon at the other', async () => {
    await using here = await startTestServer({ store: await openStore(schema.url), keepsVerdicts: false });
    await using there = await startTestServer({ store: await openStore(schema.url), keepsVerdicts: false });
    await here.ingest('urn:li:tag:Pii', 'tagProperties', { name: 'Pii' });
    await here.ingest(shop, 'domainProperties', { name: 'Shop' });
    await here.ingest(orders, 'domains', { domains: [shop] });
    const created = await here.data(
      `mutation { createPolicy(input: {type: METADATA, name: "n", state: ACTIVE, privileges: ["EDIT_ENTITY_TAGS"],
         actors: {users: ["urn:li:corpuser:reader"], allUsers: false, allGroups: false, resourceOwners: false},
         resources: {filter: {criteria: [{field: "DOMAIN", values: ["${shop}"], condition: EQUALS}]}}}) }`,
      {},
      here.tokens.Admin,
    );
    assert.equal(await codeOf(here, tag), undefined);
    while ((await codeOf(there, tag)) !== undefined) await delay(50);

    // What the resource is, is looked up when the write is decided, wherever it was changed.
    await here.ingest(orders, 'domains', { domains: [] });
    assert.equal(await codeOf(there, tag), 403);
    await here.ingest(orders, 'domains', { domains: [shop] });
    assert.equal(await codeOf(there, tag), undefined);

    const deletion = 'mutation ($urn: String!) { deletePolicy(urn: $urn) }';
    await here.data(deletion, { urn: created['createPolicy'] }, here.tokens.Admin);
    assert.equal(await codeOf(here, tag), 403);
    while ((await codeOf(there, tag)) === undefined) await delay(50);
  });
});
