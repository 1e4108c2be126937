import type { GraphQLSchema } from 'graphql';
import { PostilError } from '../errors/postil-error.ts';
import type { AnswerCache } from './answer-cache.ts';
import { createBoundedCache } from './bounded-cache.ts';
import { compileDocument } from './compiled-document.ts';
import type { CompiledDocument } from './compiled-document.ts';
import { graphqlLimits } from './document-limits.ts';
import type { GraphqlLimits } from './document-limits.ts';
import { createExecution, executeOperation } from './execute.ts';
import { abortedFailure, answerText, fieldFailure, internalFailure } from './failure.ts';
import type { GraphqlFailure, LogUnexpected } from './failure.ts';
import { scanDocument } from './literal-lifting.ts';
import type { ScannedDocument } from './literal-lifting.ts';
import type { RequestValues } from './plan.ts';
import { createRepeatedKeys } from './repeated-keys.ts';
import type { RequestContext } from './request-context.ts';

/** What a client sends (contract section 2.2), after the door has checked the shape of the body. */
export type GraphqlRequest = {
  readonly query: string;
  readonly variables?: { readonly [name: string]: unknown } | undefined;
  readonly operationName?: string | undefined;
};

export type GraphqlAnswer = {
  /** The whole body, exactly as contract section 3 has it. */
  readonly text: string;
  /** The name of the operation, if it has one and was reached. */
  readonly operationName: string | undefined;
  readonly hadErrors: boolean;
  /** True when nothing was executed: the document, its limits or its variables were refused. */
  readonly isRefused: boolean;
};

export type GraphqlAnswerer = (request: GraphqlRequest, context: RequestContext) => Promise<GraphqlAnswer>;

export type GraphqlAnswererParts = {
  readonly schema: GraphQLSchema;
  readonly logUnexpected: LogUnexpected;
  /** Only where the store is exclusive; see `AnswerCache`. */
  readonly answerCache?: AnswerCache | undefined;
  readonly limits?: Partial<GraphqlLimits>;
};

/** `data` as JSON text, and the errors. */
type ExecutionResult = { readonly data: string; readonly failures: readonly GraphqlFailure[] };

/** Documents that are kept compiled, and the tokens of all of them together (a token takes a few hundred bytes). */
const maxDocuments = 1000;
const maxDocumentTokens = 200_000;
/** White space and comments count as well. */
const charactersPerToken = 32;

/** `scanned` where no literal was lifted, so that it is the same for every request with the text. */
type KnownDocument = { readonly document: CompiledDocument; readonly scanned: ScannedDocument | undefined };

type FoundDocument =
  | { readonly document: CompiledDocument; readonly scanned: ScannedDocument }
  | { readonly failures: readonly GraphqlFailure[] };

/**
 * Creates what answers GraphQL requests: parses, limits, validates and compiles each document once, executes it, and gives
 * the body. Never rejects: whatever goes wrong is in the body; what is not expected is masked there and logged.
 */
