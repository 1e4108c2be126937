import { folded } from '../search-index/search-terms.ts';
import type { FilterCondition } from './search-engine.ts';

/** Whether a value meets a condition; decided once for each distinct value of a field. */
export type ValueTest = (value: string) => boolean;

/** What a value is compared as. */
export type ValueKind = 'text' | 'number';

/**
 * The test of a condition whose values are alternatives. EXISTS is met by every value. The conditions that follow a hierarchy are
 * equality here: their values have been expanded before. What is searched inside of values is searched without case; ranges
 * compare numbers as numbers and everything else as text.
 */
export function valueTest(condition: FilterCondition, values: readonly string[], kind: ValueKind): ValueTest {
  switch (condition) {
    case 'EXISTS':
      return () => true;
    case 'EQUAL':
    case 'IN':
    case 'DESCENDANTS_INCL':
    case 'ANCESTORS_INCL':
    case 'RELATED_INCL':
      return equalTo(values, kind);
    case 'IEQUAL':
      return equalTo(values, kind, folded);
    case 'CONTAIN':
      return foldedAny(values, (value, wanted) => value.includes(wanted));
    case 'START_WITH':
      return foldedAny(values, (value, wanted) => value.startsWith(wanted));
    case 'END_WITH':
      return foldedAny(values, (value, wanted) => value.endsWith(wanted));
    case 'GREATER_THAN':
      return ordered(values, (order) => order > 0);
    case 'GREATER_THAN_OR_EQUAL_TO':
      return ordered(values, (order) => order >= 0);
    case 'LESS_THAN':
      return ordered(values, (order) => order < 0);
    case 'LESS_THAN_OR_EQUAL_TO':
      return ordered(values, (order) => order <= 0);
  }
}

function equalTo(
  values: readonly string[],
  kind: ValueKind,
  form: (text: string) => string = (text) => text,
): ValueTest {
  const wanted = new Set(values.map(form));
  if (kind === 'text') return (value) => wanted.has(form(value));
  const numbers = new Set(values.map(numberIn).filter((number) => number !== undefined));
  return (value) => {
    const number = numberIn(value);
    return wanted.has(form(value)) || (number !== undefined && numbers.has(number));
  };
}

function foldedAny(
  values: readonly string[],
  matches: (value: string, wanted: string) => boolean,
): ValueTest {
  const wanted = values.map(folded);
  return (value) => {
    const own = folded(value);
    return wanted.some((each) => matches(own, each));
  };
}

function ordered(values: readonly string[], accepts: (order: number) => boolean): ValueTest {
  const bounds = values.map((text) => ({ text, number: numberIn(text) }));
  return (value) => {
    const own = numberIn(value);
    return bounds.some(({ text, number }) => {
      if (number === undefined) return accepts(value < text ? -1 : value > text ? 1 : 0);
      // What is no number is neither above nor below one.
      return own !== undefined && accepts(own - number);
    });
  };
}

const ranges: ReadonlySet<FilterCondition> = new Set([
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL_TO',
]);

/** The first of the values that a range of numbers cannot end at; `undefined` when there is none, or it is no range. */
export function valueWithoutNumber(
  condition: FilterCondition,
  values: readonly string[],
): string | undefined {
  return ranges.has(condition) ? values.find((value) => numberIn(value) === undefined) : undefined;
}

/** `undefined` when the text is no number. */
export function numberIn(text: string): number | undefined {
  if (!/^\s*[+-]?(\d|\.\d)/.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}
