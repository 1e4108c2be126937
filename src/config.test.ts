import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig, settings } from './config.ts';
import { PostilError } from './errors/postil-error.ts';

function refusal(environment: Readonly<Record<string, string>>): string {
  try {
    readConfig({}, environment);
  } catch (error) {
    assert.ok(error instanceof PostilError && error.code === 'INVALID_CONFIGURATION');
    return error.message;
  }
  return '';
}

test('it starts with nothing set, and an empty value is none', () => {
  const unset = readConfig({}, {});
  assert.deepEqual(unset, {
    store: './postil-data',
    port: 8080,
    host: '127.0.0.1',
    token: undefined,
    logLevel: 'info',
    metadataTests: 'on',
  });
  assert.deepEqual(readConfig({}, Object.fromEntries(settings.map(({ variable }) => [variable, '']))), unset);
});

test('a flag wins over the environment', () => {
  assert.equal(readConfig({ port: '1' }, { POSTIL_PORT: '2' }).port, 1);
});

test('all wrong values are told at once, each with where it is set', () => {
  const message = refusal({
    POSTIL_STORE: 'mysql://ana:secret@db/catalogue',
    POSTIL_PORT: '80800',
    POSTIL_TOKEN: 'brief ',
    POSTIL_LOG_LEVEL: 'loud',
    POSTIL_METADATA_TESTS: 'sometimes',
  });
  for (const variable of [
    'POSTIL_STORE',
    'POSTIL_PORT',
    'POSTIL_TOKEN',
    'POSTIL_LOG_LEVEL',
    'POSTIL_METADATA_TESTS',
  ]) {
    assert.ok(message.includes(variable), message);
  }
  assert.ok(!message.includes('secret') && !message.includes('brief'), message);
});

test('a port is written in digits, or refused', () => {
  for (const port of [' ', '0x50', '1e3', '8080.0', '-1', '65536', '8080 ']) {
    assert.match(refusal({ POSTIL_PORT: port }), /POSTIL_PORT/, port);
  }
  assert.equal(readConfig({}, { POSTIL_PORT: '0' }).port, 0);
});

test('a store is a folder or a PostgreSQL URL', () => {
  for (const store of ['./data', '/var/lib/postil', 'C:\\data', 'postgres://h/d', 'postgresql://h/d']) {
    assert.equal(readConfig({}, { POSTIL_STORE: store }).store, store);
  }
  for (const store of ['mysql://h/d', 'http://h', 'file:///data'])
    assert.match(refusal({ POSTIL_STORE: store }), /POSTIL_STORE/);
});
