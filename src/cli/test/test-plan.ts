import { jsonEqual, type JsonValue } from '../../aspect/json.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { parseTestUrn, type StoredTest, type TestInput } from '../../metadata-test/test-entity.ts';
import type { Urn } from '../../urn/urn.ts';
import { checkFiles, findingLine } from './finding.ts';
import type { TestInFile } from './test-file.ts';
import type { TestHome } from './test-home.ts';

/** A test in a file, as it would be stored. */
type Wanted = { readonly urn: Urn; readonly input: TestInput };

export type PlannedChange = {
  readonly action: 'create' | 'update' | 'unchanged' | 'delete';
  readonly urn: Urn;
  readonly name: string;
  /** Of an update: what differs. */
  readonly differs?: readonly string[];
  /** What shall be stored; absent for `delete`. */
  readonly input?: TestInput;
};

/**
 * What has to change so that what is stored is what the files say; tests without a file are deleted only with `prune`.
 * Throws BAD_REQUEST with every reason for which the files cannot be stored; then nothing is to be changed.
 */
export async function planTests(
  paths: readonly string[],
  home: TestHome,
  prune: boolean,
): Promise<readonly PlannedChange[]> {
  const wanted = wantedTests(paths);
  const stored = new Map((await home.list()).map((test) => [test.urn, test]));
  const changes = wanted.map((test) => changeOf(test, stored.get(test.urn)));
  const named = new Set(wanted.map(({ urn }) => urn));
  const surplus = prune ? [...stored.values()].filter(({ urn }) => !named.has(urn)) : [];
  return [
    ...changes,
    ...surplus.map(({ urn, name }): PlannedChange => ({ action: 'delete', urn, name })),
  ].toSorted((left, right) => (left.urn < right.urn ? -1 : 1));
}

/** Carries a plan out, one command for each change. */
export async function applyPlan(changes: readonly PlannedChange[], home: TestHome): Promise<void> {
  for (const { action, urn, input } of changes) {
    if (action === 'delete') await home.remove(urn);
    if (input === undefined) continue;
    if (action === 'create') await home.create(urn, input);
    if (action === 'update') await home.update(urn, input);
  }
}

/** The plan for people; `below` gives the lines that stand below a change. */
export function planText(
  changes: readonly PlannedChange[],
  below: (urn: Urn) => readonly string[] = () => [],
): string {
  const count = (action: PlannedChange['action']): number =>
    changes.filter((change) => change.action === action).length;
  const lines = changes
    .filter(({ action }) => action !== 'unchanged')
    .flatMap(({ action, urn, name, differs }) => {
      const what = differs === undefined ? '' : ` (${differs.join(', ')})`;
      return [`${action} ${urn} ${name}${what}`, ...below(urn)];
    });
  const summary = (['create', 'update', 'delete', 'unchanged'] as const).map(
    (action) => `${count(action)} ${action}`,
  );
  return `${[...lines, summary.join(', ')].join('\n')}\n`;
}

function wantedTests(paths: readonly string[]): readonly Wanted[] {
  const problems: string[] = [];
  const byUrn = new Map<string, string>();
  const wanted = checkFiles(paths).flatMap(({ tests, findings }) => {
    problems.push(...findings.filter(({ severity }) => severity === 'error').map(findingLine));
    return tests.flatMap((test) => {
      const { file, line, column } = test.place;
      const where = `${file}:${line}:${column}`;
      const read = wantedTest(test);
      if (typeof read === 'string') {
        problems.push(`${where}: error: ${read}`);
        return [];
      }
      const other = byUrn.get(read.urn);
      if (other !== undefined) problems.push(`${where}: error: ${read.urn} stands at ${other} as well`);
      byUrn.set(read.urn, where);
      return [read];
    });
  });
  if (problems.length === 0) return wanted;
  throw new PostilError(
    'BAD_REQUEST',
    `The files cannot be stored, and nothing was changed.\n${problems.join('\n')}`,
  );
}

/** The test, or why it cannot be stored. */
function wantedTest({ wrapper, text }: TestInFile): Wanted | string {
  const { urn, name, category, description } = wrapper;
  if (typeof urn !== 'string') return "the test needs its 'urn', such as urn:li:test:orders-owned";
  if (typeof name !== 'string' || name.trim() === '') return "the test needs a 'name'";
  if (category !== undefined && typeof category !== 'string') return "'category' is a text";
  if (description !== undefined && description !== null && typeof description !== 'string') {
    return "'description' is a text";
  }
  try {
    const about = typeof description === 'string' ? { description } : {};
    const input = { name, category: category ?? '', ...about, definition: { json: text } };
    return { urn: parseTestUrn(urn), input };
  } catch (error) {
    if (error instanceof PostilError) return error.message;
    throw error;
  }
}

function changeOf({ urn, input }: Wanted, stored: StoredTest | undefined): PlannedChange {
  const { name } = input;
  if (stored === undefined) return { action: 'create', urn, name, input };
  const same: readonly (readonly [string, boolean])[] = [
    ['name', stored.name === name],
    ['category', stored.category === input.category],
    ['description', (stored.description ?? '') === (input.description ?? '')],
    ['definition', isSameDefinition(stored.json, input.definition.json ?? '')],
  ];
  const differs = same.filter(([, isSame]) => !isSame).map(([member]) => member);
  return differs.length === 0
    ? { action: 'unchanged', urn, name }
    : { action: 'update', urn, name, differs, input };
}

/** Layout and the order of members are no difference: a file in YAML has other ones than what is stored. */
function isSameDefinition(stored: string | null, wanted: string): boolean {
  if (stored === wanted) return true;
  if (stored === null) return false;
  try {
    return jsonEqual(JSON.parse(stored) as JsonValue, JSON.parse(wanted) as JsonValue);
  } catch {
    return false;
  }
}
