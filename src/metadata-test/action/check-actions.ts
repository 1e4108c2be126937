import { type Finding, type Findings } from '../issue.ts';
import { reportConflicts, type SharedSample } from './action-conflicts.ts';
import { reportCycles } from './action-cycles.ts';
import { type ActingTest, hasActions } from './test-actions.ts';

/**
 * What is wrong with the actions of a test beside those of others (MT134, MT135); nothing for a test without actions. Others
 * without actions are irrelevant and may be left out.
 */
export function actionFindings(
  subject: ActingTest,
  others: readonly ActingTest[],
  sharedWith?: SharedSample,
): readonly Finding[] {
  if (!hasActions(subject.definition)) return [];
  const findings: Findings = { issues: [], notes: [], extensions: new Set() };
  const acting = others.filter(({ definition }) => hasActions(definition));
  reportCycles(subject, acting, findings);
  reportConflicts(subject, acting, findings, sharedWith);
  return findings.issues;
}
