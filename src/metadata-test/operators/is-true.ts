import { type Operator, textOperand, valueTypes } from './operator.ts';

export const isTrue: Operator = {
  id: 'is_true',
  description: 'A yes-or-no value is true.',
  takes: 'none',
  valueTypes: valueTypes('boolean'),
  quantifier: 'any',
  readsDefault: true,
  parseOperand: textOperand,
  compile: () => (value) => value === true,
};
