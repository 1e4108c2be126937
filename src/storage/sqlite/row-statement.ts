import { chunkSpan, type ChunkSet } from '../../verdict/chunk-set.ts';
import type { RowPredicate, RowQuestion } from '../../verdict/row-predicate.ts';
import type { VerdictStore } from '../../verdict/verdict-store.ts';
import { rowColumns } from '../row-columns.ts';
import { certainly, mayBeUnknown, uncertain } from './certain-predicate.ts';
import { expression, joinedBy, parameter, sql, truthCode, word, type Sql } from './row-expression.ts';

/** Codes of two bits that one column of an answer carries, so that it stays a small number. */
export const codesPerColumn = 15;
/** SQLite takes 32,766 parameters and 2,000 columns; shorter statements are compiled faster. */
const parametersMax = 8_000;
const questionsMax = 300;

/** One statement of a scan. The entity numbers of a chunk (from, to) are its last two parameters. */
export type ScanStatement = Sql & { readonly questions: number };

/** Statements that together answer all the questions, in their order: entity, then columns of codes 0 none, 1 pass, 2 fail, 3 unknown. */
export function scanStatements(
  entityType: string,
  questions: readonly RowQuestion[],
): readonly ScanStatement[] {
  const statements: ScanStatement[] = [];
  let codes: Sql[] = [];
  let parameters = 0;
  const end = (): void => {
    if (codes.length > 0) statements.push(scanStatement(entityType, codes));
    codes = [];
    parameters = 0;
  };
  for (const code of questions.map(verdictCode)) {
    if (parameters + code.parameters.length > parametersMax || codes.length >= questionsMax) end();
    codes.push(code);
    parameters += code.parameters.length;
  }
  end();
  return statements;
}

function scanStatement(entityType: string, codes: readonly Sql[]): ScanStatement {
  const statement = sql`SELECT entity, ${packed(codes)} FROM test_row
    WHERE type = ${parameter(entityType)} AND entity >= ? AND entity < ?`;
  return { ...statement, questions: codes.length };
}

/** A verdict needs a scope that is known: where it is not, the row does not tell. */
function verdictCode({ scope, rules }: RowQuestion): Sql {
  const outside = mayBeUnknown(scope)
    ? sql`CASE WHEN ${expression(certainly(scope, false))} THEN 0 ELSE 3 END`
    : sql`0`;
  const inside = truthCode({ kind: 'and', operands: rules });
  return sql`CASE WHEN ${expression(certainly(scope, true))} THEN ${inside} ELSE ${outside} END`;
}

/** Columns of packed codes, the first code in the lowest bits. In SQLite `<<` and `|` bind alike, hence the brackets. */
function packed(codes: readonly Sql[]): Sql {
  const columns: Sql[] = [];
  for (let first = 0; first < codes.length; first += codesPerColumn) {
    const parts = codes.slice(first, first + codesPerColumn);
    columns.push(
      joinedBy(
        ' | ',
        parts.map((code, index) => sql`((${code}) << ${word(String(2 * index))})`),
      ),
    );
  }
  return joinedBy(', ', columns.length > 0 ? columns : [sql`0`]);
}

/** Sets of the answers of one statement to one chunk: passing, failing and unknown of each question, one after another. */
export function setsOf(
  rows: Iterable<readonly number[]>,
  firstEntity: number,
  questions: number,
): Uint8Array<ArrayBuffer> {
  const setBytes = chunkSpan / 8;
  const sets = new Uint8Array(questions * 3 * setBytes);
  for (const row of rows) {
    const offset = (row[0] ?? 0) - firstEntity;
    const [byte, bit] = [offset >> 3, 1 << (offset & 7)];
    for (let column = 1; column < row.length; column += 1) {
      let set = (column - 1) * codesPerColumn * 3;
      for (let rest = row[column] ?? 0; rest !== 0; rest >>>= 2) {
        const code = rest & 3;
        if (code !== 0) {
          const at = (set + code - 1) * setBytes + byte;
          sets[at] = (sets[at] ?? 0) | bit;
        }
        set += 3;
      }
    }
  }
  return sets;
}

/** The sets of `setsOf`, question by question. */
export function* answersIn(
  sets: Uint8Array,
): Generator<{ passing: ChunkSet; failing: ChunkSet; unknown: ChunkSet }> {
  const setBytes = chunkSpan / 8;
  for (let at = 0; at < sets.length; at += 3 * setBytes) {
    yield {
      passing: sets.subarray(at, at + setBytes),
      failing: sets.subarray(at + setBytes, at + 2 * setBytes),
      unknown: sets.subarray(at + 2 * setBytes, at + 3 * setBytes),
    };
  }
}

type TallyQuery = Parameters<VerdictStore['tally']>[0];
type FindQuery = Parameters<VerdictStore['find']>[0];

/** Rows of: columns of codes (as `truthCode`), the list that was grouped by as it is stored, and how many rows there are. */
export function tallyStatement({ entityType, scope, unknown, rules, groupBy }: TallyQuery): Sql {
  const codes = packed(rules.map(truthCode));
  const grouped = groupBy === undefined ? sql`''` : word(rowColumns[groupBy]);
  const columns = Array.from(
    { length: Math.max(1, Math.ceil(rules.length / codesPerColumn)) + 1 },
    (_, index) => word(String(index + 1)),
  );
  return sql`SELECT ${codes}, ${grouped}, count(*) FROM test_row
    WHERE type = ${parameter(entityType)} AND ${expression(chosen(scope, unknown))}
    GROUP BY ${joinedBy(', ', columns)}`;
}

export function findStatement({ entityType, where, unknown = false, after = 0, count }: FindQuery): Sql {
  return sql`SELECT entity FROM test_row
    WHERE entity > ${parameter(after)} AND type = ${parameter(entityType)} AND ${expression(chosen(where, unknown))}
    ORDER BY entity LIMIT ${parameter(count)}`;
}

function chosen(predicate: RowPredicate, unknown: boolean): ReturnType<typeof certainly> {
  return unknown ? uncertain(predicate) : certainly(predicate, true);
}
