import type { WorkPace } from '../entity/work-pace.ts';
import { PostilError } from '../errors/postil-error.ts';
import { combinedSeparator, type SearchField } from '../search-index/search-fields.ts';
import { searchFields } from '../search-index/search-fields.ts';
import type { FieldColumn } from './field-column.ts';
import { FirstOf } from './first-of.ts';
import type { FurtherColumns } from './further-columns.ts';
import { type IndexedEntities, typeField } from './indexed-entities.ts';
import { bothOf, type Members, membersOf, type NumberSet, sizeOfNumbers } from './number-set.ts';
import type { Facet, FacetCount } from './search-engine.ts';
import { requireSearchField } from './searched-field.ts';
import type { VerdictSets } from './verdict-sets.ts';

/** Each field is counted over everything that was found. */
const facetsMax = 100;
/** So many values are looked at before others may have a turn. */
const valuesAtOnce = 2_000;

/** Values with the number of entities that have each. */
type Counts = Iterable<readonly [value: string, count: number]>;

/** What is counted, and the columns of it that were counted already. */
type FoundEntities = {
  readonly numbers: NumberSet;
  readonly members: Members;
  readonly counted: Map<FieldColumn, ReadonlyMap<string, number>>;
};

/** Counts the values of fields over a set of entities. */
export type FacetCounts = {
  /**
   * In the order of the fields; without `fields`, the usual ones. Throws BAD_REQUEST for fields that cannot be counted,
   * LIMIT_EXCEEDED for more than a hundred, TIMED_OUT.
   */
  of(
    numbers: NumberSet,
    fields: readonly string[] | undefined,
    valuesMax: number,
    pace: WorkPace,
  ): Promise<readonly Facet[]>;
};

export function createFacetCounts(sources: {
  readonly entities: IndexedEntities;
  readonly columns: FurtherColumns;
  readonly verdicts: VerdictSets;
}): FacetCounts {
  const { entities, columns, verdicts } = sources;

  async function countsOf(field: SearchField, found: FoundEntities, pace: WorkPace): Promise<Counts> {
    const { numbers, members, counted } = found;
    if (field.parts !== undefined) return countsByType(field.parts[1] ?? '', found, pace);
    if (field.kept === 'verdicts') return verdicts.counts(field.name, numbers, pace);
    const column = await columns.ofField(field, pace);
    const counts = counted.get(column) ?? column.eachCount(members);
    if (field.absent === undefined) return counts;
    const { absentTypes } = field;
    const sayingIt =
      absentTypes === undefined ? numbers : bothOf(numbers, entities.ofTypes([...absentTypes]));
    return withAbsent(counts, field.absent, sizeOfNumbers(sayingIt));
  }

  /** Each type, and each pair of a type and a value of the field. */
  async function countsByType(name: string, found: FoundEntities, pace: WorkPace): Promise<Counts> {
    const types = countsIn(entities.column(typeField), found);
    const column = entities.column(name);
    const counts = new Map<string, number>();
    for (const [type, size] of types) {
      await pace.step();
      counts.set(type, size);
      // Most often everything is of one type.
      const own =
        types.size === 1
          ? countsIn(column, found)
          : column?.counts(membersOf(bothOf(found.numbers, entities.ofTypes([type]))));
      for (const [value, count] of own ?? []) counts.set(type + combinedSeparator + value, count);
    }
    return counts;
  }

  return {
    async of(numbers, asked, valuesMax, pace) {
      if (asked !== undefined && asked.length > facetsMax) {
        throw new PostilError(
          'LIMIT_EXCEEDED',
          `${asked.length} facets were asked for; ${facetsMax} are the limit.`,
        );
      }
      const fields = asked?.map(requireSearchField) ?? searchFields().filter((each) => each.isDefaultFacet);
      const found = { numbers, members: membersOf(numbers), counted: new Map() };
      const facets: Facet[] = [];
      for (const [place, field] of fields.entries()) {
        await pace.step();
        facets.push({
          field: asked?.[place] ?? field.name,
          displayName: field.displayName,
          counts: await mostFrequent(await countsOf(field, found, pace), valuesMax, pace),
        });
      }
      return facets;
    },
  };
}

/** The values of a column with few of them, counted once. */
function countsIn(
  column: FieldColumn | undefined,
  { members, counted }: FoundEntities,
): ReadonlyMap<string, number> {
  if (column === undefined) return new Map();
  const counts = counted.get(column) ?? column.counts(members);
  counted.set(column, counts);
  return counts;
}

/** Such a field has one value at most, so whoever of these is not counted has the value of those that say nothing. */
function* withAbsent(counts: Counts, absent: string, size: number): Generator<readonly [string, number]> {
  let left = size;
  for (const [value, count] of counts) {
    if (value === absent) continue;
    left -= count;
    yield [value, count];
  }
  if (left > 0) yield [absent, left];
}

async function mostFrequent(
  counts: Counts,
  valuesMax: number,
  pace: WorkPace,
): Promise<readonly FacetCount[]> {
  const first = new FirstOf<FacetCount>(valuesMax, byCount);
  for (const [value, count] of counts) {
    if (first.offered % valuesAtOnce === 0) await pace.step();
    first.add({ value, count });
  }
  return first.sorted();
}

function byCount(one: FacetCount, other: FacetCount): number {
  return other.count - one.count || (one.value < other.value ? -1 : 1);
}
