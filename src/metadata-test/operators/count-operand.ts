import type { ParsedOperand } from './operator.ts';

/** A whole number that is not negative. */
export function countOperand(text: string): ParsedOperand {
  const count = /^\d{1,15}(?:\.0*)?$/.test(text) ? Number(text) : undefined;
  return count === undefined
    ? { problem: { code: 'MT121', message: `'${text}' is not a whole number from 0 on.` } }
    : { operand: count };
}
