import { isJsonObject } from '../aspect/json.ts';
import type { JsonObject } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { ErrorCode } from '../errors/postil-error.ts';
import { urnType } from '../urn/urn.ts';
import type { PatchOperation } from './aspect-patch.ts';
import type { ProposalSink } from './ingest-run.ts';
import type { Preconditions, Proposal } from './proposal.ts';

export type ServerSinkOptions = {
  /** Base URL of the server, such as http://127.0.0.1:8080; a path below it is kept. */
  readonly server: string;
  readonly token?: string;
  /** Waits between attempts; the real time unless given. */
  readonly wait?: (milliseconds: number) => Promise<void>;
};

/** Attempts for one batch while the server is busy, or cannot be reached; with their pauses about 15 seconds. */
const attemptsMax = 6;
const firstPauseMs = 500;
const pauseMsMax = 30_000;
const requestTimeoutMs = 120_000;

const codeOfStatus: ReadonlyMap<number, ErrorCode> = new Map([
  [401, 'UNAUTHENTICATED'],
  [403, 'FORBIDDEN'],
  [404, 'ROUTE_NOT_FOUND'],
  [413, 'BODY_TOO_LARGE'],
  [422, 'INVALID_ASPECT'],
  [429, 'TOO_MANY_REQUESTS'],
]);

/**
 * Sends proposals to a running server by `ingestProposalBatch`. 429, 502, 503, 504 and failed connections are tried again, with
 * growing pauses, as long as `Retry-After` says where it is sent; writes are idempotent, so a repeat does no harm.
 * Throws BAD_REQUEST for a URL that cannot be used.
 */
export function createServerSink(options: ServerSinkOptions): ProposalSink {
  const url = endpointOf(options.server);
  const wait = options.wait ?? pause;
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'X-RestLi-Protocol-Version': '2.0.0',
    ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
  };
  return {
    async ingest(proposals) {
      const body = JSON.stringify({ proposals: proposals.map(wireProposal), async: 'false' });
      for (let attempt = 1; ; attempt += 1) {
        const outcome = await post(url, headers, body);
        if (outcome === undefined) return;
        if (!outcome.mayPass || attempt === attemptsMax) throw outcome.error;
        await wait(Math.min(pauseMsMax, outcome.retryAfterMs ?? firstPauseMs * 2 ** (attempt - 1)));
      }
    },
  };
}

type Failure = {
  readonly error: PostilError;
  readonly mayPass: boolean;
  readonly retryAfterMs: number | undefined;
};

async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<Failure | undefined> {
  let response: Response;
  try {
    const signal = AbortSignal.timeout(requestTimeoutMs);
    response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
    const text = await response.text();
    if (response.ok) return undefined;
    return failureOf(url, response, text);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const failed = new PostilError('OVERLOADED', `Cannot reach ${url}: ${reason}`, { cause: error });
    return { error: failed, mayPass: true, retryAfterMs: undefined };
  }
}

function failureOf(url: string, response: Response, text: string): Failure {
  const { status } = response;
  const told = messageOf(text) ?? `${url} answered ${status}`;
  const message = status === 401 ? `${told} Give a valid token with --token.` : told;
  const mayPass = status === 429 || status === 502 || status === 503 || status === 504;
  const code = codeOfStatus.get(status) ?? (status >= 500 ? 'OVERLOADED' : 'BAD_REQUEST');
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    error: new PostilError(code, message),
    mayPass,
    retryAfterMs: seconds >= 0 ? seconds * 1000 : undefined,
  };
}

function messageOf(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const message = isJsonObject(body) ? body['message'] : undefined;
    return typeof message === 'string' && message !== '' ? message : undefined;
  } catch {
    return undefined;
  }
}

/** The proposal as it goes over the wire (wire 3.1). */
function wireProposal(proposal: Proposal): JsonObject {
  const { urn, aspect, changeType, body, text, patch, systemMetadata, preconditions } = proposal;
  const value = patch === undefined ? (text ?? JSON.stringify(body)) : patchText(patch);
  const contentType = patch === undefined ? 'application/json' : 'application/json-patch+json';
  return {
    entityType: urnType(urn),
    entityUrn: urn,
    changeType,
    aspectName: aspect,
    aspect: changeType === 'DELETE' ? undefined : { value, contentType },
    systemMetadata,
    headers: preconditions === undefined ? undefined : headersOf(preconditions),
  };
}

function patchText(operations: readonly PatchOperation[]): string {
  const escaped = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1');
  return JSON.stringify(
    operations.map(({ operation, steps, value }) => ({
      op: operation,
      path: `/${steps.map(escaped).join('/')}`,
      value,
    })),
  );
}

function headersOf(preconditions: Preconditions): JsonObject {
  const { onlyIfAbsent, version, modifiedSince, unmodifiedSince } = preconditions;
  const text = (number: number | undefined): string | undefined =>
    number === undefined ? undefined : String(number);
  return {
    'If-None-Match': onlyIfAbsent === true ? '*' : undefined,
    'If-Version-Match': text(version),
    'If-Modified-Since': text(modifiedSince),
    'If-Unmodified-Since': text(unmodifiedSince),
  };
}

function endpointOf(server: string): string {
  const url = URL.parse(server);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new PostilError(
      'BAD_REQUEST',
      `${JSON.stringify(server)} is no URL of a server, such as http://127.0.0.1:8080`,
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}/aspects?action=ingestProposalBatch`;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
