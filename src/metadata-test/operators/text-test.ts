import { spend, type ValueTest } from '../facts.ts';
import { textOf } from './comparable.ts';

/** What looking for an operand costs, and each character of the text. */
const operandSteps = 14;

/** True for a text for which one of the tests holds; each of them costs steps for each of `characters` of the text. */
export function textsTest(
  tests: readonly ((text: string) => boolean)[],
  characters: (text: string) => number,
): ValueTest {
  return (value, run) => {
    const text = textOf(value);
    if (text === undefined) return false;
    spend(run, tests.length * (operandSteps + characters(text)));
    return tests.some((holds) => holds(text));
  };
}
