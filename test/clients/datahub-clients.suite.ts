import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { runPostil, startServerProcess } from '../process-server.ts';
import type { ServerProcess } from '../process-server.ts';
import { datahubPackageVersion, preparePythonClients, runProgram } from './python-clients.ts';
import type { Outcome } from './python-clients.ts';

/**
 * DataHub's own clients, as they come from the package registry, against a server process: what the guide
 * docs/guides/datahub-clients.md says of them.
 */

const root = dirname(dirname(import.meta.dirname));
const data = join(root, 'test', 'data');
const administratorToken = 'administrator-of-the-clients-suite';
const usersCreated = 'urn:li:dataset:(urn:li:dataPlatform:hive,fct_users_created,PROD)';
const nowhere = 'urn:li:dataset:(urn:li:dataPlatform:hive,nowhere,PROD)';

const clients = await preparePythonClients();
const skip = 'unavailable' in clients ? clients.unavailable : false;
const bin = 'bin' in clients ? clients.bin : '';

let folder: string;
let server: ServerProcess;
let editorToken: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postil-clients-suite-'));
  if (skip !== false) return;
  const store = join(folder, 'store');
  const editor = ['--actor', 'urn:li:corpuser:eda', '--role', 'Editor', '--name', 'eda'];
  const made = await runPostil(['token', 'create', '--store', store, ...editor]);
  assert.equal(made.code, 0, made.err);
  editorToken = made.out.trim();
  const arguments_ = ['--store', store, '--no-sample', '--log-level', 'info'];
  server = await startServerProcess(arguments_, { POSTIL_TOKEN: administratorToken });
});

after(async () => {
  if (skip === false) assert.equal(await server.stop(), 0, server.output());
  rmSync(folder, { recursive: true, force: true });
});

/** What a client finds around it: this server, this user's token, and no settings of whoever runs the tests. */
function environment(token: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
    HOME: folder,
    PYTHONDONTWRITEBYTECODE: '1',
    DATAHUB_TELEMETRY_ENABLED: 'false',
    DATAHUB_GMS_URL: server.url,
    DATAHUB_GMS_TOKEN: token,
    POSTIL_TOKEN: token,
  };
}

function datahub(args: readonly string[], token = administratorToken): Promise<Outcome> {
  return runProgram(join(bin, 'datahub'), args, environment(token), folder);
}

async function printed(args: readonly string[], token = administratorToken): Promise<string> {
  const { code, out, err } = await datahub(args, token);
  assert.equal(code, 0, `datahub ${args.join(' ')}\n${out}\n${err}`);
  return out;
}

async function printedJson(args: readonly string[]): Promise<unknown> {
  return JSON.parse(await printed(args)) as unknown;
}

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

/** Runs a recipe that ends in this server; JSON is YAML. */
async function ingest(
  recipe: Readonly<Record<string, unknown>>,
  token = administratorToken,
): Promise<string> {
  const config = { server: server.url, token };
  const whole = { ...recipe, datahub_api: config, sink: { type: 'datahub-rest', config } };
  const { code, out, err } = await datahub(['ingest', '-c', file('recipe.yml', whole)], token);
  const report = `${out}\n${err}`;
  assert.equal(code, 0, report);
  assert.match(report, /Pipeline finished successfully/);
  return report;
}

const files = (name: string): Readonly<Record<string, unknown>> => ({
  source: { type: 'file', config: { path: join(data, name) } },
});

type Check = { readonly check: string; readonly detail: string | null };

