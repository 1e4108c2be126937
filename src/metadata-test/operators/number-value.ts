import type { JsonValue } from '../../aspect/json.ts';

const numberPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The number that the text spells, `undefined` when it spells none. */
export function numberIn(text: string): number | undefined {
  if (!numberPattern.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** The number that a value is or spells, `undefined` otherwise. */
export function numberOf(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? numberIn(value) : undefined;
}
