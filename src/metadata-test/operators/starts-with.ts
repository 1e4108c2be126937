import { comparable } from './comparable.ts';
import { type Operator, textOperand, valueTypes } from './operator.ts';
import { textsTest } from './text-test.ts';

export const startsWith: Operator = {
  id: 'starts_with',
  description: 'A text starts with one of the given texts.',
  takes: 'several',
  valueTypes: valueTypes('string', 'urn', 'entityType'),
  quantifier: 'any',
  readsDefault: false,
  parseOperand: textOperand,
  compile: (operands) =>
    textsTest(
      operands.map((operand) => {
        const prefix = comparable(String(operand));
        return (text: string) => text.startsWith(prefix);
      }),
      (text) => text.length >> 2,
    ),
};
