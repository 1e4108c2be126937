import { readFileSync } from 'node:fs';
import { noteTokenUse } from './access-token/note-token-use.ts';
import { createAuthenticator } from './auth/authenticator.ts';
import { systemCaller } from './auth/system-caller.ts';
import type { Catalogue } from './catalogue.ts';
import { createHttpServer, type GraphqlDoor, type HttpServer } from './http/http-server.ts';
import type { Logger } from './log/logger.ts';
import { testResultRoutes } from './metadata-test/history/result.routes.ts';
import { metadataTestRoutes } from './metadata-test/metadata-test.routes.ts';
import { overlaidResults } from './metadata-test/results-overlay.ts';
import { testLibraryOf } from './metadata-test/test-library.ts';
import type { TestServices } from './metadata-test/test-services.ts';
import { restliErrorAnswer } from './restli/restli-error.ts';
import { restliRoutes } from './restli/restli.routes.ts';

export type PostilServer = HttpServer & {
  /** Loads and compiles what the first GraphQL request needs; done in the background after the start. */
  warmUp(): Promise<void>;
};

/** The GraphQL contract as it is published: all slices' SDL, merged; `npm run generate` writes it, a check compares it. */
const schemaFile = new URL('../api/schema.graphql', import.meta.url);

/**
 * The composition root: every door and slice is registered here (resolvers in graphql-slices.ts), nowhere else. Doors only
 * translate; whatever they store goes through the catalogue's write engine.
 */
export function createPostilServer(catalogue: Catalogue, log: Logger, now: () => number): PostilServer {
  const { store, engine } = catalogue;
  const authenticator = createAuthenticator({
    reader: store,
    exclusive: store.exclusive,
    now,
    noteUse: (tokenId) => {
      // A use that cannot be noted must not fail the request that it belongs to.
      engine.execute(noteTokenUse, { tokenId }, systemCaller).catch(() => undefined);
    },
  });
  engine.onCommit((changes) => authenticator.forget(changes));

  const tests: TestServices = {
    library: testLibraryOf(store),
    verdicts: store.verdicts,
    keeper: undefined,
  };
  const schemaText = readFileSync(schemaFile, 'utf8');
  // The GraphQL library is half of what there is to load; the health of a fresh server does not wait for it.
  let loading: Promise<GraphqlDoor> | undefined;
  const graphqlDoor = (): Promise<GraphqlDoor> =>
    (loading ??= import('./graphql-door.ts').then(({ createGraphqlDoor }) =>
      createGraphqlDoor({ catalogue, schemaText, log, now, services: { tests } }),
    ));
  let door: GraphqlDoor = async (request, caller) => {
    door = await graphqlDoor();
    return door(request, caller);
  };

  const server = createHttpServer({
    graphql: (request, caller) => door(request, caller),
    routes: [
      ...restliRoutes(schemaText, (stored) => overlaidResults(tests, stored, now())),
      ...metadataTestRoutes(tests, restliErrorAnswer),
      ...testResultRoutes(tests, restliErrorAnswer),
    ],
    authenticator,
    reader: store,
    execute: engine.execute,
    now,
    log,
  });
  return {
    ...server,
    async warmUp() {
      door = await graphqlDoor();
    },
  };
}
