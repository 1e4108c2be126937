import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AspectReader } from '../aspect/aspect-store.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import type { Caller } from '../auth/caller.ts';
import type { Execute } from '../command/command.ts';
import { errorCodes, PostilError } from '../errors/postil-error.ts';
import type { Logger } from '../log/logger.ts';
import { closeWhenSent } from './close-when-sent.ts';
import { createFailedSignIns } from './failed-sign-ins.ts';
import { type GraphqlRequest, parseGraphqlBody } from './graphql-body.ts';
import { discardRest, isBeyondDiscarding, parseJson, readBody, requireJson } from './read-body.ts';
import { retryHeader } from './retry-header.ts';
import type { Route, RouteAnswer } from './route.ts';
import { createRouter } from './router.ts';

// Not imported: an import reads all that node:http exports, and its WebSocket brings a whole HTTP client, a tenth of the memory
// of a fresh server and of its start.
const { createServer } = process.getBuiltinModule('node:http');

/** Reliability section 5.1: the largest GraphQL document with its variables. */
export const graphqlBodyBytesMax = 1024 * 1024;
const headerBytesMax = 16 * 1024;
const requestsInFlightMax = 2_000;
const patienceUsual = 30_000;
const jsonType = 'application/json;charset=utf-8';
const graphqlResponseType = 'application/graphql-response+json;charset=utf-8';

/** Answers a GraphQL request with the text of the body; `isRequestError`: nothing was executed. */
export type GraphqlDoor = (
  request: GraphqlRequest,
  caller: Caller,
) => Promise<{ readonly text: string; readonly isRequestError: boolean }>;

export type HttpServerParts = {
  readonly graphql: GraphqlDoor;
  readonly routes: readonly Route[];
  readonly authenticator: Authenticator;
  readonly reader: AspectReader;
  readonly execute: Execute;
  now(): number;
  readonly log: Logger;
  /** How long a listener of events may take none of them, in milliseconds; half a minute unless given. */
  readonly listenerPatienceMs?: number;
};

export type HttpServer = {
  /** Resolves with the port that is listened on. Throws what `listen` throws, such as a port in use. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no new connections, lets running requests finish, and closes what is idle. */
  close(): Promise<void>;
};

/**
 * The HTTP door engine on `node:http`: finds the route, asks who is calling before it looks at the body, reads the body
 * within its limit, and maps every error once (decision 8, contract section 2.3).
 */
