/** A JSON value as `JSON.parse` returns it; never changed in place. */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export type JsonObject = { readonly [member: string]: JsonValue | undefined };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Equality of JSON values: members in any order, an undefined member equals an absent one. */
export function jsonEqual(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return false;
  }
  if (Array.isArray(left) || Array.isArray(right)) {
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => jsonEqual(item, right[index]))
    );
  }
  const ours = left as JsonObject;
  const theirs = right as JsonObject;
  const present = (object: JsonObject): string[] =>
    Object.keys(object).filter((member) => object[member] !== undefined);
  const members = present(ours);
  return (
    members.length === present(theirs).length &&
    members.every((member) => Object.hasOwn(theirs, member) && jsonEqual(ours[member], theirs[member]))
  );
}

/**
 * The deepest nesting of lists and objects that is taken in: far beyond what any schema has, and far below what walking a
 * value level by level can bear.
 */
export const jsonDepthMax = 500;

/** Whether lists and objects are nested more than `depth` deep; does not go further down than that. */
export function isNestedDeeper(value: JsonValue | undefined, depth: number = jsonDepthMax): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === 'object' && isNestedDeeper(item, depth - 1)) return true;
    }
    return false;
  }
  const object = value as JsonObject;
  for (const member in object) {
    const inner = object[member];
    if (typeof inner === 'object' && isNestedDeeper(inner, depth - 1)) return true;
  }
  return false;
}
