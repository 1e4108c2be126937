import { spend } from '../facts.ts';
import { equalityOperand } from './equality.ts';
import { type Operator, valueTypes } from './operator.ts';
import { hasOperand } from './value-set.ts';

/** What looking an operand up costs. */
const operandSteps = 150;

export const containsAll: Operator = {
  id: 'contains_all',
  description: 'Each of the given values is among the values.',
  takes: 'several',
  isExtension: true,
  valueTypes: valueTypes('string', 'number', 'boolean', 'timestamp', 'urn', 'map', 'entityType'),
  quantifier: 'set',
  readsDefault: false,
  parseOperand: equalityOperand,
  compile(operands) {
    const wanted = [...new Set(operands)];
    return (values, run) =>
      wanted.every((operand) => {
        spend(run, operandSteps + String(operand).length);
        return hasOperand(values, operand);
      });
  },
};
