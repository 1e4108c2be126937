import { equalityOperand, equalityTest } from './equality.ts';
import { type Operator, valueTypes } from './operator.ts';

export const subsetOf: Operator = {
  id: 'subset_of',
  description: 'There is a value, and every value is one of the given ones.',
  takes: 'several',
  isExtension: true,
  valueTypes: valueTypes('string', 'number', 'boolean', 'timestamp', 'urn', 'map', 'entityType'),
  quantifier: 'every',
  readsDefault: false,
  parseOperand: equalityOperand,
  compile: equalityTest,
};
