import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../src/aspect/json.ts';
import { runPostil, startServerProcess, type ServerProcess } from './process-server.ts';

// The service specification's walkthrough against the real server, on DataHub's own bootstrap file. Requests are written as
// the specification writes them: literals inline, trailing commas, single objects where lists are declared.

const token = 'walkthrough-administrator-token';
const bootstrap = fileURLToPath(new URL('data/bootstrap_mce.json', import.meta.url));
const created = 'urn:li:dataset:(urn:li:dataPlatform:hive,fct_users_created,PROD)';
const deleted = 'urn:li:dataset:(urn:li:dataPlatform:hive,fct_users_deleted,PROD)';
const term = 'urn:li:glossaryTerm:rateofreturn';
const folder = mkdtempSync(join(tmpdir(), 'postil-walkthrough-'));

let server: ServerProcess;

before(async () => {
  server = await startServerProcess(['--store', join(folder, 'store'), '--no-sample'], {
    POSTIL_TOKEN: token,
  });
  const { code, out, err } = await runPostil(['ingest', bootstrap, '--server', server.url, '--token', token]);
  assert.deepEqual([code, err.includes('0 records failed')], [0, true], out + err);
});

after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function post(path: string, body: object): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

async function statusOf(path: string): Promise<number> {
  const response = await fetch(server.url + path, { headers: { Authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.status;
}

async function data(query: string): Promise<JsonObject> {
  const { status, text } = await post('/api/graphql', { query, variables: {} });
  assert.equal(status, 200);
  const answer = JSON.parse(text) as { data: JsonObject; errors?: unknown; extensions: object };
  assert.equal(answer.errors, undefined, text);
  assert.deepEqual(answer.extensions, {});
  return answer.data;
}

async function termsOf(urn: string): Promise<readonly string[]> {
  const { dataset } = await data(
    `query { dataset(urn: "${urn}") { glossaryTerms { terms { term { urn glossaryTermInfo { name description } } } } } }`,
  );
  const { glossaryTerms } = dataset as { glossaryTerms: { terms: { term: { urn: string } }[] } | null };
  return (glossaryTerms?.terms ?? []).map((each) => each.term.urn);
}

type Column = {
  fieldPath: string;
  description: string | null;
  glossaryTerms: { terms: { term: { urn: string } }[] } | null;
};

async function columnOf(urn: string, path: string): Promise<Column | undefined> {
  const { dataset } = await data(
    `query { dataset(urn: "${urn}") { schemaMetadata { fields { fieldPath description glossaryTerms { terms { term { urn } } } } } } }`,
  );
  const { schemaMetadata } = dataset as { schemaMetadata: { fields: Column[] } };
  return schemaMetadata.fields.find(({ fieldPath }) => fieldPath === path);
}

test('a term is created, attached to a dataset and to a column, and read back from both', async () => {
  assert.deepEqual(
    await data(`mutation createGlossaryTerm { createGlossaryTerm(input: {
      name: "Rate of Return",
      id: "rateofreturn",
      description: "A rate of return (RoR) is the net gain or loss of an investment over a specified time period."
    },) }`),
    { createGlossaryTerm: term },
  );
  assert.deepEqual(
    await data(
      `mutation addTerms { addTerms(input: { termUrns: ["${term}"], resourceUrn: "${created}", }) }`,
    ),
    { addTerms: true },
  );
  assert.deepEqual(
    await data(`mutation addTerms { addTerms(input: { termUrns: ["${term}"], resourceUrn: "${created}",
      subResourceType: DATASET_FIELD, subResource: "user_name" }) }`),
    { addTerms: true },
  );
  assert.ok((await termsOf(created)).includes(term));
  const column = await columnOf(created, 'user_name');
  assert.ok(column?.glossaryTerms?.terms.some((each) => each.term.urn === term));
});

test('the term is removed from the dataset and from the column', async () => {
  assert.deepEqual(
    await data(`mutation { removeTerm(input: { termUrn: "${term}", resourceUrn: "${created}" }) }`),
    {
      removeTerm: true,
    },
  );
  assert.deepEqual(
    await data(`mutation { removeTerm(input: { termUrn: "${term}", resourceUrn: "${created}",
      subResourceType: DATASET_FIELD, subResource: "user_name" }) }`),
    { removeTerm: true },
  );
  assert.ok(!(await termsOf(created)).includes(term));
  assert.ok(!JSON.stringify(await columnOf(created, 'user_name')).includes(term));
});

test('terms are removed from two datasets at once', async () => {
  for (const urn of [created, deleted]) {
    await data(`mutation { addTerms(input: { termUrns: ["${term}"], resourceUrn: "${urn}" }) }`);
    assert.ok((await termsOf(urn)).includes(term));
  }
  assert.deepEqual(
    await data(`mutation batchRemoveTerms { batchRemoveTerms(input: { termUrns: ["${term}"],
      resources: [ { resourceUrn: "${created}"}, { resourceUrn: "${deleted}"} ] }) }`),
    { batchRemoveTerms: true },
  );
  for (const urn of [created, deleted]) assert.ok(!(await termsOf(urn)).includes(term));
});

test('a description and a link are written to a dataset, even with raw line breaks in an ordinary string', async () => {
  const ingested = await data(`{ dataset(urn: "${deleted}") { properties { description } } }`);
  assert.deepEqual(
    await data(`mutation updateDataset { updateDataset( urn: "${deleted}",
      input: { editableProperties: { description: "## The Real Story
Deleted users, one row each." },
        institutionalMemory: { elements: { author: "urn:li:corpuser:jdoe", url: "https://example.com/real", description: "real story" } } }
    ) { urn } }`),
    { updateDataset: { urn: deleted } },
  );
  const { dataset } = await data(
    `{ dataset(urn: "${deleted}") { properties { description } editableProperties { description } institutionalMemory { elements { url description author { urn } } } } }`,
  );
  const read = dataset as JsonObject & { institutionalMemory: { elements: JsonObject[] } };
  assert.deepEqual(read['editableProperties'], {
    description: '## The Real Story\nDeleted users, one row each.',
  });
  assert.deepEqual(read['properties'], (ingested['dataset'] as JsonObject)['properties']);
  assert.ok(
    read.institutionalMemory.elements.some(
      ({ url, description }) => url === 'https://example.com/real' && description === 'real story',
    ),
  );
});

test('a column is described in several lines of markdown', async () => {
  const description = '# Name\n\n- as the user **typed** it\n- not unique\n';
  assert.deepEqual(
    await data(`mutation updateDescription { updateDescription(input: { description: ${JSON.stringify(description)},
      resourceUrn: "${created}", subResource: "user_name", subResourceType: DATASET_FIELD }) }`),
    { updateDescription: true },
  );
  assert.equal((await columnOf(created, 'user_name'))?.description, description);
});

test('a metadata test is created and evaluated, with and without storing the outcome', async () => {
  const definition = JSON.stringify({
    on: { types: ['dataset'] },
    rules: [{ property: 'editableDatasetProperties.description', operator: 'exists' }],
  });
  assert.deepEqual(
    await data(`mutation { createTest(input: { id: "described", name: "Described", category: "Documentation",
      definition: { json: ${JSON.stringify(definition)} } }) }`),
    { createTest: 'urn:li:test:described' },
  );
  const results = `{ dataset(urn: "${deleted}") { testResults { passing { test { urn } } failing { test { urn } } } } }`;
  const kept = { passing: [{ test: { urn: 'urn:li:test:described' } }], failing: [] };
  // Results follow what is saved and written by themselves (on by default); evaluating without a push changes none.
  assert.deepEqual(await data(results), { dataset: { testResults: kept } });
  const evaluated = await post('/gms/test?action=evaluate', {
    urn: deleted,
    testUrns: ['urn:li:test:described'],
  });
  const { value } = JSON.parse(evaluated.text) as {
    value: { passing: { test: string; type: string }[]; failing: [] };
  };
  const [only] = value.passing;
  assert.deepEqual([only?.test, only?.type, value.failing], ['urn:li:test:described', 'SUCCESS', []]);
  assert.deepEqual(await data(results), { dataset: { testResults: kept } });
  const stored = `/aspects/${encodeURIComponent(deleted)}?aspect=testResults&version=1`;
  assert.equal(await statusOf(stored), 404, 'without a push nothing is stored');
  await post('/gms/test?action=evaluate', { urn: deleted, shouldPush: true });
  assert.equal(await statusOf(stored), 200);
  assert.deepEqual(await data(results), { dataset: { testResults: kept } });
});

test('a column of a version 2 schema is found by its simple path', async () => {
  const file = fileURLToPath(new URL('data/kafka_field_paths_v2.json', import.meta.url));
  const { code } = await runPostil(['ingest', file, '--server', server.url, '--token', token]);
  assert.equal(code, 0);
  const urn = 'urn:li:dataset:(urn:li:dataPlatform:kafka,key_value_topic,PROD)';
  const { dataset } = await data(`{ dataset(urn: "${urn}") { schemaMetadata { fields { fieldPath } } } }`);
  const paths = (dataset as { schemaMetadata: { fields: Column[] } }).schemaMetadata.fields.map(
    ({ fieldPath }) => fieldPath,
  );
  const path = paths.find((each) => each.startsWith('[version=2.0]') && each.endsWith('.email'));
  assert.ok(path !== undefined, paths.join('\n'));
  await data(`mutation { updateDescription(input: { description: "Where to write to", resourceUrn: "${urn}",
    subResource: "email", subResourceType: DATASET_FIELD }) }`);
  assert.equal((await columnOf(urn, path))?.description, 'Where to write to');
});
