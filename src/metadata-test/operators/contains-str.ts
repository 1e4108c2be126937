import { comparable } from './comparable.ts';
import { type Operator, textOperand, valueTypes } from './operator.ts';
import { compileSearch } from './text-search.ts';
import { textsTest } from './text-test.ts';

/** What searching one character costs at worst. */
const characterSteps = 6;

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
      operands.map((operand) => compileSearch(comparable(String(operand)))),
      (text) => text.length * characterSteps,
    ),
};
