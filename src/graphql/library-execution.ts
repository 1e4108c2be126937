import { execute, parse } from 'graphql';
import type { GraphQLError, GraphQLSchema } from 'graphql';
import { PostilError } from '../errors/postil-error.ts';
import { resolverFailure } from './failure.ts';
import type { GraphqlFailure, LogUnexpected } from './failure.ts';
import { locationOf, offsetInDocument, parseableText } from './literal-lifting.ts';
import type { ScannedDocument } from './literal-lifting.ts';
import type { RequestContext } from './request-context.ts';

/** `data` as JSON text, and the errors. */
export type ExecutionResult = { readonly data: string; readonly failures: readonly GraphqlFailure[] };

/**
 * Executes by the library what the compiled executor does not do: introspection, and directives whose argument has no
 * usable value. The document was validated before; its own text is parsed again, literals included.
 */
export async function executeByLibrary(
  schema: GraphQLSchema,
  scanned: ScannedDocument,
  request: {
    readonly variables: { readonly [name: string]: unknown };
    readonly operationName?: string | undefined;
  },
  context: RequestContext,
  logUnexpected: LogUnexpected,
): Promise<ExecutionResult> {
  const result = await execute({
    schema,
    document: parse(parseableText(scanned)),
    contextValue: context,
    variableValues: request.variables,
    operationName: request.operationName,
  });
  return {
    data: JSON.stringify(result.data ?? null),
    failures: (result.errors ?? []).map((error) => failureOf(error, scanned, logUnexpected)),
  };
}

function failureOf(
  error: GraphQLError,
  scanned: ScannedDocument,
  logUnexpected: LogUnexpected,
): GraphqlFailure {
  const locations = (error.positions ?? []).map((offset) =>
    locationOf(scanned.text, offsetInDocument(scanned, offset)),
  );
  const place = { locations, path: error.path ?? [] };
  if (error.originalError) return resolverFailure(error.originalError, place, logUnexpected);
  if (error.message.startsWith('Cannot return null for non-nullable field')) {
    return {
      message: error.message,
      ...place,
      extensions: { classification: 'NullValueInNonNullableField' },
    };
  }
  return resolverFailure(new PostilError('BAD_REQUEST', error.message), place, logUnexpected);
}
