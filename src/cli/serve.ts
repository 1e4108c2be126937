import { prepareFirstAdministrator, newToken } from '../access-token/prepare-first-administrator.ts';
import { systemCaller } from '../auth/system-caller.ts';
import { tokenIdOf } from '../auth/token-text.ts';
import { bootstrappedVersion, bootstrapVersion } from '../bootstrap/bootstrap-marker.ts';
import { type Catalogue, openCatalogue } from '../catalogue.ts';
import { type Config, readConfig, settings } from '../config.ts';
import { errorText } from '../errors/error-text.ts';
import { PostilError } from '../errors/postil-error.ts';
import { renewOldProjections } from '../integrity/renew-projections.ts';
import { createLogger, type Logger } from '../log/logger.ts';
import { projections } from '../projections.ts';
import { completeIndex } from '../search-index/rebuild-index.ts';
import { createPostilServer, type PostilServer } from '../server.ts';
import { version } from '../version.ts';
import {
  type Arguments,
  type CliCommand,
  exitCodes,
  type ExitCode,
  type Terminal,
  UsageError,
} from './command-line.ts';

/** How long running requests may take to finish when the server is told to stop. */
const stopPatienceMs = 10_000;
/** The search index is made in transactions of so much work, and told about so often. */
const indexingTransactionMs = 200;
const indexingToldMs = 5_000;

export const serve: CliCommand = {
  name: 'serve',
  summary: 'Answer requests.',
  usage: 'serve [OPTIONS]',
  help: [
    'Opens the store, making it when it is new, and answers DataHub’s API. The first start prints an administrator ' +
      'token, once, unless POSTIL_TOKEN names one, and loads a small sample catalogue; --no-sample starts empty.',
    'SIGTERM and SIGINT stop it: running requests finish, and everything acknowledged is stored.',
  ],
  options: [
    ...settings.map(({ flag, variable, description, default: preset }) => ({
      name: flag.slice(2),
      value: 'VALUE',
      description: `${description} Or $${variable}.${preset === undefined ? '' : ` Default: ${preset}.`}`,
    })),
    { name: 'no-sample', description: 'Do not load the sample into a new store.' },
  ],
  async run(given, terminal) {
    if (given.positionals.length > 0)
      throw new UsageError(serve, `${given.positionals.join(' ')} is not understood.`);
    const config = readConfig(flagsOf(given));
    const log = createLogger(config.logLevel, (line) => terminal.out(line));
    const catalogue = await openCatalogue(config.store);
    const server = createPostilServer(catalogue, log, Date.now, {
      keepsVerdicts: config.metadataTests === 'on',
    });
    try {
      const isNew = (await catalogue.store.lastSequence()) === 0;
      const token = await prepareAdministrator(catalogue, config);
      // Before anything else can fail: the token is stored already, and this is the only time that it can be shown.
      if (token !== undefined) {
        terminal.err(
          `\nThe first administrator's token. It is shown this once; keep it:\n\n  ${token}\n\n` +
            'More are made with: postil token create --help\n\n',
        );
      }
      await bootstrap(catalogue, log);
      // Before the first request, so that nobody searches in a part.
      await completeSearchIndex(catalogue, log);
      // Before the first request, so that nobody finds a sample that is half there.
      if (isNew && !given.isSet('no-sample')) await loadSample(catalogue, log, terminal);
      const port = await server.listen(config.port, config.host).catch((error: unknown) => {
        throw new UsageError(serve, `Cannot listen on ${config.host}:${config.port}: ${errorText(error)}`);
      });
      log.info('Postil is ready', {
        version,
        url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
        store: catalogue.store.location,
        startMs: Math.round(performance.now()),
      });
      // Requests that arrive earlier wait for the same work.
      await server.warmUp().catch(async (error: unknown) => {
        // Else the process would go on to listen, with nothing to answer from.
        await server.close();
        throw error;
      });
      server.readAhead();
      return await untilStopped(catalogue, server, log, terminal);
    } finally {
      await catalogue.engine.idle();
      await catalogue.store.close();
    }
  },
};

