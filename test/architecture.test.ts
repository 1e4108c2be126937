import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCycles, importsOf, readSource, repositoryPaths } from './source-files.ts';
import type { Import, SourceFile } from './source-files.ts';

const ground = ['errors', 'urn', 'aspect'];
const core = [
  ...ground,
  'entity',
  'auth',
  'command',
  'association',
  'relationship',
  'verdict',
  'search-index',
];
const entities = [
  'access-token',
  'assertion',
  'business-attribute',
  'container',
  'dashboard',
  'data-product',
  'dataset',
  'domain',
  'glossary',
  'group',
  'incident',
  'ml-model',
  'pipeline',
  'platform',
  'policy',
  'query',
  'structured-property',
  'tag',
  'user',
];
const facets = ['description', 'lifecycle', 'link', 'ownership', 'term'];
const engines = ['bootstrap', 'history', 'ingest', 'integrity', 'metadata-test', 'search'];
/** What a caller asks about the service itself, and what crosses entities without knowing one. */
const surveys = ['app', 'browse'];
const slices = [...entities, ...facets, ...engines, ...surveys];

const settings = ['config.ts', 'version.ts', 'log'];

/**
 * The whole architecture: each folder of `src`, and the folders it may import besides itself. Imports only point down.
 * Files directly in `src` stand here under their own names.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  urn: ['errors'],
  aspect: ['errors', 'urn'],
  entity: ground,
  auth: [...ground, 'entity'],
  command: [...ground, 'entity', 'auth'],
  association: [...ground, 'entity', 'auth', 'command'],
  relationship: [...ground, 'entity', 'auth'],
  verdict: ground,
  'search-index': [...ground, 'entity'],
  // Entities never know their facets, and facets know entities in general: none imports another.
  ...Object.fromEntries([...entities, ...facets].map((slice) => [slice, core])),
  ...Object.fromEntries(surveys.map((survey) => [survey, [...core, 'version.ts']])),
  // Engines work on what entities and facets store, and not on each other.
  ...Object.fromEntries(engines.map((engine) => [engine, [...core, ...entities, ...facets]])),
  storage: [...ground, 'entity', 'verdict', 'search-index'],
  'config.ts': ['errors'],
  'version.ts': [],
  log: ['config.ts'],
  http: [...core, 'log'],
  graphql: [...core, ...slices, 'http', 'log'],
  restli: [...core, ...slices, 'http', 'log', 'version.ts'],
  // What is registered once: what is derived from aspects, the store with its write engine, the slices and doors.
  'projections.ts': [...core, ...slices],
  'catalogue.ts': [...core, 'projections.ts', 'storage'],
  'graphql-slices.ts': [...slices, 'entity', 'relationship', 'graphql'],
  'graphql-door.ts': [...core, 'catalogue.ts', 'graphql', 'graphql-slices.ts', 'http', 'log'],
  'server.ts': [
    ...core,
    ...slices,
    'catalogue.ts',
    'graphql-door.ts',
    'http',
    'graphql',
    'restli',
    'storage',
    ...settings,
  ],
  cli: [...core, ...slices, 'catalogue.ts', 'projections.ts', 'server.ts', 'http', 'storage', ...settings],
  'main.ts': ['errors', 'cli', ...settings],
};

/** Files by which a slice plugs into a door may know that door. */
const doorBySuffix: Readonly<Record<string, string>> = { '.resolvers.ts': 'graphql', '.routes.ts': 'http' };

/** Packages that only one place may use. */
const packageOwners: Readonly<Record<string, (path: string) => boolean>> = {
  'node:sqlite': (path) => path.startsWith('src/storage/sqlite/'),
  postgres: (path) => path.startsWith('src/storage/postgres/'),
  graphql: (path) => path.startsWith('src/graphql/') || path.endsWith('.resolvers.ts'),
  'node:http': (path) => path.startsWith('src/http/') || path === 'src/server.ts' || path === 'src/main.ts',
};

const bannedWords = [
  'utils',
  'util',
  'helpers',
  'helper',
  'manager',
  'base',
  'misc',
  'common',
  'service',
  'impl',
];

const paths = repositoryPaths();
const sources = paths.filter((path) => /^src\/.*\.ts$/.test(path)).map(readSource);
/** Tests and what they share use the real store and the real server, so the table does not bind them. */
const product = sources.filter(({ path }) => !path.endsWith('.test.ts') && !path.endsWith('.fixture.ts'));
const imports = product.flatMap(importsOf);

