import type { IntegrityProblem } from '../aspect/aspect-store.ts';
import { type KeptSearchEntry, type SearchEntry, termsOf } from '../aspect/search-entry.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import type { Urn } from '../urn/urn.ts';

type Entries = ReadonlyMap<string, SearchEntry>;

/** Where the stored entries of an entity are not what its aspects say. */
export function searchEntryProblems(
  urn: Urn,
  stored: ReadonlyMap<string, KeptSearchEntry>,
  expected: Entries,
): readonly IntegrityProblem[] {
  const problems: IntegrityProblem[] = [];
  const differ = (aspect: string, problem: string): number =>
    problems.push({ what: 'search entry', where: `${urn} ${aspect}`, problem });
  for (const [aspect, entry] of expected) {
    const found = stored.get(aspect);
    if (found === undefined) differ(aspect, 'is missing');
    else if (textOf(found) !== textOf(entry)) differ(aspect, 'differs from the aspect');
  }
  for (const aspect of stored.keys()) {
    if (!expected.has(aspect)) differ(aspect, 'is stored, which no aspect says');
  }
  return problems;
}

/** What must be equal of two entries; the order of terms says nothing. */
function textOf({ fields, terms }: KeptSearchEntry): string {
  return JSON.stringify([fields, [...termsOf({ terms })].sort()]).toWellFormed();
}

/** The dictionary of name words as far as it was read. */
export type ReadNameWords = { readonly words: Set<string>; last: number };

const wordsReadAtOnce = 5_000;

/** Name words of entries that the dictionary lacks, so that somebody who mistypes them is not understood. */
export async function nameWordProblems(
  search: Pick<SearchIndex, 'nameWordsAfter'>,
  read: ReadNameWords,
  urn: Urn,
  expected: Entries,
): Promise<readonly IntegrityProblem[]> {
  const problems: IntegrityProblem[] = [];
  for (const [aspect, { nameWords }] of expected) {
    const isRead = (word: string): boolean => read.words.has(word);
    // While a store is in use, words come with the entries that bring them.
    if (!nameWords.every(isRead)) await readOn(search, read);
    const lacking = nameWords.filter((word) => !isRead(word));
    if (lacking.length === 0) continue;
    const problem = `has name words that the dictionary lacks: ${lacking.join(', ')}; postil reindex adds them`;
    problems.push({ what: 'search entry', where: `${urn} ${aspect}`, problem });
  }
  return problems;
}

async function readOn(search: Pick<SearchIndex, 'nameWordsAfter'>, read: ReadNameWords): Promise<void> {
  for (;;) {
    const found = await search.nameWordsAfter(read.last, wordsReadAtOnce);
    for (const { number, word } of found) {
      read.words.add(word);
      read.last = number;
    }
    if (found.length < wordsReadAtOnce) return;
  }
}

/** How many entries there have to be, to be compared with how many there are. */
export type EntrySum = { entries: number };

/** Whether anything is left in the index beside the entries that were compared one by one. */
export async function sumProblems(
  search: SearchIndex,
  expected: EntrySum,
): Promise<readonly IntegrityProblem[]> {
  const where = 'all entries';
  let entries: number;
  try {
    entries = await search.countEntries();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ what: 'search index', where, problem: `cannot be read: ${reason}` }];
  }
  if (entries === expected.entries) return [];
  const problem = `has ${entries} entries, and the aspects say ${expected.entries}; postil reindex makes it anew`;
  return [{ what: 'search index', where, problem }];
}
