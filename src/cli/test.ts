import { type CliCommand, type SubcommandEntry, UsageError } from './command-line.ts';

const subcommands: Readonly<Record<string, SubcommandEntry>> = {
  validate: {
    summary: 'Check definitions in files.',
    load: async () => (await import('./test/validate.ts')).validate,
  },
  fixtures: {
    summary: 'Run the fixtures of tests in files; tell what they leave unsaid.',
    load: async () => (await import('./test/fixtures.ts')).fixtures,
  },
  freeze: {
    summary: 'Print a stored entity as a fixture.',
    load: async () => (await import('./test/freeze.ts')).freeze,
  },
  export: {
    summary: 'Write stored tests into a folder, one file each.',
    load: async () => (await import('./test/export.ts')).exportTests,
  },
  preview: {
    summary: 'Tell what tests make of the whole catalogue; store nothing.',
    load: async () => (await import('./test/preview.ts')).preview,
  },
  plan: {
    summary: 'Tell what apply would do.',
    load: async () => (await import('./test/plan.ts')).plan,
  },
  apply: {
    summary: 'Store the tests of a folder.',
    load: async () => (await import('./test/apply.ts')).apply,
  },
  run: {
    summary: 'Evaluate stored tests for entities; store nothing.',
    load: async () => (await import('./test/run.ts')).run,
  },
  explain: {
    summary: 'Tell why a stored test says of an entity what it says.',
    load: async () => (await import('./test/explain.ts')).explain,
  },
};

/** The family of commands about metadata tests. */
export const test: CliCommand = {
  name: 'test',
  summary: 'Keep metadata tests as files: validate, try, compare, store and run them.',
  usage: `test ${Object.keys(subcommands).join('|')} ...`,
  help: [
    'Metadata tests as files in YAML or JSON, kept in version control like code.',
    'postil test SUB-COMMAND --help says more.',
  ],
  options: [],
  subcommands,
  run(given) {
    const [asked] = given.positionals;
    const problem = asked === undefined ? 'Say what to do' : `There is no sub-command ${asked}`;
    return Promise.reject(new UsageError(test, `${problem}: ${Object.keys(subcommands).join(', ')}.`));
  },
};
