import { type CliCommand, exitCodes, UsageError } from '../command-line.ts';
import { homeOptions, openHome } from './test-home.ts';
import { applyPlan, planTests, planText } from './test-plan.ts';

export const apply: CliCommand = {
  name: 'test apply',
  summary: 'Store the tests of a folder.',
  usage: 'test apply FOLDER... (--server URL [--token TOKEN] | --store WHERE) [--prune]',
  help: [
    'Does what test plan tells: creates and updates tests so that what is stored is what the files say. Applied again, ' +
      'it changes nothing. Files with errors change nothing at all.',
    'Exit code 0: what is stored is what the files say. 1: something was refused.',
  ],
  options: [
    ...homeOptions,
    { name: 'prune', description: 'Delete stored tests that are in no file.' },
    { name: 'json', description: 'Print the result as JSON.' },
  ],
  async run(given, terminal) {
    if (given.positionals.length === 0) throw new UsageError(apply, 'Name a folder with tests.');
    const home = await openHome(given, apply, { mayCreate: true });
    try {
      const changes = await planTests(given.positionals, home, given.isSet('prune'));
      await applyPlan(changes, home);
      terminal.out(given.isSet('json') ? `${JSON.stringify({ changes })}\n` : planText(changes));
      return exitCodes.done;
    } finally {
      await home.close();
    }
  },
};
