import { isJsonObject } from '../aspect/json.ts';
import type { JsonValue } from '../aspect/json.ts';

/** A JSON value with maps in place of objects, and of lists whose elements have keys. */
export type KeyedValue = JsonValue | KeyedMap;
export type KeyedMap = Map<string, KeyedValue>;

export function toMap(value: JsonValue | undefined): KeyedValue {
  if (!isJsonObject(value)) return value ?? null;
  const map: KeyedMap = new Map();
  for (const [member, inner] of Object.entries(value)) if (inner !== undefined) map.set(member, toMap(inner));
  return map;
}

export function fromMap(value: KeyedValue): JsonValue {
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([member, inner]) => [member, fromMap(inner)]));
}
