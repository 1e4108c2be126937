import type { JsonObject, JsonValue } from '../../aspect/json.ts';
import { integerIn, objectIn, objectsIn, textIn } from '../../entity/stored-member.ts';
import { isUrn, type Urn } from '../../urn/urn.ts';
import type { VerdictStore } from '../../verdict/verdict-store.ts';
import { type ActionRecord, type ActionRun, objectOf, type RecordReader } from './action-state.ts';
import { type AssociationPatch, identityOf } from './association-patch.ts';

export type ActionLogStatus = 'planned' | 'done' | 'skipped' | 'failed' | 'undone' | 'kept';

/** What became of one entity in one run. */
export type ActionLogEntry = {
  readonly entity: Urn;
  readonly status: ActionLogStatus;
  readonly verdict: 'PASS' | 'FAIL';
  readonly time: number;
  readonly depth: number;
  readonly reason: string | undefined;
  readonly patches: readonly AssociationPatch[];
  /** How many of the patches were done for certain; of those behind, the process may have died before it knew. */
  readonly settled: number;
};

/** What a test last did to an entity, so that what people take back stays as they want it (A5). */
export type ActionMark = {
  readonly verdict: 'PASS' | 'FAIL';
  readonly time: number;
  readonly isUndone: boolean;
  readonly patches: readonly AssociationPatch[];
};

const kinds = { log: 'action-log', mark: 'action-mark' } as const;

export async function readLogEntry(
  reader: RecordReader,
  run: Pick<ActionRun, 'test' | 'id'>,
  entity: Urn,
): Promise<ActionLogEntry | undefined> {
  const text = await reader.record(kinds.log, logKey(run.test, run.id, entity));
  return text === undefined ? undefined : entryOf(objectOf(text), entity);
}

/** The log of a run in the order of the URNs; `after` is the last one that was seen. */
export async function readLog(
  reader: RecordReader,
  run: Pick<ActionRun, 'test' | 'id'>,
  query: { readonly after?: string; readonly count: number },
): Promise<readonly ActionLogEntry[]> {
  const page = await reader.records({
    kind: kinds.log,
    from:
      query.after === undefined
        ? logKey(run.test, run.id, '')
        : `${logKey(run.test, run.id, query.after)}\u0001`,
    to: logKey(run.test, run.id, '~'),
    count: query.count,
  });
  return page.flatMap(({ key, text }) => {
    const entity = key.slice(key.lastIndexOf('\n') + 1);
    return isUrn(entity) ? [entryOf(objectOf(text), entity)] : [];
  });
}

export function logRecord(test: Urn, run: string, entry: ActionLogEntry): ActionRecord {
  return { kind: kinds.log, key: logKey(test, run, entry.entity), text: JSON.stringify(entry) };
}

/** Takes an entity out of the log. */
export function forgottenEntry(test: Urn, run: string, entity: Urn): ActionRecord {
  return { kind: kinds.log, key: logKey(test, run, entity), text: undefined };
}

export async function readMark(
  reader: RecordReader,
  test: Urn,
  entity: Urn,
): Promise<ActionMark | undefined> {
  const text = await reader.record(kinds.mark, `${test}\n${entity}`);
  if (text === undefined) return undefined;
  const stored = objectOf(text);
  return {
    verdict: verdictIn(stored),
    time: integerIn(stored, 'time') ?? 0,
    isUndone: stored['isUndone'] === true,
    patches: patchesIn(stored),
  };
}

const marksBatch = 1_000;

/** Forgets what a test did to any entity. */
export async function forgetMarks(verdicts: VerdictStore, test: Urn): Promise<void> {
  for (;;) {
    const marks = await verdicts.records({
      kind: kinds.mark,
      from: `${test}\n`,
      to: `${test}\n~`,
      count: marksBatch,
    });
    await verdicts.transact((transaction) =>
      transaction.putRecords(marks.map(({ key }) => ({ kind: kinds.mark, key, text: undefined }))),
    );
    if (marks.length < marksBatch) return;
  }
}

export function markRecord(test: Urn, entity: Urn, mark: ActionMark): ActionRecord {
  return { kind: kinds.mark, key: `${test}\n${entity}`, text: JSON.stringify(mark) };
}

/**
 * The mark after the test did something more: while the verdict is the same, what it did before and people took back is
 * still theirs to decide, and what a run that was undone did stays undone unless the verdict arrived anew.
 */
export function nextMark(
  before: ActionMark | undefined,
  next: Omit<ActionMark, 'isUndone'>,
  origin: 'transition' | 'comparison',
): ActionMark {
  if (before === undefined || before.verdict !== next.verdict) return { ...next, isUndone: false };
  const again = new Set(next.patches.map(identityOf));
  return {
    ...next,
    isUndone: before.isUndone && origin === 'comparison',
    patches: [...before.patches.filter((patch) => !again.has(identityOf(patch))), ...next.patches],
  };
}

/** Identities of what the test last did to the entity, where associations cannot say so themselves (A4). */
export async function ownAssociations(
  reader: RecordReader,
  test: Urn,
  entity: Urn,
): Promise<readonly string[]> {
  return (await readMark(reader, test, entity))?.patches.map(identityOf) ?? [];
}

function logKey(test: Urn, run: string, entity: string): string {
  return `${test}\n${run}\n${entity}`;
}

const logStatuses: readonly ActionLogStatus[] = ['planned', 'done', 'skipped', 'failed', 'undone', 'kept'];

function entryOf(stored: JsonObject, entity: Urn): ActionLogEntry {
  return {
    entity,
    status: logStatuses.find((status) => status === stored['status']) ?? 'failed',
    verdict: verdictIn(stored),
    time: integerIn(stored, 'time') ?? 0,
    depth: integerIn(stored, 'depth') ?? 0,
    reason: textIn(stored, 'reason') ?? undefined,
    patches: patchesIn(stored),
    settled: integerIn(stored, 'settled') ?? 0,
  };
}

function verdictIn(stored: JsonObject): 'PASS' | 'FAIL' {
  return stored['verdict'] === 'PASS' ? 'PASS' : 'FAIL';
}

function patchesIn(stored: JsonObject): readonly AssociationPatch[] {
  return objectsIn(stored, 'patches').flatMap((each): readonly AssociationPatch[] => {
    const [urn, aspect, op] = [textIn(each, 'urn'), textIn(each, 'aspect'), textIn(each, 'op')];
    if (urn === null || !isUrn(urn) || aspect === null) return [];
    if (op === 'set')
      return [{ urn, aspect, op, before: objectIn(each, 'before'), after: objectIn(each, 'after') ?? {} }];
    if (op !== 'add' && op !== 'remove') return [];
    const elements = Array.isArray(each['elements']) ? (each['elements'] as readonly JsonValue[]) : [];
    const [list, member, value] = [textIn(each, 'list'), textIn(each, 'member'), textIn(each, 'value')];
    return [{ urn, aspect, op, list: list ?? '', member: member ?? '', value: value ?? '', elements }];
  });
}
