import { PostilError } from '../errors/postil-error.ts';
import { combinedSeparator, type SearchField } from '../search-index/search-fields.ts';
import { searchFields } from '../search-index/search-fields.ts';
import type { FurtherColumns } from './further-columns.ts';
import type { IndexedEntities } from './indexed-entities.ts';
import { bothOf, type NumberSet, sizeOfNumbers } from './number-set.ts';
import type { Facet } from './search-engine.ts';
import { requireSearchField } from './searched-field.ts';
import type { VerdictSets } from './verdict-sets.ts';

/** Each field is counted over everything that was found. */
const facetsMax = 100;

/** Counts the values of fields over a set of entities. */
export type FacetCounts = {
  /**
   * In the order of the fields; without `fields`, the usual ones. Throws BAD_REQUEST for fields that cannot be counted,
   * LIMIT_EXCEEDED for more than a hundred.
   */
  of(numbers: NumberSet, fields: readonly string[] | undefined, valuesMax: number): Promise<readonly Facet[]>;
};

export function createFacetCounts(sources: {
  readonly entities: IndexedEntities;
  readonly columns: FurtherColumns;
  readonly verdicts: VerdictSets;
}): FacetCounts {
  const { entities, columns, verdicts } = sources;

  async function countsOf(field: SearchField, numbers: NumberSet): Promise<ReadonlyMap<string, number>> {
    if (field.parts !== undefined) return countsByType(field.parts[1] ?? '', numbers);
    if (field.kept === 'verdicts') return verdicts.counts(field.name, numbers);
    const counts = (await columns.ofField(field)).counts(numbers);
    if (field.absent === undefined) return counts;
    const { absentTypes } = field;
    const sayingIt =
      absentTypes === undefined ? numbers : bothOf(numbers, entities.ofTypes([...absentTypes]));
    return withAbsent(counts, field.absent, sayingIt);
  }

  /** Each type, and each pair of a type and a value of the field. */
  function countsByType(name: string, numbers: NumberSet): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const type of entities.types()) {
      const ofType = bothOf(numbers, entities.ofTypes([type]));
      const size = sizeOfNumbers(ofType);
      if (size === 0) continue;
      counts.set(type, size);
      const own = entities.column(name)?.counts(ofType) ?? [];
      for (const [value, count] of own) counts.set(type + combinedSeparator + value, count);
    }
    return counts;
  }

  return {
    async of(numbers, asked, valuesMax) {
      if (asked !== undefined && asked.length > facetsMax) {
        throw new PostilError(
          'LIMIT_EXCEEDED',
          `${asked.length} facets were asked for; ${facetsMax} are the limit.`,
        );
      }
      const fields = asked?.map(requireSearchField) ?? searchFields().filter((each) => each.isDefaultFacet);
      const facets: Facet[] = [];
      for (const [place, field] of fields.entries()) {
        const counts = [...(await countsOf(field, numbers))].map(([value, count]) => ({ value, count }));
        counts.sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
        facets.push({
          field: asked?.[place] ?? field.name,
          displayName: field.displayName,
          counts: counts.slice(0, valuesMax),
        });
      }
      return facets;
    },
  };
}

/** Such a field has one value at most, so whoever of these is not counted has the value of those that say nothing. */
function withAbsent(
  counts: ReadonlyMap<string, number>,
  absent: string,
  numbers: NumberSet,
): ReadonlyMap<string, number> {
  let left = sizeOfNumbers(numbers) + (counts.get(absent) ?? 0);
  for (const count of counts.values()) left -= count;
  return left <= 0 ? counts : new Map([...counts, [absent, left]]);
}
