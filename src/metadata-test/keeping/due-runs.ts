import type { Urn } from '../../urn/urn.ts';
import type { TestDefinition } from '../predicate.ts';
import { scheduleOf } from '../read-keys.ts';
import { nextRunAfter } from '../schedule.ts';
import type { Kept } from './kept-state.ts';

/** How long verdicts may stand before a full pass looks whether they are as they should be (3.7, 9). Milliseconds. */
const fullPassEveryMs = 24 * 3_600_000;

/** Tests whose schedule says that everything in their scope is to be evaluated by now. */
export function scheduledTests({ index, states }: Kept, now: number): readonly Urn[] {
  return [...index.tests.values()].flatMap(({ urn, compiled }) => {
    if (compiled.definition.keys['schedule'] === undefined) return [];
    const since = states.get(urn)?.confirmedAt;
    if (since === undefined || since === null) return [];
    return nextTime(compiled.definition, since) <= now ? [urn] : [];
  });
}

/** The calendar is asked once for each run, and not after every change. */
const nextTimes = new WeakMap<TestDefinition, { readonly since: number; readonly at: number }>();

function nextTime(definition: TestDefinition, since: number): number {
  const known = nextTimes.get(definition);
  if (known?.since === since) return known.at;
  const schedule = scheduleOf(definition);
  const at = (schedule === undefined ? undefined : nextRunAfter(schedule, since)) ?? Infinity;
  nextTimes.set(definition, { since, at });
  return at;
}

/** Whether a verdict has not been confirmed for a day. */
export function isFullPassDue({ index, states, stale }: Kept, now: number): boolean {
  return [...index.tests.keys()].some((urn) => {
    const confirmedAt = states.get(urn)?.confirmedAt;
    return typeof confirmedAt === 'number' && !stale.has(urn) && confirmedAt + fullPassEveryMs <= now;
  });
}
