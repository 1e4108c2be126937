import { errorCodes, PostilError } from '../errors/postil-error.ts';
import type { ErrorCode } from '../errors/postil-error.ts';
import { NullInNonNullField } from './execute.ts';
import type { FieldError } from './execute.ts';
import { locationOf, offsetFromKey } from './literal-lifting.ts';
import type { ScannedDocument, SourceLocation } from './literal-lifting.ts';
import type { ResponsePath } from './resolver.ts';

/** One entry of `errors`, members in the order of contract section 3.1. */
export type GraphqlFailure = {
  readonly message: string;
  readonly locations?: readonly SourceLocation[];
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    readonly code?: number;
    readonly type?: string;
    readonly classification: Classification;
  };
};

export type Classification =
  | 'InvalidSyntax'
  | 'ValidationError'
  | 'DataFetchingException'
  | 'NullValueInNonNullableField'
  | 'ExecutionAborted';

/** Contract section 3.2. */
const typeNames: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  403: 'UNAUTHORIZED',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  500: 'SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

const maskedMessage = 'An unknown error occurred.';

/** Told of everything that is thrown and not a PostilError; what the caller is answered does not say more than that. */
export type LogUnexpected = (cause: unknown, where: { readonly path: readonly (string | number)[] }) => void;

/** A refusal before, or an end during, the execution: limits, time. Not an error of one field. */
export function abortedFailure(code: ErrorCode, message: string): GraphqlFailure {
  return { message, extensions: { ...codeAndType(code), classification: 'ExecutionAborted' } };
}

/** What went wrong at one field, as the caller is told; `scanned` is the document as this caller wrote it. */
export function fieldFailure(
  error: FieldError,
  scanned: ScannedDocument,
  logUnexpected: LogUnexpected,
): GraphqlFailure {
  const { cause, field } = error;
  const path = pathArray(error.path);
  const locations = field.offsets.map((offset) => locationOf(scanned.text, offsetFromKey(scanned, offset)));
  if (cause instanceof NullInNonNullField) {
    // The wording of graphql-java.
    const message =
      `The field at path '/${path.join('/')}' was declared as a non null type, but the code involved in retrieving data ` +
      'has wrongly returned a null value.  The graphql specification requires that the parent field be set to null, or if ' +
      'that is non nullable that it bubble up null to its parent and so on. The non-nullable type is ' +
      `'${cause.typeText}' within parent type '${field.parentTypeName}'`;
    return { message, locations, path, extensions: { classification: 'NullValueInNonNullableField' } };
  }
  const known = cause instanceof PostilError ? cause : undefined;
  if (known === undefined) logUnexpected(cause, { path });
  return {
    message: known?.message ?? maskedMessage,
    locations,
    path,
    extensions: { ...codeAndType(known?.code ?? 'INTERNAL'), classification: 'DataFetchingException' },
  };
}

/** A failure of the engine itself, outside any field; masked. */
export function internalFailure(): GraphqlFailure {
  return abortedFailure('INTERNAL', maskedMessage);
}

function codeAndType(code: ErrorCode): { readonly code: number; readonly type: string } {
  const number = errorCodes[code].graphql;
  return { code: number, type: typeNames[number] ?? 'SERVER_ERROR' };
}

function pathArray(path: ResponsePath): readonly (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at: ResponsePath | undefined = path; at !== undefined; at = at.previous) keys.push(at.key);
  return keys.reverse();
}

/** The body of an answer; `data` is JSON text (contract section 3.1: extensions always, and empty). */
export function answerText(data: string, failures: readonly GraphqlFailure[]): string {
  if (failures.length === 0) return `{"data":${data},"extensions":{}}`;
  return `{"errors":${JSON.stringify(failures)},"data":${data},"extensions":{}}`;
}
