import type { AspectReader } from '../../aspect/aspect-store.ts';
import type { Execute } from '../../command/command.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { authorize, type Caller } from '../../auth/caller.ts';
import type { Urn } from '../../urn/urn.ts';
import type { VerdictStore } from '../../verdict/verdict-store.ts';
import type { LibraryTest, TestLibrary } from '../test-library.ts';
import { patchesDone } from './announced-patches.ts';
import { demandsOfActions } from './action-caller.ts';
import { queuedOf, readQueue } from './action-queue.ts';
import { type ActionLogEntry, logRecord, markRecord, readLog, readMark } from './action-log.ts';
import {
  type ActionRun,
  noState,
  readActionState,
  readRun,
  type RunPlan,
  runRecord,
  stateRecord,
} from './action-state.ts';
import { actsOnOf, compareAll, dropQueue, hashOf } from './activation.ts';
import { entitiesActedOn, planEntities } from './blast-radius.ts';
import { undoActions } from './undo-actions.ts';

export type RunServices = {
  readonly store: AspectReader;
  readonly verdicts: VerdictStore;
  readonly library: TestLibrary;
  readonly execute: Execute;
  now(): number;
};

/** How long a plan may take that somebody waits for. */
const planMs = 5_000;

/** Who may say what tests do to entities. */
const toManage = [{ anyOf: ['MANAGE_TESTS'] }] as const;

/**
 * Lets a run that waits do what was planned (A9); whoever approves needs the rights for it as well (A11). A run that waits
 * takes up what changes meanwhile, so with `entities` it is refused when more than so many would change by now. Throws FORBIDDEN,
 * ENTITY_NOT_FOUND, BAD_REQUEST.
 */
export async function approveRun(
  services: RunServices,
  test: Urn,
  id: string,
  caller: Caller,
  entities?: number,
): Promise<ActionRun> {
  authorize(caller, toManage);
  const stored = await requireTest(services, test);
  // Nobody has done through a test what they may not do themselves (A11).
  const { passing, failing } = stored.compiled.definition.actions;
  authorize(caller, demandsOfActions([...passing, ...failing], test));
  if (entities !== undefined) await refuseGrown(services, stored, id, entities);
  const { verdicts, now } = services;
  return verdicts.transact(async (transaction) => {
    const run = await requireRun(transaction, test, id);
    const isRefused = run.status === 'rejected' && run.pausedFor === 'activation';
    if (run.status !== 'paused' && !isRefused) {
      throw new PostilError(
        'BAD_REQUEST',
        `The run ${id} of ${test} is ${run.status}; only one that waits can be approved`,
      );
    }
    const hash = hashOf(stored);
    if (run.semanticHash !== hash) {
      throw new PostilError(
        'BAD_REQUEST',
        `The definition of ${test} has changed since the run ${id} was planned; approve its new run`,
      );
    }
    const time = now();
    const approved: ActionRun = {
      ...run,
      status: 'open',
      isCounted: true,
      approvedBy: caller.actor,
      approvedAt: time,
      rejectedBy: undefined,
      rejectedAt: undefined,
    };
    const before = (await readActionState(transaction, test)) ?? noState;
    // What changes from now on is a run of its own, which was not approved.
    const state = {
      ...before,
      semanticHash: hash,
      definitionMd5: stored.definitionMd5,
      actsOn: actsOnOf(stored.compiled.definition),
      run: undefined,
    };
    await transaction.putRecords([runRecord(approved), stateRecord(test, state)]);
    if (run.pausedFor === 'activation') await compareAll(transaction, test, time, approved);
    return approved;
  });
}

async function refuseGrown(
  { store, verdicts, now }: RunServices,
  test: LibraryTest,
  id: string,
  entities: number,
): Promise<void> {
  const run = await requireRun(verdicts, test.urn, id);
  const chunks = chunksOfWaiting(verdicts, test, run);
  const limits = { enough: entities, milliseconds: planMs };
  const plan = await planEntities(store, verdicts, test, chunks, now(), limits);
  if (plan.isComplete && plan.entities <= entities) return;
  throw new PostilError(
    'BAD_REQUEST',
    `The run ${id} of ${test.urn} would change more than ${entities} entities by now; look at its plan again`,
  );
}

