import { countOperand } from './count-operand.ts';
import { lengthTest } from './length.ts';
import { type Operator, valueTypes } from './operator.ts';

export const minLength: Operator = {
  id: 'min_length',
  description: 'A text has at least the given number of characters, spaces around it aside.',
  takes: 'one',
  isExtension: true,
  valueTypes: valueTypes('string', 'urn', 'entityType'),
  quantifier: 'any',
  readsDefault: false,
  parseOperand: countOperand,
  compile: ([bound]) => lengthTest((length) => length >= Number(bound)),
};
