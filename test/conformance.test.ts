import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isJsonObject, type JsonObject, type JsonValue } from '../src/aspect/json.ts';
import { startTestServer, type GraphqlBody, type TestServer } from './server.ts';

// The conformance list of contract section 16, in its order, as amended by the decision records. What one door stores is
// read back through the other: GraphQL writes through GET /aspects, ingested aspects through GraphQL.

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const customers = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.customers,PROD)';
const missing = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.missing,PROD)';
const revenue = 'urn:li:glossaryTerm:rateofreturn';

let server: TestServer;

before(async () => {
  server = await startTestServer();
  for (const urn of [orders, customers]) {
    await server.ingest(urn, 'datasetProperties', { description: 'As ingested', customProperties: {} });
    await server.ingest(urn, 'schemaMetadata', schemaOf(['[version=2.0].[type=string].user_name', 'amount']));
  }
  await server.ingest('urn:li:chart:(looker,1)', 'chartInfo', {
    title: 'Chart',
    description: '',
    lastModified: {
      created: { time: 0, actor: 'urn:li:corpuser:x' },
      lastModified: { time: 0, actor: 'urn:li:corpuser:x' },
    },
  });
  await server.ingest('urn:li:tag:pii', 'tagProperties', { name: 'pii' });
});

after(() => server.close());

function schemaOf(paths: readonly string[]): JsonObject {
  return {
    schemaName: 's',
    platform: 'urn:li:dataPlatform:hive',
    version: 0,
    hash: '',
    platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
    fields: paths.map((fieldPath) => ({
      fieldPath,
      nullable: true,
      type: { type: { 'com.linkedin.schema.StringType': {} } },
      nativeDataType: 'string',
      recursive: false,
      description: `ingested ${fieldPath}`,
    })),
  };
}

/** The stored aspect as the other door gives it; undefined when there is none. */
async function aspectOf(urn: string, aspect: string): Promise<JsonObject | undefined> {
  const answer = await server.send('GET', `/aspects/${encodeURIComponent(urn)}?aspect=${aspect}&version=0`);
  if (answer.status === 404) return undefined;
  assert.equal(answer.status, 200, answer.text);
  const { aspect: record } = answer.body as { readonly aspect: JsonObject };
  return Object.values(record)[0] as JsonObject;
}

/** A list of objects in a stored body; empty where it is absent. */
function listIn(body: JsonObject | undefined, member: string): readonly JsonObject[] {
  return (body?.[member] ?? []) as readonly JsonObject[];
}

async function refused(
  query: string,
  variables: object,
  code: number,
  message: RegExp,
  token?: string,
): Promise<GraphqlBody> {
  const sequence = await server.lastSequence();
  const answer = await server.graphql(query, variables, token);
  const [error] = answer.errors ?? [];
  assert.ok(error !== undefined, `expected an error, got ${JSON.stringify(answer)}`);
  assert.match(error.message, message);
  assert.equal(error.extensions.code, code);
  assert.equal(error.extensions.classification, 'DataFetchingException');
  assert.equal(await server.lastSequence(), sequence, 'a refusal changes nothing');
  return answer;
}

const createTerm = 'mutation c($input: CreateGlossaryEntityInput!) { createGlossaryTerm(input: $input) }';
const addTerms = 'mutation a($input: AddTermsInput!) { addTerms(input: $input) }';
const removeTerm = 'mutation r($input: TermAssociationInput!) { removeTerm(input: $input) }';
const batchRemoveTerms = 'mutation b($input: BatchRemoveTermsInput!) { batchRemoveTerms(input: $input) }';
const batchAddTerms = 'mutation b($input: BatchAddTermsInput!) { batchAddTerms(input: $input) }';
const updateDescription = 'mutation d($input: DescriptionUpdateInput!) { updateDescription(input: $input) }';
const columnUserName = { subResourceType: 'DATASET_FIELD', subResource: 'user_name' };