/** The row of the table that a file belongs to: its first folder below `src`, or its name when it lies there itself. */
function rowOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function isAllowed({ from, target }: Import): boolean {
  const [row, wanted] = [rowOf(from), rowOf(target)];
  if (target === 'package.json') return from === 'src/version.ts';
  if (!target.startsWith('src/')) return false;
  if (row === wanted || mayImport[row]?.includes(wanted) === true) return true;
  return Object.entries(doorBySuffix).some(([suffix, door]) => from.endsWith(suffix) && wanted === door);
}

const arrow = ({ from, target }: Import): string => `${from} -> ${target}`;
const pathsWhere = (files: readonly SourceFile[], pattern: RegExp): string[] =>
  files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

test('imports only point down: each folder imports what the table allows', (t) => {
  for (const [row, allowed] of Object.entries(mayImport)) {
    t.diagnostic(`${row.padEnd(14)} -> ${allowed.length === 0 ? 'nothing' : allowed.join(', ')}`);
  }
  const unknown = new Set(
    product.map(({ path }) => rowOf(path)).filter((row) => mayImport[row] === undefined),
  );
  assert.deepEqual([...unknown], [], 'every folder of src has a row in the table');
  const offending = imports.filter((edge) => edge.isFile && !isAllowed(edge));
  assert.deepEqual(offending.map(arrow), []);
});

test('the table itself has no cycle', () => {
  const edges = Object.entries(mayImport).flatMap(([from, targets]) =>
    targets.map((target) => ({ from, target, isFile: true })),
  );
  assert.deepEqual(findCycles(edges), []);
});

test('no two files import each other, directly or around corners, types included', () => {
  const cycles = findCycles(sources.flatMap(importsOf));
  assert.deepEqual(
    cycles.map((cycle) => cycle.join(' -> ')),
    [],
  );
});

test('databases, GraphQL and HTTP are each used in one place', () => {
  const offending = imports.filter(({ from, target }) =>
    Object.entries(packageOwners).some(
      ([name, isOwner]) => (target === name || target.startsWith(`${name}/`)) && !isOwner(from),
    ),
  );
  assert.deepEqual(offending.map(arrow), []);
});

test('the stores know nothing of each other', () => {
  const stores = ['src/storage/sqlite/', 'src/storage/postgres/'];
  const offending = imports.filter(({ from, target }) =>
    stores.some(
      (store) =>
        from.startsWith(store) && stores.some((other) => other !== store && target.startsWith(other)),
    ),
  );
  assert.deepEqual(offending.map(arrow), []);
});

test('only config.ts reads the environment', () => {
  assert.deepEqual(
    pathsWhere(product, /\bprocess\s*\.\s*env\b|\benv\b[^;\n]*\bfrom 'node:process'/).filter(
      (path) => path !== 'src/config.ts',
    ),
    [],
  );
});

test('nothing is exported again from elsewhere: whoever needs a thing imports the file that has it', () => {
  assert.deepEqual(pathsWhere(sources, /^export\s+(?:type\s+)?(?:\*|\{[^}]*\}\s*from\b)/m), []);
  assert.deepEqual(
    paths.filter((path) => /(^|\/)index\.ts$/.test(path)),
    [],
  );
});

test('names of files and folders say what is in them', () => {
  const named = paths.filter((path) => /^(src|test|tools|bench|bin)\//.test(path));
  const words = (path: string): string[] => path.split(/[/.-]/);
  assert.deepEqual(
    named.filter((path) => words(path).some((word) => bannedWords.includes(word))),
    [],
  );
});

test('decision records are numbered without gaps, each number once', () => {
  const numbers = paths.flatMap((path) => /^docs\/decisions\/(\d{4})-[a-z0-9-]+\.md$/.exec(path)?.[1] ?? []);
  assert.ok(numbers.length > 0);
  assert.deepEqual(
    numbers.map(Number).sort((left, right) => left - right),
    numbers.map((_, position) => position + 1),
  );
});

test('the check sees every form of import', () => {
  const text = `import a from './a.ts';
import type { B } from '../urn/b.ts';
import {
  c,
  type D,
} from "./deep/c.ts";
import './e.ts';
export { f } from './f.ts';
const g = await import('./g.ts');
const worker = new Worker(new URL('./h.ts', import.meta.url));
import { DatabaseSync } from 'node:sqlite';`;
  assert.deepEqual(
    importsOf({ path: 'src/x/y.ts', text }).map(({ target }) => target),
    [
      'src/x/a.ts',
      'src/urn/b.ts',
      'src/x/deep/c.ts',
      'src/x/f.ts',
      'node:sqlite',
      'src/x/e.ts',
      'src/x/g.ts',
      'src/x/h.ts',
    ],
  );
});
