import { PostilError } from '../../errors/postil-error.ts';
import type { Preview } from '../../metadata-test/preview/preview.ts';
import { parseTestUrn, type StoredTest } from '../../metadata-test/test-entity.ts';
import { isUrn, type Urn, urnType } from '../../urn/urn.ts';
import { type CliCommand, exitCodes, UsageError } from '../command-line.ts';
import { checkFiles, findingLine } from './finding.ts';
import { homeOptions, openHome, type TestHome } from './test-home.ts';
import { previewLines, severityOf } from './verdict-preview.ts';

const failOnWords = ['failing', 'newly-failing'];

/** What is to be previewed: a definition, stored or not, and the stored test it is compared with. */
type Asked = {
  readonly label: string;
  readonly json: string;
  readonly test: Urn | undefined;
};

export const preview: CliCommand = {
  name: 'test preview',
  summary: 'Tell what tests make of the whole catalogue; store nothing.',
  usage:
    'test preview FILE|URN... [--fail-on failing|newly-failing] (--server URL [--token TOKEN] | --store WHERE)',
  help: [
    'Counts whom the tests in files, or stored tests, pass and fail, by rule, platform, domain and owner; shows some of ' +
      'those, and, for tests that are stored under the same URN, whose verdict would change. Nothing is stored.',
    'Exit code 0: it was previewed. 1: a definition is not valid, a test is missing, or what --fail-on names is there in a ' +
      'test of severity error.',
  ],
  options: [
    ...homeOptions,
    {
      name: 'fail-on',
      value: 'WHAT',
      description: `Exit with 1 when there are such entities: ${failOnWords.join(', ')}.`,
    },
    { name: 'json', description: 'Print the result as JSON.' },
  ],
  async run(given, terminal) {
    if (given.positionals.length === 0)
      throw new UsageError(preview, 'Name a file with tests, or a stored test.');
    const failOn = given.value('fail-on');
    if (failOn !== undefined && !failOnWords.includes(failOn)) {
      throw new UsageError(preview, `--fail-on ${failOn} is none of ${failOnWords.join(', ')}.`);
    }
    const home = await openHome(given, preview);
    try {
      const previews: { readonly asked: Asked; readonly found: Preview }[] = [];
      for (const asked of await askedOf(given.positionals, home)) {
        const found = await home.preview({
          json: asked.json,
          ...(asked.test === undefined ? {} : { testUrn: asked.test }),
        });
        previews.push({ asked, found });
        if (!given.isSet('json')) terminal.out(`${[asked.label, ...previewLines(found)].join('\n')}\n`);
      }
      if (given.isSet('json')) {
        const told = previews.map(({ asked, found }) => ({ name: asked.label, ...found }));
        terminal.out(`${JSON.stringify({ previews: told })}\n`);
      }
      return previews.some((each) => isRefused(each, failOn)) ? exitCodes.failed : exitCodes.done;
    } finally {
      await home.close();
    }
  },
};

function isRefused(
  { asked, found }: { readonly asked: Asked; readonly found: Preview },
  failOn: string | undefined,
): boolean {
  if (failOn === undefined || severityOf(asked.json) !== 'error') return false;
  if (failOn === 'failing') return found.counts.failing > 0;
  // Of a test that is not stored, whoever fails does so newly.
  return (found.difference?.newlyFailing.count ?? found.counts.failing) > 0;
}

/** Throws BAD_REQUEST for files with errors, ENTITY_NOT_FOUND for tests that are not stored. */
async function askedOf(words: readonly string[], home: TestHome): Promise<readonly Asked[]> {
  const stored = new Map((await home.list()).map((test) => [test.urn, test]));
  const asked: Asked[] = [];
  for (const word of words) {
    if (isUrn(word)) asked.push(storedTest(parseTestUrn(word), stored, home));
    else asked.push(...testsIn(word, stored));
  }
  return asked;
}

function storedTest(urn: Urn, stored: ReadonlyMap<Urn, StoredTest>, { name }: TestHome): Asked {
  const test = stored.get(urn);
  if (test === undefined) throw new PostilError('ENTITY_NOT_FOUND', `There is no test ${urn} in ${name}`);
  return { label: `${urn} ${test.name}`, json: test.json ?? '', test: urn };
}

function testsIn(path: string, stored: ReadonlyMap<Urn, StoredTest>): readonly Asked[] {
  return checkFiles([path]).flatMap(({ tests, findings }) => {
    const errors = findings.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new PostilError('BAD_REQUEST', errors.map(findingLine).join('\n'));
    return tests.map(({ label, wrapper, text }) => {
      const { urn } = wrapper;
      const isTest = typeof urn === 'string' && isUrn(urn) && urnType(urn) === 'test';
      const test = isTest && stored.has(urn) ? urn : undefined;
      return { label: isTest ? `${urn} ${label}` : label, json: text, test };
    });
  });
}
