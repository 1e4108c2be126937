import { comparable, textOf } from './comparable.ts';
import { type Operator, textOperand, valueTypes } from './operator.ts';

export const startsWith: Operator = {
  id: 'starts_with',
  description: 'A text starts with one of the given texts.',
  takes: 'several',
  valueTypes: valueTypes('string', 'urn', 'entityType'),
  quantifier: 'any',
  readsDefault: false,
  parseOperand: textOperand,
  compile: (operands) => {
    const prefixes = operands.map((operand) => comparable(String(operand)));
    return (value) => {
      const text = textOf(value);
      return text !== undefined && prefixes.some((prefix) => text.startsWith(prefix));
    };
  },
};
