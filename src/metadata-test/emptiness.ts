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
  for (const name of Object.keys(record)) {
    const member = record[name];
    if (member !== undefined && !isStamp(member) && !isEmptyValue(member)) return false;
  }
  return true;
}

function isStamp(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const members = Object.keys(value);
  return (
    members.includes('time') &&
    typeof (value as JsonObject)['time'] === 'number' &&
    members.every((member) => stampMembers.has(member))
  );
}
