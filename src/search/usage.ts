import type { SearchIndex } from '../search-index/search-index.ts';
import { isUrn, type Urn } from '../urn/urn.ts';
import type { ChangeFollower } from './follow-changes.ts';
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

export function createUsage(sources: {
  readonly index: Pick<SearchIndex, 'numbersOf'>;
  readonly entities: IndexedEntities;
  readonly follower: Pick<ChangeFollower, 'seen'>;
}): Usage {
  const { index, entities, follower } = sources;
  // Numbers are never used twice, so they need not be asked for again.
  const numbers = new Map<string, number>();
  /** What had none when so much of the change log was seen. */
  const without = new Set<string>();
  let withoutAt = 0;

  async function askForNumbers(values: Iterable<string>): Promise<void> {
    if (follower.seen !== withoutAt) without.clear();
    withoutAt = follower.seen;
    const unknown = [...values].filter((value) => !numbers.has(value) && !without.has(value) && isUrn(value));
    if (unknown.length === 0) return;
    const found = await index.numbersOf(unknown as Urn[]);
    for (const value of unknown) {
      const number = found.get(value as Urn);
      if (number === undefined) without.add(value);
      else numbers.set(value, number);
    }
  }

  return {
    of(urn) {
      let count = 0;
      for (const field of attachingFields) count += entities.column(field)?.countOf(urn) ?? 0;
      return count;
    },
    async mostUsed(among, count) {
      const uses = new Map<string, number>();
      for (const field of attachingFields) {
        for (const [value, each] of entities.column(field)?.distinct() ?? []) {
          uses.set(value, (uses.get(value) ?? 0) + each);
        }
      }
      await askForNumbers(uses.keys());
      return [...uses]
        .map(([value, each]) => ({ number: numbers.get(value) ?? -1, each }))
        .filter(({ number }) => number >= 0 && hasNumber(among, number))
        .sort((one, other) => other.each - one.each || one.number - other.number)
        .slice(0, count)
        .map(({ number }) => number);
    },
  };
}
