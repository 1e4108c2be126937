import { graphqlEntityType } from '../entity/graphql-types.ts';
import { createWorkPace, type WorkPace } from '../entity/work-pace.ts';
import { PostilError } from '../errors/postil-error.ts';
import {
  absentValue,
  combinedSeparator,
  type SearchField,
  searchFieldNamed,
} from '../search-index/search-fields.ts';
import type { IndexedEntity, SearchIndex } from '../search-index/search-index.ts';
import { valueTerm } from '../search-index/search-terms.ts';
import { isUrn, urnType } from '../urn/urn.ts';
import type { FieldColumn } from './field-column.ts';
import type { Hierarchy } from './hierarchy.ts';
import { fieldValuesOf, type IndexedEntities, typeField } from './indexed-entities.ts';
import {
  addNumber,
  bothOf,
  emptyNumberSet,
  keepNumbers,
  type NumberSet,
  numberSetOf,
  numbersIn,
  putNumbers,
  takeNumbers,
} from './number-set.ts';
import type { SearchCriterion, SearchFilter } from './search-engine.ts';
import { requireSearchField } from './searched-field.ts';
import type { TermSets } from './term-sets.ts';
import { numberIn, type ValueTest, valueTest, valueWithoutNumber } from './value-condition.ts';
import type { VerdictSets } from './verdict-sets.ts';

const readAtOnce = 100;
/** As long as a query may take (docs/reference/graphql-limits.md). */
export const questionMsUsual = 10_000;
const criteriaMax = 1_000;
/** What is not looked up is compared with every value that there is. */
const comparedValuesMax = 100;

/** Which entities meet a filter. */
export type FilterEvaluation = {
  /** Those of the candidates that meet it. Alternatives that do not name `removed` leave out these. */
  matching(filter: SearchFilter, candidates: NumberSet, removed: NumberSet): Promise<NumberSet>;
};

export type FilterSources = {
  readonly index: SearchIndex;
  readonly entities: IndexedEntities;
  readonly terms: TermSets;
  readonly hierarchy: Hierarchy;
  readonly verdicts: VerdictSets;
  /** A column beside those that are kept from the start, where there is a whole one. */
  readonly furtherColumn: (field: SearchField) => FieldColumn | undefined;
  /** How long one filter may take; ten seconds unless given. */
  readonly filterMsMax?: number | undefined;
};

const hierarchyDirections = {
  DESCENDANTS_INCL: 'descendants',
  ANCESTORS_INCL: 'ancestors',
  RELATED_INCL: 'both',
} as const;

const exactConditions: ReadonlySet<string> = new Set(['EQUAL', 'IN', ...Object.keys(hierarchyDirections)]);

/**
 * Throws BAD_REQUEST for fields that there are not, and for conditions that a field cannot be asked for; LIMIT_EXCEEDED for more than
 * can be evaluated in reasonable time.
 */
export function checkFilter(filter: SearchFilter): void {
  const criteria = filter.reduce((sum, alternative) => sum + alternative.length, 0);
  if (criteria > criteriaMax) {
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `The filter has ${criteria} criteria in all alternatives together; it may have ${criteriaMax}.`,
    );
  }
  for (const { field: asked, condition, values } of filter.flat()) {
    const field = requireSearchField(asked);
    if (values.length > comparedValuesMax && !exactConditions.has(condition) && condition !== 'IEQUAL') {
      throw new PostilError(
        'LIMIT_EXCEEDED',
        `The condition ${condition} on ${asked} has ${values.length} values; it may have ${comparedValuesMax}.`,
      );
    }
    if (field.kind === 'number' || field.kind === 'time') checkRange(field, condition, values);
    if (field.parts !== undefined && !exactConditions.has(condition)) {
      throw new PostilError(
        'BAD_REQUEST',
        `${asked} has values of several fields; it can be filtered by EQUAL and IN, not by ${condition}.`,
      );
    }
  }
}

