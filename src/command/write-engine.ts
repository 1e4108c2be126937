import type { AspectStore, Change, WriteTransaction } from '../aspect/aspect-store.ts';
import { authorizeOn } from '../auth/authorize.ts';
import { type Caller, isAllowed } from '../auth/caller.ts';
import { guardGrants } from '../auth/guard-grants.ts';
import { type ErrorCode, PostilError } from '../errors/postil-error.ts';
import type { Command, Execute } from './command.ts';
import { planChanges } from './plan-changes.ts';
import type { Projections } from './projection.ts';
import { rememberReads } from './remember-reads.ts';

/** Commands that may wait for a place in a group; beyond that the caller is told to come back. */
const queuedCommandsMax = 10_000;
/** A group ends after so many commands, or after so much time, whichever comes first; then it is made durable. */
const groupCommandsMax = 256;
/** Short, because in this process reads wait for the group that runs. */
const groupMillisecondsMax = 4;
/** A shared store answers reads meanwhile, and the beginning and the end of a group are journeys to it. */
const sharedGroupMillisecondsMax = 25;
/** A decision takes milliseconds. One that waits for something that never comes must not hold up all others for ever. */
const decisionMillisecondsMax = 60_000;

export type WriteEngine = {
  readonly execute: Execute;
  /** Called after every durable commit, before any of its commands is answered. */
  onCommit(listener: (changes: readonly Change[]) => void): void;
  /** Called once when the disk failed: from then on nothing is written, and the process should end (promise R03). */
  onFailure(listener: (error: PostilError) => void): void;
  /** Resolves when nothing is queued and nothing is running. */
  idle(): Promise<void>;
};

type Pending = {
  attempt(transaction: WriteTransaction): Promise<readonly Change[]>;
  succeed(): void;
  fail(error: unknown): void;
};

/**
 * The one way in which anything is stored. Commands that arrive together share one transaction, each in a savepoint of
 * its own, and are answered after its commit; a command that refuses or fails takes nothing else with it.
 */
export function createWriteEngine(options: {
  readonly store: AspectStore;
  readonly projections: Projections;
  now(): number;
  newId(): string;
  /** How long a decision may wait before it is given up; a minute unless given. */
  readonly decisionMillisecondsMax?: number;
}): WriteEngine {
  const { store, projections } = options;
  const patience = options.decisionMillisecondsMax ?? decisionMillisecondsMax;
  const groupMilliseconds = store.exclusive ? groupMillisecondsMax : sharedGroupMillisecondsMax;
  const queue: Pending[] = [];
  const listeners: ((changes: readonly Change[]) => void)[] = [];
  const failureListeners: ((error: PostilError) => void)[] = [];
  const idleWaiters: (() => void)[] = [];
  let running = false;

  async function attempt<Input, Result>(
    transaction: WriteTransaction,
    command: Command<Input, Result>,
    input: Input,
    caller: Caller,
  ): Promise<{ readonly result: Result; readonly changes: readonly Change[] }> {
    const demands = command.demands(input, caller);
    // Only what roles do not decide is looked up.
    if (!isAllowed(caller, demands)) await authorizeOn(transaction, caller, demands);
    const now = options.now();
    const decision = await inTime(
      command.decide(transaction, input, { caller, now, newId: options.newId }),
      command.name,
    );
    if (decision.writes.length === 0) return { result: decision.result, changes: [] };
    await guardGrants(transaction, caller, decision.writes);
    const stamp = { time: now, actor: caller.actor };
    const batch = await planChanges(transaction, decision.writes, projections, command.name, stamp);
    const isEmpty = batch.changes.length === 0 && batch.observations.length === 0;
    return { result: decision.result, changes: isEmpty ? [] : await transaction.apply(batch) };
  }

  async function inTime<T>(decision: Promise<T>, command: string): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const end = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new PostilError('TIMED_OUT', `${command} took more than ${patience} ms; nothing was stored`));
      }, patience);
    });
    try {
      return await Promise.race([decision, end]);
    } finally {
      clearTimeout(timer);
    }
  }

  async function runGroup(): Promise<void> {
    const answered: Pending[] = [];
    const changes: Change[] = [];
    let current: Pending | undefined;
    let isBegun = false;
    try {
      await store.transact(async (storeTransaction) => {
        isBegun = true;
        const transaction = rememberReads(storeTransaction);
        const end = performance.now() + groupMilliseconds;
        while (answered.length < groupCommandsMax && performance.now() < end) {
          current = queue.shift();
          if (current === undefined) break;
          try {
            changes.push(...(await current.attempt(transaction)));
            answered.push(current);
          } catch (error) {
            if (isStorageError(error)) throw error;
            current.fail(error);
            // What was given up may still read, so no other command may share its transaction.
            if (isTimeout(error)) break;
          }
          current = undefined;
        }
      });
    } catch (error) {
      // Where no transaction can begin, whoever waits is told, or all would wait for ever.
      if (!isBegun) for (const pending of queue.splice(0)) pending.fail(error);
      for (const pending of answered) pending.fail(error);
      current?.fail(error);
      if (error instanceof PostilError && error.code === 'STORAGE_FAILED') {
        for (const pending of queue.splice(0)) pending.fail(error);
        for (const listener of failureListeners.splice(0)) listener(error);
      }
      return;
    }
    if (changes.length > 0) for (const listener of listeners) listener(changes);
    for (const pending of answered) pending.succeed();
  }

  function schedule(): void {
    if (running) return;
    running = true;
    // Whatever else arrives in this turn of the event loop joins the group.
    setImmediate(() => {
      void runGroup().finally(() => {
        running = false;
        if (queue.length > 0) schedule();
        else for (const done of idleWaiters.splice(0)) done();
      });
    });
  }

  const execute: Execute = (command, input, caller) => {
    if (queue.length >= queuedCommandsMax) {
      return Promise.reject(
        new PostilError('OVERLOADED', `${queuedCommandsMax} writes are waiting; try again in a moment`),
      );
    }
    return new Promise((resolve, reject) => {
      type Result = Parameters<typeof resolve>[0];
      let result: Result | undefined;
      queue.push({
        async attempt(transaction) {
          const outcome = await attempt(transaction, command, input, caller);
          result = outcome.result;
          return outcome.changes;
        },
        succeed: () => resolve(result as Result),
        fail: reject,
      });
      schedule();
    });
  };

  return {
    execute,
    onCommit: (listener) => void listeners.push(listener),
    onFailure: (listener) => void failureListeners.push(listener),
    idle: () => (running ? new Promise((resolve) => idleWaiters.push(resolve)) : Promise.resolve()),
  };
}

const storageCodes: ReadonlySet<ErrorCode> = new Set([
  'STORAGE_FULL',
  'STORAGE_FAILED',
  'STORAGE_UNREACHABLE',
]);

function isTimeout(error: unknown): boolean {
  return error instanceof PostilError && error.code === 'TIMED_OUT';
}

/** After these the transaction is gone, so no command of the group can have been stored. */
function isStorageError(error: unknown): boolean {
  return error instanceof PostilError && storageCodes.has(error.code);
}