test('1: a created term is answered with its URN, in exactly the documented body', async () => {
  const answer = await server.send('POST', '/api/graphql', {
    body: {
      query: createTerm,
      variables: { input: { name: 'Rate of Return', id: 'rateofreturn', description: 'What comes back.' } },
    },
  });
  assert.equal(answer.text, `{"data":{"createGlossaryTerm":"${revenue}"},"extensions":{}}`);
  assert.equal(answer.headers.get('content-type'), 'application/json;charset=utf-8');
  const { name, definition, termSource } = (await aspectOf(revenue, 'glossaryTermInfo')) ?? {};
  assert.deepEqual(
    { name, definition, termSource },
    { name: 'Rate of Return', definition: 'What comes back.', termSource: 'INTERNAL' },
  );
});

test('2: the same again is refused by its name', async () => {
  const input = { name: 'Rate of Return', id: 'rateofreturn' };
  await refused(
    createTerm,
    { input },
    400,
    /^Glossary Term with this name already exists at this level of the Business Glossary/,
  );
});

test('3: another name with the same id is refused by its id', async () => {
  await refused(
    createTerm,
    { input: { name: 'Other', id: 'rateofreturn' } },
    400,
    /^This Glossary Term already exists!/,
  );
});

test('4: without an id the URN has a new one', async () => {
  const { createGlossaryTerm } = await server.data(createTerm, { input: { name: 'Without id' } });
  assert.match(String(createGlossaryTerm), /^urn:li:glossaryTerm:[0-9a-f]{8}-[0-9a-f-]{27}$/);
});

test('5: without a name nothing is executed', async () => {
  const answer = await server.graphql('mutation { createGlossaryTerm(input: {id: "x"}) }');
  assert.equal(answer.data, null);
  assert.equal(answer.errors?.[0]?.extensions.classification, 'ValidationError');
});

test('6 and 7: a term is attached once, however often it is added, and reads with name and description', async () => {
  for (let round = 0; round < 2; round += 1) {
    assert.deepEqual(await server.data(addTerms, { input: { termUrns: [revenue], resourceUrn: orders } }), {
      addTerms: true,
    });
  }
  const { dataset } = await server.data(
    `{ dataset(urn: "${orders}") { glossaryTerms { terms { term { urn glossaryTermInfo { name description } } } } } }`,
  );
  assert.deepEqual(dataset, {
    glossaryTerms: {
      terms: [
        {
          term: {
            urn: revenue,
            glossaryTermInfo: { name: 'Rate of Return', description: 'What comes back.' },
          },
        },
      ],
    },
  });
  const stored = await aspectOf(orders, 'glossaryTerms');
  assert.equal(listIn(stored, 'terms').length, 1);
});

test('8: an unknown term is refused', async () => {
  const input = { termUrns: [revenue, 'urn:li:glossaryTerm:nowhere'], resourceUrn: customers };
  await refused(
    addTerms,
    { input },
    400,
    /^Failed to validate label with urn urn:li:glossaryTerm:nowhere\. Urn does not exist\./,
  );
});

test('9: a tag is no term', async () => {
  const input = { termUrns: ['urn:li:tag:pii'], resourceUrn: orders };
  await refused(
    addTerms,
    { input },
    400,
    /^Failed to validate label with urn urn:li:tag:pii\. Urn type does not match entity type glossaryTerm\.\./,
  );
});

test('10: an unknown dataset is refused', async () => {
  await refused(
    addTerms,
    { input: { termUrns: [revenue], resourceUrn: missing } },
    400,
    /Entity does not exist\./,
  );
});

