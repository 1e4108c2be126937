import type { JsonObject, JsonValue } from '../aspect/json.ts';

const stampMembers: ReadonlySet<string> = new Set(['time', 'actor', 'impersonator', 'message']);

/**
 * Whether a value counts as nothing (S4): null, blank text, a list or record of nothing. Audit stamps inside a record do
 * not make it something; zero and false are something.
 */
export function isEmptyValue(value: JsonValue): boolean {
  if (typeof value === 'string') return !/\S/.test(value);
  if (typeof value !== 'object') return false;
  if (value === null) return true;
  const known = large.get(value);
  if (known !== undefined) return known;
  const before = visited;
  visited += 1;
  const isEmpty = Array.isArray(value) ? value.every(isEmptyValue) : isEmptyRecord(value as JsonObject);
  if (visited - before > largeSize) large.set(value, isEmpty);
  return isEmpty;
}

function isEmptyRecord(record: JsonObject): boolean {
  const names = Object.keys(record);
  visited += names.length;
  return names.every((name) => {
    const member = record[name];
    return member === undefined || isStamp(member) || isEmptyValue(member);
  });
}

/** Looking through what is large takes long, and a test may look at one value many times. */
const largeSize = 32;
const large = new WeakMap<object, boolean>();
/** How much was looked at so far. */
let visited = 0;

function isStamp(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const members = Object.keys(value);
  return (
    members.includes('time') &&
    typeof (value as JsonObject)['time'] === 'number' &&
    members.every((member) => stampMembers.has(member))
  );
}
