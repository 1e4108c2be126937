import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createAccessToken } from '../src/access-token/create-access-token.ts';
import { newToken } from '../src/access-token/prepare-first-administrator.ts';
import type { JsonObject } from '../src/aspect/json.ts';
import {
  platformPrivileges,
  privileges,
  privilegeText,
  resourcePrivileges,
  rolePrivileges,
} from '../src/auth/privilege.ts';
import { systemCaller } from '../src/auth/system-caller.ts';
import { defaultPolicies } from '../src/policy/default-policies.ts';
import { mutationSamples, sampleDataset, sampleTerm } from './mutation-samples.ts';
import { routeSamples, type RouteSample } from './route-samples.ts';
import { startTestServer, type TestServer } from './server.ts';

// Every mutation and every route, asked by everybody. What comes out is committed, so that a change of it is seen in review;
// `POSTIL_UPDATE=1` writes it anew.

const root = join(import.meta.dirname, '..');
const reference = join(root, 'docs/reference/privileges.md');
const measured = join(root, 'src/policy/mutation-privileges.json');
const begin = '<!-- generated: test/privilege-matrix.test.ts -->';

/** In the order of the table. `elsewhere` may do everything to another dataset, `owner` owns the dataset and the term. */
const askers = ['Reader', 'Editor', 'Admin', 'elsewhere', 'owner'] as const;
type Asker = (typeof askers)[number];

const owner = 'urn:li:corpuser:matrix-owner';
const somebody = 'urn:li:corpuser:somebody';
/** These are left out of the samples that readers are refused, because readers may do it for themselves. */
const moreSamples: Readonly<Record<string, string>> = {
  createAccessToken: `createAccessToken(input: {type: PERSONAL, actorUrn: "${somebody}", duration: ONE_HOUR, name: "n"}) { accessToken }`,
  revokeAccessToken: 'revokeAccessToken(tokenId: "none")',
};

let server: TestServer;
let tokens: Readonly<Record<Asker, string>>;
const tokensByPrivilege = new Map<string, string>();

before(async () => {
  server = await startTestServer({ keepsVerdicts: false });
  for (const { urn, info } of defaultPolicies) await server.ingest(urn, 'dataHubPolicyInfo', info);
  const everything = [...resourcePrivileges, ...platformPrivileges];
  await grant('urn:li:corpuser:elsewhere', everything, {
    filter: {
      criteria: [
        {
          field: 'URN',
          values: ['urn:li:dataset:(urn:li:dataPlatform:hive,elsewhere,PROD)'],
          condition: 'EQUALS',
        },
      ],
    },
  });
  for (const privilege of privileges) {
    const actor = `urn:li:corpuser:only-${privilege}`;
    await grant(actor, [privilege], undefined);
    tokensByPrivilege.set(privilege, await tokenOf(actor));
  }
  await restore();
  changeOfDataset = await server.lastSequence();
  await server.ingest(sampleDataset, 'datasetProperties', { description: 'changed', customProperties: {} });
  changeOfDataset += 1;
  tokens = {
    ...server.tokens,
    elsewhere: await tokenOf('urn:li:corpuser:elsewhere'),
    owner: await tokenOf(owner),
  };
});
after(() => server.close());

async function grant(
  actor: string,
  granted: readonly string[],
  resources: JsonObject | undefined,
): Promise<void> {
  await server.ingest(`urn:li:dataHubPolicy:of-${actor.split(':').at(-1)}`, 'dataHubPolicyInfo', {
    displayName: actor,
    description: '',
    type: 'METADATA',
    state: 'ACTIVE',
    privileges: [...granted],
    actors: { users: [actor], resourceOwners: false, allUsers: false, allGroups: false },
    ...(resources === undefined ? {} : { resources }),
  });
}

async function tokenOf(actorUrn: string): Promise<string> {
  const { text, id, lastFour } = newToken('personal');
  const parts = { kind: 'personal', actorUrn, name: 't', description: undefined } as const;
  await server.catalogue.engine.execute(
    createAccessToken,
    { id, lastFour, durationMs: 36_000_000, ...parts },
    systemCaller,
  );
  return text;
}

