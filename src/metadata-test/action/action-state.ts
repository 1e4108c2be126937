import { isJsonObject, type JsonObject, type JsonValue } from '../../aspect/json.ts';
import { integerIn, objectIn, objectsIn, textIn } from '../../entity/stored-member.ts';
import { isUrn, type Urn } from '../../urn/urn.ts';
import type { VerdictReader } from '../../verdict/verdict-store.ts';

/** Time in which transitions of a test belong to one run, and flips of a verdict count together. Milliseconds. */
export const runWindowMs = 10 * 60_000;

/** What is known of a test's actions beside its definition. Times are milliseconds since the Unix epoch. */
export type TestActionState = {
  /** Of the definition whose actions were approved; empty before the first approval. */
  readonly semanticHash: string;
  readonly definitionMd5: string;
  readonly actsOn: { readonly passing: boolean; readonly failing: boolean };
  /** The run that transitions join. */
  readonly run: string | undefined;
  readonly quarantine: Quarantine | undefined;
  /** When somebody last ended a quarantine: verdicts that flipped before do not count anymore. */
  readonly releasedAt?: number | undefined;
};

/** Why the actions of a test are at rest until somebody releases them (A8). */
export type Quarantine = { readonly since: number; readonly entity: string; readonly flips: number };

/** `paused` waits for approval, `open` acts. `rejected` was refused by somebody, `superseded` by another definition. */
const actionRunStatuses = ['paused', 'open', 'rejected', 'superseded'] as const;
type ActionRunStatus = (typeof actionRunStatuses)[number];

export type ActionRun = {
  readonly id: string;
  readonly test: Urn;
  readonly startedAt: number;
  readonly status: ActionRunStatus;
  /** Why it paused: `activation`: a definition acts for the first time; `blast radius`: it would change too much. */
  readonly pausedFor: 'activation' | 'blast radius' | undefined;
  /** Hash of the definition that was planned with. */
  readonly semanticHash: string;
  readonly approvedBy: string | undefined;
  readonly approvedAt: number | undefined;
  readonly rejectedBy: string | undefined;
  readonly rejectedAt: number | undefined;
  /** Whether what is queued was counted and is few enough; entities that join have it counted again. */
  readonly isCounted: boolean;
  /** How often entities joined. */
  readonly joined: number;
  readonly counts: ActionCounts;
  /** What it would do, as far as it was counted when it paused. */
  readonly plan: RunPlan | undefined;
  readonly undoneAt: number | undefined;
};

/** Entities: changed; as wanted already; left alone (reverted by people, too deep); failed; taken back. */
export type ActionCounts = {
  readonly done: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly failed: number;
  readonly undone: number;
};

export type RunPlan = {
  /** Entities that would change. */
  readonly entities: number;
  /** Entities that are in the scope. */
  readonly scope: number;
  /** False where counting stopped early: then there are at least so many. */
  readonly isComplete: boolean;
  /** Writes by action. */
  readonly writes: Readonly<Record<string, number>>;
  /** Values that would be removed although no test added them (A4). */
  readonly removedOfPeople: number;
  readonly sample: readonly {
    readonly entity: string;
    readonly verdict: string;
    readonly changes: readonly string[];
  }[];
};

export type ActionRecord = { readonly kind: string; readonly key: string; readonly text: string | undefined };

export type RecordReader = Pick<VerdictReader, 'record' | 'records'>;

const kinds = { state: 'action-test', run: 'action-run' } as const;

export async function readActionState(reader: RecordReader, test: Urn): Promise<TestActionState | undefined> {
  const text = await reader.record(kinds.state, test);
  return text === undefined ? undefined : stateOf(objectOf(text));
}

export async function readActionStates(reader: RecordReader): Promise<ReadonlyMap<Urn, TestActionState>> {
  const states = new Map<Urn, TestActionState>();
  for await (const { key, text } of allRecords(reader, kinds.state, '', '~')) {
    if (isUrn(key)) states.set(key, stateOf(objectOf(text)));
  }
  return states;
}

export function stateRecord(test: Urn, state: TestActionState | undefined): ActionRecord {
  return { kind: kinds.state, key: test, text: state === undefined ? undefined : JSON.stringify(state) };
}

export const noState: TestActionState = {
  semanticHash: '',
  definitionMd5: '',
  actsOn: { passing: false, failing: false },
  run: undefined,
  quarantine: undefined,
};

const noCounts: ActionCounts = { done: 0, unchanged: 0, skipped: 0, failed: 0, undone: 0 };

/** Whether a run was taken back since it was approved: then nothing more is done in it. */
export function isStopped({ undoneAt, approvedAt }: ActionRun): boolean {
  return undoneAt !== undefined && (approvedAt === undefined || approvedAt <= undoneAt);
}

/** A run that begins; its id sorts by time. */
export function newRun(
  test: Urn,
  now: number,
  semanticHash: string,
  pausedFor?: ActionRun['pausedFor'],
): ActionRun {
  const random = crypto.randomUUID().slice(0, 8);
  return {
    id: `${String(now).padStart(15, '0')}-${random}`,
    test,
    startedAt: now,
    status: pausedFor === undefined ? 'open' : 'paused',
    pausedFor,
    semanticHash,
    approvedBy: undefined,
    approvedAt: undefined,
    rejectedBy: undefined,
    rejectedAt: undefined,
    isCounted: false,
    joined: 0,
    counts: noCounts,
    plan: undefined,
    undoneAt: undefined,
  };
}