/** As a text, anything would be above or below what is no number. */
function checkRange(
  { name, kind }: SearchField,
  condition: SearchCriterion['condition'],
  values: readonly string[],
): void {
  const wrong = valueWithoutNumber(condition, values);
  if (wrong === undefined) return;
  const times = kind === 'time' ? '; times are milliseconds since 1970' : '';
  throw new PostilError('BAD_REQUEST', `${name} is compared with numbers, and "${wrong}" is none${times}.`);
}

export function createFilterEvaluation(sources: FilterSources): FilterEvaluation {
  const { index, entities, terms, hierarchy, verdicts } = sources;

  /** A criterion whose hierarchy is expanded; whether it is negated is no matter here. */
  async function expanded(criterion: SearchCriterion): Promise<SearchCriterion> {
    const { condition, values } = criterion;
    if (!isHierarchical(condition)) return criterion;
    return { ...criterion, values: await hierarchy.expand(values, hierarchyDirections[condition]) };
  }

  async function entitiesMeeting(
    criterion: SearchCriterion,
    candidates: NumberSet,
    pace: WorkPace,
  ): Promise<NumberSet> {
    await pace.step();
    const found = emptyNumberSet(entities.bound);
    if (criterion.values.length === 0 && criterion.condition !== 'EXISTS') return found;
    const field = requireSearchField(criterion.field);
    const asked = asWritten(await expanded(criterion), field);
    const fields = [field, ...(field.alsoFilters ?? []).map(requireSearchField)];
    for (const each of fields) putNumbers(found, await meetingInField(each, asked, candidates, pace));
    return found;
  }

  async function meetingInField(
    field: SearchField,
    { condition, values }: SearchCriterion,
    candidates: NumberSet,
    pace: WorkPace,
  ): Promise<NumberSet> {
    if (field.parts !== undefined) return meetingInParts(field.parts, values, candidates, pace);
    const accepts = testOf(field, condition, values);
    if (field.kept === 'verdicts') return verdicts.having(field.name, accepts, entities.bound, pace);
    const isExact = exactConditions.has(condition);
    if (field.name === 'urn') {
      if (!isExact) return readMeeting(candidates, (entity) => accepts(entity.urn), pace);
      const numbers = await index.numbersOf(values.filter((value) => isUrn(value)));
      return numberSetOf([...numbers.values()], entities.bound);
    }
    const column = entities.column(field.name) ?? sources.furtherColumn(field);
    if (column !== undefined) {
      const found = column.having(accepts, entities.bound);
      if (field.absent !== undefined && accepts(field.absent)) {
        const absent = entities.ofTypes(field.absentTypes === undefined ? undefined : [...field.absentTypes]);
        takeNumbers(
          absent,
          column.having(() => true, entities.bound),
        );
        putNumbers(found, absent);
      }
      return found;
    }
    const hasTerms = field.terms.includes('exact');
    if (!isExact || !hasTerms)
      return readMeeting(candidates, (entity) => meets(entity, field, accepts), pace);
    const bearing = emptyNumberSet(entities.bound);
    for (const name of [field.name, ...(field.orElse === undefined ? [] : [field.orElse])]) {
      for (const value of values) {
        await pace.step();
        putNumbers(bearing, await terms.bearers({ term: valueTerm(name, value), isPrefix: false }));
      }
    }
    // The id of what has a name is not what it is found by.
    if (field.orElse === undefined) return bearing;
    return readMeeting(bothOf(candidates, bearing), (entity) => meets(entity, field, accepts), pace);
  }

  /** Each value names one value of each of the first parts: a type, or a type and its subtype. */
  async function meetingInParts(
    parts: readonly string[],
    values: readonly string[],
    candidates: NumberSet,
    pace: WorkPace,
  ): Promise<NumberSet> {
    const found = emptyNumberSet(entities.bound);
    for (const value of values) {
      const met = candidates.slice();
      for (const [place, text] of value.split(combinedSeparator).entries()) {
        const criterion = { field: parts[place] ?? '', condition: 'EQUAL', values: [text] } as const;
        if (criterion.field === '') met.fill(0);
        else keepNumbers(met, await entitiesMeeting({ ...criterion, negated: false }, candidates, pace));
      }
      putNumbers(found, met);
    }
    return found;
  }

  async function readMeeting(
    candidates: NumberSet,
    accepts: (entity: IndexedEntity) => boolean,
    pace: WorkPace,
  ): Promise<NumberSet> {
    const found = emptyNumberSet(entities.bound);
    const numbers = [...numbersIn(candidates)];
    for (let from = 0; from < numbers.length; from += readAtOnce) {
      await pace.step();
      for (const [number, entity] of await index.indexed(numbers.slice(from, from + readAtOnce))) {
        if (accepts(entity)) addNumber(found, number);
      }
    }
    return found;
  }

  return {
    async matching(filter, candidates, removed) {
      if (filter.length === 0) {
        takeNumbers(candidates, removed);
        return candidates;
      }
      const pace = createWorkPace(sources.filterMsMax ?? questionMsUsual);
      const found = emptyNumberSet(entities.bound);
      for (const alternative of filter) {
        const left = candidates.slice();
        if (!alternative.some(({ field }) => isRemovedField(field))) takeNumbers(left, removed);
        for (const criterion of alternative.toSorted((one, other) => costOf(one) - costOf(other))) {
          const meeting = await entitiesMeeting(criterion, left, pace);
          if (criterion.negated) takeNumbers(left, meeting);
          else keepNumbers(left, meeting);
        }
        putNumbers(found, left);
      }
      return found;
    },
  };
}

