import type { ValueTest } from '../facts.ts';
import type { Operand } from '../predicate.ts';
import { numberOf } from './number-value.ts';
import type { ParsedOperand } from './operator.ts';

const pattern =
  /^P(?=\d|T\d)(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,15}(?:\.\d{1,3})?)S)?)?$/;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** Lengths of years, months, ..., seconds; fixed ones, so that an age never depends on the calendar. */
const lengths = [365 * day, 30 * day, 7 * day, day, hour, minute, second] as const;

/** An ISO-8601 duration such as `P45D` or `PT12H`, as milliseconds. A month has 30 days, a year 365. */
export function durationOperand(text: string): ParsedOperand {
  const parts = pattern.exec(text)?.slice(1);
  if (parts === undefined) {
    const isNumber = /^\d+$/.test(text);
    const message = `'${text}' is not an ISO-8601 duration such as P45D or PT12H.`;
    return { problem: { code: 'MT121', message, ...(isNumber ? { suggestion: `P${text}D` } : {}) } };
  }
  const duration = parts.reduce(
    (sum, part: string | undefined, index) => sum + Number(part ?? 0) * (lengths[index] ?? 0),
    0,
  );
  return { operand: Math.round(duration) };
}

export function printDuration(operand: Operand): string {
  return `PT${Number(operand) / second}S`;
}

/**
 * Compares a point in time with the time of evaluation; a value that is no number does not satisfy (S7). `turnsAt`: the first
 * moment at which the answer for this point in time is another one than before; the run is told when it lies ahead.
 */
export function ageTest(
  holds: (time: number, now: number) => boolean,
  turnsAt: (time: number) => number,
): ValueTest {
  return (value, run) => {
    const time = numberOf(value);
    if (time === undefined) {
      run.notes.add('TYPE_MISMATCH');
      return false;
    }
    const turn = turnsAt(time);
    if (turn > run.now && turn < run.wakeAt) run.wakeAt = turn;
    return holds(time, run.now);
  };
}
