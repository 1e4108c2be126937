import { equalityOperand, equalityTest } from './equality.ts';
import { type Operator, valueTypes } from './operator.ts';

export const containsAny: Operator = {
  id: 'contains_any',
  description: 'A list contains one of the given values; of a map, one of the given `key=value` entries.',
  takes: 'several',
  valueTypes: valueTypes('string', 'number', 'boolean', 'timestamp', 'urn', 'map', 'entityType'),
  quantifier: 'any',
  readsDefault: false,
  parseOperand: equalityOperand,
  compile: equalityTest,
};