/** What samples change is put back, so that no answer depends on what was asked before. */
async function restore(): Promise<void> {
  const ownership = { owners: [{ owner, type: 'NONE' }], lastModified: { time: 0, actor: owner } };
  await server.ingest(sampleDataset, 'datasetProperties', { description: 'o', customProperties: {} });
  await server.ingest(sampleDataset, 'ownership', ownership);
  await server.ingest(sampleTerm, 'glossaryTermInfo', {
    name: 'Order',
    definition: '',
    termSource: 'INTERNAL',
  });
  await server.ingest(sampleTerm, 'ownership', ownership);
}

async function mutationNames(): Promise<readonly string[]> {
  const { __schema: schema } = await server.data('{ __schema { mutationType { fields { name } } } }');
  const { mutationType } = schema as {
    readonly mutationType: { readonly fields: readonly { name: string }[] };
  };
  return mutationType.fields.map(({ name }) => name).sort();
}

/** The number of a change of the dataset in the log: the sample undoes the first of all, which made the administrator. */
let changeOfDataset = 0;

function sampleOf(name: string): string {
  if (name === 'undoChange') return `undoChange(sequence: ${changeOfDataset}) { urn }`;
  const sample = mutationSamples[name] ?? moreSamples[name];
  assert.ok(sample !== undefined, `${name} needs a sample call in test/mutation-samples.ts`);
  return sample;
}

/** Whether a mutation gets past the check of rights. One in a document: where one fails, others may not be run. */
async function isAllowed(name: string, token: string): Promise<boolean> {
  const { errors } = await server.graphql(`mutation { ${sampleOf(name)} }`, {}, token);
  assert.ok(errors?.[0]?.path !== undefined || errors === undefined, `${name}: ${JSON.stringify(errors)}`);
  return errors?.[0]?.extensions.code !== 403;
}

type Row = { readonly name: string; readonly allowed: ReadonlySet<Asker>; readonly alone: readonly string[] };

async function mutationRows(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const name of await mutationNames()) {
    const allowed = new Set<Asker>();
    for (const asker of askers) {
      await restore();
      if (await isAllowed(name, tokens[asker])) allowed.add(asker);
    }
    await restore();
    const answers = await Promise.all(
      privileges.map(async (privilege) => {
        const token = tokensByPrivilege.get(privilege) ?? '';
        return (await isAllowed(name, token)) ? [privilege] : [];
      }),
    );
    rows.push({ name, allowed, alone: answers.flat() });
  }
  return rows;
}

