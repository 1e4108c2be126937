import type { Urn } from '../../urn/urn.ts';
import type { VerdictStore } from '../../verdict/verdict-store.ts';
import { forgetMarks, forgottenEntry, readLog } from './action-log.ts';
import { readActionStates, readRuns, runRecord, testsWithRuns } from './action-state.ts';

/** Runs that are older are forgotten with their logs; nobody undoes what was done so long ago. */
const runsKeptMs = 90 * 24 * 60 * 60_000;
const [runsRead, logBatch] = [10_000, 1_000];

/**
 * Forgets old runs of all tests; those that wait for approval stay. Of tests that no longer act, deleted ones too, what they
 * did to entities is forgotten with the last of their runs.
 */
export async function forgetOldRuns(verdicts: VerdictStore, now: number): Promise<void> {
  const acting = await readActionStates(verdicts);
  for (const test of await testsWithRuns(verdicts)) {
    const left = await forgetRunsOf(verdicts, test, now);
    if (left === 0 && !acting.has(test)) await forgetMarks(verdicts, test);
  }
}

/** Answers how many runs are left. */
async function forgetRunsOf(verdicts: VerdictStore, test: Urn, now: number): Promise<number> {
  const runs = await readRuns(verdicts, test, runsRead);
  const old = runs.filter(({ startedAt, status }) => startedAt < now - runsKeptMs && status !== 'paused');
  for (const run of old) {
    for (;;) {
      const entries = await readLog(verdicts, run, { count: logBatch });
      await verdicts.transact((transaction) =>
        transaction.putRecords(entries.map(({ entity }) => forgottenEntry(test, run.id, entity))),
      );
      if (entries.length < logBatch) break;
    }
    await verdicts.transact((transaction) =>
      transaction.putRecords([{ ...runRecord(run), text: undefined }]),
    );
  }
  return runs.length - old.length;
}
