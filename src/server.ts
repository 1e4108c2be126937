import { readFileSync } from 'node:fs';
import { noteTokenUse } from './access-token/note-token-use.ts';
import { createAuthenticator } from './auth/authenticator.ts';
import { systemCaller } from './auth/system-caller.ts';
import type { Catalogue } from './catalogue.ts';
import { createHttpServer, type GraphqlDoor, type HttpServer } from './http/http-server.ts';
import { createChangeFeed } from './history/change-feed.ts';
import { historyRoutes } from './history/history.routes.ts';
import type { Logger } from './log/logger.ts';
import { restoreIndicesRoute } from './integrity/restore-indices.routes.ts';
import { createRestoreIndices } from './integrity/restore-indices.ts';
import { testResultRoutes } from './metadata-test/history/result.routes.ts';
import { metadataTestRoutes } from './metadata-test/metadata-test.routes.ts';
import { previewRoutes } from './metadata-test/preview/preview.routes.ts';
import { overlaidResults } from './metadata-test/results-overlay.ts';
import { testLibraryOf } from './metadata-test/test-library.ts';
import { type ActionRunner, createActionRunner } from './metadata-test/action/action-runner.ts';
import { createVerdictKeeper } from './metadata-test/keeping/create-verdict-keeper.ts';
import type { VerdictKeeper } from './metadata-test/keeping/verdict-keeper.ts';
import type { TestServices } from './metadata-test/test-services.ts';
import { restliErrorAnswer } from './restli/restli-error.ts';
import { restliRoutes } from './restli/restli.routes.ts';
import { lazySearchEngine, type LazySearchEngine } from './search/lazy-search-engine.ts';
import { searchEntryOf } from './search-index/search-entry-of.ts';
import { urnType } from './urn/urn.ts';

export type PostilServer = HttpServer & {
  /** Loads and compiles what the first GraphQL request needs; done in the background after the start. */
  warmUp(): Promise<void>;
  /**
   * Begins to read into memory what searches need of the whole store, so that usually none waits for it; of a small store the first
   * search does it. What goes wrong is told to the log alone, and the next search tries again.
   */
  readAhead(): void;
};

/** Fewer entities are read in some seconds, for which the first search waits: whoever never searches does not pay for it in memory. */
const readAheadUsual = 300_000;

/** The GraphQL contract as it is published: all slices' SDL, merged; `npm run generate` writes it, a check compares it. */
const schemaFile = new URL('../api/schema.graphql', import.meta.url);

/**
 * The composition root: every door and slice is registered here (resolvers in graphql-slices.ts), nowhere else. Doors only
 * translate; whatever they store goes through the catalogue's write engine.
 */
export function createPostilServer(
  catalogue: Catalogue,
  log: Logger,
  now: () => number,
  options: {
    /** False: metadata tests are evaluated on demand only; true unless given. */
    readonly keepsVerdicts?: boolean;
    /** Of so many entities `readAhead` reads a store; 300,000 unless given. */
    readonly readAheadFrom?: number;
  } = {},
): PostilServer {
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
  const feed = createChangeFeed(store, !store.exclusive);
  engine.onCommit(() => feed.poke());

  const engines = options.keepsVerdicts === false ? undefined : testEnginesOf(catalogue, log, now);
  const tests: TestServices = {
    library: testLibraryOf(store),
    verdicts: store.verdicts,
    keeper: engines?.keeper,
    actions: engines?.actions,
  };
  const search = searchEngineOf(catalogue);
  const schemaText = readFileSync(schemaFile, 'utf8');
  // The GraphQL library is half of what there is to load; the health of a fresh server does not wait for it.
  let loading: Promise<GraphqlDoor> | undefined;
  const graphqlDoor = (): Promise<GraphqlDoor> =>
    (loading ??= import('./graphql-door.ts').then(({ createGraphqlDoor }) =>
      createGraphqlDoor({ catalogue, schemaText, log, now, services: { tests, search } }),
    ));
  let door: GraphqlDoor = async (request, caller) => {
    door = await graphqlDoor();
    return door(request, caller);
  };

  const restoreIndices = createRestoreIndices({
    search: store.search,
    entryOf: searchEntryOf,
    report: log.info,
  });
  const restoreAndForget: typeof restoreIndices = async (caller, urn) => {
    const report = await restoreIndices(caller, urn);
    search.forget();
    return report;
  };
  const server = createHttpServer({
    graphql: (request, caller) => door(request, caller),
    routes: [
      ...restliRoutes(schemaText, (stored) => overlaidResults(tests, stored, now()), search),
      ...metadataTestRoutes(tests, restliErrorAnswer),
      ...testResultRoutes(tests, restliErrorAnswer),
      ...previewRoutes(tests, restliErrorAnswer),
      ...historyRoutes(feed, restliErrorAnswer),
      restoreIndicesRoute(restoreAndForget, restliErrorAnswer),
    ],
    authenticator,
    reader: store,
    execute: engine.execute,
    now,
    log,
  });
  let isClosing = false;
  let readingAhead: Promise<void> | undefined;

  async function readAhead(): Promise<void> {
    try {
      const entities = await store.search.largestNumber();
      if (isClosing || entities < (options.readAheadFrom ?? readAheadUsual)) return;
      const begin = performance.now();
      await search.prepare();
      log.info('Read the search index into memory', {
        entities,
        durationMs: Math.round(performance.now() - begin),
      });
    } catch (error) {
      if (isClosing) return;
      log.warn('The search index could not be read into memory; the next search tries again', {
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  }

  return {
    ...server,
    async listen(port, host) {
      const taken = await server.listen(port, host);
      engines?.keeper.start();
      engines?.actions.start();
      return taken;
    },
    async close() {
      isClosing = true;
      // Requests that still run may wait for what is kept, and for what is read.
      await server.close();
      await search.stop();
      await readingAhead;
      await engines?.keeper.stop();
      await engines?.actions.stop();
    },
    async warmUp() {
      door = await graphqlDoor();
    },
    readAhead() {
      readingAhead ??= readAhead();
    },
  };
}

/** Keep verdicts and act on them beside the requests; what goes wrong there is told to the log alone. */
function testEnginesOf(
  { store, engine }: Catalogue,
  log: Logger,
  now: () => number,
): { readonly keeper: VerdictKeeper; readonly actions: ActionRunner } {
  const library = testLibraryOf(store);
  const actions = createActionRunner({
    store,
    verdicts: store.verdicts,
    library,
    execute: engine.execute,
    now,
    isShared: !store.exclusive,
    mayAct: () => keeper.status().activity !== 'waiting',
    attend: log.warn,
  });
  const keeper = createVerdictKeeper({
    store,
    library,
    now,
    transitionHandlers: [actions.onTransition],
    report: (level, message, cause) =>
      log[level](message, {
        error: cause instanceof Error ? (cause.stack ?? cause.message) : undefined,
      }),
  });
  engine.onCommit((changes) => {
    keeper.poke();
    if (changes.some(({ urn }) => urnType(urn) === 'test')) actions.poke();
  });
  return { keeper, actions };
}

/** Loaded and built when it is first asked. */
function searchEngineOf({ store, engine }: Catalogue): LazySearchEngine {
  return lazySearchEngine(async () => {
    const { createSearchEngine } = await import('./search/create-search-engine.ts');
    return createSearchEngine({ store, onCommit: (listener) => engine.onCommit(listener) });
  });
}
