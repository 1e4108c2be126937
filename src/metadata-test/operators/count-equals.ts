import { countOperand } from './count-operand.ts';
import { type Operator, valueTypes } from './operator.ts';
import { sizeOf } from './value-set.ts';

export const countEquals: Operator = {
  id: 'count_equals',
  description: 'There are exactly as many distinct values as given.',
  takes: 'one',
  isExtension: true,
  valueTypes: valueTypes(),
  quantifier: 'set',
  readsDefault: false,
  parseOperand: countOperand,
  compile:
    ([bound]) =>
    (values) =>
      sizeOf(values) === Number(bound),
};
