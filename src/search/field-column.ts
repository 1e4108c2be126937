import { createIdLists } from './id-lists.ts';
import { addNumber, emptyNumberSet, type Members, type NumberSet, pageBits } from './number-set.ts';

/** Entities lie in pages, so that a field which few entities have costs little. */
const pageSize = 1 << pageBits;
const pageMask = pageSize - 1;
/** What a cell holds: nothing, the id of its only value, or minus the place of its list of ids. */
const nothing = 0;

/**
 * The values of one field by entity number: each distinct value is kept once, with the number of entities that have it, and an
 * entity costs one cell of four bytes, or a list where it has several values.
 */
export type FieldColumn = {
  /** Replaces the values of an entity; none: it has no value. */
  put(number: number, values: readonly string[]): void;
  /** Gives an entity these values beside those that it has. */
  add(number: number, values: readonly string[]): void;
  valuesOf(number: number): readonly string[];
  /** Every value that some entity has, with the number of these entities. */
  distinct(): IterableIterator<readonly [value: string, count: number]>;
  countOf(value: string): number;
  /** Entities with at least one value for which `accepts` is true; it is asked once for each distinct value. */
  having(accepts: (value: string) => boolean, bound: number): NumberSet;
  /** The same as `counts`, one after the other; what is put meanwhile does not change it. */
  eachCount(entities: Members): IterableIterator<readonly [value: string, count: number]>;
  /** How many of these entities have each value. */
  counts(entities: Members): ReadonlyMap<string, number>;
};

export function createFieldColumn(): FieldColumn {
  const ids = new Map<string, number>();
  const values: string[] = [''];
  const uses: number[] = [0];
  const freeIds: number[] = [];
  const pages: (Int32Array | undefined)[] = [];
  const lists = createIdLists();

  function idOf(value: string): number {
    const known = ids.get(value);
    if (known !== undefined) return known;
    const id = freeIds.pop() ?? values.length;
    ids.set(value, id);
    values[id] = value;
    uses[id] = 0;
    return id;
  }

  function release(id: number): void {
    const left = (uses[id] ?? 0) - 1;
    uses[id] = left;
    if (left > 0) return;
    ids.delete(values[id] ?? '');
    values[id] = '';
    freeIds.push(id);
  }

  function cellOf(number: number): number {
    return pages[number >>> pageBits]?.[number & pageMask] ?? nothing;
  }

  function setCell(number: number, cell: number): void {
    const index = number >>> pageBits;
    let page = pages[index];
    if (page === undefined) {
      if (cell === nothing) return;
      page = new Int32Array(pageSize);
      while (pages.length < index) pages.push(undefined);
      pages[index] = page;
    }
    page[number & pageMask] = cell;
  }

  function idsIn(cell: number): readonly number[] {
    if (cell === nothing) return [];
    return cell > 0 ? [cell] : lists.at(-cell);
  }

  function use(value: string): number {
    const id = idOf(value);
    uses[id] = (uses[id] ?? 0) + 1;
    return id;
  }

  function put(number: number, newValues: readonly string[]): void {
    const before = cellOf(number);
    if (before === nothing && newValues.length === 0) return;
    // Not one by one: a list that grows keeps room for more.
    const newIds = (newValues.length > 1 ? [...new Set(newValues)] : newValues).map(use);
    for (const id of idsIn(before)) release(id);
    if (before < 0) lists.remove(-before);
    const [first] = newIds;
    if (first === undefined) setCell(number, nothing);
    else if (newIds.length === 1) setCell(number, first);
    else setCell(number, -lists.add(newIds));
  }

  const valuesOf = (number: number): readonly string[] => idsIn(cellOf(number)).map((id) => values[id] ?? '');

  /** For each id, whether the value is accepted. */
  function acceptance(accepts: (value: string) => boolean): Uint8Array {
    const accepted = new Uint8Array(values.length);
    for (const [value, id] of ids) if (accepts(value)) accepted[id] = 1;
    return accepted;
  }

  /** How many of these entities have each id. */
  function countIds({ places, ends }: Members): Int32Array {
    const found = new Int32Array(values.length);
    for (const [index, page] of pages.entries()) {
      if (page !== undefined)
        countPage(page, places, ends[index - 1] ?? 0, ends[index] ?? 0, lists.cells(), found);
    }
    return found;
  }

  return {
    put,
    add(number, newValues) {
      const [first] = newValues;
      if (first === undefined) return;
      // What most entities have in most fields, and all that the first reading of a store comes to.
      if (newValues.length === 1 && cellOf(number) === nothing) setCell(number, use(first));
      else put(number, [...valuesOf(number), ...newValues]);
    },
    valuesOf,
    *distinct() {
      for (const [value, id] of ids) yield [value, uses[id] ?? 0] as const;
    },
    countOf: (value) => uses[ids.get(value) ?? 0] ?? 0,
    having(accepts, bound) {
      const found = emptyNumberSet(bound);
      const accepted = acceptance(accepts);
      if (!accepted.includes(1)) return found;
      const cells = lists.cells();
      for (const [index, page] of pages.entries()) {
        if (page === undefined) continue;
        for (let place = 0; place < pageSize; place += 1) {
          const cell = page[place] ?? nothing;
          if (cell === nothing) continue;
          const isAccepted = cell > 0 ? accepted[cell] === 1 : isAnyIn(cells, -cell, accepted);
          const number = index * pageSize + place;
          if (isAccepted && number < bound) addNumber(found, number);
        }
      }
      return found;
    },
    eachCount: (entities) => counted(countIds(entities), values.slice()),
    counts: (entities) => new Map(counted(countIds(entities), values)),
  };
}

/** The loop that facets spend their time in. */
function countPage(
  page: Int32Array,
  places: Uint16Array,
  from: number,
  end: number,
  lists: Int32Array,
  found: Int32Array,
): void {
  for (let at = from; at < end; at += 1) {
    const cell = page[places[at] ?? 0] ?? nothing;
    // What has no value is counted as well, in a place that nobody reads: that is quicker than to ask.
    if (cell >= 0) found[cell] = (found[cell] ?? 0) + 1;
    else countList(lists, -cell, found);
  }
}

/** Whether any id of a list is accepted. */
function isAnyIn(lists: Int32Array, place: number, accepted: Uint8Array): boolean {
  const end = place + (lists[place] ?? 0);
  for (let at = place + 1; at <= end; at += 1) if (accepted[lists[at] ?? nothing] === 1) return true;
  return false;
}

function countList(lists: Int32Array, place: number, found: Int32Array): void {
  const end = place + (lists[place] ?? 0);
  for (let at = place + 1; at <= end; at += 1) {
    const id = lists[at] ?? nothing;
    found[id] = (found[id] ?? 0) + 1;
  }
}

function* counted(
  found: Int32Array,
  values: readonly string[],
): Generator<readonly [value: string, count: number]> {
  for (let id = 1; id < values.length; id += 1) {
    const count = found[id] ?? 0;
    if (count > 0) yield [values[id] ?? '', count];
  }
}
