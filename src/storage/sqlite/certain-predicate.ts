import { mayBeUnknown, type RowPredicate } from '../../verdict/row-predicate.ts';

type RowLeaf = Exclude<RowPredicate, { readonly kind: 'known' | 'unknown' | 'and' | 'or' | 'not' }>;

/** A question about a row that is either true or false. */
export type CertainPredicate =
  | { readonly kind: 'known'; readonly value: boolean }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly CertainPredicate[] }
  | { readonly kind: 'not'; readonly operand: CertainPredicate }
  | RowLeaf;

/**
 * What is true of exactly those rows for which `predicate` is known to be `value`. Which parts are unknown does not depend on
 * the row, so three values are computed here once, and no row pays for them.
 */
export function certainly(predicate: RowPredicate, value: boolean): CertainPredicate {
  switch (predicate.kind) {
    case 'known':
      return { kind: 'known', value: predicate.value === value };
    case 'unknown':
      return { kind: 'known', value: false };
    case 'not':
      return certainly(predicate.operand, !value);
    case 'and':
    case 'or': {
      const operands = predicate.operands.map((operand) => certainly(operand, value));
      return joined((predicate.kind === 'and') === value ? 'and' : 'or', operands);
    }
    default:
      return value ? predicate : { kind: 'not', operand: predicate };
  }
}

/** True of the rows for which `predicate` is neither known to be true nor known to be false. */
export function uncertain(predicate: RowPredicate): CertainPredicate {
  if (!mayBeUnknown(predicate)) return { kind: 'known', value: false };
  return joined(
    'and',
    [true, false].map((value) => ({ kind: 'not', operand: certainly(predicate, value) })),
  );
}

/** Operands that decide nothing are left out. */
function joined(kind: 'and' | 'or', operands: readonly CertainPredicate[]): CertainPredicate {
  const decisive = kind === 'or';
  const open = operands.filter((operand) => operand.kind !== 'known');
  if (operands.some((operand) => operand.kind === 'known' && operand.value === decisive)) {
    return { kind: 'known', value: decisive };
  }
  const [first] = open;
  if (first === undefined) return { kind: 'known', value: !decisive };
  return open.length === 1 ? first : { kind, operands: open };
}
