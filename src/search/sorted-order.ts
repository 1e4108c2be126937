import type { SearchField } from '../search-index/search-fields.ts';
import type { WorkPace } from '../entity/work-pace.ts';
import type { FieldColumn } from './field-column.ts';
import { FirstOf } from './first-of.ts';
import { type NumberSet, numbersIn } from './number-set.ts';
import type { OrderedPage } from './ranked-order.ts';
import type { SearchPosition } from './search-cursor.ts';
import { numberIn } from './value-condition.ts';

export type SortColumn = {
  readonly column: FieldColumn;
  readonly field: SearchField;
  readonly descending: boolean;
  /** What an entity is sorted by that has no value in the column. */
  absentOf(number: number): string | undefined;
};

/** What an entity is sorted by, in the order of the sort fields; `null` where it has nothing. */
type SortKey = { readonly number: number; readonly values: readonly (string | null)[] };

type FieldsPosition = SearchPosition & { readonly by: 'fields' };

/** So many entities are looked at before others may have a turn. */
const comparedAtOnce = 2_000;

/** Sorted by columns, then by number; who has no value comes last, whichever the direction. Throws TIMED_OUT. */
export async function pageByFields(
  numbers: NumberSet,
  columns: readonly SortColumn[],
  wanted: { readonly start: number; readonly count: number; readonly after: FieldsPosition | undefined },
  pace: WorkPace,
): Promise<OrderedPage> {
  const { after } = wanted;
  const start = after === undefined ? wanted.start : 0;
  const compare = (one: SortKey, other: SortKey): number => compareKeys(one, other, columns);
  const first = new FirstOf<SortKey>(start + wanted.count, compare);
  const all = numbersIn(numbers);
  // A function of its own, which is compiled sooner than a loop that waits in between.
  const look = (some: Uint32Array): void => {
    for (const number of some) {
      const key = { number, values: columns.map((column) => valueIn(column, number)) };
      if (after === undefined || compare(key, after) > 0) first.add(key);
    }
  };
  for (let from = 0; from < all.length; from += comparedAtOnce) {
    await pace.step();
    look(all.subarray(from, from + comparedAtOnce));
  }
  const page = first.sorted().slice(start);
  const last = page.at(-1);
  return {
    hits: page.map(({ number }) => ({ number, score: 0 })),
    position:
      last === undefined || first.offered <= start + page.length
        ? undefined
        : { by: 'fields', values: last.values, number: last.number },
  };
}

/** Of several values the one that comes first in the direction of the order. */
function valueIn(sorted: SortColumn, number: number): string | null {
  const { column, field, descending } = sorted;
  let best: string | null = null;
  for (const value of column.valuesOf(number)) {
    if (best === null || directed(compareValues(value, best, field), descending) < 0) best = value;
  }
  return best ?? sorted.absentOf(number) ?? null;
}

function compareKeys(one: SortKey, other: SortKey, columns: readonly SortColumn[]): number {
  for (const [place, { field, descending }] of columns.entries()) {
    const [left, right] = [one.values[place] ?? null, other.values[place] ?? null];
    if (left === right) continue;
    if (left === null) return 1;
    if (right === null) return -1;
    const order = directed(compareValues(left, right, field), descending);
    if (order !== 0) return order;
  }
  return one.number - other.number;
}

function directed(order: number, descending: boolean): number {
  return descending ? -order : order;
}

function compareValues(left: string, right: string, { kind, mayBeNumbers }: SearchField): number {
  if (kind === 'number' || kind === 'time') {
    const difference = Number(left) - Number(right);
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
  }
  if (mayBeNumbers === true) {
    const [one, other] = [numberIn(left), numberIn(right)];
    if (one !== undefined && other !== undefined && one !== other) return one - other;
    if ((one === undefined) !== (other === undefined)) return one === undefined ? 1 : -1;
  }
  return left < right ? -1 : left > right ? 1 : 0;
}