test('11: a term on a column is found by the simple path and stays off the dataset itself', async () => {
  const input = { termUrns: [revenue], resourceUrn: customers, ...columnUserName };
  assert.deepEqual(await server.data(addTerms, { input }), { addTerms: true });
  const { dataset } = await server.data(
    `{ dataset(urn: "${customers}") { glossaryTerms { terms { term { urn } } }
       editableSchemaMetadata { editableSchemaFieldInfo { fieldPath glossaryTerms { terms { term { urn } } } } } } }`,
  );
  assert.deepEqual(dataset, {
    glossaryTerms: null,
    editableSchemaMetadata: {
      editableSchemaFieldInfo: [
        {
          fieldPath: '[version=2.0].[type=string].user_name',
          glossaryTerms: { terms: [{ term: { urn: revenue } }] },
        },
      ],
    },
  });
});

test('12: an unknown column is refused', async () => {
  const input = {
    termUrns: [revenue],
    resourceUrn: orders,
    subResourceType: 'DATASET_FIELD',
    subResource: 'nope',
  };
  await refused(addTerms, { input }, 400, /Field nope does not exist in the datasets schema\./);
});

test('13: a column without its type, and a type without its column, are refused in two texts', async () => {
  const input = { termUrns: [revenue], resourceUrn: orders };
  await refused(
    addTerms,
    { input: { ...input, subResource: 'amount' } },
    400,
    /SubResource \(amount\) provided without a subResourceType\./,
  );
  await refused(
    addTerms,
    { input: { ...input, subResourceType: 'DATASET_FIELD' } },
    400,
    /SubResourceType \(DATASET_FIELD\) provided without a subResource\./,
  );
});

test('14: an unknown kind of sub-resource is no valid document', async () => {
  const answer = await server.graphql(
    `mutation { addTerms(input: {termUrns: ["${revenue}"], resourceUrn: "${orders}", subResourceType: FOO, subResource: "amount"}) }`,
  );
  assert.equal(answer.data, null);
  assert.equal(answer.errors?.[0]?.extensions.classification, 'ValidationError');
});

test('15: removing a term that is not attached is true and changes nothing', async () => {
  const sequence = await server.lastSequence();
  assert.deepEqual(await server.data(removeTerm, { input: { termUrn: revenue, resourceUrn: customers } }), {
    removeTerm: true,
  });
  assert.equal(await server.lastSequence(), sequence);
});

test('16: removing what is no term is false, without an error', async () => {
  const input = { termUrn: 'urn:li:tag:pii', resourceUrn: orders };
  assert.deepEqual(await server.data(removeTerm, { input }), { removeTerm: false });
});

test('17: a term that was deleted can be removed', async () => {
  const input = { termUrn: 'urn:li:glossaryTerm:deleted-long-ago', resourceUrn: orders };
  assert.deepEqual(await server.data(removeTerm, { input }), { removeTerm: true });
});

test('18: a batch with one missing dataset changes none', async () => {
  const input = { termUrns: [revenue], resources: [{ resourceUrn: orders }, { resourceUrn: missing }] };
  await refused(batchRemoveTerms, { input }, 400, /Entity does not exist\./);
});

test('19: a batch over two columns of one dataset keeps both', async () => {
  const resources = ['user_name', 'amount'].map((subResource) => ({
    resourceUrn: orders,
    subResourceType: 'DATASET_FIELD',
    subResource,
  }));
  assert.deepEqual(await server.data(batchAddTerms, { input: { termUrns: [revenue], resources } }), {
    batchAddTerms: true,
  });
  const stored = await aspectOf(orders, 'editableSchemaMetadata');
  assert.deepEqual(
    listIn(stored, 'editableSchemaFieldInfo').map(({ fieldPath }) => fieldPath),
    ['[version=2.0].[type=string].user_name', 'amount'],
  );
});

