/**
 * The code table: every way in which Postil refuses something, with the status each door answers.
 * `graphql` is `extensions.code` (contract section 3.2), `http` the status of rest.li and other HTTP routes.
 * docs/reference/errors.md has one heading per code; a test compares the two.
 */
export const errorCodes = {
  BAD_REQUEST: { graphql: 400, http: 400 },
  INVALID_URN: { graphql: 400, http: 400 },
  UNKNOWN_ENTITY_TYPE: { graphql: 400, http: 400 },
  UNKNOWN_ASPECT: { graphql: 400, http: 400 },
  INVALID_ASPECT: { graphql: 400, http: 422 },
  INVALID_TEST_DEFINITION: { graphql: 400, http: 400 },
  ENTITY_NOT_FOUND: { graphql: 400, http: 404 },
  TERM_NOT_FOUND: { graphql: 400, http: 404 },
  COLUMN_NOT_FOUND: { graphql: 400, http: 404 },
  AMBIGUOUS_COLUMN: { graphql: 400, http: 400 },
  ALREADY_EXISTS: { graphql: 400, http: 400 },
  NAME_CONFLICT: { graphql: 409, http: 409 },
  HIERARCHY_CYCLE: { graphql: 400, http: 400 },
  PRECONDITION_FAILED: { graphql: 409, http: 422 },
  LIMIT_EXCEEDED: { graphql: 400, http: 400 },
  BODY_TOO_LARGE: { graphql: 400, http: 413 },
  UNAUTHENTICATED: { graphql: 403, http: 401 },
  FORBIDDEN: { graphql: 403, http: 403 },
  ROUTE_NOT_FOUND: { graphql: 404, http: 404 },
  METHOD_NOT_ALLOWED: { graphql: 400, http: 405 },
  NOT_ACCEPTABLE: { graphql: 400, http: 406 },
  UNSUPPORTED_MEDIA_TYPE: { graphql: 400, http: 415 },
  TOO_MANY_REQUESTS: { graphql: 503, http: 429 },
  UNSUPPORTED_RESOURCE_TYPE: { graphql: 500, http: 400 },
  MISSING_FOR_DELETE: { graphql: 500, http: 404 },
  OVERLOADED: { graphql: 503, http: 503 },
  STORAGE_FULL: { graphql: 503, http: 503 },
  STORAGE_FAILED: { graphql: 503, http: 503 },
  STORAGE_UNREACHABLE: { graphql: 503, http: 503 },
  STORE_LOCKED: { graphql: 503, http: 503 },
  STORE_UNUSABLE: { graphql: 500, http: 500 },
  CORRUPT_ASPECT: { graphql: 500, http: 500 },
  TIMED_OUT: { graphql: 503, http: 503 },
  INVALID_CONFIGURATION: { graphql: 500, http: 500 },
  INTERNAL: { graphql: 500, http: 500 },
} as const satisfies Record<string, { readonly graphql: number; readonly http: number }>;

export type ErrorCode = keyof typeof errorCodes;

/**
 * The one error class for everything that is expected to go wrong. The message names the thing and what to do; it is
 * shown to the caller as it is. Anything else that is thrown is a bug: doors mask it as INTERNAL and log the stack.
 */
export class PostilError extends Error {
  readonly code: ErrorCode;
  /** Further facts for callers that can show them, such as the issues of an invalid aspect or definition. */
  readonly details: unknown;
  /** After how long it is worth trying again, in seconds, where that is known. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      readonly cause?: unknown;
      readonly details?: unknown;
      readonly retryAfterSeconds?: number;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PostilError';
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
