import { spend, type ValueTest } from '../facts.ts';
import { parentOf } from '../hierarchy.ts';
import type { Operand, Path } from '../predicate.ts';
import { comparable } from './comparable.ts';
import { urnOperand } from './equality.ts';
import { type Operator, type ParsedOperand, valueTypes } from './operator.ts';
import { maxAncestors, parentTypes } from '../hierarchy.ts';

export const within: Operator = {
  id: 'within',
  description: 'A URN is one of the given ones, or lies below it (domains, glossary groups, containers).',
  takes: 'several',
  valueTypes: valueTypes('urn', 'string'),
  quantifier: 'any',
  readsDefault: false,
  parseOperand,
  compile,
};

function parseOperand(text: string, path: Path): ParsedOperand {
  return urnOperand(text, parentTypes(path.urnTypes));
}

/** What looking at one ancestor costs. */
const climbSteps = 100;

function compile(operands: readonly Operand[]): ValueTest {
  const wanted = new Set(operands.map((operand) => comparable(String(operand))));
  return (value, run) => {
    let current = typeof value === 'string' ? value : undefined;
    // The bound also cuts cycles.
    for (let climbed = 0; current !== undefined && climbed <= maxAncestors; climbed += 1) {
      spend(run, climbSteps);
      if (wanted.has(comparable(current))) return true;
      const entity = run.facts.get(current);
      current = entity === undefined ? undefined : parentOf(entity);
    }
    return false;
  };
}
