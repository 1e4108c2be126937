import type { JsonObject } from '../aspect/json.ts';
import { objectIn } from './stored-member.ts';

/** The GraphQL type `StringMapEntry`. */
export type TextMapEntry = { readonly key: string; readonly value: string | null };

/** A stored map of texts as entries, in stored order; `null` when there is no map. */
export function textMapIn(body: JsonObject | undefined, member: string): readonly TextMapEntry[] | null {
  const map = objectIn(body, member);
  if (map === undefined) return null;
  return Object.entries(map).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? value : null,
  }));
}
