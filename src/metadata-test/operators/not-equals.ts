import { equalityOperand, equalityTest } from './equality.ts';
import { type Operator, valueTypes } from './operator.ts';

export const notEquals: Operator = {
  id: 'not_equals',
  description: 'No value equals one of the given values; true when there is no value.',
  takes: 'several',
  isExtension: true,
  valueTypes: valueTypes('string', 'number', 'boolean', 'timestamp', 'urn', 'map', 'entityType'),
  quantifier: 'none',
  readsDefault: true,
  parseOperand: equalityOperand,
  compile: equalityTest,
};
