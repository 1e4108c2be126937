import { equalityOperand } from './equality.ts';
import { type Operator, valueTypes } from './operator.ts';
import { hasOperand } from './value-set.ts';

export const containsAll: Operator = {
  id: 'contains_all',
  description: 'Each of the given values is among the values.',
  takes: 'several',
  isExtension: true,
  valueTypes: valueTypes('string', 'number', 'boolean', 'timestamp', 'urn', 'map', 'entityType'),
  quantifier: 'set',
  readsDefault: false,
  parseOperand: equalityOperand,
  compile: (operands) => (values) => operands.every((operand) => hasOperand(values, operand)),
};
