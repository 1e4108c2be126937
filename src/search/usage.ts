import type { SearchIndex } from '../search-index/search-index.ts';
import { isUrn, type Urn } from '../urn/urn.ts';
import type { IndexedEntities } from './indexed-entities.ts';
import { hasNumber, type NumberSet } from './number-set.ts';

/** The fields by which entities are attached to others. */
const attachingFields = [
  'tags',
  'fieldTags',
  'editedFieldTags',
  'glossaryTerms',
  'fieldGlossaryTerms',
  'editedFieldGlossaryTerms',
  'owners',
  'ownershipTypes',
  'domains',
  'platform',
] as const;

/** In how many places entities are used: by how many others, and in which way. */
export type Usage = {
  of(urn: Urn): number;
  /** The most used of these entities, at most so many. */
  mostUsed(among: NumberSet, count: number): Promise<readonly number[]>;
};

type Used = { readonly number: number; readonly each: number };

export function createUsage(sources: {
  readonly index: Pick<SearchIndex, 'numbersOf'>;
  readonly entities: IndexedEntities;
}): Usage {
  const { index, entities } = sources;
  // Numbers are never used twice, so they need not be asked for again.
  const numbers = new Map<string, number>();
  /** All that is used, the most used first: nearly every key asks for it. */
  let ranking: { readonly revision: number; readonly used: readonly Used[] } | undefined;

  async function ranked(): Promise<readonly Used[]> {
    const { revision } = entities;
    if (ranking?.revision === revision) return ranking.used;
    const uses = new Map<string, number>();
    for (const field of attachingFields) {
      for (const [value, each] of entities.column(field)?.distinct() ?? []) {
        uses.set(value, (uses.get(value) ?? 0) + each);
      }
    }
    const unknown = [...uses.keys()].filter((value) => !numbers.has(value)).filter((value) => isUrn(value));
    if (unknown.length > 0) {
      for (const [urn, number] of await index.numbersOf(unknown)) numbers.set(urn, number);
    }
    const used = [...uses]
      .map(([value, each]) => ({ number: numbers.get(value) ?? -1, each }))
      .filter(({ number }) => number >= 0)
      .sort((one, other) => other.each - one.each || one.number - other.number);
    ranking = { revision, used };
    return used;
  }

  return {
    of(urn) {
      let count = 0;
      for (const field of attachingFields) count += entities.column(field)?.countOf(urn) ?? 0;
      return count;
    },
    async mostUsed(among, count) {
      const most: number[] = [];
      for (const { number } of await ranked()) {
        if (most.length >= count) break;
        if (hasNumber(among, number)) most.push(number);
      }
      return most;
    },
  };
}
