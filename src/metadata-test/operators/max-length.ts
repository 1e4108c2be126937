import { countOperand } from './count-operand.ts';
import { lengthTest } from './length.ts';
import { type Operator, valueTypes } from './operator.ts';

export const maxLength: Operator = {
  id: 'max_length',
  description:
    'There is a text, and every text has at most the given number of characters, spaces around it aside.',
  takes: 'one',
  isExtension: true,
  valueTypes: valueTypes('string', 'urn', 'entityType'),
  quantifier: 'every',
  readsDefault: false,
  parseOperand: countOperand,
  compile: ([bound]) => lengthTest((length) => length <= Number(bound)),
};
