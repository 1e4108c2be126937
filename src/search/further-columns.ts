import { createWorkPace, type WorkPace } from '../entity/work-pace.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { SearchField } from '../search-index/search-fields.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import { folded } from '../search-index/search-terms.ts';
import type { FieldColumn } from './field-column.ts';
import { effectiveValues } from './filter-evaluation.ts';
import type { ChangeFollower } from './follow-changes.ts';
import type { IndexedEntities, ValuesOf } from './indexed-entities.ts';

const entitiesInScan = 250;
const changedAtOnce = 500;
/** As many as one request may ask for. Any name of a structured property is a field, so there is no end of them. */
const columnsUsual = 100;

/**
 * Columns of fields that are not kept in memory from the start: made when a field is first counted or sorted by, kept exact from
 * then on, as long as few others are asked for. They are filled one after the other, and whoever waits too long for one is told TIMED_OUT;
 * what was begun is filled nevertheless, so that the next one to ask finds it further on.
 */
export type FurtherColumns = {
  /** The values of a field, to be counted. Throws BAD_REQUEST for long texts, TIMED_OUT. */
  ofField(field: SearchField, pace: WorkPace): Promise<FieldColumn>;
  /** What a field is sorted by: texts without case and accents. Throws BAD_REQUEST for long texts, TIMED_OUT. */
  forSorting(field: SearchField, pace: WorkPace): Promise<FieldColumn>;
  /** The values of a field that was counted before; `undefined` as long as the column is not whole. */
  whole(field: SearchField): FieldColumn | undefined;
};

/** Long texts are many and seldom equal: nobody counts them, and they would fill the memory. */
export function requireShortValues(field: SearchField, what: 'counted' | 'sorted by'): void {
  const isShort =
    field.kept === 'column' ||
    field.kind !== 'text' ||
    field.terms.includes('exact') ||
    field.terms.includes('name');
  if (!isShort || (what === 'counted' && field.name === 'urn')) {
    throw new PostilError('BAD_REQUEST', `The search field "${field.name}" cannot be ${what}.`);
  }
}

/** A column that is whole, or will be; and how many wait for it. */
type Filling = { readonly column: Promise<FieldColumn>; waiting: number };

export function createFurtherColumns(parts: {
  readonly index: SearchIndex;
  readonly entities: IndexedEntities;
  readonly follower: Pick<ChangeFollower, 'seen' | 'changedSince'>;
  /** So many are kept, those that were asked for last; a hundred unless given. */
  readonly columnsMax?: number;
}): FurtherColumns {
  const { index, entities, follower, columnsMax = columnsUsual } = parts;
  /** Those that were asked for last are at the end. */
  const fillings = new Map<string, Filling>();
  const wholeColumns = new Map<string, FieldColumn>();
  /** Of all columns that are to be filled, one is: together they would take as long, and nobody would have any for longer. */
  let line: Promise<unknown> = Promise.resolve();

  async function fill(name: string, field: SearchField, valuesOf: ValuesOf): Promise<FieldColumn> {
    const fields = [field.name, ...(field.orElse === undefined ? [] : [field.orElse])];
    const column = entities.addColumn(name, fields, valuesOf);
    const { seen } = follower;
    const pace = createWorkPace(Number.POSITIVE_INFINITY);
    for await (const found of index.scan(entitiesInScan, () => fields)) {
      for (const entity of found) column.put(entity.number, valuesOf(entity));
      await pace.step();
    }
    // What changed meanwhile may have been overwritten with what was read before.
    const changed = follower.changedSince(seen);
    if (changed === undefined) return fill(name, field, valuesOf);
    for (let from = 0; from < changed.length; from += changedAtOnce) {
      await pace.step();
      const numbers = changed.slice(from, from + changedAtOnce);
      const found = await index.indexed(numbers);
      for (const number of numbers) {
        const entity = found.get(number);
        column.put(number, entity === undefined ? [] : valuesOf(entity));
      }
    }
    wholeColumns.set(name, column);
    return column;
  }

  async function filled(
    name: string,
    field: SearchField,
    pace: WorkPace,
    valuesOf: ValuesOf,
  ): Promise<FieldColumn> {
    let filling = fillings.get(name);
    if (filling === undefined) {
      const column = line.then(() => begin(name, field, valuesOf));
      line = column.catch(() => undefined);
      filling = { column, waiting: 0 };
    }
    fillings.delete(name);
    fillings.set(name, filling);
    filling.waiting += 1;
    try {
      return await pace.wait(filling.column);
    } finally {
      filling.waiting -= 1;
    }
  }

  async function begin(name: string, field: SearchField, valuesOf: ValuesOf): Promise<FieldColumn> {
    try {
      if (fillings.get(name)?.waiting === 0) {
        throw new PostilError('TIMED_OUT', `Nobody waits any more for the values of ${field.name}.`);
      }
      const column = await fill(name, field, valuesOf);
      for (const other of [...fillings.keys()]
        .filter((each) => wholeColumns.has(each))
        .slice(0, -columnsMax)) {
        drop(other);
      }
      return column;
    } catch (error) {
      drop(name);
      throw error;
    }
  }

  function drop(name: string): void {
    fillings.delete(name);
    wholeColumns.delete(name);
    entities.dropColumn(name);
  }

  return {
    async ofField(field, pace) {
      requireShortValues(field, 'counted');
      const column = field.kept === 'column' ? entities.column(field.name) : undefined;
      return column ?? filled(countedName(field), field, pace, (entity) => effectiveValues(entity, field));
    },
    async forSorting(field, pace) {
      requireShortValues(field, 'sorted by');
      const column = field.kept === 'column' ? entities.column(field.name) : undefined;
      const form = field.kind === 'text' ? folded : (text: string): string => text;
      return (
        column ??
        filled(`${field.name} folded`, field, pace, (each) => effectiveValues(each, field).map(form))
      );
    },
    whole: (field) => wholeColumns.get(countedName(field)),
  };
}

/** Not the name of the field: who asks for the column of that name takes it to be whole. */
function countedName({ name }: SearchField): string {
  return `${name} counted`;
}
