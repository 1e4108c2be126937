import type { Catalogue } from './catalogue.ts';
import type { GraphqlDoor } from './http/http-server.ts';
import type { Logger } from './log/logger.ts';
import { createAnswerCache } from './graphql/answer-cache.ts';
import { createGraphqlAnswerer } from './graphql/answer.ts';
import { createRequestContext, type RequestServices } from './graphql/request-context.ts';
import { buildGraphqlSchema } from './graphql/schema.ts';
import { resolvers } from './graphql-slices.ts';

/** Puts the GraphQL engine on a catalogue. Answers are kept only where this process alone writes the store. */
export function createGraphqlDoor(parts: {
  readonly catalogue: Catalogue;
  /** The generated contract, which is valid: a test checks it. */
  readonly schemaText: string;
  readonly log: Logger;
  now(): number;
  /** What slices use beyond aspects and commands. */
  readonly services: RequestServices;
}): GraphqlDoor {
  const { store, engine } = parts.catalogue;
  const answerCache = store.exclusive ? createAnswerCache() : undefined;
  if (answerCache !== undefined) {
    engine.onCommit((changes) => answerCache.invalidate(new Set(changes.map((change) => change.urn))));
  }
  const answer = createGraphqlAnswerer({
    schema: buildGraphqlSchema([parts.schemaText], resolvers, { isKnownValid: true }),
    answerCache,
    logUnexpected: (cause, { path }) =>
      parts.log.error('A resolver failed', {
        path: path.join('.'),
        error: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
      }),
  });
  return async (request, caller) => {
    const context = createRequestContext({
      caller,
      reader: store,
      immediate: store.immediate,
      execute: engine.execute,
      now: parts.now,
      services: parts.services,
    });
    const { text, isRefused } = await answer(request, context);
    return { text, isRequestError: isRefused };
  };
}
