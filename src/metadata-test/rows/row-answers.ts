import type { RowComparison, RowPredicate } from '../../verdict/row-predicate.ts';
import type { ListColumn, NumberColumn } from '../../verdict/test-row.ts';

/* Questions about rows, put together so that what is known in advance is not asked. */

export const unknown: RowPredicate = { kind: 'unknown' };

export function known(value: boolean): RowPredicate {
  return { kind: 'known', value };
}

/** All hold, as SQL combines three values. */
export function all(...operands: readonly RowPredicate[]): RowPredicate {
  return joined('and', operands);
}

/** One holds, as SQL combines three values. */
export function either(...operands: readonly RowPredicate[]): RowPredicate {
  return joined('or', operands);
}

function joined(kind: 'and' | 'or', operands: readonly RowPredicate[]): RowPredicate {
  const settles = kind === 'or';
  const open: RowPredicate[] = [];
  for (const operand of operands.flatMap((each) => (each.kind === kind ? each.operands : [each]))) {
    if (operand.kind === 'known') {
      if (operand.value === settles) return operand;
    } else if (operand.kind !== 'unknown' || !open.includes(unknown)) {
      open.push(operand.kind === 'unknown' ? unknown : operand);
    }
  }
  const [only, ...others] = open;
  if (only === undefined) return known(!settles);
  return others.length === 0 ? only : { kind, operands: open };
}

export function not(operand: RowPredicate): RowPredicate {
  if (operand.kind === 'known') return known(!operand.value);
  if (operand.kind === 'unknown') return operand;
  return operand.kind === 'not' ? operand.operand : { kind: 'not', operand };
}

/** `condition` decides which of two answers counts. */
export function choose(
  condition: RowPredicate,
  whenTrue: RowPredicate,
  whenFalse: RowPredicate,
): RowPredicate {
  if (whenTrue.kind === 'known' && whenFalse.kind === 'known') {
    if (whenTrue.value === whenFalse.value) return whenTrue;
    return whenTrue.value ? condition : not(condition);
  }
  return either(all(condition, whenTrue), all(not(condition), whenFalse));
}

export function some(column: ListColumn): RowPredicate {
  return { kind: 'some', column };
}

/** The row has one of these values; `all` are the numbers of the whole dictionary, of which the shorter part is asked for. */
export function anyOf(
  column: ListColumn,
  values: readonly number[],
  dictionary: readonly number[],
): RowPredicate {
  if (values.length === 0) return known(false);
  if (values.length === dictionary.length) return some(column);
  if (values.length * 2 <= dictionary.length) return { kind: 'any', column, values };
  const wanted = new Set(values);
  return not({ kind: 'only', column, values: dictionary.filter((id) => !wanted.has(id)) });
}

/** The largest number that both stores keep in a column. */
const largest = 2 ** 31 - 1;

export function compare(column: NumberColumn, comparison: RowComparison, limit: number): RowPredicate {
  return settled(comparison, limit) ?? { kind: 'number', column, comparison, limit };
}

export function countOf(column: ListColumn, comparison: RowComparison, limit: number): RowPredicate {
  if (comparison === '>=' && limit <= 0) return known(true);
  return settled(comparison, limit) ?? { kind: 'count', column, comparison, limit };
}

function settled(comparison: RowComparison, limit: number): RowPredicate | undefined {
  return limit > largest ? known(comparison === '<=') : undefined;
}
