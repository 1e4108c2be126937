import { PostilError } from '../../errors/postil-error.ts';
import type { Urn } from '../../urn/urn.ts';
import type { TestRow } from '../../verdict/test-row.ts';
import type { VerdictStore } from '../../verdict/verdict-store.ts';
import {
  cursorRecord,
  giveUpLease,
  leaseMs,
  leaseOfOther,
  requireLease,
  requirePlace,
  takeLease,
} from './keeper-place.ts';
import type { VerdictRecord } from './test-state.ts';
import type { VerdictDifference } from './verdict-difference.ts';
import type { TransitionContext, TransitionHandler } from './verdict-keeper.ts';

/** All that one step of the keeper stores, in one transaction. */
export type Writing = {
  /** The cursor is there afterwards. */
  readonly sequence: number;
  readonly cause: TransitionContext['cause'];
  readonly differences?: readonly VerdictDifference[];
  readonly records?: readonly VerdictRecord[];
  readonly rows?: readonly TestRow[];
  readonly rowsGone?: readonly Urn[];
  readonly testsGone?: readonly Urn[];
};

/** The keeper's hand on the store: writes only while this node is the one that keeps, and from where it believes to be. */
export type VerdictWriter = {
  /** Milliseconds until another node's lease ends; 0: this node may keep, and has the lease if there is one to have. */
  take(): Promise<number>;
  /** Where the cursor is stored; to be said once it has been read. */
  place(sequence: number | undefined): void;
  /** Throws LostPlace when another node keeps. Nothing is written when there is nothing but an advance of the cursor. */
  write(writing: Writing): Promise<void>;
  /** Stores how far the cursor is, if it is not stored. */
  note(sequence: number): Promise<void>;
  giveUp(): Promise<void>;
};

/** Half of its time, so that a lease never runs out while its owner works. */
const renewAfterMs = leaseMs / 4;

/** A handler that fails so often, one time after the other, is left out of what is stored next. */
const handlerPatience = 4;

export function createVerdictWriter(parts: {
  readonly verdicts: VerdictStore;
  /** True: other nodes may keep as well, so there is a lease. */
  readonly isShared: boolean;
  readonly owner: string;
  readonly now: () => number;
  readonly handlers: readonly TransitionHandler[];
  readonly report: (level: 'error', message: string) => void;
}): VerdictWriter {
  const { verdicts, isShared, owner, now, handlers, report } = parts;
  const failures = new Map<TransitionHandler, number>();
  let stored: number | undefined;
  let renewedAt = -Infinity;

  async function store(writing: Writing): Promise<void> {
    const {
      sequence,
      cause,
      differences = [],
      records = [],
      rows = [],
      rowsGone = [],
      testsGone = [],
    } = writing;
    const time = now();
    const renews = isShared && time - renewedAt >= renewAfterMs;
    await verdicts.transact(async (transaction) => {
      if (isShared) await requireLease(transaction, owner);
      await requirePlace(transaction, stored);
      if (renews) await takeLease(transaction, owner, time);
      for (const { test, chunk, verdicts: sets } of differences) {
        await transaction.putVerdicts(test, chunk, sets);
      }
      const changes = differences.flatMap(({ change }) => change ?? []);
      if (changes.length > 0) await transaction.appendChanges(changes);
      if (rows.length > 0) await transaction.putRows(rows);
      if (rowsGone.length > 0) await transaction.removeRows(rowsGone);
      for (const test of testsGone) await transaction.removeVerdicts(test);
      const cursor = sequence === stored ? [] : [cursorRecord(sequence)];
      if (records.length + cursor.length > 0) await transaction.putRecords([...records, ...cursor]);
      if (changes.length > 0)
        for (const handler of handlers) await tell(handler, transaction, changes, { now: time, cause });
    });
    stored = sequence;
    if (renews) renewedAt = time;
    if (differences.some(({ change }) => change !== undefined)) forgive();
  }

  async function tell(handler: TransitionHandler, ...said: Parameters<TransitionHandler>): Promise<void> {
    const failed = failures.get(handler) ?? 0;
    if (failed >= handlerPatience) return;
    try {
      await handler(...said);
    } catch (error) {
      // When the store fails, nothing is stored without the handler either.
      const isOfStore = error instanceof PostilError && error.code.startsWith('STORAGE_');
      if (!isOfStore) failures.set(handler, failed + 1);
      throw error;
    }
  }

  /** Handlers that were left out have one chance with whatever is stored next. */
  function forgive(): void {
    for (const [handler, failed] of failures) {
      if (failed < handlerPatience) failures.delete(handler);
      else {
        failures.set(handler, handlerPatience - 1);
        report(
          'error',
          'Changes of verdicts were stored without what follows from them, because that failed again and again',
        );
      }
    }
  }

  return {
    async take() {
      if (!isShared) return 0;
      const time = now();
      const until = await leaseOfOther(verdicts, owner, time);
      if (until !== undefined) return Math.max(1, until - time);
      await verdicts.transact((transaction) => takeLease(transaction, owner, time));
      renewedAt = time;
      return 0;
    },
    place(sequence) {
      stored = sequence;
    },
    async write(writing) {
      const { differences, records, rows, rowsGone, testsGone } = writing;
      const isEmpty = [differences, records, rows, rowsGone, testsGone].every(
        (list) => (list?.length ?? 0) === 0,
      );
      if (!isEmpty) await store(writing);
    },
    async note(sequence) {
      const isDue = isShared && now() - renewedAt >= renewAfterMs;
      if (sequence !== stored || isDue) await store({ sequence, cause: 'change' });
    },
    async giveUp() {
      if (isShared) await verdicts.transact((transaction) => giveUpLease(transaction, owner));
    },
  };
}
