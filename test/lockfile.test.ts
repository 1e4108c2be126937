import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSource } from './source-files.ts';

type Dependencies = Readonly<Record<string, string>>;
type Manifest = {
  readonly version?: string;
  readonly dependencies?: Dependencies;
  readonly devDependencies?: Dependencies;
  readonly optionalDependencies?: Dependencies;
};
type Lockfile = { readonly packages: Readonly<Record<string, Manifest & { readonly resolved?: string }>> };

const manifest = JSON.parse(readSource('package.json').text) as Manifest;
const { packages } = JSON.parse(readSource('package-lock.json').text) as Lockfile;

test('the lockfile has what package.json asks for', () => {
  const { dependencies, devDependencies, optionalDependencies } = packages[''] ?? {};
  assert.deepEqual(
    { dependencies, devDependencies, optionalDependencies },
    {
      dependencies: manifest.dependencies,
      devDependencies: manifest.devDependencies,
      optionalDependencies: manifest.optionalDependencies,
    },
  );
});

// npm leaves out what the registry at hand does not have for other platforms, and then refuses to install from the lockfile.
test('the lockfile has the packages of every platform, so that npm ci works on all of them', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        packages[`node_modules/${name}`] === undefined &&
        packages[`${path}/node_modules/${name}`] === undefined,
    ),
  );
  assert.deepEqual(missing, []);
});

test('the lockfile names no registry: everybody installs from the one that is configured', () => {
  const resolved = Object.entries(packages).flatMap(([path, entry]) =>
    entry.resolved === undefined ? [] : [path],
  );
  assert.deepEqual(resolved, []);
});