test('20 and 21: updateDataset writes description and link, and leaves the ingested description', async () => {
  const query = `mutation u($urn: String!, $input: DatasetUpdateInput!) { updateDataset(urn: $urn, input: $input) { urn } }`;
  const input = {
    editableProperties: { description: '# Edited\n\nTwo lines.' },
    institutionalMemory: {
      elements: { author: 'urn:li:corpuser:jdoe', url: 'https://example.com/orders', description: 'Wiki' },
    },
  };
  const answer = await server.send('POST', '/api/graphql', {
    body: { query, variables: { urn: orders, input } },
  });
  assert.equal(answer.text, `{"data":{"updateDataset":{"urn":"${orders}"}},"extensions":{}}`);
  const { dataset } = await server.data(
    `{ dataset(urn: "${orders}") { properties { description } editableProperties { description }
       institutionalMemory { elements { url label description author { urn } created { actor } } } } }`,
  );
  assert.deepEqual(dataset, {
    properties: { description: 'As ingested' },
    editableProperties: { description: '# Edited\n\nTwo lines.' },
    institutionalMemory: {
      elements: [
        {
          url: 'https://example.com/orders',
          label: 'Wiki',
          description: 'Wiki',
          author: { urn: 'urn:li:corpuser:jdoe' },
          created: { actor: 'urn:li:corpuser:jdoe' },
        },
      ],
    },
  });
  await refused(query, { urn: missing, input }, 400, /does not exist\.$/);
});

test('22: a column description is stored as an edit, and reads where the specification reads it', async () => {
  const input = { description: 'Who **bought**', resourceUrn: orders, ...columnUserName };
  assert.deepEqual(await server.data(updateDescription, { input }), { updateDescription: true });
  const { dataset } = await server.data(
    `{ dataset(urn: "${orders}") { schemaMetadata { fields { fieldPath description } } } }`,
  );
  assert.deepEqual((dataset as { schemaMetadata: { fields: JsonObject[] } }).schemaMetadata.fields[0], {
    fieldPath: '[version=2.0].[type=string].user_name',
    description: 'Who **bought**',
  });
  const ingested = await aspectOf(orders, 'schemaMetadata');
  assert.equal(
    listIn(ingested, 'fields')[0]?.['description'],
    'ingested [version=2.0].[type=string].user_name',
  );
});

test('23: a chart has no description to update', async () => {
  const input = { description: 'x', resourceUrn: 'urn:li:chart:(looker,1)' };
  await refused(
    updateDescription,
    { input },
    500,
    /Unsupported resource type urn:li:chart:\(looker,1\) provided\./,
  );
});

test('24: a block string is stored without its indentation', async () => {
  await server.data(`mutation { updateDescription(input: {
    resourceUrn: "${orders}", subResourceType: DATASET_FIELD, subResource: "amount",
    description: """
      First line

        indented
    """
  }) }`);
  const stored = await aspectOf(orders, 'editableSchemaMetadata');
  const records = listIn(stored, 'editableSchemaFieldInfo');
  assert.equal(
    records.find(({ fieldPath }) => fieldPath === 'amount')?.['description'],
    'First line\n\n  indented',
  );
});

test('25: a dataset that was never stored reads as what its URN says', async () => {
  const { dataset } = await server.data(
    `{ dataset(urn: "${missing}") { urn exists name origin platform { urn } properties { description } } }`,
  );
  assert.deepEqual(dataset, {
    urn: missing,
    exists: false,
    name: 'shop.missing',
    origin: 'PROD',
    platform: { urn: 'urn:li:dataPlatform:hive' },
    properties: null,
  });
  assert.equal(
    (await server.send('GET', `/aspects/${encodeURIComponent(missing)}?aspect=datasetKey`)).status,
    404,
  );
});

test('26: without a token, or with a bad one, every door answers 401 before it looks at the body', async () => {
  for (const path of ['/api/graphql', '/gms/test?action=evaluate', '/aspects?action=ingestProposal']) {
    for (const token of [null, 'nobody-made-this-token-ever']) {
      const answer = await server.send('POST', path, { token, body: '{broken' });
      assert.equal(answer.status, 401, `${path} ${token}`);
      assert.equal((answer.body as JsonObject)['message'], 'Unauthorized to perform this action.');
    }
  }
});

test('27 and 28: a body that is no JSON or has no query is 400 with an empty body', async () => {
  for (const body of ['{broken', '{}', 'null', '""', '[]']) {
    const answer = await server.send('POST', '/api/graphql', { body });
    assert.deepEqual([answer.status, answer.text], [400, ''], body);
  }
});

