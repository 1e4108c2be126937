import type { JsonValue } from '../../aspect/json.ts';

/** Text as it is compared: exactly, except that the URL encoding of URNs is undone (S6). */
export function comparable(text: string): string {
  if (!text.includes('%') || !text.startsWith('urn:li:')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A scalar as text that text operators look at; `undefined` for lists and records. */
export function textOf(value: JsonValue): string | undefined {
  if (typeof value === 'string') return comparable(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
