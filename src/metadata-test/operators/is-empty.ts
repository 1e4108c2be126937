import { type Operator, textOperand, valueTypes } from './operator.ts';

export const isEmpty: Operator = {
  id: 'is_empty',
  description: 'There is no value that is not empty: the opposite of `exists`.',
  takes: 'none',
  isExtension: true,
  valueTypes: valueTypes(),
  quantifier: 'none',
  readsDefault: false,
  parseOperand: textOperand,
  compile: () => () => true,
};
