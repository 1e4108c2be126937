import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { orders } from '../../test/sample-metadata.ts';
import { startTestServer, type Answer, type TestServer } from '../../test/server.ts';
import type { JsonObject } from '../aspect/json.ts';
import { parseUrn } from '../urn/urn.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer({ keepsVerdicts: false });
});

after(() => server.close());

const ana = 'urn:li:corpuser:ana';
const team = 'urn:li:corpGroup:shop';
const [sales, web] = ['urn:li:domain:sales', 'urn:li:domain:web'];
const type = (id: string): string => `urn:li:ownershipType:${id}`;

let datasets = 0;
const newDataset = (): string => orders.replace('orders', `orders_${(datasets += 1)}`);

const classNames: Readonly<Record<string, string>> = {
  ownership: 'com.linkedin.common.Ownership',
  domains: 'com.linkedin.domain.Domains',
};

type Door = (urn: string, aspect: string, text: string) => Promise<Answer>;

function proposal(changeType: string): Door {
  return (urn, aspectName, value) =>
    server.send('POST', '/aspects?action=ingestProposal', {
      body: {
        proposal: {
          entityType: 'dataset',
          entityUrn: urn,
          aspectName,
          changeType,
          aspect: { value, contentType: 'application/json' },
          systemMetadata: { runId: 'nightly' },
        },
      },
    });
}

const doors: Readonly<Record<string, Door>> = {
  UPSERT: proposal('UPSERT'),
  CREATE: proposal('CREATE'),
  snapshot: (urn, aspect, text) =>
    server.send('POST', '/entities?action=ingest', {
      body:
        '{"entity":{"value":{"com.linkedin.metadata.snapshot.DatasetSnapshot":{"urn":' +
        `${JSON.stringify(urn)},"aspects":[{${JSON.stringify(classNames[aspect])}:${text}}]}}}}`,
    }),
};

async function stored(urn: string, aspect: string): Promise<JsonObject | undefined> {
  return (await server.catalogue.store.read(parseUrn(urn), [aspect])).get(aspect)?.body;
}

async function storedText(urn: string, aspect: string): Promise<string | undefined> {
  return (await server.catalogue.store.read(parseUrn(urn), [aspect])).get(aspect)?.text;
}

test('ingested owners and domains are kept as they came, and a repeat changes nothing', async () => {
  const sent: readonly (readonly [aspect: string, text: string])[] = [
    ['ownership', `{"owners":[{"owner":"${ana}","type":"NONE"}],"more":[1.0,12345678901234567890]}`],
    ['ownership', `{"owners":[{"owner":"${ana}","type":"NONE"}],"ownerTypes":{}}`],
    ['domains', `{"domains":["${sales}","${web}"]}`],
    ['domains', `{"domains":["${sales}"],"domainAssociations":[{"domain":"${sales}","more":1.0}]}`],
  ];
  for (const [door, send] of Object.entries(doors)) {
    for (const [aspect, text] of sent) {
      const urn = newDataset();
      const answer = await send(urn, aspect, text);
      assert.equal(answer.status, 200, `${door}: ${answer.text}`);
      assert.equal(await storedText(urn, aspect), text, door);
      const sequence = await server.lastSequence();
      if (door !== 'CREATE') await send(urn, aspect, text);
      assert.equal(await server.lastSequence(), sequence, door);
    }
  }
});

test('mutations of owners keep the types in step', async () => {
  const urn = newDataset();
  await server.ingest(ana, 'corpUserInfo', { active: true });
  await server.ingest(urn, 'ownership', { owners: [{ owner: team, type: 'DATAOWNER' }] });
  const input = `{ownerUrn: "${ana}", ownerEntityType: CORP_USER, type: TECHNICAL_OWNER, resourceUrn: "${urn}"}`;
  await server.data(`mutation { addOwner(input: ${input}) }`);
  assert.deepEqual((await stored(urn, 'ownership'))?.['ownerTypes'], {
    [type('__system__dataowner')]: [team],
    [type('__system__technical_owner')]: [ana],
  });
});

test('domains that are said in associations alone stand in the list, and leave both places with a mutation', async () => {
  const urn = newDataset();
  const attributed = { domain: sales, attribution: { time: 1, actor: ana } };
  await proposal('UPSERT')(urn, 'domains', JSON.stringify({ domains: [], domainAssociations: [attributed] }));
  assert.deepEqual(await stored(urn, 'domains'), { domains: [sales], domainAssociations: [attributed] });
  await server.data(`mutation { unsetDomain(entityUrn: "${urn}") }`);
  assert.deepEqual(await stored(urn, 'domains'), { domains: [], domainAssociations: [] });
});

test('domains that are sent in two ways and differ are refused, over every door', async () => {
  for (const [door, send] of Object.entries(doors)) {
    const urn = newDataset();
    const before = await server.lastSequence();
    const body = { domains: [sales], domainAssociations: [{ domain: web }] };
    const answer = await send(urn, 'domains', JSON.stringify(body));
    assert.equal(answer.status, 400, `${door}: ${answer.text}`);
    assert.match(answer.text, /send one of them, or both with the same domains/);
    assert.equal(await server.lastSequence(), before);
  }
});

test('a domain that is set by a mutation stands in both places', async () => {
  const urn = newDataset();
  await server.ingest(urn, 'status', { removed: false });
  await server.ingest(sales, 'domainProperties', { name: 'Sales' });
  await server.data(`mutation { setDomain(entityUrn: "${urn}", domainUrn: "${sales}") }`);
  assert.deepEqual(await stored(urn, 'domains'), {
    domains: [sales],
    domainAssociations: [{ domain: sales }],
  });
});

test('a system policy is deleted over no door, neither whole nor what it says', async () => {
  const policy = 'urn:li:dataHubPolicy:0';
  const text = { type: 'METADATA', state: 'ACTIVE', displayName: 'd', description: '', privileges: [] };
  await server.ingest(policy, 'dataHubPolicyInfo', {
    ...text,
    actors: { resourceOwners: false, allUsers: false, allGroups: false },
    editable: false,
  });
  const token = server.tokens.Admin;
  const deletion = (aspectName: string): Promise<Answer> =>
    server.send('POST', '/aspects?action=ingestProposal', {
      token,
      body: {
        proposal: { entityType: 'dataHubPolicy', entityUrn: policy, aspectName, changeType: 'DELETE' },
      },
    });
  const answers = [
    await deletion('dataHubPolicyKey'),
    await deletion('dataHubPolicyInfo'),
    await server.send('POST', '/entities?action=delete', { token, body: { urn: policy } }),
    await server.send('POST', '/entities?action=delete', {
      token,
      body: { urn: policy, aspectName: 'dataHubPolicyInfo' },
    }),
  ];
  for (const answer of answers) assert.equal(answer.status, 400, answer.text);
  const { errors } = await server.graphql(`mutation { deletePolicy(urn: "${policy}") }`, {}, token);
  assert.equal(errors?.[0]?.extensions.code, 400);
  assert.ok(await stored(policy, 'dataHubPolicyInfo'));
});
