import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '../src/aspect/json.ts';
import { startTestServer, type TestServer } from './server.ts';

/*
 * Answers of queries are kept until an entity changes that they were made from. Whatever changes, directly or through
 * something that is referred to, the same query has to tell it at once.
 */

const dataset = 'urn:li:dataset:(urn:li:dataPlatform:kept,orders,PROD)';
const sibling = 'urn:li:dataset:(urn:li:dataPlatform:kept,sibling,PROD)';
const instance = 'urn:li:dataPlatformInstance:(urn:li:dataPlatform:kept,one)';
const term = 'urn:li:glossaryTerm:kept';
const user = 'urn:li:corpuser:kept';

const members = `
  exists status { removed } effectiveDescription editableProperties { description }
  platform { displayName } dataPlatformInstance { properties { name } }
  parentContainers { count containers { properties { name } } }
  domain { domain { properties { name } parentDomains { count } } }
  ownership { owners { owner { ... on CorpUser { exists properties { displayName } } } } }
  glossaryTerms { terms { term { exists properties { name description } parentNodes { nodes { properties { name } } } } } }
  tags { tags { tag { properties { name } } } }
  siblings { siblings { ... on Dataset { exists } } }
  institutionalMemory { elements { label author { properties { displayName } } } }
  testResults { passing { test { name } } }
  schemaMetadata { fields { fieldPath description glossaryTerms { terms { term { properties { name } } } } } }`;

const kept = `query kept($urn: String!) { dataset(urn: $urn) { ${members} } }`;
const observed =
  'query observed($urn: String!) { dataset(urn: $urn) { lastIngested schema { lastObserved } } }';
const columns =
  'query columns($urn: String!) { dataset(urn: $urn) { schemaMetadata { fields { fieldPath description } } } }';

const field = { type: { type: { 'com.linkedin.schema.StringType': {} } }, nativeDataType: 'text' };
const schema = (description: string): JsonObject => ({
  schemaName: 'orders',
  platform: 'urn:li:dataPlatform:kept',
  version: 0,
  hash: '',
  platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
  fields: [{ fieldPath: 'id', description, ...field }],
});
const definition = { json: JSON.stringify({ on: { types: ['dataset'] }, rules: [] }) };

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const mutation =
  (text: string, variables: object = {}) =>
  (): Promise<unknown> =>
    server.data(`mutation ${text}`, variables);
const ingestion = (urn: string, aspect: string, body: JsonObject) => (): Promise<unknown> =>
  server.ingest(urn, aspect, body);
const column = `subResource: "id", subResourceType: DATASET_FIELD`;