test('29: GET of the GraphQL path is 405', async () => {
  const answer = await server.send('GET', '/api/graphql');
  assert.equal(answer.status, 405);
  assert.equal(answer.headers.get('allow'), 'POST');
});

test('30: an unknown field is a validation error in DataHub’s words', async () => {
  const answer = await server.graphql(`{ dataset(urn: "${orders}") { nope } }`);
  assert.equal(answer.data, null);
  assert.deepEqual(answer.extensions, {});
  assert.equal(
    answer.errors?.[0]?.message,
    "Validation error (FieldUndefined@[dataset/nope]) : Field 'nope' in type 'Dataset' is undefined",
  );
  assert.deepEqual(answer.errors?.[0]?.extensions, { classification: 'ValidationError' });
});

test('31: a reader may not attach terms', async () => {
  const answer = await refused(
    addTerms,
    { input: { termUrns: [revenue], resourceUrn: orders } },
    403,
    /^Unauthorized to perform this action\. Please contact your DataHub administrator\.$/,
    server.tokens.Reader,
  );
  assert.equal(answer.errors?.[0]?.extensions.type, 'UNAUTHORIZED');
  assert.deepEqual(answer.data, { addTerms: null });
});

const createTest = 'mutation t($input: CreateTestInput!) { createTest(input: $input) }';

function testInput(id: string, property: string): object {
  const definition = { on: { types: ['dataset'] }, rules: [{ property, operator: 'exists' }] };
  return { id, name: id, category: 'c', definition: { json: JSON.stringify(definition) } };
}

/** What an evaluation answers, without the hash of the definition and the time, which every entry has to have. */
function judged(body: JsonValue | undefined): JsonValue | undefined {
  return JSON.parse(JSON.stringify(body ?? null), (_key, value: JsonValue) => {
    if (!isJsonObject(value) || value['test'] === undefined) return value;
    const { testDefinitionMd5, lastComputed, ...rest } = value;
    assert.match(String(testDefinitionMd5), /^[0-9a-f]{32}$/);
    assert.ok(
      isJsonObject(lastComputed) && typeof lastComputed['time'] === 'number' && lastComputed['actor'] !== '',
    );
    return rest;
  }) as JsonValue;
}

test('32 to 35: evaluating answers passing and failing, stores only when asked, and a subset keeps the rest', async () => {
  await server.data(createTest, { input: testInput('has-terms', 'glossaryTerms.terms.urn') });
  await server.data(createTest, { input: testInput('has-owner', 'ownership.owners.owner') });
  const expected = {
    value: {
      passing: [{ test: 'urn:li:test:has-terms', type: 'SUCCESS' }],
      failing: [{ test: 'urn:li:test:has-owner', type: 'FAILURE' }],
    },
  };
  const before = { results: await aspectOf(orders, 'testResults'), sequence: await server.lastSequence() };
  for (const path of [
    '/gms/test?action=evaluate',
    '/test?action=evaluate',
    '/api/gms/test?action=evaluate',
  ]) {
    const answer = await server.send('POST', path, { body: { urn: orders } });
    assert.deepEqual([answer.status, judged(answer.body)], [200, expected], path);
  }
  const after = { results: await aspectOf(orders, 'testResults'), sequence: await server.lastSequence() };
  assert.deepEqual(after, before, 'without a push nothing is stored, and results are as they were');

  for (const push of [{ shouldPush: true }, { push: true }]) {
    const answer = await server.send('POST', '/gms/test?action=evaluate', { body: { urn: orders, ...push } });
    assert.deepEqual(judged(answer.body), expected);
  }
  const read = `{ dataset(urn: "${orders}") { testResults { passing { test { urn name } type } failing { test { urn } type } } } }`;
  const results = {
    passing: [{ test: { urn: 'urn:li:test:has-terms', name: 'has-terms' }, type: 'SUCCESS' }],
    failing: [{ test: { urn: 'urn:li:test:has-owner' }, type: 'FAILURE' }],
  };
  assert.deepEqual((await server.data(read))['dataset'], { testResults: results });

  const unknown = await server.send('POST', '/gms/test?action=evaluate', {
    body: { urn: orders, testUrns: ['urn:li:test:has-terms', 'urn:li:test:nowhere'] },
  });
  assert.deepEqual(judged(unknown.body), { value: { passing: expected.value.passing, failing: [] } });
  assert.match(unknown.headers.get('x-postil-warning') ?? '', /urn:li:test:nowhere/);

  const sequence = await server.lastSequence();
  await server.send('POST', '/gms/test?action=evaluate', {
    body: { urn: orders, shouldPush: true, testUrns: ['urn:li:test:has-terms'] },
  });
  assert.equal(await server.lastSequence(), sequence, 'a confirmed result stores nothing');
  assert.deepEqual((await server.data(read))['dataset'], { testResults: results });
});

