import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '../src/aspect/json.ts';
import { mutationSamples, sampleDataset as orders, sampleTerm as term } from './mutation-samples.ts';
import { startTestServer, type SendOptions, type TestServer } from './server.ts';

// Whatever is refused is refused with the contract's status and a message that names the thing, and changes nothing.

let server: TestServer;

before(async () => {
  server = await startTestServer();
  await server.ingest(orders, 'datasetProperties', { description: 'Orders', customProperties: {} });
  await server.ingest(term, 'glossaryTermInfo', { name: 'Order', definition: '', termSource: 'INTERNAL' });
});

after(() => server.close());

type Refusal = {
  readonly what: string;
  readonly path: string;
  readonly options: SendOptions;
  readonly status: number;
  /** What the body, or for an empty body the header X-Postil-Error, must say. */
  readonly says: RegExp;
};

const graphql = (query: string, variables: object = {}): SendOptions => ({ body: { query, variables } });

const addTerms = 'mutation ($input: AddTermsInput!) { addTerms(input: $input) }';

const proposal = (parts: object): SendOptions => ({
  body: {
    proposal: {
      entityType: 'dataset',
      entityUrn: orders,
      changeType: 'UPSERT',
      aspectName: 'status',
      aspect: { contentType: 'application/json', value: '{"removed":true}' },
      ...parts,
    },
  },
});

const ingestProposal = '/aspects?action=ingestProposal';
const definition = (rules: object): object => ({
  input: {
    name: 'n',
    category: 'c',
    definition: { json: JSON.stringify({ on: { types: ['dataset'] }, rules }) },
  },
});
const createTest = 'mutation ($input: CreateTestInput!) { createTest(input: $input) }';
const value = (text: string): object => ({ aspect: { contentType: 'application/json', value: text } });

const refusals: readonly Refusal[] = [
  {
    what: 'an unknown entity',
    path: '/api/graphql',
    options: graphql(addTerms, {
      input: { termUrns: [term], resourceUrn: orders.replace('orders', 'ordres') },
    }),
    status: 200,
    says: /shop\.ordres,PROD\)\. Entity does not exist\./,
  },
  {
    what: 'a column of a dataset without a schema',
    path: '/api/graphql',
    options: graphql(addTerms, {
      input: { termUrns: [term], resourceUrn: orders, subResourceType: 'DATASET_FIELD', subResource: 'id' },
    }),
    status: 200,
    says: /has no schema\./,
  },
  {
    what: 'an unknown term',
    path: '/api/graphql',
    options: graphql(addTerms, { input: { termUrns: ['urn:li:glossaryTerm:Ordre'], resourceUrn: orders } }),
    status: 200,
    says: /urn:li:glossaryTerm:Ordre\. Urn does not exist\./,
  },
  {
    what: 'a malformed URN',
    path: '/api/graphql',
    options: graphql(addTerms, { input: { termUrns: [term], resourceUrn: 'urn:li:dataset:(broken' } }),
    status: 200,
    says: /urn:li:dataset:\(broken/,
  },
  {
    what: 'a value of the wrong type',
    path: '/api/graphql',
    options: graphql(addTerms, { input: { termUrns: 5, resourceUrn: orders } }),
    status: 200,
    says: /termUrns/,
  },
  {
    what: 'an unknown operator',
    path: '/api/graphql',
    options: graphql(createTest, definition([{ property: 'urn', operator: 'equal', values: ['x'] }])),
    status: 200,
    says: /Unsupported operation 'equal'.*equals/,
  },
  {
    what: 'an unknown property',
    path: '/api/graphql',
    options: graphql(createTest, definition([{ property: 'ownreship.owners', operator: 'exists' }])),
    status: 200,
    says: /ownreship/,
  },
  {
    what: 'an unknown aspect',
    path: ingestProposal,
    options: proposal({ aspectName: 'statos' }),
    status: 400,
    says: /statos.*status/,
  },
  {
    what: 'an aspect that its entity type cannot carry',
    path: ingestProposal,
    options: proposal({ aspectName: 'corpUserInfo' }),
    status: 400,
    says: /corpUserInfo/,
  },
  {
    what: 'an unknown entity type',
    path: ingestProposal,
    options: proposal({ entityType: 'datset', entityUrn: 'urn:li:datset:x' }),
    status: 400,
    says: /datset.*dataset/,
  },
  {
    what: 'an entity type that is not the type of the URN',
    path: ingestProposal,
    options: proposal({ entityType: 'chart' }),
    status: 400,
    says: /chart/,
  },
  {
    what: 'an aspect whose member has the wrong type',
    path: ingestProposal,
    options: proposal({ aspectName: 'globalTags', ...value('{"tags":[{"tag":"urn:li:corpuser:x"}]}') }),
    status: 422,
    says: /\/tags\/0\/tag/,
  },
  {
    what: 'an aspect that lacks a required member',
    path: ingestProposal,
    options: proposal({ aspectName: 'glossaryTerms', ...value('{}') }),
    status: 422,
    says: /terms/,
  },
  {
    what: 'an aspect value that is no JSON',
    path: ingestProposal,
    options: proposal(value('{"removed":')),
    status: 422,
    says: /JSON/,
  },
  {
    what: 'a body that is no JSON',
    path: ingestProposal,
    options: { body: '{"proposal"' },
    status: 400,
    says: /JSON/,
  },
  {
    what: 'a body in another format',
    path: '/api/graphql',
    options: { body: 'query=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    status: 415,
    says: /application\/json/,
  },
  {
    what: 'a body that is too large',
    path: '/api/graphql',
    options: { body: JSON.stringify({ query: `{ me { __typename } } #${'x'.repeat(1024 * 1024)}` }) },
    status: 413,
    says: /1048576 bytes/,
  },
  {
    what: 'a document with too many tokens',
    path: '/api/graphql',
    options: graphql(`{ ${'me { __typename } '.repeat(2_000)} }`),
    status: 200,
    says: /tokens/,
  },
  {
    what: 'a document that is nested too deeply',
    path: '/api/graphql',
    options: graphql('{ a '.repeat(5_000)),
    status: 200,
    says: /tokens|nested/,
  },
  { what: 'an unknown path', path: '/nowhere', options: { body: {} }, status: 404, says: /\/nowhere/ },
  {
    what: 'an unknown action',
    path: '/aspects?action=explode',
    options: { body: {} },
    status: 400,
    says: /explode/,
  },
  {
    what: 'an answer in a format that is not spoken',
    path: '/api/graphql',
    options: { ...graphql('{ me { __typename } }'), headers: { accept: 'text/html' } },
    status: 406,
    says: /application\/json/,
  },
  {
    what: 'an access token that is ingested',
    path: ingestProposal,
    options: proposal({
      entityType: 'dataHubAccessToken',
      entityUrn: 'urn:li:dataHubAccessToken:mine',
      aspectName: 'dataHubAccessTokenInfo',
      ...value(
        '{"name":"n","actorUrn":"urn:li:corpuser:datahub","ownerUrn":"urn:li:corpuser:datahub","createdAt":0}',
      ),
    }),
    status: 403,
    says: /./,
  },
  {
    what: 'a role that an editor gives to itself',
    path: ingestProposal,
    options: proposal({
      entityType: 'corpuser',
      entityUrn: 'urn:li:corpuser:editor',
      aspectName: 'roleMembership',
      ...value('{"roles":["urn:li:dataHubRole:Admin"]}'),
    }),
    status: 403,
    says: /Unauthorized/,
  },
];

for (const { what, path, options, status, says } of refusals) {
  test(`refused, and nothing changed: ${what}`, async () => {
    const sequence = await server.lastSequence();
    const answer = await server.send('POST', path, options);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.text, says);
    if (status === 200) {
      const { errors } = answer.body as { readonly errors?: readonly JsonObject[] };
      assert.ok(errors !== undefined && errors.length > 0, answer.text);
    }
    assert.equal(await server.lastSequence(), sequence);
  });
}

