import type { IntegrityProblem } from '../aspect/aspect-store.ts';
import { errorText } from '../errors/error-text.ts';
import { type SearchEntry, termsOf } from '../aspect/search-entry.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import { correctableWordsOf } from '../search-index/search-terms.ts';
import type { Urn } from '../urn/urn.ts';

type Entries = ReadonlyMap<string, SearchEntry>;

/** Where the stored entries of an entity are not what its aspects say. */
export function searchEntryProblems(
  urn: Urn,
  stored: ReadonlyMap<string, SearchEntry>,
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
function textOf({ fields, terms }: SearchEntry): string {
  return JSON.stringify([fields, [...termsOf({ terms })].sort()]).toWellFormed();
}

/** Words of names that an entry has and the dictionary, as it was read, lacks. */
type LackingWords = { readonly where: string; readonly words: readonly string[] };

/** Compares the words of all entries with the dictionary (decision 29). */
export type NameWordCheck = {
  add(urn: Urn, expected: Entries): Promise<void>;
  /** What the dictionary lacks, so that somebody who mistypes it is not understood. */
  problems(): Promise<readonly IntegrityProblem[]>;
};

export function createNameWordCheck(search: Pick<SearchIndex, 'nameWords'>): NameWordCheck {
  let dictionary: Dictionary | undefined;
  const lacking: LackingWords[] = [];
  return {
    async add(urn, expected) {
      dictionary ??= await readDictionary(search);
      const { words: known } = dictionary;
      if (known === undefined) return;
      for (const [aspect, entry] of expected) {
        const words = [...correctableWordsOf(termsOf(entry))].filter((word) => !known.has(word));
        if (words.length > 0) lacking.push({ where: `${urn} ${aspect}`, words });
      }
    },
    async problems() {
      // While a store is in use, words come with the entries that bring them.
      const now = lacking.length === 0 ? dictionary : await readDictionary(search);
      if (now === undefined) return [];
      if (now.words === undefined)
        return [{ what: 'search index', where: 'dictionary', problem: now.problem }];
      const { words: known } = now;
      return lacking.flatMap(({ where, words }) => {
        const still = words.filter((word) => !known.has(word));
        if (still.length === 0) return [];
        const problem = `has name words that the dictionary lacks: ${still.join(', ')}; postil reindex adds them`;
        return [{ what: 'search entry', where, problem }];
      });
    },
  };
}

type Dictionary =
  | { readonly words: ReadonlySet<string> }
  | { readonly words?: undefined; readonly problem: string };

async function readDictionary(search: Pick<SearchIndex, 'nameWords'>): Promise<Dictionary> {
  try {
    const words = new Set<string>();
    for await (const page of search.nameWords()) for (const word of page) words.add(word);
    return { words };
  } catch (error) {
    return { problem: `cannot be read: ${errorText(error)}` };
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
    return [{ what: 'search index', where, problem: `cannot be read: ${errorText(error)}` }];
  }
  if (entries === expected.entries) return [];
  const problem = `has ${entries} entries, and the aspects say ${expected.entries}; postil reindex makes it anew`;
  return [{ what: 'search index', where, problem }];
}