/** The values that an entity is filtered and sorted by. */
export function effectiveValues(entity: IndexedEntity, field: SearchField): readonly string[] {
  if (field.name === 'urn') return [entity.urn];
  const own = fieldValuesOf(entity, field.name);
  if (own.length > 0) return own;
  if (field.orElse !== undefined) return fieldValuesOf(entity, field.orElse);
  const absent = absentValue(field, urnType(entity.urn));
  return absent === undefined ? [] : [absent];
}

function meets(entity: IndexedEntity, field: SearchField, accepts: ValueTest): boolean {
  return effectiveValues(entity, field).some(accepts);
}

/** Clients write 90 as 90.0; both are meant where values may be numbers, which are stored as 90. */
function asWritten(criterion: SearchCriterion, { mayBeNumbers }: SearchField): SearchCriterion {
  if (mayBeNumbers !== true || !exactConditions.has(criterion.condition)) return criterion;
  const numbers = criterion.values.map(numberIn).filter((number) => number !== undefined);
  return { ...criterion, values: [...new Set([...criterion.values, ...numbers.map(String)])] };
}

/** Types are meant by the names of the registry and by those of GraphQL, whatever their case. */
function testOf(
  field: SearchField,
  condition: SearchCriterion['condition'],
  values: readonly string[],
): ValueTest {
  if (field.name === typeField && (condition === 'EQUAL' || condition === 'IN' || condition === 'IEQUAL')) {
    const wanted = new Set(values.map(comparableType));
    return (type) => wanted.has(comparableType(type)) || wanted.has(comparableType(graphqlEntityType(type)));
  }
  return valueTest(condition, values, field.kind === 'number' || field.kind === 'time' ? 'number' : 'text');
}

function comparableType(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** What has to be read is looked for last, among what is left then. */
function costOf({ field: asked }: SearchCriterion): number {
  const field = searchFieldNamed(asked);
  if (field === undefined || field.kept === 'column') return 0;
  return field.kept === 'verdicts' ? 1 : field.terms.includes('exact') ? 2 : 3;
}

function isRemovedField(asked: string): boolean {
  return searchFieldNamed(asked)?.name === 'removed';
}

function isHierarchical(condition: string): condition is keyof typeof hierarchyDirections {
  return Object.hasOwn(hierarchyDirections, condition);
}
