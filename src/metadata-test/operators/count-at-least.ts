import { countOperand } from './count-operand.ts';
import { type Operator, valueTypes } from './operator.ts';
import { sizeOf } from './value-set.ts';

export const countAtLeast: Operator = {
  id: 'count_at_least',
  description: 'There are at least as many distinct values as given.',
  takes: 'one',
  isExtension: true,
  valueTypes: valueTypes(),
  quantifier: 'set',
  readsDefault: false,
  parseOperand: countOperand,
  compile:
    ([bound]) =>
    (values) =>
      sizeOf(values) >= Number(bound),
};
