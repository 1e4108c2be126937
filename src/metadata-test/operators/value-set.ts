import type { JsonObject, JsonValue } from '../../aspect/json.ts';
import { isJsonObject } from '../../aspect/json.ts';
import type { Path } from '../predicate.ts';
import { comparable } from './comparable.ts';
import { numberIn, numberOf } from './number-value.ts';

/** The distinct values of a path, so that the same value twice counts once (S1). */
export type ValueSet = {
  readonly texts: Set<string>;
  readonly numbers: Set<number>;
  /** Records, as JSON. */
  readonly records: Set<string>;
  /** Entries of maps as `key=value`; looked up, never counted. */
  readonly entries: Set<string>;
};

export function emptyValueSet(): ValueSet {
  return { texts: new Set(), numbers: new Set(), records: new Set(), entries: new Set() };
}

/** Adds a value; answers how many characters had to be written for it. */
export function addValue(values: ValueSet, value: JsonValue, path: Path): number {
  const number = isNumeric(path) ? numberOf(value) : undefined;
  if (number !== undefined) values.numbers.add(number);
  else if (typeof value === 'number') values.numbers.add(value);
  else if (typeof value === 'string') values.texts.add(comparable(value));
  else if (typeof value === 'boolean') values.texts.add(String(value));
  else {
    const text = JSON.stringify(value);
    values.records.add(text);
    if (path.valueType === 'map' && isJsonObject(value)) addEntries(values, value);
    return text.length;
  }
  return 0;
}

export function sizeOf(values: ValueSet): number {
  return values.texts.size + values.numbers.size + values.records.size;
}

/** Whether one of the values equals the operand, as `equals` compares (S6). */
export function hasOperand(values: ValueSet, operand: string | number): boolean {
  const number = typeof operand === 'number' ? operand : numberIn(operand);
  if (number !== undefined && values.numbers.has(number)) return true;
  const text = comparable(String(operand));
  return values.texts.has(text) || values.entries.has(text);
}

function addEntries(values: ValueSet, map: JsonObject): void {
  for (const key of Object.keys(map)) values.entries.add(`${key}=${String(map[key])}`);
}

function isNumeric(path: Path): boolean {
  return path.valueType === 'number' || path.valueType === 'timestamp';
}