/** An activation is about all that the test acts on, another run about what is queued for it. */
function chunksOfWaiting(
  verdicts: VerdictStore,
  test: LibraryTest,
  run: ActionRun,
): ReturnType<typeof entitiesActedOn> {
  return run.pausedFor === 'activation'
    ? entitiesActedOn(verdicts, test.urn, actsOnOf(test.compiled.definition))
    : queuedOf(verdicts, run);
}

/** Drops what a waiting run would do; entities that change later make a new one. Throws FORBIDDEN, ENTITY_NOT_FOUND, BAD_REQUEST. */
export async function rejectRun(
  { verdicts, now }: RunServices,
  test: Urn,
  id: string,
  caller: Caller,
): Promise<ActionRun> {
  authorize(caller, toManage);
  return verdicts.transact(async (transaction) => {
    const run = await requireRun(transaction, test, id);
    if (run.status !== 'paused') {
      throw new PostilError(
        'BAD_REQUEST',
        `The run ${id} of ${test} is ${run.status}; only one that waits can be rejected`,
      );
    }
    const rejected: ActionRun = {
      ...run,
      status: 'rejected',
      rejectedBy: caller.actor,
      rejectedAt: now(),
    };
    await transaction.putRecords([runRecord(rejected)]);
    await dropQueue(transaction, test, id);
    return rejected;
  });
}

/** Ends the quarantine of a test; all that it acts on is compared again. Throws FORBIDDEN, ENTITY_NOT_FOUND, BAD_REQUEST (A8). */
export async function releaseActions(services: RunServices, test: Urn, caller: Caller): Promise<void> {
  authorize(caller, toManage);
  await requireTest(services, test);
  await services.verdicts.transact(async (transaction) => {
    const state = await readActionState(transaction, test);
    if (state?.quarantine === undefined) {
      throw new PostilError('BAD_REQUEST', `The actions of ${test} are not quarantined`);
    }
    const time = services.now();
    // What flipped before is no reason to rest again.
    await transaction.putRecords([stateRecord(test, { ...state, quarantine: undefined, releasedAt: time })]);
    await compareAll(transaction, test, time);
  });
}

/** Entities of one command. */
const undoBatch = 50;

/** What undoing a run did: associations put back, and those that are no longer as the run left them. */
export type UndoReport = { readonly entities: number; readonly undone: number; readonly kept: number };

/**
 * Takes back what a run did, as far as it is still as the run left it, and does not do it again for the same verdict (A10).
 * What the run has not done yet is dropped, unless it waits for approval.
 * Throws FORBIDDEN, ENTITY_NOT_FOUND.
 */
