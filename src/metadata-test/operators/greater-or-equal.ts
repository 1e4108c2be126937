import { comparedTypes, comparison } from './comparison.ts';
import { numberOperand } from './number-operand.ts';
import type { Operator } from './operator.ts';

export const greaterOrEqual: Operator = {
  id: 'greater_or_equal',
  description: 'A number or point in time is the given one or greater.',
  takes: 'one',
  isExtension: true,
  valueTypes: comparedTypes,
  quantifier: 'any',
  readsDefault: false,
  parseOperand: numberOperand,
  compile: (operands) => comparison(operands, (value, bound) => value >= bound),
};
