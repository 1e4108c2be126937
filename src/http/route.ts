import type { AspectReader } from '../aspect/aspect-store.ts';
import type { Caller } from '../auth/caller.ts';
import type { Command } from '../command/command.ts';

/** What a route may use; bound to the caller of this request. */
export type RouteServices = {
  readonly reader: AspectReader;
  execute<Input, Result>(command: Command<Input, Result>, input: Input): Promise<Result>;
  /** Milliseconds since the Unix epoch. */
  now(): number;
};

export type RouteRequest = {
  /** By name as in the route's path, still percent-encoded: a slash inside a URN arrives as %2F. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** What stands behind the question mark, as it was sent; rest.li lists have to be split before they are decoded. */
  readonly rawQuery: string;
  readonly query: URLSearchParams;
  /** The parsed JSON body of a POST; `undefined` for a GET. */
  readonly body: unknown;
  /** The same body as it was sent, for who has to keep numbers as they were written. */
  readonly bodyText?: string;
  /** Where a listener of server-sent events stopped: the header `Last-Event-ID`. */
  readonly lastEventId?: string;
  /** `undefined` only on open routes. */
  readonly caller: Caller | undefined;
  /** Who is calling as of now, for who answers long after the request came; `undefined` once the token is no longer good. */
  currentCaller(): Promise<Caller | undefined>;
  readonly services: RouteServices;
};

export type RouteAnswer = {
  readonly status: number;
  /** JSON text; absent for an empty body. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Instead of a body: server-sent events, as long as somebody listens. `send` waits until the text is taken; the signal is
   * aborted when the listener is gone or the server closes, and then the function has to return.
   */
  readonly stream?: (send: (text: string) => Promise<void>, signal: AbortSignal) => Promise<void>;
};

/** One HTTP operation, as data; it answers at every base path (decision 6). Doors register theirs in server.ts. */
export type Route = {
  readonly method: 'GET' | 'POST';
  /** Segments; `{name}` takes one segment: `/aspects/{urn}`. */
  readonly path: string;
  /** The value of `?action=` that selects this route among those of one path. */
  readonly action?: string;
  /** Open routes answer without a token. */
  readonly isOpen?: boolean;
  readonly bodyBytesMax: number;
  handle(request: RouteRequest): Promise<RouteAnswer>;
  /** How this door tells an error; every error that `handle` throws goes through it. */
  answerError(error: unknown): RouteAnswer;
};
