import { mayBeUnknown, type RowPredicate, type RowQuestion } from '../../verdict/row-predicate.ts';
import type { PlanClass } from './preview.ts';

/** What answering takes, in milliseconds: for a thousand rows and each question, and for an entity that is evaluated. */
const scanMilliseconds = 0.3;
const evaluationMilliseconds = 0.035;

/** Of several questions, the dearest class. */
export function planClassOf(questions: readonly RowQuestion[]): PlanClass {
  if (questions.some(({ scope, rules }) => [scope, ...rules].some(mayBeUnknown))) return 'CLOSURE';
  return questions.length > 0 && questions.every(({ scope }) => hasAnchor(scope)) ? 'ANCHOR' : 'SCAN';
}

/** Whether a value in some column is mandatory. */
function hasAnchor(scope: RowPredicate): boolean {
  return scope.kind === 'any' || (scope.kind === 'and' && scope.operands.some(hasAnchor));
}

/**
 * A rough estimate before anything is counted. Of a question that rows leave open, every entity may have to be evaluated
 * that its scope does not leave out; nobody knows how many those are, so all are assumed, up to `evaluatedMax`.
 */
export function estimatedMilliseconds(
  plan: PlanClass,
  entities: number,
  ruleCount: number,
  evaluatedMax: number,
): number {
  const scan = (entities / 1_000) * (ruleCount + 4) * scanMilliseconds;
  const evaluated = plan === 'CLOSURE' ? Math.min(entities, evaluatedMax) * evaluationMilliseconds : 0;
  return Math.ceil(scan + evaluated);
}
