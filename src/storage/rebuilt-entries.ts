import type { EntityAspects } from '../aspect/aspect.ts';
import type { SearchEntry } from '../aspect/search-entry.ts';
import type { EntryOf } from '../search-index/search-index.ts';
import type { Urn } from '../urn/urn.ts';

/** Entities are made anew so many at a time; a wide one takes some milliseconds. */
export const rebuiltAtATime = 25;

/** The entries of an entity by aspect. Throws what is wrong with an aspect. */
export function entriesOf(
  urn: Urn,
  aspects: EntityAspects,
  entryOf: EntryOf,
): ReadonlyMap<string, SearchEntry> {
  const entries = new Map<string, SearchEntry>();
  for (const [name, aspect] of aspects) {
    const entry = entryOf(urn, name, aspect.body);
    if (entry !== undefined) entries.set(name, entry);
  }
  return entries;
}

/** A range of numbers of entities: from the first up to, and without, the other. */
export type NumberRange = readonly [from: number, to: number];

/** The ranges in between these numbers, which ascend. */
export function rangesWithout(from: number, to: number, numbers: readonly number[]): readonly NumberRange[] {
  const ends = [...numbers, to];
  return ends
    .map((end, at): NumberRange => [at === 0 ? from : (numbers[at - 1] ?? 0) + 1, end])
    .filter(([first, end]) => first < end);
}
