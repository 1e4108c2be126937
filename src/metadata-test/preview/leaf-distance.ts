import { compilePredicate } from '../compile-test.ts';
import type { EntityTest, LoadedEntity, Run } from '../facts.ts';
import type { Predicate } from '../predicate.ts';

/**
 * The least number of leaves that have to turn over for a predicate to have the wanted outcome; 0 when it has it. A
 * `forEach` counts as one leaf.
 */
export type LeafDistance = (entity: LoadedEntity, run: Run, wanted: boolean) => number;

/** How far an entity is from satisfying a predicate. Throws what its evaluation throws. */
export function compileLeafDistance(predicate: Predicate): LeafDistance {
  if (predicate.kind === 'Leaf' || predicate.kind === 'ForEach') {
    const holds: EntityTest = compilePredicate(predicate);
    return (entity, run, wanted) => (holds(entity, run) === wanted ? 0 : 1);
  }
  const parts = predicate.operands.map(compileLeafDistance);
  const { kind } = predicate;
  return (entity, run, wanted) => {
    // Of `not`, every part has to be false; of what should not hold, one part has to say so.
    const ofParts = kind === 'None' ? !wanted : wanted;
    const needsAll = kind === 'Or' ? !wanted : wanted;
    const distances = parts.map((part) => part(entity, run, ofParts));
    return needsAll ? distances.reduce((sum, each) => sum + each, 0) : Math.min(...distances);
  };
}
