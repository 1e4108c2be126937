import { spend, type ValueTest } from '../facts.ts';
import { textOf } from './comparable.ts';

/** True for a text for which one of the operands holds; looking at each of them costs steps. */
export function textsTest(
  operands: readonly string[],
  holds: (text: string, operand: string) => boolean,
): ValueTest {
  return (value, run) => {
    const text = textOf(value);
    if (text === undefined) return false;
    if (operands.length > 1) spend(run, operands.length * (8 + (text.length >> 3)));
    return operands.some((operand) => holds(text, operand));
  };
}
