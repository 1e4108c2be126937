import type { RowPredicate } from '../../verdict/row-predicate.ts';
import type { NumberColumn } from '../../verdict/test-row.ts';
import type { Leaf } from '../predicate.ts';
import { outcomeOf } from './closed-outcome.ts';
import { isFieldOf } from './node-readings.ts';
import { all, compare, either, known, unknown } from './row-answers.ts';

const largest = 2 ** 31 - 1;

/**
 * For which whole numbers from 1 on a leaf holds, as a question about a column that holds the number. Between its operands an
 * operator answers alike, so the closure is asked around each of them.
 */
export function numberQuestion(leaf: Leaf, type: string, column: NumberColumn): RowPredicate {
  const around = leaf.operands.flatMap((operand) => {
    const floor = Math.floor(Number(operand));
    return [floor - 1, floor, floor + 1, floor + 2];
  });
  const points = [...new Set([1, ...around])]
    .filter((point) => point >= 1 && point <= largest)
    .toSorted((left, right) => left - right);
  return either(
    ...points.map((point, index) => {
      const next = points[index + 1];
      // The first number of a stretch without operands stands for all of them.
      const answer = outcomeOf(leaf, type, point);
      const stretch = all(
        compare(column, '>=', point),
        next === undefined ? known(true) : below(column, next),
      );
      return answer.kind === 'known' ? (answer.value ? stretch : known(false)) : unknown;
    }),
  );
}

function below(column: NumberColumn, next: number): RowPredicate {
  return compare(column, '<=', next - 1);
}

/** A leaf about how many upstreams there are; `undefined` for other leaves. */
export function upstreamsQuestion(leaf: Leaf): RowPredicate | undefined {
  if (!isFieldOf(leaf.path.steps, 'upstreamLineage', 'upstreams')) return undefined;
  const bound = Number(leaf.operands[0]);
  switch (leaf.operator) {
    case 'exists':
      return compare('upstreams', '>=', 1);
    case 'is_empty':
      return compare('upstreams', '=', 0);
    case 'count_at_least':
      return compare('upstreams', '>=', bound);
    case 'count_at_most':
      return compare('upstreams', '<=', bound);
    case 'count_equals':
      return compare('upstreams', '=', bound);
    default:
      return undefined;
  }
}
