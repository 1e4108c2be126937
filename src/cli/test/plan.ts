import { type CliCommand, exitCodes, UsageError } from '../command-line.ts';
import { homeOptions, openHome } from './test-home.ts';
import { planTests, planText } from './test-plan.ts';

export const plan: CliCommand = {
  name: 'test plan',
  summary: 'Tell what apply would do.',
  usage: 'test plan FOLDER... (--server URL [--token TOKEN] | --store WHERE) [--prune]',
  help: [
    'Compares the tests in files with those that are stored, by their URN, and tells which would be created, updated ' +
      'and, with --prune, deleted. Nothing is changed. Layout and the order of members are no difference.',
    'Exit code 0: the plan can be applied. 1: it cannot, for the reasons given.',
  ],
  options: [
    ...homeOptions,
    { name: 'prune', description: 'Delete stored tests that are in no file.' },
    { name: 'json', description: 'Print the result as JSON.' },
  ],
  async run(given, terminal) {
    if (given.positionals.length === 0) throw new UsageError(plan, 'Name a folder with tests.');
    const home = await openHome(given, plan);
    try {
      const changes = await planTests(given.positionals, home, given.isSet('prune'));
      terminal.out(given.isSet('json') ? `${JSON.stringify({ changes })}\n` : planText(changes));
      return exitCodes.done;
    } finally {
      await home.close();
    }
  },
};
