import { numberIn } from './number-value.ts';
import type { ParsedOperand } from './operator.ts';

const pointInTimePattern =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** A number, or an ISO-8601 point in time as milliseconds since the Unix epoch (S7). Without an offset it is UTC. */
export function numberOperand(text: string): ParsedOperand {
  const number = numberIn(text) ?? pointInTime(text);
  return number === undefined
    ? { problem: { code: 'MT121', message: `'${text}' is neither a number nor an ISO-8601 point in time.` } }
    : { operand: number };
}

function pointInTime(text: string): number | undefined {
  if (!pointInTimePattern.test(text)) return undefined;
  const hasOffset = !text.includes('T') || /(?:Z|[+-]\d{2}:?\d{2})$/.test(text.slice(text.indexOf('T')));
  const time = Date.parse(hasOffset ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time;
}
