import type { Preview } from '../../metadata-test/preview/preview.ts';
import type { Urn } from '../../urn/urn.ts';
import type { TestHome } from './test-home.ts';
import type { PlannedChange } from './test-plan.ts';
import { countsLine, differenceLines, incompleteLines, severityOf } from './verdict-preview.ts';

/** What a planned change of a definition does to verdicts. */
export type PlannedVerdicts = Pick<
  Preview,
  'counts' | 'difference' | 'isComplete' | 'notLookedAt' | 'isOfOneMoment'
>;

/** Previews every definition that the plan would store anew, one after the other; nothing is stored. */
export async function previewPlan(
  changes: readonly PlannedChange[],
  home: TestHome,
): Promise<ReadonlyMap<Urn, PlannedVerdicts>> {
  const verdicts = new Map<Urn, PlannedVerdicts>();
  for (const { action, urn, differs, input } of changes) {
    const json = input?.definition.json ?? undefined;
    if (json === undefined || (action === 'update' && differs?.includes('definition') !== true)) continue;
    const { counts, difference, isComplete, notLookedAt, isOfOneMoment } = await home.preview({
      json,
      sampleSize: 0,
      ...(action === 'update' ? { testUrn: urn } : {}),
    });
    verdicts.set(urn, { counts, difference, isComplete, notLookedAt, isOfOneMoment });
  }
  return verdicts;
}

/** What stands below a change in the plan. */
export function plannedLines(verdicts: PlannedVerdicts | undefined): readonly string[] {
  if (verdicts === undefined) return [];
  const { difference } = verdicts;
  const lines = [
    countsLine(verdicts),
    ...(difference === undefined ? [] : differenceLines(difference)),
    ...incompleteLines(verdicts),
  ];
  return lines.map((line) => `  ${line}`);
}

/** Whether entities would newly fail a test of severity error. */
export function bringsFailures(
  changes: readonly PlannedChange[],
  verdicts: ReadonlyMap<Urn, PlannedVerdicts>,
): boolean {
  return changes.some(({ urn, input }) => {
    const planned = verdicts.get(urn);
    if (planned === undefined || severityOf(input?.definition.json) !== 'error') return false;
    return (planned.difference?.newlyFailing.count ?? planned.counts.failing) > 0;
  });
}
