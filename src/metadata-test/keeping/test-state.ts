import { isJsonObject } from '../../aspect/json.ts';
import { parseUrn, type Urn } from '../../urn/urn.ts';
import type { VerdictReader } from '../../verdict/verdict-store.ts';

/** How far the kept verdicts of one test are (metadata-tests specification 3.7 and 3.13). Times are epoch milliseconds. */
export type TestState = {
  /** Of the text that the verdicts are for, or will be for when the run that is going on has ended. */
  readonly definitionMd5: string;
  readonly semanticHash: string;
  /** Of its exemptions; '' without any. */
  readonly exemptionsMd5: string;
  /** 1, 2, ...: counts definitions that meant something else than the one before. */
  readonly revision: number;
  /** When the evaluation of this revision began. */
  readonly startedAt: number;
  /** When all of its scope had been evaluated; null while that goes on: some verdicts are of the revision before. */
  readonly completedAt: number | null;
  /** How far the evaluation of the revision is. */
  readonly evaluatedChunks: number;
  readonly chunks: number;
  /** When all verdicts were last known to be those of the definition: the end of the revision's run or of a full pass. */
  readonly confirmedAt: number | null;
  /** False while the test is inactive; then it has no verdicts. */
  readonly isActive: boolean;
  /** Everything has to be evaluated once more, although the revision is complete: an exemption or a far entity changed. */
  readonly isStale: boolean;
};

export const runStatuses = ['RUNNING', 'COMPLETE'] as const;
/** `revision`: of a new definition. `full-pass`: of every test. `again`: because of what the test reads elsewhere, or on demand. */
export const runKinds = ['revision', 'full-pass', 'again'] as const;

/** One evaluation of all that is in the scope of a test. The counts are those at its end. */
export type TestRun = {
  readonly startedAt: number;
  readonly completedAt: number | null;
  readonly status: (typeof runStatuses)[number];
  readonly kind: (typeof runKinds)[number];
  readonly passing: number;
  readonly failing: number;
  readonly exempt: number;
  readonly undecided: number;
  /** Verdicts that the run changed. */
  readonly changed: number;
};

/** What `putRecords` of a transaction takes. */
export type VerdictRecord = {
  readonly kind: string;
  readonly key: string;
  readonly text: string | undefined;
};

const stateKind = 'test-state';
const runKind = 'test-run';

type RecordReader = Pick<VerdictReader, 'record' | 'records'>;

/** How far a test is; `undefined` for a test that was never evaluated. */
export async function readTestState(reader: RecordReader, test: Urn): Promise<TestState | undefined> {
  const text = await reader.record(stateKind, test);
  return text === undefined ? undefined : stateOf(text);
}

const pageSize = 1_000;

export async function readTestStates(reader: RecordReader): Promise<Map<Urn, TestState>> {
  const states = new Map<Urn, TestState>();
  let from = '';
  for (;;) {
    const page = await reader.records({ kind: stateKind, from, count: pageSize });
    for (const { key, text } of page) states.set(parseUrn(key), stateOf(text));
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return states;
    from = `${last.key}\u0001`;
  }
}

/** `state: undefined` removes it. */
export function testStateRecord(test: Urn, state: TestState | undefined): VerdictRecord {
  return { kind: stateKind, key: test, text: state === undefined ? undefined : JSON.stringify(state) };
}

/** Runs of a test, the newest first. */
export async function readTestRuns(
  reader: RecordReader,
  test: Urn,
  query: { readonly before?: number; readonly count: number },
): Promise<readonly TestRun[]> {
  const page = await reader.records({
    kind: runKind,
    from: `${test}\n`,
    to: query.before === undefined ? `${test}\n~` : runKey(test, query.before),
    descending: true,
    count: query.count,
  });
  return page.flatMap(({ text }) => runOf(text) ?? []);
}

export function testRunRecord(test: Urn, run: TestRun): VerdictRecord {
  return { kind: runKind, key: runKey(test, run.startedAt), text: JSON.stringify(run) };
}

/** A test that is evaluated every hour keeps the runs of two weeks, one that only full passes evaluate those of a year. */
const runsKept = 400;

/** Records that remove the oldest runs of a test; at most a page of them. */
export async function prunedTestRuns(reader: RecordReader, test: Urn): Promise<readonly VerdictRecord[]> {
  const runs = await reader.records({
    kind: runKind,
    from: `${test}\n`,
    to: `${test}\n~`,
    descending: true,
    count: runsKept + pageSize,
  });
  return runs.slice(runsKept).map(({ key }) => ({ kind: runKind, key, text: undefined }));
}

/** Records that remove all runs of a test. */
export async function removedTestRuns(reader: RecordReader, test: Urn): Promise<readonly VerdictRecord[]> {
  const removed: VerdictRecord[] = [];
  let from = `${test}\n`;
  for (;;) {
    const page = await reader.records({ kind: runKind, from, to: `${test}\n~`, count: pageSize });
    removed.push(...page.map(({ key }) => ({ kind: runKind, key, text: undefined })));
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return removed;
    from = `${last.key}\u0001`;
  }
}

function runKey(test: Urn, startedAt: number): string {
  return `${test}\n${String(startedAt).padStart(15, '0')}`;
}

/** Records are the engine's own; what an older version did not write has the value of a test that never ran. */
function stateOf(text: string): TestState {
  const body: unknown = JSON.parse(text);
  const stored = isJsonObject(body) ? body : {};
  const number = (name: string): number => (typeof stored[name] === 'number' ? stored[name] : 0);
  const time = (name: string): number | null => (typeof stored[name] === 'number' ? stored[name] : null);
  const string = (name: string): string => (typeof stored[name] === 'string' ? stored[name] : '');
  return {
    definitionMd5: string('definitionMd5'),
    semanticHash: string('semanticHash'),
    exemptionsMd5: string('exemptionsMd5'),
    revision: number('revision'),
    startedAt: number('startedAt'),
    completedAt: time('completedAt'),
    evaluatedChunks: number('evaluatedChunks'),
    chunks: number('chunks'),
    confirmedAt: time('confirmedAt'),
    isActive: stored['isActive'] !== false,
    isStale: stored['isStale'] === true,
  };
}

function runOf(text: string): TestRun | undefined {
  const body: unknown = JSON.parse(text);
  if (!isJsonObject(body) || typeof body['startedAt'] !== 'number') return undefined;
  const number = (name: string): number => (typeof body[name] === 'number' ? body[name] : 0);
  return {
    startedAt: body['startedAt'],
    completedAt: typeof body['completedAt'] === 'number' ? body['completedAt'] : null,
    status: runStatuses.find((status) => status === body['status']) ?? 'RUNNING',
    kind: runKinds.find((kind) => kind === body['kind']) ?? 'again',
    passing: number('passing'),
    failing: number('failing'),
    exempt: number('exempt'),
    undecided: number('undecided'),
    changed: number('changed'),
  };
}
