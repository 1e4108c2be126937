import { readConfig } from '../config.ts';
import { renewProjections } from '../integrity/renew-projections.ts';
import { projections } from '../projections.ts';
import { remakeIndex, type RebuildReport } from '../search-index/rebuild-index.ts';
import { openStore } from '../storage/open-store.ts';
import { storeFlag, storeOption } from './backup.ts';
import { type Arguments, type CliCommand, exitCodes, type Terminal, UsageError } from './command-line.ts';
import { requireExistingStore } from './existing-store.ts';
import { createProgressLine, progressBar } from './progress-line.ts';
import { requestRest } from './test/request-rest.ts';

/** Nobody waits for a store that no server holds; a commit for each so much work is cheap. */
const transactionMilliseconds = 200;

export const reindex: CliCommand = {
  name: 'reindex',
  summary: 'Make the search index anew from what is stored.',
  usage: 'reindex [--server URL [--token TOKEN] | --store WHERE] [--json]',
  help: [
    'Computes of every aspect anew what it contributes to finding its entity. It is needed only after postil check found ' +
      'damage in the search index: writes keep the index, and a new version of Postil makes it anew by itself at its first ' +
      'start. With --store, relationships, places in trees and fragments that differ from the aspects are mended as well.',
    'With --store, an embedded store must not be in use by a server; if it is interrupted, the next start of a server goes ' +
      'on with it. With --server, a running server does it beside its requests; the token has to be an administrator’s.',
    'Exit code 0: done. 1: entities with damaged aspects were left as they were, and are listed; or the server refused.',
  ],
  options: [
    { name: 'server', value: 'URL', description: 'A running server, such as http://127.0.0.1:8080.' },
    {
      name: 'token',
      value: 'TOKEN',
      description: 'The token to call the server with. Default: $POSTIL_TOKEN.',
    },
    storeOption,
    { name: 'json', description: 'Print the result as JSON.' },
  ],
  async run(given, terminal) {
    if (given.positionals.length > 0) {
      throw new UsageError(reindex, `${given.positionals.join(' ')} is not understood.`);
    }
    const server = given.value('server');
    if (server === undefined) return reindexStore(given, terminal);
    if (given.value('store') !== undefined) {
      throw new UsageError(reindex, 'Choose one of --server and --store.');
    }
    return reindexServer(server, given, terminal);
  },
};

async function reindexServer(
  server: string,
  given: Arguments,
  terminal: Terminal,
): Promise<typeof exitCodes.done> {
  const flag = given.value('token');
  const { token } = readConfig(flag === undefined ? {} : { token: flag });
  if (token === undefined) throw new UsageError(reindex, 'Give the token to call the server with: --token.');
  const path = '/operations?action=restoreIndices';
  const { value } = await requestRest<{ value: string }>(server, token, { method: 'POST', path, body: {} });
  terminal.out(given.isSet('json') ? `${JSON.stringify({ answer: value })}\n` : `${value}\n`);
  return exitCodes.done;
}

async function reindexStore(
  given: Arguments,
  terminal: Terminal,
): Promise<typeof exitCodes.done | typeof exitCodes.failed> {
  const { store: location } = readConfig(storeFlag(given.value('store')));
  requireExistingStore(location);
  const store = await openStore(location);
  const progress = createProgressLine(terminal, () => performance.now());
  try {
    const { entities: total } = await store.statistics();
    await renewProjections(store, projections, (entities) =>
      progress.show(
        `comparing: ${progressBar(Math.min(1, entities / Math.max(1, total)))}  ${entities} entities`,
      ),
    );
    const report = await remakeIndex(store.search, {
      entryOf: projections.searchEntryOf,
      milliseconds: transactionMilliseconds,
      isShared: !store.exclusive,
      onProgress: (entities) =>
        progress.show(
          `indexing: ${progressBar(Math.min(1, entities / Math.max(1, total)))}  ${entities} entities`,
        ),
    });
    progress.clear();
    tell(report, given.isSet('json'), terminal);
    return report.unreadable.length === 0 ? exitCodes.done : exitCodes.failed;
  } finally {
    await store.close();
  }
}

function tell(report: RebuildReport, isJson: boolean, terminal: Terminal): void {
  if (isJson) {
    terminal.out(`${JSON.stringify(report)}\n`);
    return;
  }
  for (const urn of report.unreadable) terminal.err(`${urn}: an aspect is damaged; run postil check\n`);
  terminal.out(`${report.entities} entities, ${report.entries} search entries\n`);
}
