import { parseTestUrn, type StoredTest } from '../../metadata-test/test-entity.ts';
import type { Severity } from '../../metadata-test/predicate.ts';
import { parseUrn } from '../../urn/urn.ts';
import { type CliCommand, exitCodes, UsageError } from '../command-line.ts';
import { counted } from './counted.ts';
import { junitOf } from './junit.ts';
import { homeOptions, openHome, type Outcome } from './test-home.ts';
import { formatOf } from './validate.ts';
import { severityOf } from './verdict-preview.ts';
import { PostilError } from '../../errors/postil-error.ts';

const formats = ['text', 'junit'];
/** As many as one request may name. */
const entitiesMax = 1_000;

type Row = {
  readonly urn: string;
  readonly test: string;
  readonly name: string;
  readonly severity: Severity;
  readonly verdict: 'PASS' | 'FAIL' | 'EXEMPT' | 'ERROR' | 'NONE';
};

export const run: CliCommand = {
  name: 'test run',
  summary: 'Evaluate stored tests for entities; store nothing.',
  usage: 'test run URN... | --changed SINCE [--test URN] (--server URL [--token TOKEN] | --store WHERE)',
  help: [
    'Evaluates the stored tests that apply to the entities, or the one named, and tells the verdicts. Nothing is stored.',
    'EXEMPT is an entity that fails and is excused; ERROR, one that is beyond the limits of an evaluation; NONE, of a test that is named, one that it is not for.',
    'Exit code 0: no test of severity error fails. 1: one does or cannot be decided, or an entity or test is missing.',
  ],
  options: [
    ...homeOptions,
    { name: 'test', value: 'URN', description: 'Only this test. Default: every test that applies.' },
    {
      name: 'changed',
      value: 'SINCE',
      description:
        'Instead of URNs: every entity changed after this sequence of the change log, or this time.',
    },
    { name: 'json', description: 'Print the result as JSON.' },
    { name: 'format', value: 'FORMAT', description: `${formats.join(', ')}. Default: text.` },
  ],
  async run(given, terminal) {
    const format = formatOf(given, run, formats);
    const since = given.value('changed');
    if ((given.positionals.length === 0) === (since === undefined)) {
      throw new UsageError(run, 'Name at least one entity by its URN, or say --changed SINCE; not both.');
    }
    const named = given.value('test');
    const chosen = named === undefined ? undefined : [parseTestUrn(named)];
    const home = await openHome(given, run);
    try {
      const tests = new Map((await home.list()).map((test) => [String(test.urn), test]));
      if (named !== undefined && !tests.has(named)) {
        throw new PostilError('ENTITY_NOT_FOUND', `There is no test ${named} in ${home.name}`);
      }
      const urns = since === undefined ? given.positionals.map(parseUrn) : await home.changedSince(since);
      const rows: Row[] = [];
      for (let start = 0; start < urns.length; start += entitiesMax) {
        const outcomes = await home.evaluate(urns.slice(start, start + entitiesMax), chosen);
        for (const [urn, outcome] of outcomes) rows.push(...rowsOf(urn, outcome, tests, named));
      }
      const isFailed = rows.some(isFailure);
      if (format === 'json') terminal.out(`${JSON.stringify({ passed: !isFailed, results: rows })}\n`);
      else if (format === 'junit') terminal.out(junitOf(rows.map(caseOf)));
      else {
        for (const { urn, test, name, severity, verdict } of rows) {
          const weight =
            (verdict === 'FAIL' || verdict === 'ERROR') && severity !== 'error' ? ` (${severity})` : '';
          terminal.out(`${verdict}${weight} ${urn} ${test} ${name}\n`);
        }
        const countOf = (wanted: Row['verdict']): number =>
          rows.filter(({ verdict }) => verdict === wanted).length;
        const undecided = countOf('ERROR');
        const more = undecided === 0 ? '' : `, ${undecided} undecided`;
        terminal.out(
          `${counted(urns.length, 'entity', 'entities')}, ${counted(rows.length, 'verdict')}, ${countOf('FAIL')} failed${more}\n`,
        );
      }
      return isFailed ? exitCodes.failed : exitCodes.done;
    } finally {
      await home.close();
    }
  },
};

function rowsOf(
  urn: string,
  { passing, failing, exempt, undecided }: Outcome,
  tests: ReadonlyMap<string, StoredTest>,
  named: string | undefined,
): readonly Row[] {
  const row = (test: string, verdict: Row['verdict']): Row => {
    const stored = tests.get(test);
    return { urn, test, name: stored?.name ?? '', severity: severityOf(stored?.json), verdict };
  };
  const rows = [
    ...failing.map((test) => row(test, 'FAIL')),
    ...undecided.map((test) => row(test, 'ERROR')),
    ...exempt.map((test) => row(test, 'EXEMPT')),
    ...passing.map((test) => row(test, 'PASS')),
  ];
  return rows.length === 0 && named !== undefined ? [row(named, 'NONE')] : rows;
}

/** What cannot be decided is no success. */
function isFailure({ verdict, severity }: Row): boolean {
  return (verdict === 'FAIL' || verdict === 'ERROR') && severity === 'error';
}

function caseOf(row: Row): Parameters<typeof junitOf>[0][number] {
  const { urn, test, name, verdict } = row;
  const failure = verdict === 'ERROR' ? `${test} cannot be decided` : `${test} fails`;
  return { suite: urn, name: `${name} (${test})`, ...(isFailure(row) ? { failure } : {}) };
}
