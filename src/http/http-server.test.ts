import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import { createAuthenticator } from '../auth/authenticator.ts';
import { errorCodes, PostilError } from '../errors/postil-error.ts';
import { createLogger } from '../log/logger.ts';
import { createHttpServer, type HttpServer } from './http-server.ts';
import type { Route, RouteAnswer } from './route.ts';

const answers: Readonly<Record<string, RouteAnswer>> = {
  '/ascii': { status: 200, body: '{"a":"plain"}' },
  '/latin': { status: 200, body: '{"a":"é ÿ"}' },
  '/wide': { status: 201, body: '{"a":"日本 😀"}', headers: { 'X-Note': 'tab\tand é' } },
  '/empty': { status: 200 },
};

const routes: readonly Route[] = Object.entries(answers).map(([path, answer]) => ({
  method: 'GET',
  path,
  bodyBytesMax: 0,
  isOpen: true,
  handle: async () => answer,
  answerError: (error) => ({ status: 500, body: String(error) }),
}));

const answerError = (error: unknown): RouteAnswer => ({
  status: error instanceof PostilError ? errorCodes[error.code].http : 500,
  body: String(error),
});

/** A server of these routes alone; nobody asks it for GraphQL. */
function serverOf(
  { store, engine }: TestCatalogue,
  served: readonly Route[],
  rest: { readonly listenerPatienceMs?: number } = {},
): HttpServer {
  return createHttpServer({
    routes: served,
    graphql: async () => {
      throw new PostilError('INTERNAL', 'not asked');
    },
    authenticator: createAuthenticator({
      reader: store,
      exclusive: true,
      now: Date.now,
      noteUse: () => {},
    }),
    reader: store,
    execute: engine.execute,
    now: Date.now,
    log: createLogger('silent', () => {}),
    ...rest,
  });
}

describe('the HTTP server', () => {
  it('sends every text with its length in bytes, whatever characters it has', async () => {
    await using catalogue = await openTestCatalogue();
    const server = serverOf(catalogue, routes);
    const port = await server.listen(0, '127.0.0.1');
    try {
      for (const [path, { status, body = '' }] of Object.entries(answers)) {
        const response = await fetch(`http://127.0.0.1:${port}${path}`);
        assert.equal(response.status, status);
        assert.equal(response.headers.get('content-length'), String(Buffer.byteLength(body)));
        const type = body === '' ? null : 'application/json;charset=utf-8';
        assert.equal(response.headers.get('content-type'), type);
        assert.equal(await response.text(), body);
        const head = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'HEAD' });
        assert.equal(head.status, status);
        assert.equal(await head.text(), '');
      }
      const wide = await fetch(`http://127.0.0.1:${port}/wide`);
      assert.equal(wide.headers.get('x-note'), 'tab?and ?');
      assert.equal((await fetch(`http://127.0.0.1:${port}/api/graphql`, { method: 'POST' })).status, 401);
    } finally {
      await server.close();
    }
  });

  it('says when it is worth to try again: what the error says, or soon', async () => {
    await using catalogue = await openTestCatalogue();
    const overloaded = (path: string, options: { readonly retryAfterSeconds?: number }): Route => ({
      method: 'GET',
      path,
      bodyBytesMax: 0,
      isOpen: true,
      handle() {
        throw new PostilError('OVERLOADED', 'Much is asked', options);
      },
      answerError,
    });
    const server = serverOf(catalogue, [
      overloaded('/known', { retryAfterSeconds: 7 }),
      overloaded('/unknown', {}),
    ]);
    const port = await server.listen(0, '127.0.0.1');
    try {
      for (const [path, seconds] of [
        ['/known', '7'],
        ['/unknown', '1'],
      ] as const) {
        const response = await fetch(`http://127.0.0.1:${port}${path}`);
        assert.deepEqual([response.status, response.headers.get('retry-after')], [503, seconds]);
        await response.text();
      }
    } finally {
      await server.close();
    }
  });

  it(
    'answers what it was asked before it closed, and keeps no connection for more',
    { timeout: 20_000 },
    async () => {
      await using catalogue = await openTestCatalogue();
      const asked = Promise.withResolvers<void>();
      const known = Promise.withResolvers<RouteAnswer>();
      const slow: Route = {
        method: 'GET',
        path: '/slow',
        bodyBytesMax: 0,
        isOpen: true,
        handle() {
          asked.resolve();
          return known.promise;
        },
        answerError,
      };
      const server = serverOf(catalogue, [slow]);
      const port = await server.listen(0, '127.0.0.1');
      const answer = fetch(`http://127.0.0.1:${port}/slow`);
      await asked.promise;
      const closed = server.close();
      known.resolve({ status: 200, body: '{"a":"late"}' });
      assert.equal(await (await answer).text(), '{"a":"late"}');
      await closed;
    },
  );

  it('lets go of a listener who takes nothing of its events', { timeout: 30_000 }, async () => {
    await using catalogue = await openTestCatalogue();
    let end: (() => void) | undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const endless: Route = {
      method: 'GET',
      path: '/endless',
      bodyBytesMax: 0,
      isOpen: true,
      handle: async () => ({
        status: 200,
        async stream(send, signal) {
          while (!signal.aborted) await send('x'.repeat(1_000_000));
          end?.();
        },
      }),
      answerError: (error) => ({ status: 500, body: String(error) }),
    };
    const server = serverOf(catalogue, [endless], { listenerPatienceMs: 50 });
    const port = await server.listen(0, '127.0.0.1');
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    socket.write('GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await ended;
    socket.destroy();
    await server.close();
  });
});