for (const [script, what] of [
  ['emitter.py', 'DatahubRestEmitter writes'],
  ['graph.py', 'DataHubGraph reads, and asks through GraphQL'],
  ['sdk.py', 'DataHubClient writes and reads entities'],
  ['search.py', 'what is written is found, followed and watched'],
  ['agents.py', 'the server for agents reads and writes'],
] as const) {
  test(what, { skip }, async (context) => {
    const path = join(import.meta.dirname, script);
    const { code, out, err } = await runProgram(
      join(bin, 'python'),
      [path],
      environment(administratorToken),
      folder,
    );
    assert.equal(code, 0, `${out}\n${err}`);
    const checks = out.split('\n').filter((line) => line.startsWith('{"check"'));
    assert.ok(checks.length >= 5, out);
    for (const line of checks) {
      const { check, detail } = JSON.parse(line) as Check;
      await context.test(check, () => assert.equal(detail, null, detail ?? ''));
    }
  });
}

/** The URNs that a file of proposals and snapshots is about. */
function urnsIn(name: string): readonly string[] {
  type Snapshot = { readonly urn: string };
  type Record_ = {
    readonly entityUrn?: string;
    readonly proposedSnapshot?: Readonly<Record<string, Snapshot>>;
  };
  const records = JSON.parse(readFileSync(join(data, name), 'utf8')) as readonly Record_[];
  const urns = records.flatMap(
    ({ entityUrn, proposedSnapshot = {} }) =>
      entityUrn ?? Object.values(proposedSnapshot).map(({ urn }) => urn),
  );
  return [...new Set(urns)];
}

async function isStored(urn: string): Promise<boolean> {
  const answer = await fetch(
    `${server.url}/entitiesV2/${encodeURIComponent(urn)}?alwaysIncludeKeyAspect=false`,
    { headers: { Authorization: `Bearer ${administratorToken}` } },
  );
  await answer.arrayBuffer();
  return answer.status === 200;
}

/** One aspect, without the second or more that a program needs to start. */
async function write(entityUrn: string, aspectName: string, value: unknown): Promise<void> {
  const aspect = { contentType: 'application/json', value: JSON.stringify(value) };
  const proposal = { entityUrn, entityType: 'dataset', changeType: 'UPSERT', aspectName, aspect };
  const answer = await fetch(`${server.url}/aspects?action=ingestProposal`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${administratorToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ proposal }),
  });
  assert.equal(answer.status, 200, await answer.text());
}

const jsonFiles = [
  'bootstrap_mce.json',
  'demo_data.json',
  'dbt_column_terms.json',
  'kafka_field_paths_v2.json',
  'glossary_events.json',
  'tags_and_terms.json',
  'links.json',
] as const;

for (const name of jsonFiles) {
  test(`datahub ingest brings in ${name} whole`, { skip }, async () => {
    await ingest(files(name));
    const urns = urnsIn(name);
    assert.ok(urns.length >= 3);
    for (const urn of urns) assert.ok(await isStored(urn), urn);
  });
}

test(
  'datahub ingest works with the token of an editor, its report of the run included',
  { skip },
  async () => {
    const report = await ingest(files('bootstrap_mce.json'), editorToken);
    assert.doesNotMatch(report, /Reporting failed/);
  },
);

test('every mode of the sink is served', { skip }, async () => {
  for (const mode of ['SYNC', 'ASYNC', 'ASYNC_BATCH']) {
    const config = { server: server.url, token: administratorToken, mode };
    const recipe = { ...files('tags_and_terms.json'), sink: { type: 'datahub-rest', config } };
    const { code, out, err } = await datahub(['ingest', '-c', file('mode.yml', recipe)]);
    assert.equal(code, 0, `${mode}\n${out}\n${err}`);
  }
});

test('the business glossary source writes its groups and terms', { skip }, async () => {
  const domain = file('domain.json', { name: 'Marketing' });
  // The glossary names this domain; without it the source searches for one through rest.li, which is not there yet.
  await printed(['put', '--urn', 'urn:li:domain:Marketing', '--aspect', 'domainProperties', '-d', domain]);
  const config = { file: join(data, 'business_glossary.yml'), enable_auto_id: false };
  await ingest({ source: { type: 'datahub-business-glossary', config } });
  const email = 'urn:li:glossaryTerm:PersonalInformation.Email';
  const found = await printedJson([
    'graphql',
    '--query',
    `{ glossaryTerm(urn: "${email}") { properties { name } parentNodes { nodes { urn } } } }`,
  ]);
  assert.deepEqual(found, {
    glossaryTerm: {
      properties: { name: 'Email' },
      parentNodes: { nodes: [{ urn: 'urn:li:glossaryNode:PersonalInformation' }] },
    },
  });
});

