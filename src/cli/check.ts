import { readConfig } from '../config.ts';
import { verifyStore } from '../integrity/verify-store.ts';
import { projections } from '../projections.ts';
import { openStore } from '../storage/open-store.ts';
import { storeFlag, storeOption } from './backup.ts';
import { type CliCommand, exitCodes } from './command-line.ts';
import { requireExistingStore } from './existing-store.ts';
import { createProgressLine } from './progress-line.ts';

export const check: CliCommand = {
  name: 'check',
  summary: 'Verify every checksum, everything derived, and the change log.',
  usage: 'check [--store WHERE] [--json]',
  help: [
    'Reads every stored version of every aspect, compares it with its checksum, derives relationships, fragments, ' +
      'places in trees and the search index again and compares them with what is stored, and looks for gaps in the change log. Nothing is ' +
      'changed. The store must not be in use by a server; check a backup of it instead.',
    'Exit code 0: sound. 1: problems were found and are listed.',
  ],
  options: [storeOption, { name: 'json', description: 'Print the result as JSON.' }],
  async run(given, terminal) {
    const { store: location } = readConfig(storeFlag(given.value('store')));
    requireExistingStore(location);
    const store = await openStore(location);
    const progress = createProgressLine(terminal, () => performance.now());
    try {
      const { aspects } = await store.statistics();
      const result = await verifyStore(store, projections, (read) =>
        progress.show(`checking: ${read} aspect versions read (${aspects} latest)`),
      );
      progress.clear();
      if (given.isSet('json')) terminal.out(`${JSON.stringify(result)}\n`);
      else {
        for (const { what, where, problem } of result.problems)
          terminal.out(`${what}: ${where}: ${problem}\n`);
        if (result.searchIndex === 'unfinished')
          terminal.out(
            'The search index was not compared: it is yet to be made, by the next start or postil reindex.\n',
          );
        const verdict = result.problems.length === 0 ? 'sound' : `${result.problems.length} problems`;
        terminal.out(
          `${verdict}: ${result.aspectsRead} aspect versions of ${result.entitiesRead} entities\n`,
        );
      }
      return result.problems.length === 0 ? exitCodes.done : exitCodes.failed;
    } finally {
      await store.close();
    }
  },
};
