import { countOperand } from './count-operand.ts';
import { type Operator, valueTypes } from './operator.ts';
import { sizeOf } from './value-set.ts';

export const countAtMost: Operator = {
  id: 'count_at_most',
  description: 'There are at most as many distinct values as given, possibly none.',
  takes: 'one',
  isExtension: true,
  valueTypes: valueTypes(),
  quantifier: 'set',
  readsDefault: false,
  parseOperand: countOperand,
  compile:
    ([bound]) =>
    (values) =>
      sizeOf(values) <= Number(bound),
};
