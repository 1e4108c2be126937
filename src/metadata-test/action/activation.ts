import type { Urn } from '../../urn/urn.ts';
import type { VerdictStore, VerdictTransaction } from '../../verdict/verdict-store.ts';
import { semanticHash } from '../canonical-text.ts';
import type { TestDefinition } from '../predicate.ts';
import type { LibraryTest } from '../test-library.ts';
import { droppedRecord, queueRecord, readQueue } from './action-queue.ts';
import {
  type ActionRun,
  newRun,
  noState,
  readActionState,
  readActionStates,
  readRun,
  runRecord,
  stateRecord,
  type TestActionState,
} from './action-state.ts';
import { entitiesActedOn } from './blast-radius.ts';
import { effectsOf } from './effects.ts';
import { joinRun } from './queue-transitions.ts';

/** Active tests that do something, by URN. */
export type ActingLibrary = ReadonlyMap<Urn, LibraryTest>;

export function actingAmong(tests: ReadonlyMap<Urn, LibraryTest>): ActingLibrary {
  return new Map(
    [...tests].filter(([, { isActive, compiled }]) => isActive && effectsOf(compiled.definition).length > 0),
  );
}

export function actsOnOf(definition: TestDefinition): TestActionState['actsOn'] {
  const sides = new Set(effectsOf(definition).map(({ side }) => side));
  return { passing: sides.has('passing'), failing: sides.has('failing') };
}

const hashes = new WeakMap<TestDefinition, string>();

export function hashOf({ compiled: { definition } }: LibraryTest): string {
  let hash = hashes.get(definition);
  if (hash === undefined) {
    hash = semanticHash(definition);
    hashes.set(definition, hash);
  }
  return hash;
}

/**
 * Brings what is known of actions to the tests as they are stored: a definition that acts for the first time gets a run that
 * waits for approval (A9), one that means what was approved goes on, and what is gone is forgotten. Answers new runs.
 */
export async function activate(
  verdicts: VerdictStore,
  acting: ActingLibrary,
  now: number,
): Promise<readonly ActionRun[]> {
  const states = await readActionStates(verdicts);
  const waiting: ActionRun[] = [];
  for (const [urn, test] of acting) {
    const state = states.get(urn);
    const hash = hashOf(test);
    if (state?.semanticHash === hash && state.definitionMd5 === test.definitionMd5) continue;
    const run = state?.run === undefined ? undefined : await readRun(verdicts, urn, state.run);
    if (state?.semanticHash !== hash && run?.pausedFor === 'activation' && run.semanticHash === hash)
      continue;
    await verdicts.transact(async (transaction) => {
      if (state?.semanticHash === hash) {
        await transaction.putRecords([stateRecord(urn, { ...state, definitionMd5: test.definitionMd5 })]);
        await compareAll(transaction, urn, now);
        return;
      }
      await supersede(transaction, urn);
      const next = newRun(urn, now, hash, 'activation');
      await transaction.putRecords([runRecord(next), stateRecord(urn, { ...noState, run: next.id })]);
      waiting.push(next);
    });
  }
  for (const urn of states.keys()) {
    if (acting.has(urn)) continue;
    await verdicts.transact(async (transaction) => {
      await supersede(transaction, urn);
      await transaction.putRecords([stateRecord(urn, undefined)]);
    });
  }
  return waiting;
}

/** The definition of the test is another one by now, or is gone: what was planned with the old one is not done. */
async function supersede(transaction: VerdictTransaction, test: Urn): Promise<void> {
  const state = await readActionState(transaction, test);
  const run = state?.run === undefined ? undefined : await readRun(transaction, test, state.run);
  if (run !== undefined && (run.status === 'paused' || run.status === 'open')) {
    await transaction.putRecords([runRecord({ ...run, status: 'superseded' })]);
  }
  await dropQueue(transaction, test);
}

/** Takes out what is queued of a test, or of one of its runs. */
export async function dropQueue(transaction: VerdictTransaction, test: Urn, run?: string): Promise<void> {
  for await (const queued of readQueue(transaction)) {
    if (queued.test !== test || (run !== undefined && queued.run !== run)) continue;
    await transaction.putRecords([droppedRecord(queued)]);
  }
}

/** Queues every entity that the test acts on, so that what is not as wanted becomes so (A1): at an approval, and once a day. */
export async function compareAll(
  transaction: VerdictTransaction,
  test: Urn,
  now: number,
  into?: ActionRun,
): Promise<void> {
  const state = await readActionState(transaction, test);
  if (state === undefined || state.semanticHash === '' || state.quarantine !== undefined) return;
  const run = into ?? (await joinRun(transaction, test, state, now));
  for await (const { chunk, entities } of entitiesActedOn(transaction, test, state.actsOn)) {
    const added = { chunk, test, run: run.id, depth: 0, origin: 'comparison', entities } as const;
    await transaction.putRecords([await queueRecord(transaction, added)]);
  }
}