test('the CSV enricher adds terms and descriptions to what is there', { skip }, async () => {
  await ingest(files('bootstrap_mce.json'));
  const csv = join(folder, 'enrichment.csv');
  const header = 'resource,subresource,glossary_terms,tags,owners,ownership_type,description,domain';
  const rows = [
    `"${usersCreated}",,[urn:li:glossaryTerm:CsvTerm],,,,"first line\nsecond line",`,
    `"${usersCreated}",user_name,[urn:li:glossaryTerm:CsvTerm],,,,"the name, as a user gave it",`,
  ];
  writeFileSync(csv, [header, ...rows, ''].join('\n'));
  const config = { filename: csv, write_semantics: 'PATCH', delimiter: ',', array_delimiter: '|' };
  await ingest({ source: { type: 'csv-enricher', config } });
  const query = `{ dataset(urn: "${usersCreated}") {
    editableProperties { description }
    glossaryTerms { terms { term { urn } } }
    schemaMetadata { fields { fieldPath description glossaryTerms { terms { term { urn } } } } } } }`;
  const found = (await printedJson(['graphql', '--query', query])) as {
    readonly dataset: {
      readonly editableProperties: { readonly description: string };
      readonly glossaryTerms: unknown;
      readonly schemaMetadata: { readonly fields: readonly { readonly fieldPath: string }[] };
    };
  };
  const attached = { terms: [{ term: { urn: 'urn:li:glossaryTerm:CsvTerm' } }] };
  assert.equal(found.dataset.editableProperties.description, 'first line\nsecond line');
  assert.deepEqual(found.dataset.glossaryTerms, attached);
  assert.deepEqual(
    found.dataset.schemaMetadata.fields.find(({ fieldPath }) => fieldPath === 'user_name'),
    { fieldPath: 'user_name', description: 'the name, as a user gave it', glossaryTerms: attached },
  );
});

test('a transformer adds terms to the terms that are there', { skip }, async () => {
  const dataset = 'urn:li:dataset:(urn:li:dataPlatform:kafka,test-tags-terms-sample-kafka,PROD)';
  const termsNow = async (): Promise<readonly string[]> => {
    const args = ['get', '--urn', dataset, '--aspect', 'glossaryTerms'];
    const { glossaryTerms } = (await printedJson(args)) as {
      readonly glossaryTerms?: { readonly terms: readonly { readonly urn: string }[] };
    };
    return (glossaryTerms?.terms ?? []).map(({ urn }) => urn);
  };
  await ingest(files('tags_and_terms.json'));
  const earlier = await termsNow();
  const config = { semantics: 'PATCH', term_urns: ['urn:li:glossaryTerm:Transformed'] };
  await ingest({
    ...files('tags_and_terms.json'),
    transformers: [{ type: 'simple_add_dataset_terms', config }],
  });
  assert.deepEqual((await termsNow()).toSorted(), [...earlier, 'urn:li:glossaryTerm:Transformed'].toSorted());
});

