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
  if (Array.isArray(value)) return value.every(isEmptyValue);
  return isEmptyRecord(value as JsonObject);
}

function isEmptyRecord(record: JsonObject): boolean {
  const known = largeRecords.get(record);
  if (known !== undefined) return known;
  const names = Object.keys(record);
  const isEmpty = names.every((name) => {
    const member = record[name];
    return member === undefined || isStamp(member) || isEmptyValue(member);
  });
  if (names.length > largeRecordSize) largeRecords.set(record, isEmpty);
  return isEmpty;
}

/** Listing the members of a large record takes long, and a test may look at one record many times. */
const largeRecordSize = 32;
const largeRecords = new WeakMap<JsonObject, boolean>();

function isStamp(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const members = Object.keys(value);
  return (
    members.includes('time') &&
    typeof (value as JsonObject)['time'] === 'number' &&
    members.every((member) => stampMembers.has(member))
  );
}
