import { type ForEach, type Leaf, partsOf, type PathStep, type Predicate } from '../predicate.ts';

/** A leaf, or a `forEach` with all that is asked inside it: what is judged as one. */
export type Node = Leaf | ForEach;

/** What a node reads: one way from the entity under test. */
export type Reading = {
  readonly steps: readonly PathStep[];
  /** Of a leaf; absent for the collection of a `forEach`. */
  readonly operator?: string;
};

/** Operators whose answer depends on the time of evaluation. */
const clockOperators: ReadonlySet<string> = new Set(['newer_than', 'older_than']);

/**
 * Everything that a node reads, or `undefined` when it cannot be told from single elements: because a `forEach` escapes
 * to the entity with `$root`, or because it asks what time it is.
 */
export function readingsOf(node: Node): readonly Reading[] | undefined {
  const readings: Reading[] = [];
  return addReadings(readings, node, { entity: [], element: [] }) ? readings : undefined;
}

/** Where a predicate stands: the way to the entity and to the element that its paths start from. */
type Standpoint = { readonly entity: readonly PathStep[]; readonly element: readonly PathStep[] };

function addReadings(readings: Reading[], predicate: Predicate, from: Standpoint): boolean {
  if (predicate.kind === 'Leaf') {
    const steps = stepsFrom(predicate.path.steps, from);
    if (steps === undefined || clockOperators.has(predicate.operator)) return false;
    readings.push({ steps, operator: predicate.operator });
    return true;
  }
  if (predicate.kind !== 'ForEach') {
    return partsOf(predicate).every((part) => addReadings(readings, part, from));
  }
  const steps = stepsFrom(predicate.collection.steps, from);
  if (steps === undefined) return false;
  readings.push({ steps });
  const entity: readonly PathStep[] =
    predicate.elements === 'value'
      ? from.entity
      : [...steps, { kind: 'Hop', types: predicate.collection.urnTypes }];
  return partsOf(predicate).every((part) => addReadings(readings, part, { entity, element: steps }));
}

function stepsFrom(steps: readonly PathStep[], from: Standpoint): readonly PathStep[] | undefined {
  const [first, ...rest] = steps;
  if (first?.kind === 'Root') return undefined;
  return first?.kind === 'Element' ? [...from.element, ...rest] : [...from.entity, ...steps];
}

/** The way to the values that a node is about: without any, nothing else that it reads matters. */
export function headOf(node: Node): readonly PathStep[] {
  return node.kind === 'Leaf' ? node.path.steps : node.collection.steps;
}

/** Whether steps are `aspect.field`, through a list if there is one. */
export function isFieldOf(steps: readonly PathStep[], aspect: string, field: string): boolean {
  const [first, second, third, ...rest] = steps;
  return (
    first?.kind === 'Aspect' &&
    first.name === aspect &&
    second?.kind === 'Field' &&
    second.name === field &&
    (third === undefined || third.kind === 'Flatten') &&
    rest.length === 0
  );
}