test('datahub put, get, exists and delete', { skip }, async () => {
  const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,cli.orders,PROD)';
  const properties = { customProperties: { team: 'sales' }, description: 'grün, 日本', tags: [] };
  const path = file('properties.json', properties);
  const target = ['--urn', urn, '--aspect', 'datasetProperties'];
  await printed(['put', ...target, '-d', path]);
  await printed(['put', ...target, '--run-id', 'run-of-the-suite', '-d', path]);
  assert.deepEqual(await printedJson(['get', ...target]), { datasetProperties: properties });
  const details = JSON.stringify(await printedJson(['get', ...target, '--details']));
  assert.match(details, /"runId":"run-of-the-suite"/);
  const whole = (await printedJson(['get', '--urn', urn])) as object;
  for (const aspect of ['datasetKey', 'datasetProperties']) assert.ok(aspect in whole, aspect);
  assert.equal((await printed(['exists', '--urn', urn])).trim(), 'true');
  assert.equal((await printed(['exists', '--urn', nowhere])).trim(), 'false');
  const missing = await datahub(['get', '--urn', nowhere]);
  assert.deepEqual([missing.code, /not found/.test(missing.out + missing.err)], [1, true]);
  await printed([
    'put',
    'platform',
    '--name',
    'longtail',
    '--display_name',
    'Long Tail',
    '--logo',
    'https://example.com/l',
  ]);

  assert.match(await printed(['delete', '--urn', urn, '--soft', '--force']), /Soft deleted 1 entities/);
  assert.deepEqual(await printedJson(['get', '--urn', urn, '--aspect', 'status']), {
    status: { removed: true },
  });
  assert.match(await printed(['delete', '--urn', urn, '--hard', '--force']), /Hard deleted 1 entities/);
  assert.equal((await printed(['exists', '--urn', urn])).trim(), 'false');
});

test('datahub graphql lists and describes operations by introspection, and runs them', { skip }, async () => {
  const listed = await printed(['graphql', '--list-operations', '--format', 'json']);
  for (const operation of ['addTerms', 'updateDescription', 'createGlossaryTerm', 'dataset']) {
    assert.ok(listed.includes(`"${operation}"`), operation);
  }
  assert.match(await printed(['graphql', '--describe', 'addTerms', '--recurse']), /subResourceType/);
  const input = { name: 'From the command line', id: 'cli.term', description: 'd' };
  const create = ['graphql', '--operation', 'createGlossaryTerm', '--variables', JSON.stringify({ input })];
  assert.deepEqual(await printedJson(create), { createGlossaryTerm: 'urn:li:glossaryTerm:cli.term' });
  const me = await printedJson(['graphql', '--query', '{ me { corpUser { urn } } }']);
  assert.deepEqual(me, { me: { corpUser: { urn: 'urn:li:corpuser:datahub' } } });
});

/** URNs that a command printed, in order and once each. */
function urnsPrinted(text: string): readonly string[] {
  return [...new Set(text.match(/urn:li:dataset:\(.*?\)/g))];
}

test('datahub search, lineage and timeline', { skip }, async () => {
  await ingest(files('bootstrap_mce.json'));
  const found = JSON.parse(
    await printed(['search', 'fct_users_created', '--filter', 'platform=hive', '--limit', '2']),
  ) as {
    readonly total: number;
    readonly searchResults: readonly { readonly entity: { readonly urn: string } }[];
  };
  assert.equal(found.searchResults[0]?.entity.urn, usersCreated);
  assert.ok(found.searchResults.length <= 2);
  const where = 'entity_type = dataset AND platform = hive';
  const urns = urnsPrinted(await printed(['search', '*', '--where', where, '--urns-only']));
  assert.ok(urns.length >= 4 && urns.every((urn) => urn.includes('dataPlatform:hive')), urns.join(' '));

  const kafka = 'urn:li:dataset:(urn:li:dataPlatform:kafka,SampleKafkaDataset,PROD)';
  const path = await printed(['lineage', 'path', '--from', kafka, '--to', usersCreated]);
  assert.match(path, /Path found \(4 hops\)/);

  const timeline = [
    'timeline',
    '--urn',
    usersCreated,
    '--category',
    'OWNER',
    '--category',
    'TECHNICAL_SCHEMA',
  ];
  assert.match(await printed(timeline), /ADD OWNERSHIP .*\n.*[\s\S]*ADD TECHNICAL_SCHEMA .*user_name/);
});

