import { equalityOperand, equalityTest } from './equality.ts';
import { type Operator, valueTypes } from './operator.ts';

export const equals: Operator = {
  id: 'equals',
  description: 'A value equals one of the given values.',
  takes: 'several',
  valueTypes: valueTypes('string', 'number', 'boolean', 'timestamp', 'urn', 'map', 'entityType'),
  quantifier: 'any',
  readsDefault: true,
  parseOperand: equalityOperand,
  compile: equalityTest,
};
