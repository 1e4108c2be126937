import { isJsonObject } from '../aspect/json.ts';
import type { JsonArray, JsonObject, JsonValue } from '../aspect/json.ts';

/*
 * Members of stored documents as readers need them. Ingested documents are kept as they came, so every member may be absent
 * or of another kind than expected: then a reader has nothing to show, which is no reason to fail.
 */

export function textIn(body: JsonObject | undefined, member: string): string | null {
  const value = body?.[member];
  return typeof value === 'string' ? value : null;
}

/** Like `textIn`; an empty text counts as none. */
export function filledTextIn(body: JsonObject | undefined, member: string): string | null {
  const value = body?.[member];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A text that is one of those known, such as the values of an enum; `null` for any other. */
export function knownTextIn(
  body: JsonObject | undefined,
  member: string,
  known: ReadonlySet<string>,
): string | null {
  const value = body?.[member];
  return typeof value === 'string' && known.has(value) ? value : null;
}

/** A whole number that JSON keeps exactly. */
export function integerIn(body: JsonObject | undefined, member: string): number | null {
  const value = body?.[member];
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

/** The greatest number that GraphQL's `Int` can hold. */
const intMax = 2 ** 31 - 1;

/** A whole number that fits into GraphQL's `Int`. */
export function intIn(body: JsonObject | undefined, member: string): number | null {
  const value = integerIn(body, member);
  return value !== null && Math.abs(value) <= intMax ? value : null;
}

/** A count as GraphQL's `Int`: what is greater is the greatest that there is. */
export function countAsInt(count: number): number {
  return Math.min(count, intMax);
}

/** Any number, fractions included. */
export function numberIn(body: JsonObject | undefined, member: string): number | null {
  const value = body?.[member];
  return typeof value === 'number' ? value : null;
}

export function booleanIn(body: JsonObject | undefined, member: string): boolean | null {
  const value = body?.[member];
  return typeof value === 'boolean' ? value : null;
}

export function objectIn(body: JsonObject | undefined, member: string): JsonObject | undefined {
  const value = body?.[member];
  return isJsonObject(value) ? value : undefined;
}

const none: JsonArray = [];

/** The elements of a list; none when there is no list. */
export function listIn(body: JsonObject | undefined, member: string): JsonArray {
  const value: JsonValue | undefined = body?.[member];
  return isList(value) ? value : none;
}

export function objectsIn(body: JsonObject | undefined, member: string): readonly JsonObject[] {
  return listIn(body, member).filter((element) => isJsonObject(element));
}

/** The texts of a list; `null` when there is no list. */
export function textsIn(body: JsonObject | undefined, member: string): readonly string[] | null {
  const value = body?.[member];
  return isList(value) ? value.filter((element) => typeof element === 'string') : null;
}

function isList(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}
