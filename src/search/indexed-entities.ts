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
  /** Another number after everything that is put or removed: what was made of all of them is good as long as it stays. */
  readonly revision: number;
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
  /** Keeps another column from now on, made of these fields by `valuesOf`; it is empty at first. */
  addColumn(name: string, fields: readonly string[], valuesOf: ValuesOf): FieldColumn;
  /** Keeps a column that was added no longer; whoever has it still has it as it was. */
  dropColumn(name: string): void;
  /** All fields that columns are made of. */
  fields(): readonly string[];
};

/** What an entity has in a column. */
export type ValuesOf = (entity: IndexedEntity) => readonly string[];

type Derived = {
  readonly column: FieldColumn;
  readonly fields: readonly string[];
  readonly valuesOf: ValuesOf;
};

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
  /** Of fields as the entries have them. */
  const columns = new Map<string, FieldColumn>();
  for (const field of columnFields) if (field !== typeField) columns.set(field, createFieldColumn());
  const derived = new Map<string, Derived>();
  const types = createFieldColumn();
  const setsByType = new Map<string, NumberSet>();
  let removed = emptyNumberSet(0);
  let bound = 0;
  let size = 0;
  let revision = 0;

  /** But for what derived columns have of it. */
  function forget(number: number): void {
    const [type] = types.valuesOf(number);
    if (type === undefined) return;
    const set = setsByType.get(type);
    if (set !== undefined) removeNumber(set, number);
    for (const column of columns.values()) column.put(number, noValues);
    types.put(number, noValues);
    removeNumber(removed, number);
    size -= 1;
  }

  function putType(number: number, type: string): void {
    const set = withRoomFor(setsByType.get(type) ?? emptyNumberSet(0), bound);
    setsByType.set(type, set);
    addNumber(set, number);
    types.add(number, [type]);
  }

  return {
    get bound() {
      return bound;
    },
    get size() {
      return size;
    },
    get revision() {
      return revision;
    },
    put(entity) {
      const { number } = entity;
      revision += 1;
      forget(number);
      size += 1;
      bound = Math.max(bound, number + 1);
      removed = withRoomFor(removed, bound);
      putType(number, urnType(entity.urn));
      // By what the entries have, which are a few of all fields that there are columns of.
      for (const { fields } of entity.entries) {
        for (const field of Object.keys(fields)) {
          const values = fields[field] ?? noValues;
          columns.get(field)?.add(number, values);
          if (field === removedField && values.includes('true')) addNumber(removed, number);
        }
      }
      for (const { column, valuesOf } of derived.values()) column.put(number, valuesOf(entity));
    },
    remove(number) {
      revision += 1;
      forget(number);
      for (const { column } of derived.values()) column.put(number, noValues);
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
    column: (field) => (field === typeField ? types : columns.get(field)) ?? derived.get(field)?.column,
    addColumn(name, fields, valuesOf) {
      const column = createFieldColumn();
      derived.set(name, { column, fields, valuesOf });
      return column;
    },
    dropColumn(name) {
      derived.delete(name);
    },
    fields: () => [...new Set([...columns.keys(), ...[...derived.values()].flatMap(({ fields }) => fields)])],
  };
}