test(
  'datahub delete by filter marks or deletes what it finds, and nothing in a dry run',
  { skip },
  async () => {
    const urnOf = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:druid,filter.${name},PROD)`;
    for (const name of ['one', 'two']) {
      await write(urnOf(name), 'datasetProperties', { description: name });
    }
    const filter = ['delete', '--platform', 'druid', '--env', 'PROD', '--force'];
    assert.match(await printed([...filter, '--soft', '--dry-run']), /Would delete 2 entities/);
    assert.match(await printed([...filter, '--soft']), /Soft deleted 2 entities/);
    assert.ok(await isStored(urnOf('one')));
    assert.match(await printed([...filter, '--hard', '--only-soft-deleted']), /Hard deleted 2 entities/);
    for (const name of ['one', 'two']) assert.ok(!(await isStored(urnOf(name))));
  },
);

test('whoever polls the change feed as the actions framework does misses nothing', { skip }, async () => {
  type Page = {
    readonly offsetId: string;
    readonly count: number;
    readonly events: readonly { readonly contentType: string; readonly value: string }[];
  };
  const poll = async (parameters: Readonly<Record<string, string>>): Promise<Page> => {
    const query = new URLSearchParams({ topic: 'PlatformEvent_v1', pollTimeoutSeconds: '0', ...parameters });
    const answer = await fetch(`${server.url}/openapi/v1/events/poll?${query.toString()}`, {
      headers: { Authorization: `Bearer ${administratorToken}` },
    });
    assert.equal(answer.status, 200);
    return (await answer.json()) as Page;
  };
  const { offsetId } = await poll({});
  await write(usersCreated, 'globalTags', { tags: [{ tag: 'urn:li:tag:feed' }] });
  const page = await poll({ offsetId });
  const changes = page.events.map(({ value }) => JSON.parse(value) as unknown);
  assert.ok(JSON.stringify(changes).includes('urn:li:tag:feed'), JSON.stringify(changes));
  assert.deepEqual(await poll({ offsetId: page.offsetId }), { ...page, count: 0, events: [] });
});

test('datahub check server-config, dataset get and ingest mcps', { skip }, async () => {
  assert.match(await printed(['check', 'server-config']), /'noCode': 'true'/);
  await ingest(files('bootstrap_mce.json'));
  assert.match(await printed(['dataset', 'get', '--urn', usersCreated]), /user_name/);
  const mcps = await datahub(['ingest', 'mcps', join(data, 'links.json')]);
  assert.match(`${mcps.out}${mcps.err}`, /Pipeline finished successfully/);
});

const guide = readFileSync(join(root, 'docs', 'guides', 'datahub-clients.md'), 'utf8');

test('the guide names the version that the suite runs', () => {
  assert.match(datahubPackageVersion, /^\d+(\.\d+)+$/);
  assert.ok(guide.includes(`acryl-datahub ${datahubPackageVersion}`), datahubPackageVersion);
});

test('every file and command of the guide works as it stands there', { skip }, async () => {
  const written = [...guide.matchAll(/`([\w-]+\.(?:py|yml))`:\n\n```\w+\n([\s\S]*?)```/g)];
  const here = mkdtempSync(join(folder, 'guide-'));
  symlinkSync(join(root, 'sample'), join(here, 'sample'));
  const toServer = (text: string): string => text.replaceAll('http://127.0.0.1:8080', server.url);
  for (const [, name = '', text = ''] of written) writeFileSync(join(here, name), toServer(text));
  const commands = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => toServer(text));
  assert.ok(
    written.length >= 3 && commands.length >= 3,
    `${written.length} files, ${commands.length} blocks`,
  );
  const script = ['set -eu', ...commands.filter((each) => !each.includes('pip install'))].join('\n');
  const { DATAHUB_GMS_URL: _url, DATAHUB_GMS_TOKEN: _token, ...bare } = environment(administratorToken);
  const { code, out, err } = await runProgram('bash', ['-c', script], bare, here);
  assert.equal(code, 0, `${out}\n${err}`);
});
