import { type Operator, textOperand, valueTypes } from './operator.ts';

export const isFalse: Operator = {
  id: 'is_false',
  description: 'A yes-or-no value is false.',
  takes: 'none',
  valueTypes: valueTypes('boolean'),
  quantifier: 'any',
  readsDefault: true,
  parseOperand: textOperand,
  compile: () => (value) => value === false,
};
