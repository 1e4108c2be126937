import type { RowComparison, RowPredicate, RowQuestion } from '../../verdict/row-predicate.ts';
import type { ListColumn, TestRow } from '../../verdict/test-row.ts';
import type { ValueCount } from '../../verdict/verdict-store.ts';

/** A row with the numbers of its texts, as the dictionary gives them. */
export type NumberedRow = {
  readonly entity: number;
  readonly row: TestRow;
  readonly values: Readonly<Record<ListColumn, ReadonlySet<number>>>;
};

type Truth = boolean | null;

/** What a predicate means, said as plainly as possible: every store has to answer the same. */
export function truthOf(predicate: RowPredicate, numbered: NumberedRow): Truth {
  const { row, values } = numbered;
  switch (predicate.kind) {
    case 'known':
      return predicate.value;
    case 'unknown':
      return null;
    case 'and':
      return allOf(predicate.operands.map((operand) => truthOf(operand, numbered)));
    case 'or': {
      const none = allOf(predicate.operands.map((operand) => inverse(truthOf(operand, numbered))));
      return inverse(none);
    }
    case 'not':
      return inverse(truthOf(predicate.operand, numbered));
    case 'removed':
      return row.removed;
    case 'any':
      return predicate.values.some((value) => values[predicate.column].has(value));
    case 'only':
      return [...values[predicate.column]].every((value) => predicate.values.includes(value));
    case 'some':
      return row.lists[predicate.column].length > 0;
    case 'count':
      return compare(row.lists[predicate.column].length, predicate.comparison, predicate.limit);
    case 'number':
      return compare(row.numbers[predicate.column], predicate.comparison, predicate.limit);
    case 'ratio':
      return row.numbers[predicate.part] >= Math.ceil(predicate.ratio * row.numbers[predicate.whole] - 1e-9);
  }
}

export type Verdict = 'passing' | 'failing' | 'unknown' | 'none';

export function verdictOf({ scope, rules }: RowQuestion, row: NumberedRow): Verdict {
  const inScope = truthOf(scope, row);
  if (inScope === false) return 'none';
  if (inScope === null) return 'unknown';
  const truth = allOf(rules.map((rule) => truthOf(rule, row)));
  if (truth === null) return 'unknown';
  return truth ? 'passing' : 'failing';
}

/** What `countValues` answers for one column, in no order. */
export function countedValues(
  rows: readonly NumberedRow[],
  column: ListColumn,
  sets: readonly ReadonlySet<number>[],
): readonly ValueCount[] {
  const counted = new Map<number | undefined, number[]>();
  for (const { entity, values } of rows) {
    for (const value of values[column].size === 0 ? [undefined] : values[column]) {
      for (const [index, set] of sets.entries()) {
        if (!set.has(entity)) continue;
        const counts = counted.get(value) ?? sets.map(() => 0);
        counts[index] = (counts[index] ?? 0) + 1;
        counted.set(value, counts);
      }
    }
  }
  return [...counted].map(([value, counts]) => ({ value, counts }));
}

function allOf(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(null) ? null : true;
}

function inverse(truth: Truth): Truth {
  return truth === null ? null : !truth;
}

function compare(number: number, comparison: RowComparison, limit: number): boolean {
  if (comparison === '=') return number === limit;
  return comparison === '>=' ? number >= limit : number <= limit;
}
