import { type IssueCode, issueCodes, issueLine, type PatchOperation } from '../../metadata-test/issue.ts';
import { actionFindings } from '../../metadata-test/action/check-actions.ts';
import { type ActingTest, hasActions } from '../../metadata-test/action/test-actions.ts';
import { located } from '../../metadata-test/located.ts';
import { readTestDefinition } from '../../metadata-test/test-definition.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { type FileProblem, findTestFiles, type Place, readTestFile, type TestInFile } from './test-file.ts';

/** Something that is to be said about a place in a file of tests. */
export type Finding = Place & {
  /** `MT...`; `FILE` for what is no test at all. */
  readonly code: IssueCode | 'FILE';
  readonly severity: 'error' | 'warning';
  readonly test?: string;
  /** JSON pointer into the definition. */
  readonly pointer?: string;
  readonly message: string;
  readonly suggestion?: string;
  readonly fix?: readonly PatchOperation[];
};

export type CheckedFile = {
  readonly file: string;
  readonly tests: readonly TestInFile[];
  /** What is known of each test, in their order. */
  readonly summaries: readonly TestSummary[];
  readonly findings: readonly Finding[];
};

export type TestSummary = Place & {
  readonly test: string;
  readonly valid: boolean;
  /** Whether DataHub reads the definition as Postil does; `extensions` are pointers to what makes it not so. */
  readonly portable: boolean;
  readonly extensions: readonly string[];
};

/** Reads the files and folders named and validates each definition. Throws BAD_REQUEST where there is nothing to read. */
export function checkFiles(paths: readonly string[]): readonly CheckedFile[] {
  const files = findTestFiles(paths);
  if (files.length === 0)
    throw new PostilError('BAD_REQUEST', `There are no test files in ${paths.join(', ')}`);
  const read = files.map((file) => ({ ...readTestFile(file), file }));
  const acting = read.flatMap(({ tests }) => tests.flatMap((test) => actingTest(test) ?? []));
  return read.map(({ file, tests, problems }) => {
    const checked = tests.map((test) => checkDefinition(test, acting));
    const findings = [...problems.map(fileFinding), ...checked.flatMap((each) => each.findings)];
    return { file, tests, summaries: checked.map(({ summary }) => summary), findings };
  });
}

function fileFinding(problem: FileProblem): Finding {
  return { ...problem, code: 'FILE', severity: 'error' };
}

type ActingInFile = ActingTest & { readonly test: TestInFile };

function actingTest(test: TestInFile): ActingInFile | undefined {
  const read = readTestDefinition(test.text);
  if (!read.valid || !hasActions(read.definition)) return undefined;
  return { name: test.label, definition: read.definition, test };
}

/** Tests of all the files are checked beside each other, as they will be once they are stored. */
function checkDefinition(
  test: TestInFile,
  acting: readonly ActingInFile[],
): {
  readonly summary: TestSummary;
  readonly findings: readonly Finding[];
} {
  const read = readTestDefinition(test.text);
  const { extensions } = read;
  const others = acting.filter((other) => other.test !== test);
  const beside = read.valid ? actionFindings({ name: test.label, definition: read.definition }, others) : [];
  const valid = read.valid && beside.length === 0;
  const issues = [...read.issues, ...located(test.text, beside)];
  const portable = valid && extensions.length === 0;
  return {
    summary: { ...test.place, test: test.label, valid, portable, extensions },
    findings: issues.map(({ line: _line, column: _column, ...issue }) => ({
      ...test.placeOf(issue.pointer),
      ...issue,
      test: test.label,
    })),
  };
}

/** As compilers write it, so that editors find the place. */
export function findingLine(finding: Finding): string {
  const { file, line, column, severity, code, pointer, message } = finding;
  const text =
    code === 'FILE' || pointer === undefined ? message : issueLine({ ...finding, code, pointer, message });
  return `${file}:${line}:${column}: ${severity}: ${text}`;
}

/** The findings as SARIF 2.1.0, which code hosting services show beside the lines. */
export function sarifOf(findings: readonly Finding[]): object {
  const codes = [...new Set(findings.map(({ code }) => code))].toSorted();
  const titleOf = (code: Finding['code']): string =>
    code === 'FILE' ? 'Not a file of metadata tests' : issueCodes[code].title;
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'postil test validate',
            rules: codes.map((id) => ({ id, shortDescription: { text: titleOf(id) } })),
          },
        },
        results: findings.map((finding) => ({
          ruleId: finding.code,
          level: finding.severity,
          message: { text: finding.message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: encodeURI(finding.file.replaceAll('\\', '/')) },
                region: { startLine: finding.line, startColumn: finding.column },
              },
              ...(finding.pointer === undefined
                ? {}
                : { logicalLocations: [{ fullyQualifiedName: finding.pointer }] }),
            },
          ],
        })),
      },
    ],
  };
}
