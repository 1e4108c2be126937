import { readTestDefinition } from '../../metadata-test/test-definition.ts';
import { checkFixtures, type FixtureReport } from '../../metadata-test/fixtures/check-fixtures.ts';
import { type Arguments, type CliCommand, exitCodes, UsageError } from '../command-line.ts';
import { counted } from './counted.ts';
import { checkFiles, findingLine } from './finding.ts';
import { type JunitCase, junitOf } from './junit.ts';
import type { TestInFile } from './test-file.ts';
import { formatOf } from './validate.ts';

const formats = ['text', 'junit'];

/** What is said about the fixtures of one test; lines for people. */
type Checked = {
  readonly file: string;
  readonly test: string;
  /** Absent when the definition is not valid. */
  readonly report?: FixtureReport;
  /** What makes the exit code 1. */
  readonly failures: readonly string[];
};

export const fixtures: CliCommand = {
  name: 'test fixtures',
  summary: 'Run the fixtures of tests in files; tell what they leave unsaid.',
  usage:
    'test fixtures FILE... [--min-coverage PERCENT] [--min-mutation PERCENT] [--json | --format text|junit]',
  help: [
    'Runs the fixtures of metadata tests through the ordinary evaluation and tells what is otherwise than expected. ' +
      'Coverage: each leaf was seen true and false, and each rule decided the verdict alone. Mutation score: how many ' +
      'deliberate mistakes in the definition make a fixture fail.',
    'Exit code 0: every fixture passed, and no test is below a minimum. 1: otherwise.',
  ],
  options: [
    { name: 'min-coverage', value: 'PERCENT', description: 'The least coverage of each test. Default: 0.' },
    {
      name: 'min-mutation',
      value: 'PERCENT',
      description: 'The least mutation score of each test. Default: 0.',
    },
    { name: 'json', description: 'Print the result as JSON, proposed fixtures included.' },
    { name: 'format', value: 'FORMAT', description: `${formats.join(', ')}. Default: text.` },
  ],
  async run(given, terminal) {
    const format = formatOf(given, fixtures, formats);
    if (given.positionals.length === 0) throw new UsageError(fixtures, 'Name at least one file or folder.');
    const minima = { coverage: percentOf(given, 'min-coverage'), mutation: percentOf(given, 'min-mutation') };
    const checked: Checked[] = [];
    for (const { file, tests, findings } of checkFiles(given.positionals)) {
      const unread = findings.filter(({ code }) => code === 'FILE').map(findingLine);
      if (unread.length > 0) checked.push({ file, test: 'file', failures: unread });
      for (const test of tests) checked.push({ file, test: test.label, ...(await checkOne(test, minima)) });
    }
    const failed = checked.filter(({ failures }) => failures.length > 0).length;
    if (format === 'json') terminal.out(`${JSON.stringify({ passed: failed === 0, tests: checked })}\n`);
    else if (format === 'junit') terminal.out(junitOf(checked.flatMap(casesOf)));
    else {
      for (const each of checked) terminal.out(textOf(each));
      terminal.out(`${counted(checked.length, 'test')}, ${failed} failed\n`);
    }
    return failed === 0 ? exitCodes.done : exitCodes.failed;
  },
};

function percentOf(given: Arguments, name: string): number {
  const written = given.value(name) ?? '0';
  const percent = /^\d{1,3}(?:\.\d+)?$/.test(written) ? Number(written) : Number.NaN;
  if (percent <= 100) return percent;
  throw new UsageError(fixtures, `--${name} is a number from 0 to 100, not ${written}.`);
}

async function checkOne(
  test: TestInFile,
  minima: { readonly coverage: number; readonly mutation: number },
): Promise<Pick<Checked, 'report' | 'failures'>> {
  const at = (pointer: string): string => {
    const { file, line, column } = test.placeOfFixture(pointer);
    return `${file}:${line}:${column}`;
  };
  const read = readTestDefinition(test.text);
  if (!read.valid) {
    const { file, line, column } = test.place;
    return {
      failures: [`${file}:${line}:${column}: error: the definition is not valid; validate tells why`],
    };
  }
  const report = await checkFixtures(read.definition, test.fixtures);
  const { problems, results, coverage, mutation } = report;
  const failures = [
    ...problems.map(({ pointer, message }) => `${at(pointer)}: error: ${message}`),
    ...results.flatMap(({ name, pointer, differences }) =>
      differences.map((difference) => `${at(pointer)}: error: fixture '${name}': ${difference}`),
    ),
  ];
  const low = (what: string, reached: number, least: number): void => {
    if (reached < least) failures.push(`${at('')}: error: ${what} ${percentText(reached)}, below ${least} %`);
  };
  low('coverage', percent(coverage.covered, coverage.total), minima.coverage);
  low('mutation score', percent(mutation.killed, mutation.total), minima.mutation);
  return { report, failures };
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : (100 * part) / whole;
}

/** Rounded down, so that 100 % is all of them. */
function percentText(value: number): string {
  return `${Math.floor(value)} %`;
}

function textOf({ test, report, failures }: Checked): string {
  const lines = [...failures];
  if (report !== undefined) {
    const { results, coverage, mutation, canFail } = report;
    const passed = results.filter(({ differences }) => differences.length === 0).length;
    const covered = percentText(percent(coverage.covered, coverage.total));
    const killed = percentText(percent(mutation.killed, mutation.total));
    const remark = canFail ? '' : '; it has no rule that decides, so it cannot fail';
    lines.push(
      `${test}: ${passed} of ${results.length} fixtures pass, coverage ${covered}, mutation score ${killed}${remark}`,
      ...coverage.uncovered.flatMap(({ pointer, what, proposal }) => [
        `  not covered: ${pointer}: ${what}`,
        ...(proposal === undefined ? [] : [`    would be: ${JSON.stringify(proposal)}`]),
      ]),
      ...mutation.survivors.map(({ pointer, change }) => `  not noticed: ${pointer || '/'}: ${change}`),
    );
  }
  return `${lines.join('\n')}\n`;
}

function casesOf({ file, test, report, failures }: Checked): readonly JunitCase[] {
  const suite = `${file}: ${test}`;
  const results = report?.results ?? [];
  const cases = results.map(({ name, differences }) => ({
    suite,
    name,
    ...(differences.length === 0 ? {} : { failure: differences.join('\n') }),
  }));
  const different = results.filter(({ differences }) => differences.length > 0).length;
  // What is about the test and not about one fixture is a case of its own.
  const rest = failures.filter((line) => !line.includes(": error: fixture '"));
  const isWhole = rest.length > 0 || (different === 0 && failures.length > 0);
  return isWhole ? [...cases, { suite, name: 'fixtures', failure: rest.join('\n') }] : cases;
}
