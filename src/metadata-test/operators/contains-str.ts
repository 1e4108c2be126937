import { comparable, textOf } from './comparable.ts';
import { type Operator, textOperand, valueTypes } from './operator.ts';

export const containsStr: Operator = {
  id: 'contains_str',
  description: 'A text contains one of the given texts.',
  takes: 'several',
  valueTypes: valueTypes('string', 'urn', 'entityType'),
  quantifier: 'any',
  readsDefault: false,
  parseOperand: textOperand,
  compile: (operands) => {
    const parts = operands.map((operand) => comparable(String(operand)));
    return (value) => {
      const text = textOf(value);
      return text !== undefined && parts.some((part) => text.includes(part));
    };
  },
};
