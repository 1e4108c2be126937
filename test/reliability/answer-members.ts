import { isJsonObject, type JsonValue } from '../../src/aspect/json.ts';

/** The value below some members of an answer; `undefined` where one of them is not there. */
export function valueAt(value: JsonValue | undefined, ...members: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const member of members) found = isJsonObject(found) ? found[member] : undefined;
  return found;
}

/** The list below some members; empty where there is none. */
export function listAt(value: JsonValue | undefined, ...members: readonly string[]): readonly JsonValue[] {
  const found = valueAt(value, ...members);
  return Array.isArray(found) ? found : [];
}

/** The text below some members; empty where there is none. */
export function textAt(value: JsonValue | undefined, ...members: readonly string[]): string {
  const found = valueAt(value, ...members);
  return typeof found === 'string' ? found : '';
}
