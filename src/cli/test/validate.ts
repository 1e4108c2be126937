import { type Arguments, type CliCommand, exitCodes, UsageError } from '../command-line.ts';
import { counted } from './counted.ts';
import { checkFiles, type CheckedFile, findingLine, sarifOf } from './finding.ts';
import { junitOf } from './junit.ts';

const formats = ['text', 'sarif', 'junit'];

export const validate: CliCommand = {
  name: 'test validate',
  summary: 'Check definitions in files.',
  usage: 'test validate FILE... [--json | --format text|sarif|junit]',
  help: [
    'Checks the definitions of metadata tests in YAML or JSON files, or in all such files of folders, and tells each ' +
      'finding with its file, line and column, what was probably meant and how to change it.',
    'Exit code 0: no errors; warnings do not count. 1: there are errors.',
  ],
  options: [
    { name: 'json', description: 'Print the result as JSON.' },
    { name: 'format', value: 'FORMAT', description: `${formats.join(', ')}. Default: text.` },
  ],
  run(given, terminal) {
    const format = formatOf(given, validate, formats);
    if (given.positionals.length === 0) throw new UsageError(validate, 'Name at least one file or folder.');
    const files = checkFiles(given.positionals);
    const findings = files.flatMap((file) => file.findings);
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    const tests = files.reduce((sum, file) => sum + file.tests.length, 0);
    if (format === 'json') {
      terminal.out(
        `${JSON.stringify({ valid: errors === 0, tests: files.flatMap(({ summaries }) => summaries), findings })}\n`,
      );
    } else if (format === 'sarif') terminal.out(`${JSON.stringify(sarifOf(findings), null, 2)}\n`);
    else if (format === 'junit') terminal.out(junitOf(files.flatMap(casesOf)));
    else {
      for (const finding of findings) terminal.out(`${findingLine(finding)}\n`);
      const warnings = findings.length - errors;
      terminal.out(
        `${counted(tests, 'test')} in ${counted(files.length, 'file')}: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}\n`,
      );
    }
    return Promise.resolve(errors === 0 ? exitCodes.done : exitCodes.failed);
  },
};

/** What `--json` and `--format` ask for. Throws a UsageError for both at once and for an unknown format. */
export function formatOf(given: Arguments, command: CliCommand, known: readonly string[]): string {
  const format = given.value('format');
  if (given.isSet('json')) {
    if (format !== undefined) throw new UsageError(command, 'Choose one of --json and --format.');
    return 'json';
  }
  if (format !== undefined && !known.includes(format)) {
    throw new UsageError(command, `${format} is none of ${known.join(', ')}.`);
  }
  return format ?? 'text';
}

function casesOf({ file, tests, findings }: CheckedFile): Parameters<typeof junitOf>[0] {
  const errorsOf = (test: string | undefined): string | undefined => {
    const own = findings.filter((finding) => finding.severity === 'error' && finding.test === test);
    return own.length === 0 ? undefined : own.map(findingLine).join('\n');
  };
  const unread = errorsOf(undefined);
  return [
    ...(unread === undefined ? [] : [{ suite: file, name: 'file', failure: unread }]),
    ...tests.map(({ label }) => {
      const failure = errorsOf(label);
      return { suite: file, name: label, ...(failure === undefined ? {} : { failure }) };
    }),
  ];
}
