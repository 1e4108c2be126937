import { comparable } from './comparable.ts';
import { type Operator, textOperand, valueTypes } from './operator.ts';
import { textsTest } from './text-test.ts';

export const containsStr: Operator = {
  id: 'contains_str',
  description: 'A text contains one of the given texts.',
  takes: 'several',
  valueTypes: valueTypes('string', 'urn', 'entityType'),
  quantifier: 'any',
  readsDefault: false,
  parseOperand: textOperand,
  compile: (operands) =>
    textsTest(
      operands.map((operand) => comparable(String(operand))),
      (text, operand) => text.includes(operand),
    ),
};
