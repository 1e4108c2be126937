import type { RowPredicate } from '../../verdict/row-predicate.ts';
import type { ForEach, Leaf, Predicate } from '../predicate.ts';
import { closedOutcome } from './closed-outcome.ts';
import type { Node } from './node-readings.ts';
import { numberQuestion } from './number-question.ts';
import { all, choose, compare, known, not, unknown } from './row-answers.ts';

const isThere = compare('columns', '>=', 1);
const allDescribed: RowPredicate = {
  kind: 'ratio',
  part: 'describedColumns',
  whole: 'columns',
  ratio: 1,
};

/** A node about the columns of a schema that their numbers alone decide; `undefined` for other nodes. */
export function schemaQuestion(node: Node, type: string): RowPredicate | undefined {
  if (node.kind === 'ForEach') return describedQuestion(node);
  const [first] = node.path.steps;
  if (first?.kind === 'Virtual' && first.name === 'schemaFields.length') return lengthQuestion(node, type);
  const isColumns = first?.kind === 'Virtual' && first.name === 'schemaFields';
  if (isColumns && node.operator === 'schema_fields_have_descriptions') return all(isThere, allDescribed);
  if (!isColumns) return undefined;
  if (node.operator === 'exists') return isThere;
  return node.operator === 'is_empty' ? not(isThere) : undefined;
}

/** A schema without columns has the length 0, and no schema has none. */
function lengthQuestion(leaf: Leaf, type: string): RowPredicate {
  const without = closedOutcome(leaf, type);
  const empty = closedOutcome(leaf, type, { name: 'schemaMetadata', body: { fields: [] } });
  const isSame = without.kind === 'known' && empty.kind === 'known' && without.value === empty.value;
  return choose(isThere, numberQuestion(leaf, type, 'columns'), isSame ? empty : unknown);
}

/** `forEach` over all columns that asks whether they have a description, and nothing else. */
function describedQuestion(node: ForEach): RowPredicate | undefined {
  const [first, ...rest] = node.collection.steps;
  if (first?.kind !== 'Virtual' || first.name !== 'columns' || rest.length > 0) return undefined;
  if (node.where !== undefined || !asksForDescription(node.satisfies)) return undefined;
  return choose(isThere, described(node.quantifier), known(node.onEmpty === 'pass'));
}

function asksForDescription(predicate: Predicate): boolean {
  if (predicate.kind === 'And' && predicate.operands.length === 1) {
    return predicate.operands.every(asksForDescription);
  }
  return predicate.kind === 'Leaf' && predicate.operator === 'exists' && isDescription(predicate);
}

function isDescription({ path }: Leaf): boolean {
  const [first, second, ...rest] = path.steps;
  return (
    first?.kind === 'Element' &&
    second?.kind === 'Field' &&
    second.name === 'description' &&
    rest.length === 0
  );
}

function described(quantifier: ForEach['quantifier']): RowPredicate {
  switch (quantifier.kind) {
    case 'all':
      return allDescribed;
    case 'any':
      return compare('describedColumns', '>=', 1);
    case 'none':
      return compare('describedColumns', '=', 0);
    case 'atLeast':
      if ('count' in quantifier) return compare('describedColumns', '>=', quantifier.count);
      return {
        kind: 'ratio',
        part: 'describedColumns',
        whole: 'columns',
        ratio: quantifier.ratio,
      };
  }
}
