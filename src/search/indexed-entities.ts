import type { IndexedEntity } from '../search-index/search-index.ts';
import { urnType } from '../urn/urn.ts';
import { createFieldColumn, type FieldColumn } from './field-column.ts';
import {
  addNumber,
  emptyNumberSet,
  type NumberSet,
  putNumbers,
  removeNumber,
  withRoomFor,
} from './number-set.ts';

/** Which entities exist, of which types, and the values of the fields that are kept in memory. */
export type IndexedEntities = {
  /** One above the largest number. */
  readonly bound: number;
  readonly size: number;
  put(entity: IndexedEntity): void;
  /** Forgets an entity that does not exist any more. */
  remove(number: number): void;
  typeOf(number: number): string | undefined;
  /** Entities of these types; without `types`, of all. A set of its own. */
  ofTypes(types?: readonly string[]): NumberSet;
  /** Soft-deleted ones; not to be changed. */
  removed(): NumberSet;
  types(): IterableIterator<string>;
  /** `undefined` for fields that are not kept in memory. */
  column(field: string): FieldColumn | undefined;
  /** Keeps another column from now on, made of these fields; it is empty at first. */
  addColumn(name: string, fields: readonly string[], valuesOf: ValuesOf): FieldColumn;
  /** All fields that columns are made of. */
  fields(): readonly string[];
};

/** What an entity has in a column. */
export type ValuesOf = (entity: IndexedEntity) => readonly string[];

type Kept = { readonly column: FieldColumn; readonly fields: readonly string[]; readonly valuesOf: ValuesOf };

export const typeField = '_entityType';
const removedField = 'removed';

const noValues: readonly string[] = [];

/** The union of the values that an entity's entries have in a field, each once. */
export function fieldValuesOf(entity: IndexedEntity, field: string): readonly string[] {
  let found: readonly string[] = noValues;
  // Asked of every entity for every column, and most have the field in one entry at most.
  for (const { fields } of entity.entries) {
    const values = fields[field];
    if (values !== undefined) found = found.length === 0 ? values : [...new Set([...found, ...values])];
  }
  return found;
}

export function createIndexedEntities(columnFields: readonly string[]): IndexedEntities {
  const columns = new Map<string, Kept>();
  const addColumn = (name: string, fields: readonly string[], valuesOf: ValuesOf): FieldColumn => {
    const column = createFieldColumn();
    columns.set(name, { column, fields, valuesOf });
    return column;
  };
  for (const field of columnFields) addColumn(field, [field], (entity) => fieldValuesOf(entity, field));
  const types = addColumn(typeField, [], ({ urn }) => [urnType(urn)]);
  const setsByType = new Map<string, NumberSet>();
  let removed = emptyNumberSet(0);
  let bound = 0;
  let size = 0;

  function forgetType(number: number): void {
    const [type] = types.valuesOf(number);
    if (type === undefined) return;
    const set = setsByType.get(type);
    if (set !== undefined) removeNumber(set, number);
    size -= 1;
  }

  return {
    get bound() {
      return bound;
    },
    get size() {
      return size;
    },
    put(entity) {
      const { number } = entity;
      const type = urnType(entity.urn);
      forgetType(number);
      size += 1;
      bound = Math.max(bound, number + 1);
      const set = withRoomFor(setsByType.get(type) ?? emptyNumberSet(0), bound);
      setsByType.set(type, set);
      addNumber(set, number);
      for (const { column, valuesOf } of columns.values()) column.put(number, valuesOf(entity));
      removed = withRoomFor(removed, bound);
      if (fieldValuesOf(entity, removedField).includes('true')) addNumber(removed, number);
      else removeNumber(removed, number);
    },
    remove(number) {
      forgetType(number);
      for (const { column } of columns.values()) column.put(number, []);
      removeNumber(removed, number);
    },
    typeOf: (number) => types.valuesOf(number)[0],
    ofTypes(asked) {
      const found = emptyNumberSet(bound);
      for (const [type, set] of setsByType) {
        if (asked === undefined || asked.includes(type)) putNumbers(found, set);
      }
      return found;
    },
    removed: () => removed,
    types: () => setsByType.keys(),
    column: (field) => columns.get(field)?.column,
    addColumn,
    fields: () => [...new Set([...columns.values()].flatMap(({ fields }) => fields))],
  };
}
