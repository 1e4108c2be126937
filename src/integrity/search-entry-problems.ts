import type { IntegrityProblem } from '../aspect/aspect-store.ts';
import type { KeptSearchEntry, SearchEntry } from '../aspect/search-entry.ts';
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
  return JSON.stringify([fields, terms.toSorted()]).toWellFormed();
}

/** How much there is of entries, to be compared with what the index counts. */
export type EntrySum = { entries: number; terms: number };

export function addEntries(sum: EntrySum, entries: Entries): void {
  sum.entries += entries.size;
  for (const { terms } of entries.values()) sum.terms += terms.length;
}

/** Whether anything is left in the index beside the entries that were compared one by one. */
export async function sumProblems(
  search: SearchIndex,
  expected: EntrySum,
): Promise<readonly IntegrityProblem[]> {
  const where = 'all entries';
  let counted: EntrySum;
  try {
    counted = await search.statistics();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ what: 'search index', where, problem: `cannot be read: ${reason}` }];
  }
  const { entries, terms } = counted;
  if (entries === expected.entries && terms === expected.terms) return [];
  const problem =
    `has ${entries} entries with ${terms} terms, and the aspects say ${expected.entries} with ${expected.terms}; ` +
    'postil reindex makes it anew';
  return [{ what: 'search index', where, problem }];
}
