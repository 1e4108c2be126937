import type { ListColumn, NumberColumn } from './test-row.ts';

/**
 * A question about one wide row, in three values: what a row cannot tell is unknown, and combines as in SQL (unknown AND
 * false is false). Compiled from the typed tree of a test; each store turns it into one parameterised expression.
 */
export type RowPredicate =
  | { readonly kind: 'known'; readonly value: boolean }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly RowPredicate[] }
  | { readonly kind: 'not'; readonly operand: RowPredicate }
  /** Soft-deleted. */
  | { readonly kind: 'removed' }
  /** One of the row's values in the column is one of these (numbers of the column's dictionary). */
  | { readonly kind: 'any'; readonly column: ListColumn; readonly values: readonly number[] }
  /** All of the row's values in the column are among these; true of a row without values. */
  | { readonly kind: 'only'; readonly column: ListColumn; readonly values: readonly number[] }
  /** There is a value in the column. */
  | { readonly kind: 'some'; readonly column: ListColumn }
  /** How many different values there are in the column. */
  | {
      readonly kind: 'count';
      readonly column: ListColumn;
      readonly comparison: RowComparison;
      readonly limit: number;
    }
  | {
      readonly kind: 'number';
      readonly column: NumberColumn;
      readonly comparison: RowComparison;
      readonly limit: number;
    }
  /** `part` is at least `ratio` of `whole`, rounded up (0.3 of 10 is 3, whatever binary fractions say). */
  | {
      readonly kind: 'ratio';
      readonly part: NumberColumn;
      readonly whole: NumberColumn;
      readonly ratio: number;
    };

export type RowComparison = '>=' | '<=' | '=';

/** A test as a question about rows of one entity type. */
export type RowQuestion = {
  /** What selects entities, soft deletion included. */
  readonly scope: RowPredicate;
  /** All of them have to hold. */
  readonly rules: readonly RowPredicate[];
};

/** Whether there may be rows that leave it open; it depends on the predicate alone. */
export function mayBeUnknown(predicate: RowPredicate): boolean {
  if (predicate.kind === 'not') return mayBeUnknown(predicate.operand);
  if (predicate.kind === 'and' || predicate.kind === 'or') return predicate.operands.some(mayBeUnknown);
  return predicate.kind === 'unknown';
}

/** The scope that all questions have, by identity; `undefined` where they differ or there is no question. */
export function sharedScope([first, ...others]: readonly RowQuestion[]): RowPredicate | undefined {
  return others.every(({ scope }) => scope === first?.scope) ? first?.scope : undefined;
}
