import { meaningText } from './canonical-text.ts';
import type { Leaf, Operand, Predicate } from './predicate.ts';

/** Why two predicates can never hold together, as far as the tree alone can tell; `undefined` when they may. */
export function contradiction(left: Predicate, right: Predicate): string | undefined {
  if (isNegation(left, right) || isNegation(right, left)) return 'one is the opposite of the other';
  if (left.kind !== 'Leaf' || right.kind !== 'Leaf' || left.path.text !== right.path.text) return undefined;
  const operators = new Set([left.operator, right.operator]);
  const property = `'${left.path.text}'`;
  if (operators.has('exists') && operators.has('is_empty')) return `${property} is empty or it is not`;
  // Of several values, each could satisfy one of them.
  if (left.path.isList) return undefined;
  if (operators.has('is_true') && operators.has('is_false')) return `${property} is true or false`;
  if (left.operator === 'equals' && right.operator === 'equals') {
    const values = new Set<Operand>(left.operands);
    return right.operands.some((operand) => values.has(operand)) ? undefined : `${property} has one value`;
  }
  const [first, second] = [rangeOf(left), rangeOf(right)];
  if (first === undefined || second === undefined) return undefined;
  const low = first.low > second.low || (first.low === second.low && first.isOpenLow) ? first : second;
  const high = first.high < second.high || (first.high === second.high && first.isOpenHigh) ? first : second;
  const isEmpty = low.low > high.high || (low.low === high.high && (low.isOpenLow || high.isOpenHigh));
  return isEmpty ? `no number lies in both ranges of ${property}` : undefined;
}

function isNegation(left: Predicate, right: Predicate): boolean {
  if (left.kind !== 'None') return false;
  const meaning = meaningText(right);
  return left.operands.some((operand) => meaningText(operand) === meaning);
}

type Range = {
  readonly low: number;
  readonly high: number;
  readonly isOpenLow: boolean;
  readonly isOpenHigh: boolean;
};

/** The numbers for which a comparison holds. */
function rangeOf({ operator, operands }: Leaf): Range | undefined {
  const [first = 0, second = 0] = operands.map(Number);
  switch (operator) {
    case 'greater_than':
      return { low: first, high: Infinity, isOpenLow: true, isOpenHigh: false };
    case 'greater_or_equal':
      return { low: first, high: Infinity, isOpenLow: false, isOpenHigh: false };
    case 'less_than':
      return { low: -Infinity, high: first, isOpenLow: false, isOpenHigh: true };
    case 'less_or_equal':
      return { low: -Infinity, high: first, isOpenLow: false, isOpenHigh: false };
    case 'between':
      return { low: first, high: second, isOpenLow: false, isOpenHigh: false };
    default:
      return undefined;
  }
}
