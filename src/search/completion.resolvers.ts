import { graphqlEntityType, referredEntity } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { RequestContext } from '../graphql/request-context.ts';
import type { FieldResolver, Resolvers } from '../graphql/resolver.ts';
import type { CompletionQuery } from './search-engine.ts';
import { engineOf, type ScopeInput, scopeOf } from './search-request.ts';

type CompletionInput = Omit<ScopeInput, 'query' | 'types' | 'searchFlags'> & {
  readonly query: string;
  readonly field?: string | null;
  readonly limit?: number | null;
};
type OneInput = CompletionInput & { readonly type?: string | null };
type SeveralInput = CompletionInput & { readonly types?: readonly string[] | null };

type CompletionValue = {
  readonly suggestions: readonly string[];
  readonly entities: readonly EntityValue[];
  readonly usage: readonly number[];
};

const limitMax = 100;

const autoComplete: FieldResolver<unknown, { readonly input: OneInput }> = async (
  _source,
  { input },
  context,
) => {
  const scope = scopeOf({ ...input, types: isPresent(input.type) ? [input.type] : null });
  return { query: input.query, ...(await completed({ ...scope, ...completedOf(input) }, context)) };
};

const autoCompleteForMultiple: FieldResolver<unknown, { readonly input: SeveralInput }> = async (
  _source,
  { input },
  context,
) => {
  const { types = [], ...scope } = scopeOf(input);
  const query = { ...scope, ...completedOf(input) };
  const counts = await engineOf(context).counts(types, context.caller);
  const found = await Promise.all(
    // Nothing can be meant among none, which is found out for all types at once.
    types
      .filter((type) => scope.includeSoftDeleted === true || counts.get(type) !== 0)
      .map(async (type) => ({
        type: graphqlEntityType(type),
        ...(await completed({ ...query, types: [type] }, context)),
      })),
  );
  return {
    query: input.query,
    suggestions: found.filter(({ suggestions, entities }) => suggestions.length > 0 || entities.length > 0),
  };
};

async function completed(query: CompletionQuery, context: RequestContext): Promise<CompletionValue> {
  const { suggestions, entities, usage } = await engineOf(context).complete(query, context.caller);
  const shown = entities.flatMap((urn, index) => {
    const entity = referredEntity(urn);
    return entity === undefined ? [] : { entity, used: usage[index] ?? 0 };
  });
  return {
    suggestions,
    entities: shown.map(({ entity }) => entity),
    usage: shown.map(({ used }) => used),
  };
}

/** What is completed and how often. Throws BAD_REQUEST for a negative limit, LIMIT_EXCEEDED above 100. */
function completedOf({ field, limit }: CompletionInput): Pick<CompletionQuery, 'field' | 'limit'> {
  const wanted = limit ?? 10;
  if (wanted < 0) throw new PostilError('BAD_REQUEST', `limit must not be negative, but is ${wanted}.`);
  if (wanted > limitMax) {
    throw new PostilError('LIMIT_EXCEEDED', `limit is ${wanted}; ask for at most ${limitMax} completions.`);
  }
  return { ...(isPresent(field) ? { field } : {}), limit: wanted };
}

function isPresent(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text !== '';
}

export const completionResolvers: Resolvers = {
  Query: {
    autoComplete: { resolve: autoComplete, isVolatile: true },
    autoCompleteForMultiple: { resolve: autoCompleteForMultiple, isVolatile: true },
  },
};
