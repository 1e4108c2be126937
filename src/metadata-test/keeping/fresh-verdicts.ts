import type { VerdictKeeper } from './verdict-keeper.ts';

/** How long a reader of verdicts waits for them at most. Milliseconds. */
const patienceMs = 1_000;
/** Work on so many chunks of entities or fewer is worth waiting for. */
const shortWork = 8;

/**
 * Resolves when verdicts are of the catalogue as it is now, so that whoever wrote, or saved a test, reads what that made of
 * the verdicts. Does not wait for long work, such as a test of a million entities: verdicts are then as old as they are, as
 * they are where nobody keeps them, another node does, or keeping them has just failed.
 */
export async function freshVerdicts(
  keeper: Pick<VerdictKeeper, 'settled' | 'status'> | undefined,
): Promise<void> {
  if (keeper === undefined) return;
  const { activity, evaluating, rowsBuilt, problem } = keeper.status();
  if (activity === 'stopped' || activity === 'waiting' || problem !== undefined) return;
  if ((evaluating?.of ?? 0) > shortWork || (rowsBuilt?.of ?? 0) > shortWork) return;
  const waiting = Promise.withResolvers<void>();
  const timer = setTimeout(waiting.resolve, patienceMs);
  // Whoever cannot be told that verdicts are fresh gets those that there are.
  keeper.settled().then(waiting.resolve, waiting.resolve);
  await waiting.promise;
  clearTimeout(timer);
}
