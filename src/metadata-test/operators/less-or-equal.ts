import { comparedTypes, comparison } from './comparison.ts';
import { numberOperand } from './number-operand.ts';
import type { Operator } from './operator.ts';

export const lessOrEqual: Operator = {
  id: 'less_or_equal',
  description: 'A number or point in time is the given one or less.',
  takes: 'one',
  isExtension: true,
  valueTypes: comparedTypes,
  quantifier: 'any',
  readsDefault: false,
  parseOperand: numberOperand,
  compile: (operands) => comparison(operands, (value, bound) => value <= bound),
};