const steps: readonly (readonly [name: string, step: () => Promise<unknown>])[] = [
  ['a dataset is stored', ingestion(dataset, 'schemaMetadata', schema('ingested'))],
  [
    'a term is referred to',
    ingestion(dataset, 'glossaryTerms', { terms: [{ urn: term }], auditStamp: { time: 0, actor: user } }),
  ],
  ['the term is created', mutation('{ createGlossaryTerm(input: { id: "kept", name: "one" }) }')],
  ['the term is renamed', mutation(`{ updateName(input: { urn: "${term}", name: "two" }) }`)],
  [
    'the term is defined',
    mutation(`{ updateDescription(input: { resourceUrn: "${term}", description: "d" }) }`),
  ],
  [
    'the term is moved',
    mutation(`{ createGlossaryNode(input: { id: "kept", name: "node" })
      updateParentNode(input: { resourceUrn: "${term}", parentNode: "urn:li:glossaryNode:kept" }) }`),
  ],
  [
    'its node is renamed',
    mutation('{ updateName(input: { urn: "urn:li:glossaryNode:kept", name: "other" }) }'),
  ],
  ['its node is deleted', mutation('{ deleteGlossaryEntity(urn: "urn:li:glossaryNode:kept") }')],
  [
    'the dataset is put in a container',
    ingestion(dataset, 'container', { container: 'urn:li:container:inner' }),
  ],
  [
    'the container is put in another',
    ingestion('urn:li:container:inner', 'container', { container: 'urn:li:container:outer' }),
  ],
  [
    'the outer container is named',
    ingestion('urn:li:container:outer', 'containerProperties', { name: 'outer' }),
  ],
  [
    'the outer container is renamed',
    ingestion('urn:li:container:outer', 'containerProperties', { name: 'renamed' }),
  ],
  [
    'an owner is named',
    ingestion(dataset, 'ownership', {
      owners: [{ owner: user, type: 'NONE' }],
      lastModified: { time: 0, actor: user },
    }),
  ],
  ['the owner is stored', ingestion(user, 'corpUserInfo', { active: true, displayName: 'one' })],
  ['the owner is renamed', ingestion(user, 'corpUserInfo', { active: true, displayName: 'two' })],
  [
    'the platform gets a name',
    ingestion('urn:li:dataPlatform:kept', 'dataPlatformInfo', {
      name: 'kept',
      displayName: 'Kept',
      type: 'OTHERS',
      datasetNameDelimiter: '.',
    }),
  ],
  [
    'the dataset is on an instance',
    ingestion(dataset, 'dataPlatformInstance', { platform: 'urn:li:dataPlatform:kept', instance }),
  ],
  ['the instance is named', ingestion(instance, 'dataPlatformInstanceProperties', { name: 'one' })],
  ['the dataset is in a domain', ingestion(dataset, 'domains', { domains: ['urn:li:domain:kept'] })],
  ['the domain is named', ingestion('urn:li:domain:kept', 'domainProperties', { name: 'domain' })],
  [
    'the domain is put in another',
    ingestion('urn:li:domain:kept', 'domainProperties', {
      name: 'domain',
      parentDomain: 'urn:li:domain:top',
    }),
  ],
  ['the dataset is tagged', ingestion(dataset, 'globalTags', { tags: [{ tag: 'urn:li:tag:kept' }] })],
  ['the tag is named', ingestion('urn:li:tag:kept', 'tagProperties', { name: 'Tag' })],
  [
    'the dataset is described',
    mutation(`{ updateDescription(input: { resourceUrn: "${dataset}", description: "d" }) }`),
  ],
  ['the schema is ingested anew', ingestion(dataset, 'schemaMetadata', schema('anew'))],
  [
    'the column is described',
    mutation(`{ updateDescription(input: { resourceUrn: "${dataset}", description: "c", ${column} }) }`),
  ],
  [
    'a term is put on the column',
    mutation(`{ addTerms(input: { termUrns: ["${term}"], resourceUrn: "${dataset}", ${column} }) }`),
  ],
  [
    'the column’s edit is taken away',
    mutation(`{ updateDescription(input: { resourceUrn: "${dataset}", description: "", ${column} }) }`),
  ],
  [
    'a link is added',
    mutation(
      `{ updateDataset(urn: "${dataset}", input: { institutionalMemory: { elements: { url: "https://a.example", author: "${user}" } } }) { urn } }`,
    ),
  ],
  ['the link’s author is renamed', ingestion(user, 'corpUserInfo', { active: true, displayName: 'three' })],
  ['a sibling is named', ingestion(dataset, 'siblings', { siblings: [sibling], primary: true })],
  ['the sibling is stored', ingestion(sibling, 'status', { removed: false })],
  [
    'a test is evaluated',
    async () => {
      await server.data(
        'mutation ($definition: TestDefinitionInput!) { createTest(input: { id: "kept", name: "one", category: "c", definition: $definition }) }',
        { definition },
      );
      const { status } = await server.send('POST', '/test?action=evaluate', {
        body: { urn: dataset, shouldPush: true },
      });
      assert.equal(status, 200);
    },
  ],
  [
    'the test is renamed',
    mutation(
      '($definition: TestDefinitionInput!) { updateTest(urn: "urn:li:test:kept", input: { name: "two", category: "c", definition: $definition }) }',
      { definition },
    ),
  ],
  ['the test is deleted', mutation('{ deleteTest(urn: "urn:li:test:kept") }')],
  ['the term is deleted', mutation(`{ deleteGlossaryEntity(urn: "${term}") }`)],
  ['the dataset is marked as removed', ingestion(dataset, 'status', { removed: true })],
];

test('a kept answer tells every change of whatever it was made from, at once', async () => {
  const ask = async (query: string): Promise<string> =>
    JSON.stringify(await server.data(query, { urn: dataset }));
  for (const [name, step] of steps) {
    await ask(columns);
    const before = await ask(kept);
    assert.equal(await ask(kept), before);
    await step();
    const told = await ask(kept);
    assert.notEqual(told, before, name);
    // Privileges depend on the caller, so an answer with them is never kept.
    const fresh = await ask(
      kept.replace('dataset(urn: $urn) {', 'dataset(urn: $urn) { privileges { canEditLinks }'),
    );
    assert.equal(fresh.replace('"privileges":{"canEditLinks":true},', ''), told, name);
    const all = JSON.parse(told) as {
      readonly dataset: { readonly schemaMetadata: { readonly fields: readonly JsonObject[] } };
    };
    const plain = all.dataset.schemaMetadata.fields.map(({ fieldPath, description }) => ({
      fieldPath,
      description,
    }));
    assert.equal(
      await ask(columns),
      JSON.stringify({ dataset: { schemaMetadata: { fields: plain } } }),
      name,
    );
  }
});

test('when something was last ingested is told also where ingestion changed nothing', async () => {
  for (const time of [1_000, 2_000]) {
    const proposal = {
      entityUrn: sibling,
      changeType: 'UPSERT',
      aspectName: 'schemaMetadata',
      aspect: { contentType: 'application/json', value: JSON.stringify(schema('same')) },
      systemMetadata: { lastObserved: time, runId: 'run' },
    };
    const { status } = await server.send('POST', '/aspects?action=ingestProposal', { body: { proposal } });
    assert.equal(status, 200);
    for (let repeat = 0; repeat < 2; repeat += 1) {
      assert.deepEqual(await server.data(observed, { urn: sibling }), {
        dataset: { lastIngested: time, schema: { lastObserved: time } },
      });
    }
  }
});
