import { termSeparator } from '../aspect/search-entry.ts';
import type { SearchIndex, TermQuery } from '../search-index/search-index.ts';
import { createRecent } from './recent.ts';

const rememberedBytesMax = 16 * 1024 * 1024;
/** Beside the terms themselves. */
const entryBytes = 100;
/** Where of more entities the terms would have to be read, the index is asked who bears the one term. */
const readMax = 500;

/** The terms of entities that changed lately: every set that is remembered asks about them again. */
export type BorneTerms = {
  /** Those of the entities that bear the term; contains at least every change that `forget` was told of before. */
  bearing(query: TermQuery, numbers: readonly number[]): Promise<Iterable<number>>;
  /** To be called for every entity that changed. */
  forget(number: number): void;
  forgetAll(): void;
};

/** Terms by number, a blank before and after each. */
type Terms = ReadonlyMap<number, string>;

export function createBorneTerms(index: Pick<SearchIndex, 'bearers' | 'termsOf'>): BorneTerms {
  const remembered = createRecent<number, string>(rememberedBytesMax);
  /** What is being read of entities since they changed last. */
  const reading = new Map<number, Promise<Terms>>();

  async function read(numbers: readonly number[]): Promise<Terms> {
    const found = await index.termsOf(numbers);
    return new Map(
      numbers.map((number) => [number, `${termSeparator}${found.get(number) ?? ''}${termSeparator}`]),
    );
  }

  function startReading(numbers: readonly number[]): void {
    const batch = read(numbers);
    for (const number of numbers) reading.set(number, batch);
    const isStill = (number: number): boolean => reading.get(number) === batch;
    batch.then(
      (found) => {
        for (const [number, terms] of found) {
          // What was read before a change is not what shall be remembered.
          if (!isStill(number)) continue;
          reading.delete(number);
          remembered.set(number, terms, entryBytes + terms.length);
        }
      },
      () => {
        for (const number of numbers.filter(isStill)) reading.delete(number);
      },
    );
  }

  return {
    async bearing(query, numbers) {
      const known = new Map<number, string>();
      const unread: number[] = [];
      for (const number of numbers) {
        const terms = remembered.get(number);
        if (terms !== undefined) known.set(number, terms);
        else if (!reading.has(number)) unread.push(number);
      }
      if (unread.length > readMax) return index.bearers(query, numbers);
      if (unread.length > 0) startReading(unread);
      const awaited = new Set(numbers.flatMap((number) => reading.get(number) ?? []));
      const batches = await Promise.all(awaited);
      const wanted = termSeparator + query.term + (query.isPrefix ? '' : termSeparator);
      return numbers.filter((number) => {
        const terms = known.get(number) ?? batches.find((batch) => batch.has(number))?.get(number);
        return terms?.includes(wanted) === true;
      });
    },
    forget(number) {
      remembered.delete(number);
      reading.delete(number);
    },
    forgetAll() {
      remembered.clear();
      reading.clear();
    },
  };
}
