import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { settings } from '../src/config.ts';
import { postgresUnavailable, sharedServerVariable, startPostgresServer } from '../test/postgres-server.ts';

const usage = `usage: npm test [-- [OPTIONS] [PATH...]]

Runs the tests in src/ and test/; with PATHs (files or folders), those below them.

  --suite NAME    also run the long suites test/NAME/*.suite.ts; may be repeated
  --name PATTERN  only tests whose name matches this regular expression
  --forbid-skips  fail when a test was skipped
  --help          this text

Tests of the PostgreSQL store start a throw-away server of their own, and are skipped where PostgreSQL is not installed.
Exit code: 0 all passed, 1 something failed or was skipped although that is forbidden, 2 wrong arguments.`;

const root = dirname(import.meta.dirname);
/** A test that hangs shall end the run, not hold it for ever; the longest suites stay well below. */
const fileTimeoutMs = 20 * 60_000;

type Options = {
  readonly paths: readonly string[];
  readonly suites: readonly string[];
  readonly name: string | undefined;
  readonly forbidSkips: boolean;
};

function readOptions(): Options | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      suite: { type: 'string', multiple: true },
      name: { type: 'string' },
      'forbid-skips': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return undefined;
  return {
    paths: positionals,
    suites: values.suite ?? [],
    name: values.name,
    forbidSkips: values['forbid-skips'] === true,
  };
}

/** Absolute paths; long suites first, so that they do not run alone at the end. Throws when nothing matches. */
function findFiles({ paths, suites }: Options): string[] {
  const find = (pattern: string): string[] => globSync(pattern, { cwd: root }).sort();
  const suiteFiles = suites.flatMap((suite) => {
    const found = find(`test/${suite}/*.suite.ts`);
    if (found.length === 0) throw new Error(`There is no suite ${suite}: no file test/${suite}/*.suite.ts`);
    return found;
  });
  const wanted = paths.map((path) => relative(root, join(process.cwd(), path)));
  const isWanted = (file: string): boolean =>
    wanted.length === 0 || wanted.some((path) => path === '' || file === path || file.startsWith(`${path}/`));
  const files = [...suiteFiles, ...find('src/**/*.test.ts'), ...find('test/**/*.test.ts')].filter(isWanted);
  if (files.length === 0) throw new Error(`No test file (*.test.ts) in ${paths.join(', ')}`);
  return files.map((file) => join(root, file));
}

/** One server for the run instead of one per file, when a file needs one and there is one to be had. */
async function sharePostgres(files: readonly string[]): Promise<() => Promise<void>> {
  const isNeeded = files.some((file) => readFileSync(file, 'utf8').includes('postgres-server.ts'));
  if (!isNeeded || process.env[sharedServerVariable] || postgresUnavailable() !== false)
    return async () => {};
  const server = await startPostgresServer();
  process.env[sharedServerVariable] = server.url;
  return async () => server.stop();
}

type Outcome = { readonly success: boolean; readonly skips: readonly string[] };

async function runFiles(files: readonly string[], name: string | undefined): Promise<Outcome> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());
  const skips: string[] = [];
  let success = false;
  const events = run({
    files,
    concurrency: Math.min(2, availableParallelism()),
    signal: interruption.signal,
    timeout: fileTimeoutMs,
    ...(name === undefined ? {} : { testNamePatterns: [new RegExp(name)] }),
  });
  events.on('test:pass', ({ skip, file, name: title }) => {
    if (skip === undefined || skip === false) return;
    const reason = skip === true || skip === '' ? 'no reason given' : skip;
    skips.push(`${file === undefined ? '' : `${relative(root, file)}: `}${title} (${reason})`);
  });
  events.on('test:summary', (summary) => {
    if (summary.file === undefined) success = summary.success;
  });
  for await (const text of events.compose(new spec())) process.stdout.write(text);
  return { success: success && !interruption.signal.aborted, skips };
}

async function main(): Promise<number> {
  let options: Options | undefined;
  let files: string[];
  try {
    options = readOptions();
    if (options === undefined) {
      console.log(usage);
      return 0;
    }
    files = findFiles(options);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return 2;
  }
  // What somebody has set for a server of their own is not for the servers of the tests.
  for (const { variable } of settings) delete process.env[variable];
  const stopPostgres = await sharePostgres(files);
  try {
    const { success, skips } = await runFiles(files, options.name);
    if (!options.forbidSkips || skips.length === 0) return success ? 0 : 1;
    console.error(['', 'Skipped, which --forbid-skips does not allow:', ...skips].join('\n  '));
    return 1;
  } finally {
    await stopPostgres();
  }
}

process.exitCode = await main();
