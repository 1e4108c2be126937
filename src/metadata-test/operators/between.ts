import type { ValueTest } from '../facts.ts';
import type { Operand } from '../predicate.ts';
import { comparedTypes, comparison } from './comparison.ts';
import { numberOperand } from './number-operand.ts';
import type { Operator } from './operator.ts';

export const between: Operator = {
  id: 'between',
  description:
    'A number or point in time is neither less than the first given one nor greater than the second.',
  takes: 'two',
  isExtension: true,
  valueTypes: comparedTypes,
  quantifier: 'any',
  readsDefault: false,
  parseOperand: numberOperand,
  compile,
};

function compile(operands: readonly Operand[]): ValueTest {
  const [low, high] = [Number(operands[0]), Number(operands[1])];
  return comparison([low], (value) => low <= value && value <= high);
}