test('36: evaluating needs the URN of an entity that exists', async () => {
  const sequence = await server.lastSequence();
  const without = await server.send('POST', '/gms/test?action=evaluate', { body: {} });
  assert.equal(without.status, 400);
  assert.equal(without.headers.get('x-restli-error-response'), 'true');
  assert.deepEqual(without.body, {
    exceptionClass: 'com.linkedin.restli.server.RestLiServiceException',
    message: "Parameter 'urn' is required",
    status: 400,
  });
  const unknown = await server.send('POST', '/gms/test?action=evaluate', {
    body: { urn: missing, shouldPush: true },
  });
  assert.equal(unknown.status, 404);
  const malformed = await server.send('POST', '/gms/test?action=evaluate', { body: { urn: 'nonsense' } });
  assert.equal(malformed.status, 400);
  assert.equal(await server.lastSequence(), sequence);
});

test('37: a failing field is told by its alias', async () => {
  const answer = await server.graphql(
    `mutation { x: addTerms(input: {termUrns: ["urn:li:glossaryTerm:nowhere"], resourceUrn: "${orders}"}) }`,
  );
  assert.deepEqual(answer.errors?.[0]?.path, ['x']);
  assert.deepEqual(answer.errors?.[0]?.locations, [{ line: 1, column: 12 }]);
  assert.deepEqual(answer.data, { x: null });
});

test('38: of two mutations the second runs, although the first failed', async () => {
  const answer = await server.graphql(
    `mutation { a: addTerms(input: {termUrns: ["urn:li:glossaryTerm:nowhere"], resourceUrn: "${orders}"})
       b: addTerms(input: {termUrns: ["${revenue}"], resourceUrn: "${customers}"}) }`,
  );
  assert.deepEqual(answer.data, { a: null, b: true });
  assert.equal(answer.errors?.length, 1);
});

test('39: a deleted term is gone from datasets and columns in the same moment', async () => {
  assert.deepEqual(
    await server.data('mutation ($urn: String!) { deleteGlossaryEntity(urn: $urn) }', { urn: revenue }),
    {
      deleteGlossaryEntity: true,
    },
  );
  const { dataset } = await server.data(
    `{ dataset(urn: "${orders}") { glossaryTerms { terms { term { urn } } }
       schemaMetadata { fields { glossaryTerms { terms { term { urn } } } } } } }`,
  );
  assert.ok(!JSON.stringify(dataset).includes(revenue), JSON.stringify(dataset));
  assert.ok(!JSON.stringify(await aspectOf(orders, 'editableSchemaMetadata')).includes(revenue));
  assert.equal(await aspectOf(revenue, 'glossaryTermInfo'), undefined);
});

test('40: /config answers without a token', async () => {
  const answer = await server.send('GET', '/config', { token: null });
  assert.equal(answer.status, 200);
  assert.equal((answer.body as JsonObject)['noCode'], 'true');
});
