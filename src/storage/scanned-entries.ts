import type { StoredSearchEntry, WantedFields } from '../search-index/search-index.ts';
import { namesPerEntity } from './aspect-key.ts';
import { parsedEntry } from './stored-search-entry.ts';

/** So many entries of one aspect that say the same as others are kept: most aspects say one of a few things of many entities. */
const keptMax = 2_000;
const keptLettersMax = 120;
/** From so many letters on it is quicker to look for fields first. */
const lookedThroughFrom = 250;

/** Reads the entries of a whole store, with what entries of one aspect have in common done once. */
export type ScannedEntries = {
  /** An entry, by the number of its aspect's name, that is known to be what was stored; `undefined` where it has none of the wanted fields. */
  entryOf(name: number, fields: string): StoredSearchEntry | undefined;
};

type OfAspect = {
  readonly aspect: string;
  /** How wanted fields stand in the text of an entry. */
  readonly marks: readonly string[];
  /** By text; `undefined` once they are too many, because then they are seldom the same. */
  entries: Map<string, StoredSearchEntry> | undefined;
};

/** `aspectOf` names the aspect of a key's number. */
export function createScannedEntries(
  wanted: WantedFields,
  aspectOf: (name: number) => string,
): ScannedEntries {
  const ofAspects: (OfAspect | undefined)[] = Array.from({ length: namesPerEntity }, () => undefined);

  function ofAspect(name: number): OfAspect {
    const known = ofAspects[name];
    if (known !== undefined) return known;
    const aspect = aspectOf(name);
    const made = {
      aspect,
      marks: wanted(aspect).map((field) => `${JSON.stringify(field)}:`),
      entries: new Map<string, StoredSearchEntry>(),
    };
    ofAspects[name] = made;
    return made;
  }

  return {
    entryOf(name, fields) {
      const own = ofAspect(name);
      const { aspect, marks } = own;
      const isKept = fields.length <= keptLettersMax;
      if (isKept) {
        const known = own.entries?.get(fields);
        if (known !== undefined) return known;
      }
      const has = (mark: string): boolean => fields.includes(mark);
      if (marks.length === 0 || (fields.length >= lookedThroughFrom && !marks.some(has))) return undefined;
      const entry = parsedEntry(aspect, fields);
      if (isKept && own.entries !== undefined) {
        if (own.entries.size < keptMax) own.entries.set(fields, entry);
        else own.entries = undefined;
      }
      return entry;
    },
  };
}
