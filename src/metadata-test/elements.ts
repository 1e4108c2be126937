import type { JsonValue } from '../aspect/json.ts';
import { compileCollect } from './compile-path.ts';
import { isEmptyValue } from './emptiness.ts';
import { type LoadedEntity, type Run, spend, targetOf } from './facts.ts';
import type { ForEach, Quantifier } from './predicate.ts';

/** What an element costs, whatever is asked of it. */
const elementSteps = 64;

/** The elements that a `forEach` goes over: empty ones are none, and the same text counts once (S1). */
export function compileElements({
  collection,
}: ForEach): (entity: LoadedEntity, run: Run) => readonly JsonValue[] {
  const valuesOf = compileCollect(collection.steps);
  return (entity, run) => {
    const seen = new Set<JsonValue>();
    for (const value of valuesOf(entity, run)) {
      spend(run, elementSteps);
      if (!isEmptyValue(value)) seen.add(value);
    }
    return [...seen];
  };
}

/** Steps into an element: what its paths start from. Whoever steps in sets `run.element` back in the end. */
export function enter(node: ForEach, element: JsonValue, around: LoadedEntity, run: Run): LoadedEntity {
  spend(run, elementSteps);
  run.element = element;
  return node.elements === 'entity' && typeof element === 'string' ? targetOf(element, run) : around;
}

/** Whether a `forEach` holds that selected at least one element. */
export function isEnough(quantifier: Quantifier, selected: number, satisfied: number): boolean {
  switch (quantifier.kind) {
    case 'all':
      return satisfied === selected;
    case 'any':
      return satisfied > 0;
    case 'none':
      return satisfied === 0;
    case 'atLeast':
      return satisfied >= wanted(quantifier, selected);
  }
}

/** How many elements `atLeast` asks for. A ratio rounds up; what binary fractions add to it does not count. */
export function wanted(
  quantifier: { readonly ratio: number } | { readonly count: number },
  selected: number,
): number {
  return 'count' in quantifier
    ? quantifier.count
    : Math.max(0, Math.ceil(quantifier.ratio * selected - 1e-9));
}
