import { type Operator, textOperand, valueTypes } from './operator.ts';

export const exists: Operator = {
  id: 'exists',
  description: 'There is a value that is not empty.',
  takes: 'none',
  valueTypes: valueTypes(),
  quantifier: 'any',
  readsDefault: false,
  parseOperand: textOperand,
  compile: () => () => true,
};
