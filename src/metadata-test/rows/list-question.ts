import type { RowPredicate } from '../../verdict/row-predicate.ts';
import { compilePredicate } from '../compile-test.ts';
import { operatorOf } from '../operators.ts';
import type { ForEach, Leaf, Predicate } from '../predicate.ts';
import { closedOutcome } from './closed-outcome.ts';
import type { ColumnChoice } from './column-choice.ts';
import { countQuestion } from './count-question.ts';
import type { Node } from './node-readings.ts';
import { all, choose, either, known, not, some, unknown } from './row-answers.ts';
import type { TextJudge } from './text-judge.ts';

/**
 * A node about the values of one list column as a question about its texts. What holds for a row follows from what the
 * closure says of each text alone; where the column has one text at most, that is the answer itself.
 */
export function listQuestion(
  node: Node,
  type: string,
  { column, isSingle }: ColumnChoice,
  judge: TextJudge,
): RowPredicate {
  if (isSingle) {
    return either(judge.anyWhere(compilePredicate(node)), all(not(some(column)), closedOutcome(node, type)));
  }
  return node.kind === 'Leaf' ? leafQuestion(node, judge) : forEachQuestion(node, judge);
}

function leafQuestion(leaf: Leaf, judge: TextJudge): RowPredicate {
  const operator = operatorOf(leaf.operator);
  const holds = compilePredicate(leaf);
  switch (operator?.quantifier) {
    case 'any':
      return judge.anyWhere(holds);
    case 'none':
      return not(judge.anyWhere((entity, run) => !holds(entity, run)));
    case 'every': {
      const isThere = compilePredicate({ ...leaf, operator: 'exists', operands: [] });
      return all(
        judge.anyWhere(isThere),
        not(judge.anyWhere((entity, run) => isThere(entity, run) && !holds(entity, run))),
      );
    }
    case 'set':
      if (leaf.operator !== 'contains_all') return countQuestion(leaf, judge);
      return all(
        ...leaf.operands.map((operand) => judge.anyWhere(compilePredicate({ ...leaf, operands: [operand] }))),
      );
    default:
      return unknown;
  }
}

function forEachQuestion(node: ForEach, judge: TextJudge): RowPredicate {
  const asked = (
    satisfies: Predicate,
    quantifier: 'all' | 'any',
    onEmpty: ForEach['onEmpty'],
  ): RowPredicate =>
    judge.anyWhere(compilePredicate({ ...node, satisfies, quantifier: { kind: quantifier }, onEmpty }));
  const everything: Predicate = { kind: 'And', operands: [], pointer: node.pointer };
  const isSelected = asked(everything, 'any', 'fail');
  const whenNone = known(node.onEmpty === 'pass');
  const isSatisfied = (): RowPredicate => asked(node.satisfies, 'any', 'fail');
  const isViolated = (): RowPredicate => {
    const { satisfies } = node;
    return asked({ kind: 'None', operands: [satisfies], pointer: node.pointer }, 'any', 'fail');
  };
  switch (kindOf(node)) {
    case 'all':
      return choose(isSelected, not(isViolated()), whenNone);
    case 'any':
      return choose(isSelected, isSatisfied(), whenNone);
    case 'none':
      return choose(isSelected, not(isSatisfied()), whenNone);
    case 'nothing':
      return choose(isSelected, known(true), whenNone);
    default:
      return choose(isSelected, unknown, whenNone);
  }
}

/** The quantifier, with `atLeast` as what it comes to where it needs no counting. */
function kindOf({ quantifier }: ForEach): 'all' | 'any' | 'none' | 'nothing' | 'counted' {
  if (quantifier.kind !== 'atLeast') return quantifier.kind;
  if ('ratio' in quantifier) {
    return quantifier.ratio === 1 ? 'all' : quantifier.ratio === 0 ? 'nothing' : 'counted';
  }
  return quantifier.count === 1 ? 'any' : quantifier.count === 0 ? 'nothing' : 'counted';
}
