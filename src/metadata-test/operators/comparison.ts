import type { ValueTest } from '../facts.ts';
import type { Operand } from '../predicate.ts';
import { numberOf } from './number-value.ts';
import { type Operator, valueTypes } from './operator.ts';

/** What numbers and points in time are compared by; text is accepted, since numbers are often stored as text. */
export const comparedTypes: Operator['valueTypes'] = valueTypes('string', 'number', 'timestamp');

/** A value that is no number does not satisfy (S7). */
export function comparison(
  operands: readonly Operand[],
  holds: (value: number, bound: number) => boolean,
): ValueTest {
  const bounds = operands.map(Number);
  return (value, run) => {
    const number = numberOf(value);
    if (number === undefined) {
      run.notes.add('TYPE_MISMATCH');
      return false;
    }
    return bounds.some((bound) => holds(number, bound));
  };
}
