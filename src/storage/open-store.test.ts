import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { postgresUnavailable, startPostgres } from '../../test/postgres-server.ts';
import { openStore } from './open-store.ts';

test('a path opens an embedded store in that folder, which is made when it is not there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postil-open-'));
  const path = join(folder, 'deeper', 'postil-data');
  const store = await openStore(path);
  assert.equal(store.exclusive, true);
  assert.equal(store.location, path);
  assert.ok(existsSync(join(path, 'catalogue.db')));
  await store.close();
  rmSync(folder, { recursive: true });
});

test('a URL opens the shared store of that database', { skip: postgresUnavailable() }, async () => {
  const server = await startPostgres();
  for (const url of [server.url, server.url.replace('postgres://', 'postgresql://')]) {
    const store = await openStore(url);
    assert.equal(store.exclusive, false);
    assert.equal(await store.lastSequence(), 0);
    await store.close();
  }
  await server.stop();
});

test('the client of PostgreSQL is not loaded for an embedded store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postil-open-'));
  const module = new URL('./open-store.ts', import.meta.url).href;
  const script = `
    import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) {
      if (url.includes('postgres')) process.stdout.write(url);
      return next(url, context);
    } });
    const { openStore } = await import(${JSON.stringify(module)});
    await (await openStore(${JSON.stringify(folder)})).close();
    process.stdout.write('closed');`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  assert.equal(stdout, 'closed', stderr);
  rmSync(folder, { recursive: true });
});
