import type { RowComparison, RowPredicate } from '../../verdict/row-predicate.ts';
import { compileCollect } from '../compile-path.ts';
import { compilePredicate, evaluationBudget } from '../compile-test.ts';
import { isEmptyValue } from '../emptiness.ts';
import { type LoadedEntity, type LoadedFacts, runOn } from '../facts.ts';
import { addValue, emptyValueSet } from '../operators/value-set.ts';
import type { Leaf } from '../predicate.ts';
import { choose, countOf, known, unknown } from './row-answers.ts';
import type { TextJudge } from './text-judge.ts';

const comparisons: ReadonlyMap<string, RowComparison> = new Map([
  ['count_at_least', '>='],
  ['count_at_most', '<='],
  ['count_equals', '='],
]);

/**
 * A leaf that counts distinct values. The texts of a row are counted where each stands for one value that no other text
 * has; rows with other texts are unknown, as far as the number matters.
 */
export function countQuestion(leaf: Leaf, judge: TextJudge): RowPredicate {
  const comparison = comparisons.get(leaf.operator);
  const limit = Number(leaf.operands[0]);
  if (comparison === undefined) return unknown;
  const isThere = judge.anyWhere(compilePredicate({ ...leaf, operator: 'exists', operands: [] }));
  const whenNone = known(holds(0, comparison, limit));
  if (holds(1, comparison, limit) === holds(2, comparison, limit) && limit <= 1 && comparison !== '=') {
    return choose(isThere, known(holds(1, comparison, limit)), whenNone);
  }
  if (limit === 0) return choose(isThere, known(false), whenNone);
  const plain = plainTexts(leaf, judge);
  const counted = countOf(judge.column, comparison, limit);
  if (plain.length === judge.ids.length) return counted;
  return choose(
    { kind: 'only', column: judge.column, values: plain },
    counted,
    choose(isThere, unknown, whenNone),
  );
}

function holds(count: number, comparison: RowComparison, limit: number): boolean {
  if (comparison === '=') return count === limit;
  return comparison === '>=' ? count >= limit : count <= limit;
}

/** Texts with exactly one value, which no other text has. */
function plainTexts(leaf: Leaf, judge: TextJudge): readonly number[] {
  const valuesOf = compileCollect(leaf.path.steps);
  const keysOf = (entity: LoadedEntity, facts: LoadedFacts): readonly string[] => {
    const values = emptyValueSet();
    for (const value of valuesOf(entity, runOn(entity, facts, 0, evaluationBudget))) {
      if (!isEmptyValue(value)) addValue(values, value, leaf.path);
    }
    return [
      ...[...values.texts].map((text) => `text ${text}`),
      ...[...values.numbers].map((number) => `number ${number}`),
      ...[...values.records].map((record) => `record ${record}`),
    ];
  };
  const keys = judge.each(keysOf);
  const uses = new Map<string, number>();
  for (const key of keys.flatMap((some) => some ?? [])) uses.set(key, (uses.get(key) ?? 0) + 1);
  return judge.ids.filter((_, index) => {
    const [key, ...others] = keys[index] ?? [];
    return key !== undefined && others.length === 0 && uses.get(key) === 1;
  });
}
