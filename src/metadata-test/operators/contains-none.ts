import { equalityOperand, equalityTest } from './equality.ts';
import { type Operator, valueTypes } from './operator.ts';

export const containsNone: Operator = {
  id: 'contains_none',
  description: 'A list contains none of the given values; true when it is empty.',
  takes: 'several',
  isExtension: true,
  valueTypes: valueTypes('string', 'number', 'boolean', 'timestamp', 'urn', 'map', 'entityType'),
  quantifier: 'none',
  readsDefault: false,
  parseOperand: equalityOperand,
  compile: equalityTest,
};
