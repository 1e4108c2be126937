import type { ValueTest } from '../facts.ts';
import type { Operand } from '../predicate.ts';
import { comparable } from './comparable.ts';
import { type Operator, textOperand, valueTypes } from './operator.ts';
import { textsTest } from './text-test.ts';

export const endsWith: Operator = {
  id: 'ends_with',
  description: 'A text ends with one of the given texts.',
  takes: 'several',
  isExtension: true,
  valueTypes: valueTypes('string', 'urn', 'entityType'),
  quantifier: 'any',
  readsDefault: false,
  parseOperand: textOperand,
  compile,
};

function compile(operands: readonly Operand[]): ValueTest {
  return textsTest(
    operands.map((operand) => {
      const suffix = comparable(String(operand));
      return (text: string) => text.endsWith(suffix);
    }),
    (text) => text.length >> 2,
  );
}
