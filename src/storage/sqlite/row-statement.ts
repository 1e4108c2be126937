import { chunkSpan, type ChunkSet } from '../../verdict/chunk-set.ts';
import {
  mayBeUnknown,
  type RowPredicate,
  type RowQuestion,
  sharedScope,
} from '../../verdict/row-predicate.ts';
import type { ListColumn } from '../../verdict/test-row.ts';
import type { VerdictStore } from '../../verdict/verdict-store.ts';
import { rowColumns } from '../row-columns.ts';
import { certainly, uncertain } from './certain-predicate.ts';
import { expression, joinedBy, parameter, sql, truthCode, word, type Sql } from './row-expression.ts';

/** Codes of two bits that are packed into one number, so that it stays a small one. */
const codesPerNumber = 15;
/** SQLite takes 32,766 parameters and 2,000 columns; shorter statements are compiled faster. */
const parametersMax = 8_000;
const questionsMax = 300;
/** A scope of more is not asked for twice. */
const selectingParametersMax = 2_000;

/** One statement of a scan. The entity numbers of a chunk (from, to) are its last two parameters. */
export type ScanStatement = Sql & { readonly questions: number };

/**
 * Statements that together answer all the questions, in their order. Each gives one row with one value for a chunk: the bytes of
 * whole numbers with commas between them, for each row its offset and then packed codes (0 none, 1 pass, 2 fail, 3 unknown).
 * A value for each of them would cost several times what reading them costs.
 */
export function scanStatements(
  entityType: string,
  questions: readonly RowQuestion[],
): readonly ScanStatement[] {
  const selecting = selectionBy(sharedScope(questions));
  const statements: ScanStatement[] = [];
  let codes: Sql[] = [];
  let parameters = 0;
  const end = (): void => {
    if (codes.length > 0) statements.push(scanStatement(entityType, codes, selecting));
    codes = [];
    parameters = 0;
  };
  for (const question of questions) {
    const code = verdictCode(question, selecting !== undefined);
    if (parameters + code.parameters.length > parametersMax || codes.length >= questionsMax) end();
    codes.push(code);
    parameters += code.parameters.length;
  }
  end();
  return statements;
}

/** What rows have to meet to be looked at, when all questions have the same scope: then it is asked for once. */
function selectionBy(scope: RowPredicate | undefined): Sql | undefined {
  if (scope === undefined) return undefined;
  const selecting = expression({ kind: 'not', operand: certainly(scope, false) });
  return selecting.parameters.length > selectingParametersMax ? undefined : selecting;
}

const offset = word(`(entity % ${chunkSpan})`);

function scanStatement(entityType: string, codes: readonly Sql[], selecting: Sql = sql`1`): ScanStatement {
  const numbers = [offset, ...packed(codes)].map((number) => sql`(${number})`);
  const statement = sql`SELECT CAST(group_concat(${joinedBy(` || ',' || `, numbers)}) AS BLOB) FROM test_row
    WHERE type = ${parameter(entityType)} AND ${selecting} AND entity >= ? AND entity < ?`;
  return { ...statement, questions: codes.length };
}

/** A verdict needs a scope that is known: where it is not, the row does not tell. `isSelected`: it is not known to be false. */
function verdictCode({ scope, rules }: RowQuestion, isSelected: boolean): Sql {
  const inside = truthCode({ kind: 'and', operands: rules });
  if (isSelected && !mayBeUnknown(scope)) return inside;
  const outside =
    mayBeUnknown(scope) && !isSelected
      ? sql`CASE WHEN ${expression(certainly(scope, false))} THEN 0 ELSE 3 END`
      : word(isSelected ? '3' : '0');
  return sql`CASE WHEN ${expression(certainly(scope, true))} THEN ${inside} ELSE ${outside} END`;
}

/** Packed codes, the first of each in the lowest bits. In SQLite `<<` and `|` bind alike, hence the brackets. */
function packed(codes: readonly Sql[]): readonly Sql[] {
  const numbers: Sql[] = [];
  for (let first = 0; first < codes.length; first += codesPerNumber) {
    const parts = codes.slice(first, first + codesPerNumber);
    numbers.push(
      joinedBy(
        ' | ',
        parts.map((code, index) => sql`((${code}) << ${word(String(2 * index))})`),
      ),
    );
  }
  return numbers;
}

const comma = 0x2c;
const zero = 0x30;

/**
 * Sets of the answers of one statement to one chunk, from the bytes it gave: passing, failing and unknown of each question,
 * one after another.
 */
export function setsOf(bytes: Uint8Array, questions: number): Uint8Array<ArrayBuffer> {
  const setBytes = chunkSpan / 8;
  const sets = new Uint8Array(questions * 3 * setBytes);
  const numbersPerRow = 1 + Math.ceil(questions / codesPerNumber);
  let [place, number, byte, bit] = [0, 0, 0, 0];
  const take = (): void => {
    if (place === 0) {
      byte = number >> 3;
      bit = 1 << (number & 7);
    } else {
      let set = (place - 1) * codesPerNumber * 3;
      for (let rest = number; rest !== 0; rest >>>= 2) {
        const code = rest & 3;
        if (code !== 0) {
          const at = (set + code - 1) * setBytes + byte;
          sets[at] = (sets[at] ?? 0) | bit;
        }
        set += 3;
      }
    }
    place = place + 1 === numbersPerRow ? 0 : place + 1;
    number = 0;
  };
  for (const each of bytes) {
    if (each === comma) take();
    else number = number * 10 + each - zero;
  }
  if (bytes.length > 0) take();
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

type FindQuery = Parameters<VerdictStore['find']>[0];

/** Gives one row with one value: the lines that `ValueCounter` takes of those rows of a chunk. */
export function linesStatement(
  columns: readonly ListColumn[],
  chunk: number,
  rows: readonly number[] | 'all',
): Sql {
  const first = chunk * chunkSpan;
  const chosen =
    rows === 'all'
      ? sql`entity >= ${parameter(first)} AND entity < ${parameter(first + chunkSpan)}`
      : sql`entity IN (SELECT value FROM json_each(${parameter(JSON.stringify(rows))}))`;
  const values = [offset, ...columns.map((column) => word(rowColumns[column]))];
  return sql`SELECT CAST(group_concat(${joinedBy(` || ';' || `, values)}, char(10)) AS BLOB) FROM test_row WHERE ${chosen}`;
}

export function findStatement({ entityType, where, unknown = false, after = 0, count }: FindQuery): Sql {
  return sql`SELECT entity FROM test_row
    WHERE entity > ${parameter(after)} AND type = ${parameter(entityType)} AND ${expression(chosen(where, unknown))}
    ORDER BY entity LIMIT ${parameter(count)}`;
}

function chosen(predicate: RowPredicate, unknown: boolean): ReturnType<typeof certainly> {
  return unknown ? uncertain(predicate) : certainly(predicate, true);
}
