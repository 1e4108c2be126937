import type { Urn } from '../../urn/urn.ts';
import { scheduleOf } from '../read-keys.ts';
import { nextRunAfter } from '../schedule.ts';
import type { Kept } from './kept-state.ts';

/** How long verdicts may stand before a full pass looks whether they are as they should be (3.7, 9). Milliseconds. */
const fullPassEveryMs = 24 * 3_600_000;

/** Tests whose schedule says that everything in their scope is to be evaluated by now. */
export function scheduledTests({ index, states }: Kept, now: number): readonly Urn[] {
  return [...index.tests.values()].flatMap(({ urn, compiled }) => {
    const schedule = scheduleOf(compiled.definition);
    const since = states.get(urn)?.confirmedAt;
    if (schedule === undefined || since === undefined || since === null) return [];
    const due = nextRunAfter(schedule, since);
    return due !== undefined && due <= now ? [urn] : [];
  });
}

/** Whether a verdict has not been confirmed for a day. */
export function isFullPassDue({ index, states, stale }: Kept, now: number): boolean {
  return [...index.tests.keys()].some((urn) => {
    const confirmedAt = states.get(urn)?.confirmedAt;
    return typeof confirmedAt === 'number' && !stale.has(urn) && confirmedAt + fullPassEveryMs <= now;
  });
}