export async function undoRun(
  services: RunServices,
  test: Urn,
  id: string,
  caller: Caller,
): Promise<UndoReport> {
  authorize(caller, toManage);
  const { store, verdicts, execute, now } = services;
  const run = await stopRun(services, test, id);
  let report: UndoReport = { entities: 0, undone: 0, kept: 0 };
  let after: string | undefined;
  for (;;) {
    const page = await readLog(verdicts, run, {
      count: undoBatch,
      ...(after === undefined ? {} : { after }),
    });
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.entity;
    const entries: ActionLogEntry[] = [];
    for (const entry of page) {
      const patches = await patchesDone(store, { test, run: id }, entry);
      if (entry.status !== 'undone' && patches.length > 0) entries.push({ ...entry, patches });
    }
    if (entries.length === 0) continue;
    const input = entries.map(({ entity, patches }) => ({ entity, patches }));
    const outcomes = await execute(undoActions, input, caller);
    await verdicts.transact(async (transaction) => {
      for (const [index, entry] of entries.entries()) {
        const { undone, kept } = outcomes[index] ?? { undone: 0, kept: 0 };
        const reason =
          kept === 0 ? undefined : `${kept} of ${kept + undone} changes are no longer as they were left`;
        const next: ActionLogEntry = {
          ...entry,
          status: undone > 0 ? 'undone' : 'kept',
          time: now(),
          reason,
        };
        await transaction.putRecords([logRecord(test, id, next)]);
        const mark = await readMark(transaction, test, entry.entity);
        if (mark !== undefined) {
          await transaction.putRecords([markRecord(test, entry.entity, { ...mark, isUndone: true })]);
        }
        report = {
          entities: report.entities + (undone > 0 ? 1 : 0),
          undone: report.undone + undone,
          kept: report.kept + kept,
        };
      }
    });
  }
  await verdicts.transact(async (transaction) => {
    const current = await requireRun(transaction, test, id);
    const counts = { ...current.counts, undone: current.counts.undone + report.entities };
    await transaction.putRecords([runRecord({ ...current, counts, undoneAt: now() })]);
  });
  return report;
}

/** Drops what a run that goes on has not done yet; whoever works on it does not go on. */
async function stopRun({ verdicts, now }: RunServices, test: Urn, id: string): Promise<ActionRun> {
  return verdicts.transact(async (transaction) => {
    const run: ActionRun = { ...(await requireRun(transaction, test, id)), undoneAt: now() };
    await transaction.putRecords([runRecord(run)]);
    if (run.status !== 'paused') await dropQueue(transaction, test, id);
    return run;
  });
}

/** What the actions of a test wait for, or would do now. */
export type ActionPlan = {
  /** The run that waits, if one does. */
  readonly run: ActionRun | undefined;
  readonly plan: RunPlan;
  readonly isActivated: boolean;
  readonly quarantine:
    | { readonly since: number; readonly entity: string; readonly flips: number }
    | undefined;
};

/** Nothing is written. Throws ENTITY_NOT_FOUND. */
export async function planOfTest(services: RunServices, test: Urn): Promise<ActionPlan> {
  const { store, verdicts, now } = services;
  const stored = await requireTest(services, test);
  const state = await readActionState(verdicts, test);
  const run = state?.run === undefined ? undefined : await readRun(verdicts, test, state.run);
  const waiting = run?.status === 'paused' ? run : undefined;
  const isActivated = state?.semanticHash === hashOf(stored);
  const chunks =
    waiting !== undefined
      ? chunksOfWaiting(verdicts, stored, waiting)
      : isActivated
        ? ofTest(verdicts, test)
        : entitiesActedOn(verdicts, test, actsOnOf(stored.compiled.definition));
  const plan = await planEntities(store, verdicts, stored, chunks, now(), { milliseconds: planMs });
  return { run: waiting, plan, isActivated, quarantine: state?.quarantine };
}

async function* ofTest(verdicts: VerdictStore, test: Urn): ReturnType<typeof queuedOf> {
  for await (const queued of readQueue(verdicts)) if (queued.test === test) yield queued;
}

/** Ids of the runs of a test in which something is left to do. */
export async function runsUnderWay(verdicts: VerdictStore, test: Urn): Promise<ReadonlySet<string>> {
  const under = new Set<string>();
  for await (const { run } of ofTest(verdicts, test)) under.add(run);
  return under;
}

async function requireTest({ library }: RunServices, test: Urn): Promise<LibraryTest> {
  const stored = (await library.all()).get(test);
  if (stored === undefined)
    throw new PostilError('ENTITY_NOT_FOUND', `There is no test ${test}, or its definition cannot be read`);
  return stored;
}

async function requireRun(reader: Parameters<typeof readRun>[0], test: Urn, id: string): Promise<ActionRun> {
  const run = await readRun(reader, test, id);
  if (run === undefined)
    throw new PostilError('ENTITY_NOT_FOUND', `The actions of ${test} have no run ${id}`);
  return run;
}