async function routeAnswer(
  { method, path, body, isStream }: RouteSample,
  token: string | null,
): Promise<boolean> {
  const controller = new AbortController();
  const response = await fetch(server.url + path, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    signal: controller.signal,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (isStream === true) controller.abort();
  else await response.text();
  // Without verdicts that are kept, there is nothing to compare a preview with.
  assert.ok(response.status < 500 || response.status === 503, `${path}: ${response.status}`);
  assert.ok(response.status !== 404 || path.includes('none') || method === 'GET', `${path}: 404`);
  return response.status !== 401 && response.status !== 403;
}

type RouteRow = { readonly name: string; readonly allowed: ReadonlySet<Asker | 'anybody'> };

async function routeRows(): Promise<readonly RouteRow[]> {
  const rows: RouteRow[] = [];
  for (const [route, samples] of Object.entries(routeSamples)) {
    for (const sample of samples) {
      const allowed = new Set<Asker | 'anybody'>();
      await restore();
      if (await routeAnswer(sample, null)) allowed.add('anybody');
      for (const asker of askers) {
        await restore();
        if (await routeAnswer(sample, tokens[asker])) allowed.add(asker);
      }
      const what = sample.what === undefined ? '' : ` (${sample.what})`;
      rows.push({ name: `${sample.method} ${route}${what}`, allowed });
    }
  }
  return rows.sort((left, right) => (left.name < right.name ? -1 : 1));
}

const mark = (isAllowed: boolean): string => (isAllowed ? 'yes' : '-');

function tables(mutations: readonly Row[], routes: readonly RouteRow[]): string {
  const names = (list: readonly (keyof typeof privilegeRows)[]): string[] =>
    list.map((name) => privilegeRows[name]);
  return [
    begin,
    '',
    '## Privileges of the platform',
    '',
    '| Privilege | Called | For | Admin | Editor | Reader |',
    '|---|---|---|---|---|---|',
    ...names(platformPrivileges),
    '',
    '## Privileges on resources',
    '',
    '| Privilege | Called | For | Admin | Editor | Reader |',
    '|---|---|---|---|---|---|',
    ...names(resourcePrivileges),
    '',
    '## Mutations',
    '',
    'Who may call them, and which privileges are enough by themselves. `elsewhere` may do everything, but only to another',
    'dataset; `owner` has no role, and owns the dataset and the term that the calls are about.',
    '',
    `| Mutation | ${askers.join(' | ')} | Enough by itself |`,
    `|---|${askers.map(() => '---|').join('')}---|`,
    ...mutations.map(
      ({ name, allowed, alone }) =>
        `| ${name} | ${askers.map((asker) => mark(allowed.has(asker))).join(' | ')} | ${
          alone.length === privileges.length ? 'every caller may' : alone.join(', ')
        } |`,
    ),
    '',
    '## HTTP',
    '',
    `| Route | no token | ${askers.join(' | ')} |`,
    `|---|---|${askers.map(() => '---|').join('')}`,
    ...routes.map(
      ({ name, allowed }) =>
        `| ${name} | ${mark(allowed.has('anybody'))} | ${askers.map((asker) => mark(allowed.has(asker))).join(' | ')} |`,
    ),
    '',
  ].join('\n');
}

const privilegeRows = Object.fromEntries(
  privileges.map((privilege) => {
    const { displayName, description } = privilegeText(privilege);
    const roles = (['Admin', 'Editor', 'Reader'] as const).map((role) =>
      mark(rolePrivileges[role].has(privilege)),
    );
    return [privilege, `| ${privilege} | ${displayName} | ${description} | ${roles.join(' | ')} |`];
  }),
) as Readonly<Record<(typeof privileges)[number], string>>;

test('every mutation and every route lets through whom the committed table says, and nobody else', async () => {
  const mutations = await mutationRows();
  const routes = await routeRows();
  const table = tables(mutations, routes);
  const list = `${JSON.stringify(Object.fromEntries(mutations.map(({ name, alone }) => [name, alone])), null, 2)}\n`;
  const stored = readFileSync(reference, 'utf8');
  const head = stored.slice(0, stored.indexOf(begin));
  if (process.env['POSTIL_UPDATE'] === '1') {
    writeFileSync(reference, head + table);
    writeFileSync(measured, list);
  }
  assert.equal(readFileSync(reference, 'utf8').slice(head.length), table);
  assert.deepEqual(JSON.parse(readFileSync(measured, 'utf8')), JSON.parse(list));

  // Whatever the table says, these hold.
  for (const { name, allowed } of [...mutations, ...routes]) {
    assert.ok(!allowed.has('Reader') || allowed.has('Editor'), `${name}: what readers may, editors may`);
    assert.ok(
      !allowed.has('Editor') || allowed.has('Admin'),
      `${name}: what editors may, administrators may`,
    );
    assert.equal(allowed.has('elsewhere'), allowed.has('Reader'), `${name}: rights elsewhere are none here`);
  }
});

test('there is a sample of every route', () => {
  const routes = globSync('src/**/*.routes.ts', { cwd: root }).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return [...text.matchAll(/path: '([^']+)',(?:\s*(?:method: '\w+',\s*)?action: '(\w+)')?/g)].map(
      ([, path, action]) => (action === undefined ? path : `${path}?action=${action}`),
    );
  });
  assert.ok(routes.length > 20);
  assert.deepEqual(
    routes.filter((route) => route !== undefined && routeSamples[route] === undefined),
    [],
  );
});
