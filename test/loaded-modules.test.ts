import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

/** The modules of Node.js itself that a process has loaded which imported these. */
function loadedWith(paths: readonly string[]): readonly string[] {
  const imports = paths.map((path) => `import ${JSON.stringify(new URL(path, import.meta.url).href)};`);
  const script = `${imports.join('')} console.log(JSON.stringify(process.moduleLoadList))`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  return JSON.parse(output) as readonly string[];
}

test('a server loads no HTTP client, which it never is', () => {
  const loaded = loadedWith(['../src/cli/serve.ts', '../src/graphql-door.ts']);
  assert.ok(loaded.includes('NativeModule http'), 'the list names what was loaded');
  assert.deepEqual(
    loaded.filter((name) => name.includes('undici')),
    [],
  );
});
