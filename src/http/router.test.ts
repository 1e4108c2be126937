import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from './route.ts';
import { createRouter } from './router.ts';

const routeFor = (method: 'GET' | 'POST', path: string, action?: string): Route => ({
  method,
  path,
  ...(action === undefined ? {} : { action }),
  bodyBytesMax: 10,
  handle: () => Promise.resolve({ status: 200 }),
  answerError: () => ({ status: 500 }),
});

const ingestProposal = routeFor('POST', '/aspects', 'ingestProposal');
const readAspect = routeFor('GET', '/aspects/{urn}');
const health = routeFor('GET', '/health');
const route = createRouter([ingestProposal, readAspect, health]);

test('every route answers at every base path', () => {
  for (const prefix of ['', '/gms', '/api/gms']) {
    const match = route('GET', `${prefix}/health`, null);
    assert.ok(match.kind === 'route' && match.route === health, prefix);
    for (const path of ['/api/graphql', '/api/v2/graphql']) {
      assert.equal(route('POST', prefix + path, null).kind, 'graphql', prefix + path);
    }
  }
});

test('a trailing slash is no difference', () => {
  const match = route('POST', '/aspects/', 'ingestProposal');
  assert.ok(match.kind === 'route' && match.route === ingestProposal);
});

test('a parameter is one segment and stays encoded', () => {
  const match = route('GET', '/aspects/urn%3Ali%3Atag%3Aa%2Fb', null);
  assert.ok(match.kind === 'route');
  assert.deepEqual(match.pathParameters, { urn: 'urn%3Ali%3Atag%3Aa%2Fb' });
});

test('an unknown action is told from an unknown path', () => {
  assert.deepEqual(route('POST', '/aspects', 'nonsense'), {
    kind: 'other-action',
    actions: ['ingestProposal'],
    route: ingestProposal,
  });
  assert.equal(route('POST', '/nowhere', null).kind, 'unknown');
});

test('another method names the ones that are answered', () => {
  assert.deepEqual(route('GET', '/api/graphql', null), { kind: 'other-method', allowed: ['POST'] });
  assert.deepEqual(route('DELETE', '/health', null), { kind: 'other-method', allowed: ['GET'] });
});

test('a base path counts only as a whole segment', () => {
  assert.equal(route('GET', '/gms@other.example/health', null).kind, 'unknown');
  assert.equal(route('GET', '/gmshealth', null).kind, 'unknown');
});
