import fc from 'fast-check';
import type { RowComparison, RowPredicate, RowQuestion } from '../../verdict/row-predicate.ts';
import {
  listColumns,
  numberColumns,
  type ListColumn,
  type NumberColumn,
  type TestRow,
} from '../../verdict/test-row.ts';
import { urnType, type Urn } from '../../urn/urn.ts';

/** More texts than are searched for one by one in any store, so that a number is often a part of another. */
const textsPerColumn = 120;
const numberMax = 12;

export function textOf(column: ListColumn, index: number): string {
  return `{"${column}":"${index} é"}`;
}

const indexes = fc.oneof(
  { weight: 3, arbitrary: fc.uniqueArray(fc.nat(5), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.uniqueArray(fc.nat(textsPerColumn - 1), { maxLength: 25 }) },
);

/** The content of a row: small numbers and few texts, so that questions are often answered differently. */
export const rowContent: fc.Arbitrary<Pick<TestRow, 'removed' | 'lists' | 'numbers'>> = fc.record({
  removed: fc.boolean(),
  lists: recordOf(listColumns, (column) =>
    indexes.map((chosen): readonly string[] => chosen.map((index) => textOf(column, index))),
  ),
  numbers: recordOf(numberColumns, () => fc.nat(numberMax)),
});

/** A row of the entity without anything. */
export function emptyRow(urn: Urn, content: Partial<Pick<TestRow, 'removed'>> = {}): TestRow {
  return {
    urn,
    type: urnType(urn),
    removed: content.removed ?? false,
    // Each column of the lists gets its value.
    lists: Object.fromEntries(listColumns.map((column) => [column, []])) as unknown as TestRow['lists'],
    numbers: Object.fromEntries(numberColumns.map((column) => [column, 0])) as TestRow['numbers'],
  };
}

/** Random predicates about rows whose texts have these numbers; `numbers` may lack texts that no row has. */
export function predicatesAbout(
  numbers: Readonly<Record<ListColumn, readonly number[]>>,
): fc.Arbitrary<RowPredicate> {
  const listColumn = fc.constantFrom<ListColumn>(...listColumns);
  const numberColumn = fc.constantFrom<NumberColumn>(...numberColumns);
  const comparison = fc.constantFrom<RowComparison>('>=', '<=', '=');
  const chosen = fc.oneof(
    { weight: 3, arbitrary: fc.array(fc.nat(8), { maxLength: 5 }) },
    { weight: 1, arbitrary: fc.array(fc.nat(textsPerColumn), { maxLength: 100 }) },
  );
  /** Numbers of other columns, and of nothing, are fair questions too. */
  const valuesOf = (column: ListColumn, places: readonly number[]): readonly number[] =>
    places.map((place) => numbers[column][place] ?? place);
  const leaf: fc.Arbitrary<RowPredicate> = fc.oneof(
    fc.record({ kind: fc.constant('known' as const), value: fc.boolean() }),
    fc.constant<RowPredicate>({ kind: 'unknown' }),
    fc.constant<RowPredicate>({ kind: 'removed' }),
    fc.record({ kind: fc.constant('some' as const), column: listColumn }),
    {
      weight: 5,
      arbitrary: fc
        .tuple(fc.constantFrom('any' as const, 'only' as const), listColumn, chosen)
        .map(([kind, column, places]) => ({ kind, column, values: valuesOf(column, places) })),
    },
    fc.record({
      kind: fc.constant('count' as const),
      column: listColumn,
      comparison,
      limit: fc.constantFrom(0, 1, 2, 3, 10),
    }),
    fc.record({
      kind: fc.constant('number' as const),
      column: numberColumn,
      comparison,
      limit: fc.oneof(fc.nat(numberMax), fc.constantFrom(-1, 2.5, 1e12)),
    }),
    fc.record({
      kind: fc.constant('ratio' as const),
      part: numberColumn,
      whole: numberColumn,
      ratio: fc.constantFrom(0, 0.1, 0.3, 1 / 3, 0.5, 0.7, 1),
    }),
  );
  return fc.letrec<{ predicate: RowPredicate }>((tie) => ({
    predicate: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        operands: fc.array(tie('predicate'), { maxLength: 4 }),
      }),
      fc.record({ kind: fc.constant('not' as const), operand: tie('predicate') }),
    ),
  })).predicate;
}

export function questionsAbout(predicate: fc.Arbitrary<RowPredicate>): fc.Arbitrary<RowQuestion> {
  return fc.record({ scope: predicate, rules: fc.array(predicate, { maxLength: 4 }) });
}

function recordOf<Column extends string, Value>(
  columns: readonly Column[],
  valueOf: (column: Column) => fc.Arbitrary<Value>,
): fc.Arbitrary<Record<Column, Value>> {
  // Each column of the list gets its value.
  const model = Object.fromEntries(columns.map((column) => [column, valueOf(column)]));
  return fc.record(model) as unknown as fc.Arbitrary<Record<Column, Value>>;
}
