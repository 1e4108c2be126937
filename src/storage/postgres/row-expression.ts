import {
  mayBeUnknown,
  type RowComparison,
  type RowPredicate,
  type RowQuestion,
} from '../../verdict/row-predicate.ts';
import type { ListColumn } from '../../verdict/test-row.ts';
import { rowColumns } from '../row-columns.ts';
import type { Value } from './postgres-connection.ts';

/** From how many values on it pays to ask for each value of the row in a hash instead of comparing two arrays. */
const hashedFrom = 64;

const comparisons: Readonly<Record<RowComparison, string>> = { '>=': '>=', '<=': '<=', '=': '=' };

/** Values of a statement in the making; equal ones share a parameter. */
export type Parameters = {
  /** The parameter, with its type. */
  add(value: Value, type: 'bigint' | 'double precision' | 'integer[]' | 'text'): string;
  readonly values: readonly Value[];
};

/** `taken` parameters come before these; whoever runs the statement puts their values in front. */
export function createParameters(taken = 0): Parameters {
  const values: Value[] = [];
  const places = new Map<string, number>();
  return {
    add(value, type) {
      const key = `${type} ${String(value)}`;
      const place = places.get(key) ?? values.push(value);
      places.set(key, place);
      return `$${taken + place}::${type}`;
    },
    values,
  };
}

/** The predicate over columns of `test_row`, with SQL's three values. All that is not a column name is a parameter. */
export function expressionOf(predicate: RowPredicate, parameters: Parameters): string {
  const compared = (what: string, comparison: RowComparison, limit: number): string =>
    `${what} ${comparisons[comparison]} ${parameters.add(limit, 'double precision')}`;
  switch (predicate.kind) {
    case 'known':
      return predicate.value ? 'true' : 'false';
    case 'unknown':
      return 'NULL::boolean';
    case 'and':
    case 'or':
      return joined(predicate.kind, predicate.operands, parameters);
    case 'not':
      return `(NOT ${expressionOf(predicate.operand, parameters)})`;
    case 'removed':
      return '(removed <> 0)';
    case 'any':
      return anyOf(predicate.column, predicate.values, parameters);
    case 'only':
      return onlyOf(predicate.column, predicate.values, parameters);
    case 'some':
      return `(${rowColumns[predicate.column]} <> '{}')`;
    case 'count':
      return `(${compared(`cardinality(${rowColumns[predicate.column]})`, predicate.comparison, predicate.limit)})`;
    case 'number':
      return `(${compared(rowColumns[predicate.column], predicate.comparison, predicate.limit)})`;
    case 'ratio': {
      const ratio = parameters.add(predicate.ratio, 'double precision');
      // 0.3 * 10 is a little more than 3 in binary fractions.
      return `(${rowColumns[predicate.part]} >= greatest(0, ceil(${ratio} * ${rowColumns[predicate.whole]} - 1e-9)))`;
    }
  }
}

function joined(kind: 'and' | 'or', operands: readonly RowPredicate[], parameters: Parameters): string {
  if (operands.length === 0) return kind === 'and' ? 'true' : 'false';
  const parts = operands.map((operand) => expressionOf(operand, parameters));
  return `(${parts.join(kind === 'and' ? ' AND ' : ' OR ')})`;
}

function anyOf(column: ListColumn, values: readonly number[], parameters: Parameters): string {
  const asked = parameters.add(values, 'integer[]');
  if (values.length < hashedFrom) return `(${rowColumns[column]} && ${asked})`;
  return `EXISTS (SELECT FROM ${valuesOf(column)} WHERE value = ANY (${asked}))`;
}

function onlyOf(column: ListColumn, values: readonly number[], parameters: Parameters): string {
  const allowed = parameters.add(values, 'integer[]');
  if (values.length < hashedFrom) return `(${rowColumns[column]} <@ ${allowed})`;
  return `NOT EXISTS (SELECT FROM ${valuesOf(column)} WHERE value <> ALL (${allowed}))`;
}

/** OFFSET 0 keeps the planner from turning this into a table function, which costs more for each row. */
function valuesOf(column: ListColumn): string {
  return `(SELECT unnest(${rowColumns[column]}) AS value OFFSET 0) AS list`;
}

/** Two bits of a verdict in a packed number. */
export const verdictBits = { none: 0, passing: 1, failing: 2, unknown: 3 } as const;

/** What fits, two bits each, into a bigint that is still exact as a number. */
export const codesInWord = 26;

/** The question's verdict at its place in a word: 0 where the row is out of scope. `isSelected`: rows that are, are left out. */
export function verdictCode(
  { scope, rules }: RowQuestion,
  place: number,
  parameters: Parameters,
  isSelected: boolean,
): string {
  const code = (bits: number): string => `${bits * 4 ** place}::bigint`;
  const unknown = code(verdictBits.unknown);
  const inScope = `CASE ${joined('and', rules, parameters)} WHEN true THEN ${code(verdictBits.passing)}
    WHEN false THEN ${code(verdictBits.failing)} ELSE ${unknown} END`;
  if (isSelected && !mayBeUnknown(scope)) return inScope;
  return `CASE ${expressionOf(scope, parameters)} WHEN true THEN ${inScope} WHEN false THEN 0::bigint ELSE ${unknown} END`;
}

/** Splits what is to be packed into words. */
export function wordsOf<T>(
  items: readonly T[],
  codeOf: (item: T, place: number) => string,
): readonly string[] {
  return Array.from({ length: Math.ceil(items.length / codesInWord) }, (_, word) =>
    items
      .slice(word * codesInWord, (word + 1) * codesInWord)
      .map((item, place) => codeOf(item, place))
      .join(' + '),
  );
}
