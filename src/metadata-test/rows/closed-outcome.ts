import type { JsonObject } from '../../aspect/json.ts';
import type { RowPredicate } from '../../verdict/row-predicate.ts';
import { compilePredicate, evaluationBudget } from '../compile-test.ts';
import { runOn } from '../facts.ts';
import type { Leaf, Predicate } from '../predicate.ts';
import { known, unknown } from './row-answers.ts';
import { decided, entityWith } from './text-judge.ts';

/** What the closure answers for an entity of the type that has one aspect, or none. */
export function closedOutcome(
  predicate: Predicate,
  type: string,
  aspect?: { readonly name: string; readonly body: JsonObject },
): RowPredicate {
  const entity = entityWith(type, undefined, aspect === undefined ? [] : [aspect]);
  const test = compilePredicate(predicate);
  const answer = decided(() => test(entity, runOn(entity, new Map(), 0, evaluationBudget)));
  return answer === undefined ? unknown : known(answer);
}

const standIn = 'value';

/** What the closure of a leaf answers when this is the only value at the end of its path. */
export function outcomeOf(leaf: Leaf, type: string, value: string | number): RowPredicate {
  const steps = [
    { kind: 'Aspect', name: standIn },
    { kind: 'Field', name: standIn },
  ] as const;
  const body = { [standIn]: value };
  return closedOutcome({ ...leaf, path: { ...leaf.path, steps } }, type, { name: standIn, body });
}