export function createGraphqlAnswerer(parts: GraphqlAnswererParts): GraphqlAnswerer {
  const { schema, logUnexpected, answerCache } = parts;
  const limits: GraphqlLimits = { ...graphqlLimits, ...parts.limits };
  const documents = createBoundedCache<KnownDocument>({
    maxEntries: maxDocuments,
    maxSize: maxDocumentTokens,
  });

  const isRepeated = createRepeatedKeys();

  function documentFor(text: string, operationName: string | undefined): FoundDocument {
    // Most clients send the same text with other variables; a text without a quotation mark is its own key.
    const same = text.includes('"') ? undefined : documents.get(documentKey(text, operationName));
    if (same?.scanned?.text === text) return { document: same.document, scanned: same.scanned };
    const scanned = scanDocument(text);
    const key = documentKey(scanned.key, operationName);
    const known = scanned.isRegular ? documents.get(key)?.document : undefined;
    if (known?.accepts(scanned.literals) === true) return { document: known, scanned };
    const problem = scanProblem(scanned, limits);
    if (problem !== undefined) return { failures: [abortedFailure('LIMIT_EXCEEDED', problem)] };
    const result = compileDocument(schema, scanned, operationName, limits);
    if ('failures' in result) return result;
    const { document } = result;
    if (scanned.isRegular) {
      const size = scanned.tokens + Math.ceil(key.length / charactersPerToken);
      documents.set(key, { document, scanned: scanned.key === text ? scanned : undefined }, size);
    }
    return { document, scanned };
  }

  async function executeDocument(
    document: CompiledDocument,
    scanned: ScannedDocument,
    values: RequestValues,
    context: RequestContext,
  ): Promise<ExecutionResult> {
    const execution = createExecution(context, values, limits.answerBytes);
    const limitMs = document.isMutation ? limits.mutationMs : limits.queryMs;
    const written = executeOperation(execution, document.planFor(values));
    const data = typeof written === 'string' ? written : await inTime(written, limitMs);
    if (data === undefined) {
      execution.isCancelled = true;
      return timedOut(document.isMutation, limitMs);
    }
    if (execution.charactersLeft < 0) return tooLarge(limits.answerBytes, document.isMutation);
    if (execution.errors.length === 0) return { data, failures: none };
    return {
      data,
      failures: execution.errors.map((error) => fieldFailure(error, scanned, logUnexpected)),
    };
  }

  async function answerDocument(
    document: CompiledDocument,
    scanned: ScannedDocument,
    request: GraphqlRequest,
    context: RequestContext,
  ): Promise<GraphqlAnswer> {
    const { operationName } = document;
    const prepared = document.valuesOf(scanned, request.variables ?? {});
    if ('failures' in prepared) return refusal(prepared.failures, operationName);
    const { values } = prepared;
    const cache = document.isKeepable ? answerCache : undefined;
    const key = cache === undefined ? '' : keyOf(document, values);
    const kept = cache?.get(key);
    if (kept !== undefined) return { text: kept, operationName, hadErrors: false, isRefused: false };
    const computation = isRepeated(key) ? cache?.begin() : undefined;
    try {
      const { data, failures } = await executeDocument(document, scanned, values, context);
      const text = answerText(data, failures);
      if (isTooLarge(text, limits.answerBytes)) {
        return failed(tooLarge(limits.answerBytes, document.isMutation).failures, operationName);
      }
      if (failures.length === 0) computation?.keep(key, text, context.readUrns);
      return { text, operationName, hadErrors: failures.length > 0, isRefused: false };
    } finally {
      computation?.end();
    }
  }

  return async (request, context) => {
    try {
      const found = documentFor(request.query, request.operationName || undefined);
      if ('failures' in found) return refusal(found.failures, undefined);
      return await answerDocument(found.document, found.scanned, request, context);
    } catch (cause) {
      if (cause instanceof PostilError) return failed([abortedFailure(cause.code, cause.message)], undefined);
      logUnexpected(cause, { path: [] });
      return failed([internalFailure()], undefined);
    }
  };
}

const none: readonly never[] = [];

function documentKey(text: string, operationName: string | undefined): string {
  // Neither a text nor a key begins with a number and `\0`, so the two forms cannot meet.
  return operationName === undefined ? text : `${operationName.length}\0${operationName}${text}`;
}

function refusal(failures: readonly GraphqlFailure[], operationName: string | undefined): GraphqlAnswer {
  return { text: answerText('null', failures), operationName, hadErrors: true, isRefused: true };
}

function failed(failures: readonly GraphqlFailure[], operationName: string | undefined): GraphqlAnswer {
  return { text: answerText('null', failures), operationName, hadErrors: true, isRefused: false };
}

/** Judged before the library's parser runs, which would recurse as deep as a document is nested. */
function scanProblem(scanned: ScannedDocument, limits: GraphqlLimits): string | undefined {
  if (scanned.tokens > limits.tokens) return `The document has more than ${limits.tokens} tokens`;
  if (scanned.nesting > limits.nesting) return `The document is nested deeper than ${limits.nesting} levels`;
  return undefined;
}

/** Names an answer: the document and everything that varies between the requests for it. */
function keyOf(document: CompiledDocument, { variables, literals }: RequestValues): string {
  return `${document.id}${JSON.stringify(variables)}${literals.length === 0 ? '' : JSON.stringify(literals)}`;
}

function isTooLarge(text: string, limit: number): boolean {
  return text.length * 3 > limit && Buffer.byteLength(text) > limit;
}

function tooLarge(answerBytes: number, isMutation: boolean): ExecutionResult {
  const advice = isMutation
    ? 'What it writes may be stored all the same; read it back.'
    : 'Ask for less at once.';
  const message = `The answer has more than ${answerBytes} bytes. ${advice}`;
  return { data: 'null', failures: [abortedFailure('LIMIT_EXCEEDED', message)] };
}

function timedOut(isMutation: boolean, limitMs: number): ExecutionResult {
  const advice = isMutation
    ? 'What it writes may be stored all the same; read it back.'
    : 'Ask for less at once.';
  const message = `The request took longer than ${limitMs} milliseconds. ${advice}`;
  return { data: 'null', failures: [abortedFailure('TIMED_OUT', message)] };
}

/** The value, or `undefined` when it does not come in time; what comes later is dropped. */
function inTime<Value>(later: Promise<Value>, limitMs: number): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), limitMs);
    const settle = (): void => clearTimeout(timer);
    later.then(
      (value) => {
        settle();
        resolve(value);
      },
      (cause: unknown) => {
        settle();
        reject(cause);
      },
    );
  });
}
