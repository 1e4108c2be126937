import { comparedTypes, comparison } from './comparison.ts';
import { numberOperand } from './number-operand.ts';
import type { Operator } from './operator.ts';

export const lessThan: Operator = {
  id: 'less_than',
  description: 'A number or point in time is less than the given one.',
  takes: 'one',
  valueTypes: comparedTypes,
  quantifier: 'any',
  readsDefault: false,
  parseOperand: numberOperand,
  compile: (operands) => comparison(operands, (value, bound) => value < bound),
};
