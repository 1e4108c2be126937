import { impliedFlags } from './entry-draft.ts';
import { searchSourcesOf } from './search-sources.ts';

/**
 * Every field that the entry of an aspect may have a value of; `undefined` where that is not known beforehand: of key aspects, and of
 * aspects whose fields the catalogue's users define.
 */
export function fieldsOfAspect(aspect: string): readonly string[] | undefined {
  const sources = searchSourcesOf(aspect);
  if (sources.length === 0) return undefined;
  const own = sources.flatMap(({ fields }) => fields);
  const flags = own.flatMap((field) => impliedFlags.get(field) ?? []);
  return [...new Set([...own, ...flags, 'customProperties'])];
}
