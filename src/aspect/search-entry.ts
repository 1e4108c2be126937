/**
 * What one aspect contributes to finding its entity. Entries are kept by entity and aspect, so that a changed aspect replaces its own
 * entry and nothing else has to be read (decision 26).
 */
export type SearchEntry = {
  /** Values by search field (`search-fields.ts`), each field's values once, in the order of the aspect. */
  readonly fields: { readonly [field: string]: readonly string[] };
  /** Terms by which the entity is found (`search-terms.ts`), each once; complete, however many words there are. */
  readonly terms: readonly string[];
  /** Words of names that somebody may mistype, each once; for the dictionary of such words (decision 29). */
  readonly nameWords: readonly string[];
};

/** What can be read back of an entry; its name words may be those of others as well. */
export type KeptSearchEntry = Pick<SearchEntry, 'fields' | 'terms'>;

/** So many words of one entry count towards rank; all of them are found. */
export const entryWordsMax = 500;
