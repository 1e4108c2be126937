/**
 * What one aspect contributes to finding its entity. Entries are kept by entity and aspect, so that a changed aspect replaces its own
 * entry and nothing else has to be read (decision 26).
 */
export type SearchEntry = {
  /** Values by search field (`search-fields.ts`), each field's values once, in the order of the aspect. */
  readonly fields: { readonly [field: string]: readonly string[] };
  /**
   * Terms by which the entity is found (`search-terms.ts`), with a blank between them, which none of them holds. One text, because
   * every write makes it and a store wants no other form; a term that stands there more than once counts once.
   */
  readonly terms: string;
};

/** Each term of an entry once. */
export function termsOf({ terms }: Pick<SearchEntry, 'terms'>): ReadonlySet<string> {
  return new Set(terms === '' ? [] : terms.split(termSeparator));
}

/** What stands between terms. */
export const termSeparator = ' ';

/** So many words of one entry count towards rank; all of them are found. */
export const entryWordsMax = 500;
