import { spend, type ValueTest } from '../facts.ts';
import { textOf } from './comparable.ts';

/** What counting one character costs. */
const characterSteps = 8;

/** A test of a text's length: code points of the trimmed text. */
export function lengthTest(holds: (length: number) => boolean): ValueTest {
  return (value, run) => {
    const text = textOf(value);
    if (text === undefined) return false;
    spend(run, text.length * characterSteps);
    return holds(codePointsIn(text.trim()));
  };
}

/** How many code points a text has; a lone surrogate counts as one. */
export function codePointsIn(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const before = text.charCodeAt(index - 1);
    if (unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff) count -= 1;
  }
  return count;
}