export function createHttpServer(parts: HttpServerParts): HttpServer {
  const { log, now, listenerPatienceMs: patienceMs = patienceUsual } = parts;
  const route = createRouter(parts.routes);
  const failedSignIns = createFailedSignIns(now);
  let inFlight = 0;
  let isClosing = false;
  const streams = new Set<AbortController>();

  async function authenticate(request: IncomingMessage): Promise<Caller> {
    return (await parts.authenticator.authenticate(request.headers.authorization)) ?? refuseCaller(request);
  }

  function refuseCaller(request: IncomingMessage): never {
    const header = request.headers.authorization;
    const address = request.socket.remoteAddress ?? '';
    if (header !== undefined) {
      const wait = failedSignIns.waitSeconds(address);
      if (wait > 0) {
        throw new PostilError('TOO_MANY_REQUESTS', `Too many bad tokens; try again in ${wait} seconds`);
      }
      failedSignIns.note(address);
    }
    throw new PostilError('UNAUTHENTICATED', 'Unauthorized to perform this action.');
  }

  async function answerGraphql(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Not `authenticate`: this is the busiest path, and every function that waits costs it a few turns of the queue.
    const known = await parts.authenticator.authenticate(request.headers.authorization);
    const caller = known ?? refuseCaller(request);
    const type = graphqlContentType(request.headers.accept);
    requireJson(request.headers['content-type'], false);
    const body = parseGraphqlBody(await readBody(request, graphqlBodyBytesMax));
    const { text, isRequestError } = await parts.graphql(body, caller);
    const status = isRequestError && type === graphqlResponseType ? 400 : 200;
    send(response, status, text, type);
  }

  async function answerRoute(
    found: Route,
    pathParameters: Readonly<Record<string, string>>,
    rawQuery: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    let answer: RouteAnswer;
    let failure: unknown;
    try {
      // An open route still knows its caller when there is one, so that it can say more to those it knows.
      const caller = found.isOpen === true ? await knownCaller(request) : await authenticate(request);
      let bodyText: string | undefined;
      if (found.method === 'POST') {
        requireJson(request.headers['content-type'], true);
        bodyText = await readBody(request, found.bodyBytesMax);
      }
      const query = new URLSearchParams(rawQuery);
      const lastEventId = request.headers['last-event-id'];
      answer = await found.handle({
        ...(typeof lastEventId === 'string' ? { lastEventId } : {}),
        pathParameters,
        rawQuery,
        query,
        body: bodyText === undefined ? undefined : parseJson(bodyText),
        ...(bodyText === undefined ? {} : { bodyText }),
        caller,
        currentCaller: () => parts.authenticator.authenticate(request.headers.authorization),
        services: {
          reader: parts.reader,
          now,
          execute: (command, input) => {
            if (caller === undefined)
              throw new PostilError('UNAUTHENTICATED', 'Unauthorized to perform this action.');
            return parts.execute(command, input, caller);
          },
        },
      });
    } catch (error) {
      noteUnexpected(error);
      failure = error;
      answer = found.answerError(error);
    }
    refuseRest(request, response);
    if (answer.stream !== undefined) {
      await streamEvents(answer.stream, response);
      return;
    }
    const headers = { ...retryHeader(answer.status, failure), ...answer.headers };
    send(response, answer.status, answer.body ?? '', jsonType, headers);
  }

  /** Events as they come; a listener who is slow is waited for, one who is gone ends it. */
  async function streamEvents(
    stream: NonNullable<RouteAnswer['stream']>,
    response: ServerResponse,
  ): Promise<void> {
    const ending = new AbortController();
    streams.add(ending);
    response.on('close', () => ending.abort());
    response.writeHead(200, {
      'Content-Type': 'text/event-stream;charset=utf-8',
      'Cache-Control': 'no-store',
      // Nothing else is asked on it, and a closing server must not wait for what would be.
      Connection: 'close',
    });
    response.flushHeaders();
    try {
      if (!isClosing && !response.destroyed)
        await stream((text) => sendPart(response, text, ending.signal, patienceMs), ending.signal);
    } finally {
      streams.delete(ending);
      response.end();
    }
  }

  /** Nobody is turned away from an open route; but an address that guesses at tokens is not told here what it hit. */
  async function knownCaller(request: IncomingMessage): Promise<Caller | undefined> {
    const header = request.headers.authorization;
    const address = request.socket.remoteAddress ?? '';
    if (header === undefined || failedSignIns.waitSeconds(address) > 0) return undefined;
    const caller = await parts.authenticator.authenticate(header);
    if (caller === undefined) failedSignIns.note(address);
    return caller;
  }

  /** Nobody reads what is left of a body once the answer is known. */
  function refuseRest(request: IncomingMessage, response: ServerResponse): void {
    if (isBeyondDiscarding(request)) response.setHeader('Connection', 'close');
    else discardRest(request);
  }

  function noteUnexpected(error: unknown): void {
    if (error instanceof PostilError && errorCodes[error.code].http < 500) return;
    log.error('A request failed', {
      code: error instanceof PostilError ? error.code : 'INTERNAL',
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }

  /** Throws, or rejects, what `fail` turns into an answer. */
  function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = originForm(request.url ?? '/');
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const rawQuery = mark < 0 ? '' : url.slice(mark + 1);
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
    const action = rawQuery === '' ? null : new URLSearchParams(rawQuery).get('action');
    const match = route(method, path, action);
    switch (match.kind) {
      case 'graphql':
        return answerGraphql(request, response);
      case 'route':
        return answerRoute(match.route, match.pathParameters, rawQuery, request, response);
      case 'other-method':
        response.setHeader('Allow', match.allowed.join(', '));
        throw new PostilError(
          'METHOD_NOT_ALLOWED',
          `${path} answers ${match.allowed.join(', ')}, not ${method}`,
        );
      case 'other-action':
        return answerRoute(
          {
            ...match.route,
            handle() {
              throw new PostilError(
                'BAD_REQUEST',
                `${path} has no action ${action ?? '(none was named)'}; it has ${match.actions.join(', ')}`,
              );
            },
          },
          {},
          rawQuery,
          request,
          response,
        );
      case 'unknown':
        throw new PostilError('ROUTE_NOT_FOUND', `There is nothing at ${path}`);
    }
  }

  function fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    noteUnexpected(error);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const code = error instanceof PostilError ? error.code : 'INTERNAL';
    const status = errorCodes[code].http;
    const message = error instanceof PostilError ? error.message : 'An unknown error occurred.';
    const headers: Record<string, string> = retryHeader(status, error);
    refuseRest(request, response);
    if (code === 'UNAUTHENTICATED') {
      headers['WWW-Authenticate'] = 'Bearer';
      const url = (request.url ?? '/').split('?', 1)[0];
      send(
        response,
        status,
        JSON.stringify({ servlet: 'apiServlet', message, url, status: '401' }),
        jsonType,
        headers,
      );
      return;
    }
    if (code === 'BAD_REQUEST' && /\/graphql\/?(\?|$)/.test(request.url ?? '')) {
      // DataHub answers an unreadable GraphQL body with an empty one; the reason stands in a header of ours.
      send(response, status, '', jsonType, { ...headers, 'X-Postil-Error': message });
      return;
    }
    send(response, status, JSON.stringify({ code, message, status }), jsonType, headers);
  }

  const server: Server = createServer(
    {
      maxHeaderSize: headerBytesMax,
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
      noDelay: true,
    },
    (request, response) => {
      if (isClosing) response.setHeader('Connection', 'close');
      if (inFlight >= requestsInFlightMax) {
        fail(
          request,
          response,
          new PostilError('OVERLOADED', 'Too many requests are running; try again in a moment'),
        );
        return;
      }
      inFlight += 1;
      const start = log.isDebug ? performance.now() : 0;
      const ended = (): void => {
        inFlight -= 1;
        if (isClosing) closeWhenSent(server, response);
        if (!log.isDebug) return;
        log.debug('request', {
          method: request.method,
          path: (request.url ?? '').split('?', 1)[0],
          status: response.statusCode,
          durationMs: Math.round((performance.now() - start) * 1_000) / 1_000,
        });
      };
      const failed = (error: unknown): void => {
        try {
          fail(request, response, error);
        } finally {
          ended();
        }
      };
      try {
        void answer(request, response).then(ended, failed);
      } catch (error) {
        failed(error);
      }
    },
  );

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          const address = server.address();
          resolve(typeof address === 'object' && address !== null ? address.port : port);
        });
      }),
    close: () =>
      new Promise((resolve) => {
        isClosing = true;
        for (const ending of streams) ending.abort();
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

/** The path and query of a request line that names the server as well, as requests to proxies do (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const [, rest] = /^https?:\/\/[^/?]*(.*)$/i.exec(target) ?? [];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Which of the two GraphQL media types to answer. Throws NOT_ACCEPTABLE for a caller who takes neither. */
function graphqlContentType(accept: string | undefined): string {
  if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json')
    return jsonType;
  const types = accept.split(',').map((part) => (part.split(';', 1)[0] ?? '').trim().toLowerCase());
  if (types.includes('application/graphql-response+json')) return graphqlResponseType;
  if (types.some((type) => type === 'application/json' || type === '*/*' || type === 'application/*'))
    return jsonType;
  throw new PostilError(
    'NOT_ACCEPTABLE',
    `This answers application/json; the request accepts only ${accept}`,
  );
}

/** Resolves when the text was taken, or nobody takes it any more. */
function sendPart(
  response: ServerResponse,
  text: string,
  signal: AbortSignal,
  patienceMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else if (response.write(text)) resolve();
    else {
      const done = (): void => {
        clearTimeout(timer);
        response.off('drain', done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      // Whoever takes nothing for so long keeps a place from others; who is there comes back to where it stopped.
      const timer = setTimeout(() => response.destroy(), patienceMs);
      response.once('drain', done);
      signal.addEventListener('abort', done, { once: true });
    }
  });
}

/** The length is said beforehand, and what is plain ASCII is sent as such, which saves a fifth of the time of an answer. */
function send(
  response: ServerResponse,
  status: number,
  text: string,
  type: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.byteLength(text);
  const all: Record<string, string | number> = { 'Content-Length': bytes };
  if (bytes > 0) all['Content-Type'] = type;
  for (const name in headers) all[name] = (headers[name] ?? '').replaceAll(/[^\x20-\x7e]/g, '?');
  response.writeHead(status, all);
  response.end(text, bytes === text.length ? 'latin1' : 'utf8');
}
