import { isJsonObject, type JsonObject } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';

export type GraphqlRequest = {
  readonly query: string;
  readonly variables: JsonObject | undefined;
  readonly operationName: string | undefined;
};

/**
 * Reads the members of a GraphQL request (contract section 2.2): a query that is no string is taken in its text form, null
 * equals absent, other members are ignored. Throws BAD_REQUEST, which this door answers with an empty body.
 */
export function parseGraphqlBody(text: string): GraphqlRequest {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new PostilError('BAD_REQUEST', 'The body is not JSON', { cause: error });
  }
  if (!isJsonObject(body)) {
    throw new PostilError('BAD_REQUEST', 'The body must be a JSON object with a member "query"');
  }
  const { query, variables, operationName } = body;
  if (query === undefined || query === null || query === '') {
    throw new PostilError('BAD_REQUEST', 'The body has no member "query"');
  }
  if (variables !== undefined && variables !== null && !isJsonObject(variables)) {
    throw new PostilError('BAD_REQUEST', 'The member "variables" must be a JSON object');
  }
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw new PostilError('BAD_REQUEST', 'The member "operationName" must be a string');
  }
  return {
    query: typeof query === 'string' ? query : JSON.stringify(query),
    variables: variables ?? undefined,
    operationName: operationName ?? undefined,
  };
}