test('a batch with one bad proposal stores none of it', async () => {
  const sequence = await server.lastSequence();
  const good = { ...(proposal({}).body as { readonly proposal: object }).proposal };
  const answer = await server.send('POST', '/aspects?action=ingestProposalBatch', {
    body: { proposals: [good, { ...good, aspectName: 'nonsense' }] },
  });
  assert.equal(answer.status, 400);
  assert.equal(await server.lastSequence(), sequence);
});

test('a revoked token is refused by every door', async () => {
  const created = await server.data(
    `mutation { createAccessToken(input: {type: PERSONAL, actorUrn: "urn:li:corpuser:editor", duration: ONE_HOUR, name: "short"}) {
      accessToken metadata { id } } }`,
  );
  const { accessToken, metadata } = created['createAccessToken'] as {
    accessToken: string;
    metadata: { id: string };
  };
  const paths = ['/api/graphql', '/gms/api/graphql', ingestProposal, '/test?action=evaluate'];
  for (const path of paths) {
    const answer = await server.send('POST', path, { token: accessToken, body: {} });
    assert.equal(answer.status, 400, path);
  }
  await server.data(`mutation { revokeAccessToken(tokenId: "${metadata.id}") }`);
  for (const path of paths) {
    const answer = await server.send('POST', path, { token: accessToken, body: {} });
    assert.equal(answer.status, 401, path);
  }
});

test('a reader is refused every mutation that the schema has', async () => {
  const { __schema: schema } = await server.data(
    '{ __schema { mutationType { fields { name args { name type { kind name ofType { kind name } } } type { kind ofType { kind } } } } } }',
  );
  const { mutationType } = schema as {
    readonly mutationType: { readonly fields: readonly { readonly name: string }[] };
  };
  const sequence = await server.lastSequence();
  const own = new Set(['createAccessToken', 'revokeAccessToken']);
  // Only evaluates: whatever would be stored is of tests that the reader cannot name here.
  const harmless = new Set(['runTestDefinition']);
  const asked: string[] = [];
  for (const { name } of mutationType.fields) {
    const sample = mutationSamples[name];
    if (own.has(name)) continue;
    assert.ok(sample !== undefined, `${name} needs a sample call in this test`);
    const { errors } = await server.graphql(`mutation { ${sample} }`, {}, server.tokens.Reader);
    if (!harmless.has(name)) {
      assert.equal(errors?.[0]?.extensions.code, 403, `${name}: ${JSON.stringify(errors)}`);
    }
    asked.push(name);
  }
  assert.ok(asked.length >= 20, `${asked.length} mutations`);
  assert.equal(await server.lastSequence(), sequence);
});