export async function readRun(reader: RecordReader, test: Urn, id: string): Promise<ActionRun | undefined> {
  const text = await reader.record(kinds.run, `${test}\n${id}`);
  return text === undefined ? undefined : runOf(objectOf(text), test, id);
}

/** Runs of a test, the newest first. */
export async function readRuns(
  reader: RecordReader,
  test: Urn,
  count: number,
): Promise<readonly ActionRun[]> {
  const page = await reader.records({
    kind: kinds.run,
    from: `${test}\n`,
    to: `${test}\n~`,
    descending: true,
    count,
  });
  return page.map(({ key, text }) => runOf(objectOf(text), test, key.slice(test.length + 1)));
}

/** Every test that has runs, also where it is deleted. */
export async function testsWithRuns(reader: RecordReader): Promise<ReadonlySet<Urn>> {
  const tests = new Set<Urn>();
  for await (const { key } of allRecords(reader, kinds.run, '', '~')) {
    const test = key.slice(0, key.lastIndexOf('\n'));
    if (isUrn(test)) tests.add(test);
  }
  return tests;
}

export function runRecord(run: ActionRun): ActionRecord {
  return { kind: kinds.run, key: `${run.test}\n${run.id}`, text: JSON.stringify(run) };
}

const pageSize = 500;

export async function* allRecords(
  reader: RecordReader,
  kind: string,
  from: string,
  to: string,
): AsyncGenerator<{ readonly key: string; readonly text: string }> {
  let start = from;
  for (;;) {
    const page = await reader.records({ kind, from: start, to, count: pageSize });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    start = `${last.key}\u0001`;
  }
}

/** Records are the engine's own; what an older version did not write is absent. */
export function objectOf(text: string): JsonObject {
  const value = JSON.parse(text) as JsonValue;
  return isJsonObject(value) ? value : {};
}

function stateOf(stored: JsonObject): TestActionState {
  const actsOn = objectIn(stored, 'actsOn');
  const quarantine = objectIn(stored, 'quarantine');
  return {
    semanticHash: textIn(stored, 'semanticHash') ?? '',
    definitionMd5: textIn(stored, 'definitionMd5') ?? '',
    actsOn: { passing: actsOn?.['passing'] === true, failing: actsOn?.['failing'] === true },
    run: textIn(stored, 'run') ?? undefined,
    releasedAt: integerIn(stored, 'releasedAt') ?? undefined,
    quarantine:
      quarantine === undefined
        ? undefined
        : {
            since: integerIn(quarantine, 'since') ?? 0,
            entity: textIn(quarantine, 'entity') ?? '',
            flips: integerIn(quarantine, 'flips') ?? 0,
          },
  };
}

function runOf(stored: JsonObject, test: Urn, id: string): ActionRun {
  const counts = objectIn(stored, 'counts');
  const count = (name: string): number => integerIn(counts, name) ?? 0;
  const pausedFor = textIn(stored, 'pausedFor');
  return {
    id,
    test,
    startedAt: integerIn(stored, 'startedAt') ?? 0,
    status: actionRunStatuses.find((status) => status === stored['status']) ?? 'superseded',
    pausedFor: pausedFor === 'activation' || pausedFor === 'blast radius' ? pausedFor : undefined,
    semanticHash: textIn(stored, 'semanticHash') ?? '',
    approvedBy: textIn(stored, 'approvedBy') ?? undefined,
    approvedAt: integerIn(stored, 'approvedAt') ?? undefined,
    rejectedBy: textIn(stored, 'rejectedBy') ?? undefined,
    rejectedAt: integerIn(stored, 'rejectedAt') ?? undefined,
    isCounted: stored['isCounted'] === true,
    joined: integerIn(stored, 'joined') ?? 0,
    counts: {
      done: count('done'),
      unchanged: count('unchanged'),
      skipped: count('skipped'),
      failed: count('failed'),
      undone: count('undone'),
    },
    plan: planOf(objectIn(stored, 'plan')),
    undoneAt: integerIn(stored, 'undoneAt') ?? undefined,
  };
}

function planOf(stored: JsonObject | undefined): RunPlan | undefined {
  if (stored === undefined) return undefined;
  const writes = Object.entries(objectIn(stored, 'writes') ?? {}).map(([action, count]) => [
    action,
    Number(count),
  ]);
  return {
    entities: integerIn(stored, 'entities') ?? 0,
    scope: integerIn(stored, 'scope') ?? 0,
    isComplete: stored['isComplete'] === true,
    writes: Object.fromEntries(writes) as Record<string, number>,
    removedOfPeople: integerIn(stored, 'removedOfPeople') ?? 0,
    sample: objectsIn(stored, 'sample').map((each) => ({
      entity: textIn(each, 'entity') ?? '',
      verdict: textIn(each, 'verdict') ?? '',
      changes: (Array.isArray(each['changes']) ? (each['changes'] as readonly JsonValue[]) : []).map(String),
    })),
  };
}