function flagsOf(given: Arguments): Partial<Record<keyof Config, string>> {
  const flags: Partial<Record<keyof Config, string>> = {};
  for (const { key, flag } of settings) {
    const value = given.value(flag.slice(2));
    if (value !== undefined) flags[key] = value;
  }
  return flags;
}

/** The text of a token that was just made and has to be shown, if one was. */
async function prepareAdministrator({ engine }: Catalogue, config: Config): Promise<string | undefined> {
  const made = newToken('bootstrap');
  const chosen =
    config.token === undefined
      ? undefined
      : { id: tokenIdOf(config.token), lastFour: config.token.slice(-4) };
  const { isMadeStored } = await engine.execute(
    prepareFirstAdministrator,
    { chosen, made: { id: made.id, lastFour: made.lastFour } },
    systemCaller,
  );
  return isMadeStored ? made.text : undefined;
}

/**
 * What every catalogue has; most starts find it there and load nothing for it. A catalogue on a full disk is served without
 * it, as it is served without room for anything else; the next start tries again.
 */
async function bootstrap({ store, engine }: Catalogue, log: Logger): Promise<void> {
  if ((await bootstrappedVersion(store)) >= bootstrapVersion) return;
  const { bootstrapCatalogue } = await import('../bootstrap/bootstrap-catalogue.ts');
  try {
    const aspects = await engine.execute(bootstrapCatalogue, {}, systemCaller);
    log.info('Stored what every catalogue has', { aspects });
  } catch (error) {
    if (!(error instanceof PostilError) || error.code !== 'STORAGE_FULL') throw error;
    log.warn('There is no room to store what every catalogue has', { error: error.message });
  }
}

/** Once for a store that was made before there was an index, or by a Postil that indexed otherwise. */
async function completeSearchIndex({ store }: Catalogue, log: Logger): Promise<void> {
  let told = performance.now();
  let isTold = false;
  const renewed = await renewOldProjections(store, projections, (entities) => {
    if (performance.now() - told < indexingToldMs) return;
    told = performance.now();
    log.info('Bringing forward what an earlier version derived', { entities });
  });
  if (renewed > 0) log.info('Brought forward what an earlier version derived', { entities: renewed });
  const report = await completeIndex(store.search, {
    entryOf: projections.searchEntryOf,
    milliseconds: indexingTransactionMs,
    onProgress(entities) {
      if (isTold && performance.now() - told < indexingToldMs) return;
      isTold = true;
      told = performance.now();
      log.info('Making the search index; requests are answered when it is done', { entities });
    },
  });
  if (report === undefined) return;
  const { entities, entries, unreadable } = report;
  log.info('Made the search index', { entities, entries });
  if (unreadable.length > 0) {
    log.warn('Entities with damaged aspects are not in the search index; run postil check', {
      entities: unreadable.length,
    });
  }
}

async function loadSample(catalogue: Catalogue, log: Logger, terminal: Terminal): Promise<void> {
  const { ingestSample } = await import('../ingest/sample.ts');
  const { aspects } = await ingestSample(catalogue.engine.execute);
  log.info('Loaded the sample catalogue', { aspects });
  terminal.err('A small sample catalogue was loaded into the new store; --no-sample starts without it.\n');
}

/** Resolves with the exit code once the server has stopped: on a signal, or because the disk failed (promise R03). */
async function untilStopped(
  catalogue: Catalogue,
  server: PostilServer,
  log: Logger,
  terminal: Terminal,
): Promise<ExitCode> {
  const reason = await new Promise<string>((resolve) => {
    // A second signal changes nothing: what was acknowledged is stored, and what runs may finish.
    terminal.onStop(resolve);
    catalogue.engine.onFailure((error) => resolve(error.message));
  });
  log.info('Stopping', { reason });
  const patience = setTimeout(() => {
    log.warn('Requests still run; stopping without them');
    terminal.abandon(exitCodes.failed);
  }, stopPatienceMs);
  await server.close();
  await catalogue.engine.idle();
  clearTimeout(patience);
  return reason.startsWith('SIG') ? exitCodes.done : exitCodes.store;
}
