import type { Urn } from '../../urn/urn.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { type Arguments, type CliCommand, exitCodes, type Terminal, UsageError } from '../command-line.ts';
import { homeOptions, openHome, type TestHome } from './test-home.ts';
import { bringsFailures, plannedLines, type PlannedVerdicts, previewPlan } from './plan-verdicts.ts';
import { type PlannedChange, planTests, planText } from './test-plan.ts';

export const plan: CliCommand = {
  name: 'test plan',
  summary: 'Tell what apply would do.',
  usage: 'test plan FOLDER... (--server URL [--token TOKEN] | --store WHERE) [--prune] [--no-verdicts]',
  help: [
    'Compares the tests in files with those that are stored, by their URN, and tells which would be created, updated ' +
      'and, with --prune, deleted. Nothing is changed. Layout and the order of members are no difference.',
    'Of each new or changed definition it tells how many entities would pass and fail, and whose verdict would change.',
    'Exit code 0: the plan can be applied. 1: it cannot, for the reasons given; or, with --fail-on, entities would newly ' +
      'fail a test of severity error.',
  ],
  options: [
    ...homeOptions,
    { name: 'prune', description: 'Delete stored tests that are in no file.' },
    { name: 'no-verdicts', description: 'Compare definitions only.' },
    {
      name: 'fail-on',
      value: 'WHAT',
      description: 'Exit with 1 when there are such entities: newly-failing.',
    },
    { name: 'json', description: 'Print the result as JSON.' },
  ],
  async run(given, terminal) {
    if (given.positionals.length === 0) throw new UsageError(plan, 'Name a folder with tests.');
    const failOn = given.value('fail-on');
    if (failOn !== undefined && failOn !== 'newly-failing') {
      throw new UsageError(plan, `--fail-on ${failOn} is not newly-failing.`);
    }
    if (failOn !== undefined && given.isSet('no-verdicts')) {
      throw new UsageError(plan, 'Choose one of --fail-on and --no-verdicts.');
    }
    const home = await openHome(given, plan);
    try {
      const changes = await planTests(given.positionals, home, given.isSet('prune'));
      const verdicts = await verdictsOf(changes, home, given, terminal);
      if (given.isSet('json')) {
        const told = changes.map((change) => {
          const planned = verdicts.get(change.urn);
          return planned === undefined ? change : { ...change, verdicts: planned };
        });
        terminal.out(`${JSON.stringify({ changes: told })}\n`);
      } else terminal.out(planText(changes, (urn) => plannedLines(verdicts.get(urn))));
      return failOn !== undefined && bringsFailures(changes, verdicts) ? exitCodes.failed : exitCodes.done;
    } finally {
      await home.close();
    }
  },
};

/** Verdicts are told beside the plan: where they cannot be, the plan stands without, unless it hangs on them. */
async function verdictsOf(
  changes: readonly PlannedChange[],
  home: TestHome,
  given: Arguments,
  terminal: Terminal,
): Promise<ReadonlyMap<Urn, PlannedVerdicts>> {
  if (given.isSet('no-verdicts')) return new Map();
  try {
    return await previewPlan(changes, home);
  } catch (error) {
    if (!(error instanceof PostilError) || given.value('fail-on') !== undefined) throw error;
    terminal.err(`What changes for whom cannot be told: ${error.message}\n`);
    return new Map();
  }
}
