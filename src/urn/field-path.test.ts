import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { isKeyFieldPath, resolveFieldPath, simpleFieldPath } from './field-path.ts';

test('the simple form of a version 2 path drops its markers', () => {
  const examples: readonly (readonly [path: string, simple: string])[] = [
    ['[version=2.0].[type=E].[type=string].a', 'a'],
    [
      '[version=2.0].[key=True].[type=S].[type=InnerRcd].nestedRcd.[type=string].aStringField',
      'nestedRcd.aStringField',
    ],
    ['[version=2.0].[key=True].[type=Order].[type=array].[type=Item].items.[type=string].sku', 'items.sku'],
    ['[version=2.0].[type=union]', ''],
    ['[version=2.0]', ''],
    ['[version=2.0].[type=com.acme.Rec].address.[type=com.acme.deep.City].city', 'address.city'],
    ['[version=2.0].[type=Rec].address.[type=com.acme.deep.City]', 'address'],
    ['[version=2.0].[type=array[string]].list', 'list'],
    ['[version=2.0].[type=string].a[0].b', 'a[0].b'],
    ['[version=2.0].a.b', 'a.b'],
    ['[version=2.0].[type=unclosed.a', 'a'],
  ];
  for (const [path, simple] of examples) assert.equal(simpleFieldPath(path), simple, path);
});

test('a version 1 path is its own simple form', () => {
  for (const path of ['', 'a', 'a.b', 'a.[b].c', '[key=True].a', '[version=2.0]a', 'x.[version=2.0].a']) {
    assert.equal(simpleFieldPath(path), path);
  }
});

test('only a version 2 path with the key marker is a key path', () => {
  assert.equal(isKeyFieldPath('[version=2.0].[key=True].[type=string].id'), true);
  assert.equal(isKeyFieldPath('[version=2.0].[key=True]'), true);
  assert.equal(isKeyFieldPath('[version=2.0].[type=string].[key=True].id'), false);
  assert.equal(isKeyFieldPath('[version=2.0].[key=True]x'), false);
  assert.equal(isKeyFieldPath('[key=True].id'), false);
});

test('the exact path wins over equal simple forms', () => {
  const paths = ['[version=2.0].[type=int].id', 'id'];
  assert.deepEqual(resolveFieldPath(paths, 'id'), { kind: 'found', path: 'id' });
});

test('a column is found by its simple form, from either side', () => {
  const stored = '[version=2.0].[type=Order].[type=array].[type=Item].items.[type=string].sku';
  assert.deepEqual(resolveFieldPath([stored, 'other'], 'items.sku'), { kind: 'found', path: stored });
  assert.deepEqual(resolveFieldPath(['items.sku'], stored), { kind: 'found', path: 'items.sku' });
  assert.deepEqual(resolveFieldPath([stored], 'sku'), { kind: 'missing' });
  assert.deepEqual(resolveFieldPath([], 'a'), { kind: 'missing' });
});

test('a column is found by its simple form when its path ends in a marker', () => {
  const stored = '[version=2.0].[type=Rec].address.[type=City]';
  assert.deepEqual(resolveFieldPath([stored], 'address'), { kind: 'found', path: stored });
});

test('between a key and a value column of one name, the value column is meant', () => {
  const key = '[version=2.0].[key=True].[type=string].id';
  const value = '[version=2.0].[type=string].id';
  assert.deepEqual(resolveFieldPath([key, value], 'id'), { kind: 'found', path: value });
  assert.deepEqual(resolveFieldPath([key], 'id'), { kind: 'found', path: key });
});

test('a key column asked for in full is never taken for a value column', () => {
  const key = '[version=2.0].[key=True].[type=string].id';
  const paths = [key, '[version=2.0].[type=string].id'];
  const asked = '[version=2.0].[key=True].[type=int].id';
  assert.deepEqual(resolveFieldPath(paths, asked), { kind: 'found', path: key });
});

test('several candidates are ambiguous and named in schema order', () => {
  const branches = ['[version=2.0].[type=union].[type=A].id', '[version=2.0].[type=union].[type=B].id'];
  assert.deepEqual(resolveFieldPath(branches, 'id'), { kind: 'ambiguous', candidates: branches });
});

test('a path without a simple form is found only exactly', () => {
  const path = '[version=2.0].[type=union]';
  assert.deepEqual(resolveFieldPath([path], path), { kind: 'found', path });
  assert.deepEqual(resolveFieldPath([path], '[version=2.0].[type=map]'), { kind: 'missing' });
  assert.deepEqual(resolveFieldPath([path], ''), { kind: 'missing' });
});

const columnName = fc.stringMatching(/^[A-Za-z0-9_ -]{1,8}$/);
const typeName = fc.stringMatching(/^[A-Za-z0-9_]{1,6}(\.[A-Za-z0-9_]{1,6}){0,3}$/);
const version2Path = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(fc.array(typeName, { minLength: 1, maxLength: 3 }), columnName)))
  .map(([isKey, columns]) => ({
    isKey,
    names: columns.map(([, name]) => name),
    path: [
      '[version=2.0]',
      ...(isKey ? ['[key=True]'] : []),
      ...columns.flatMap(([types, name]) => [...types.map((type) => `[type=${type}]`), name]),
    ].join('.'),
  }));

test('the simple form of any version 2 path is its column names, joined', () => {
  fc.assert(
    fc.property(version2Path, ({ path, names, isKey }) => {
      assert.equal(simpleFieldPath(path), names.join('.'));
      assert.equal(isKeyFieldPath(path), isKey);
      const found = resolveFieldPath([path], names.join('.'));
      assert.equal(found.kind, names.length === 0 ? 'missing' : 'found');
    }),
  );
});

test('without dots in type names, the simple form is what DataHub computes by splitting at dots', () => {
  fc.assert(
    fc.property(version2Path, ({ path }) => {
      fc.pre(!/\[[^\]]*\.[^\]]*\]/.test(path.slice('[version=2.0]'.length)));
      const pieces = path.split('.').slice(2);
      const simple = pieces.filter((piece) => !piece.startsWith('[') && !piece.endsWith(']')).join('.');
      assert.equal(simpleFieldPath(path), simple);
    }),
  );
});

test('nonsense never breaks, and every stored path resolves to itself', () => {
  const piece = fc.constantFrom('[version=2.0]', '[key=True]', '[type=', ']', '[', '.', 'a', 'b.c', '');
  const path = fc.oneof(
    fc.string(),
    fc.array(piece).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 6 }), fc.nat(), path, (paths, at, asked) => {
      const stored = paths[at % paths.length] ?? '';
      assert.deepEqual(resolveFieldPath(paths, stored), { kind: 'found', path: stored });
      const answer = resolveFieldPath(paths, asked);
      if (answer.kind === 'found') assert.ok(paths.includes(answer.path));
      if (answer.kind === 'ambiguous') assert.ok(answer.candidates.length > 1);
    }),
    { numRuns: 1000 },
  );
});
