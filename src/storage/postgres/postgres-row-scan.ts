import { addOffset, type ChunkSet, chunkSpan, emptyChunkSet } from '../../verdict/chunk-set.ts';
import { type RowQuestion, sharedScope } from '../../verdict/row-predicate.ts';
import type { ListColumn } from '../../verdict/test-row.ts';
import type { ChunkAnswer, VerdictStore } from '../../verdict/verdict-store.ts';
import { rowColumns } from '../row-columns.ts';
import { createValueCounter, rowsToCount, setCountOf, valueCountsOf } from '../value-counter.ts';
import { type Run, scanningConnections } from './postgres-connection.ts';
import {
  codesInWord,
  createParameters,
  expressionOf,
  verdictBits,
  verdictCode,
  wordsOf,
} from './row-expression.ts';

type Scans = Pick<VerdictStore, 'prepareScan' | 'countValues' | 'find' | 'rowCount'>;

/** More questions would only make a statement long. */
const questionsInStatement = 4 * codesInWord;
/** The server takes 65,535. */
const parametersMax = 60_000;

/**
 * Questions about many wide rows, each answered by the server in one statement: `scan` is to plan it for its values, so
 * that long lists of values are looked up in a hash.
 */
export function createPostgresRowScan(scan: Run, assertOpen: () => void): Scans {
  return {
    async prepareScan(entityType, questions) {
      assertOpen();
      const statements = statementsOf(entityType, questions);
      return {
        async chunk(chunk) {
          const answers = await Promise.all(statements.map((statement) => askOf(scan, statement, chunk)));
          return answers.flat();
        },
        // Nothing is held between chunks.
        async close() {},
      };
    },
    async countValues({ columns, chunks }) {
      const counter = createValueCounter(columns.length, setCountOf(chunks));
      const add = async (chunk: number, sets: readonly ChunkSet[]): Promise<void> => {
        const lines = await linesOf(scan, columns, chunk, rowsToCount(chunk, sets));
        counter.add(Buffer.from(lines, 'latin1'), sets);
      };
      const entries = [...chunks];
      for (let start = 0; start < entries.length; start += scanningConnections) {
        await Promise.all(
          entries.slice(start, start + scanningConnections).map(([chunk, sets]) => add(chunk, sets)),
        );
      }
      return valueCountsOf(counter.counted(), setCountOf(chunks));
    },
    async find({ entityType, where, unknown, after, count }) {
      const parameters = createParameters();
      const { rows } = await scan(
        `SELECT entity FROM test_row
         WHERE type = ${parameters.add(entityType, 'text')} AND entity > ${parameters.add(after ?? -1, 'bigint')}
           AND (${expressionOf(where, parameters)}) IS ${unknown === true ? 'NULL' : 'TRUE'}
         ORDER BY entity LIMIT ${parameters.add(count, 'bigint')}`,
        parameters.values,
      );
      return rows.map((row) => Number(row['entity']));
    },
    async rowCount() {
      const { rows } = await scan('SELECT count(*) AS count FROM test_row');
      return Number(rows[0]?.['count']);
    },
  };
}

type Statement = {
  readonly sql: string;
  readonly values: ReturnType<typeof createParameters>['values'];
  readonly questions: number;
};

function statementsOf(entityType: string, questions: readonly RowQuestion[]): readonly Statement[] {
  if (questions.length === 0) return [];
  const statement = statementOf(entityType, questions);
  if (questions.length === 1) return [statement];
  if (questions.length <= questionsInStatement && statement.values.length <= parametersMax)
    return [statement];
  const half = Math.ceil(questions.length / 2);
  return [
    ...statementsOf(entityType, questions.slice(0, half)),
    ...statementsOf(entityType, questions.slice(half)),
  ];
}

/**
 * One row for a chunk: the offsets of its rows and, for every 26 questions, the packed verdicts in the same order, so that
 * thousands of rows cross the wire as a few strings of bytes.
 */
function statementOf(entityType: string, questions: readonly RowQuestion[]): Statement {
  // The first two are the range of the chunk.
  const parameters = createParameters(2);
  const scope = sharedScope(questions);
  const isSelected = scope !== undefined;
  const words = wordsOf(questions, (question, place) => verdictCode(question, place, parameters, isSelected));
  const selected = words.map((word, index) => `${word} AS word${index}`);
  const packed = words.map((_, index) => `string_agg(int8send(word${index}), '') AS word${index}`);
  const type = parameters.add(entityType, 'text');
  const selecting = isSelected ? ` AND (${expressionOf(scope, parameters)}) IS NOT FALSE` : '';
  return {
    sql: `SELECT string_agg(int2send((entity - $1::bigint)::smallint), '') AS offsets, ${packed.join(', ')}
      FROM (SELECT entity, ${selected.join(', ')} FROM test_row
        WHERE type = ${type} AND entity >= $1::bigint AND entity < $2::bigint${selecting} OFFSET 0) AS asked`,
    values: parameters.values,
    questions: questions.length,
  };
}

async function askOf(
  scan: Run,
  { sql, values, questions }: Statement,
  chunk: number,
): Promise<readonly ChunkAnswer[]> {
  const { rows } = await scan(sql, [chunk * chunkSpan, (chunk + 1) * chunkSpan, ...values]);
  const answers = Array.from({ length: questions }, () => ({
    passing: emptyChunkSet(),
    failing: emptyChunkSet(),
    unknown: emptyChunkSet(),
  }));
  const offsets = viewOf(rows[0]?.['offsets']);
  for (let first = 0; first < questions; first += codesInWord) {
    const word = viewOf(rows[0]?.[`word${first / codesInWord}`]);
    const inWord = answers.slice(first, first + codesInWord);
    for (let row = 0; row * 8 < word.byteLength; row += 1) {
      unpack(word.getUint32(row * 8), word.getUint32(row * 8 + 4), offsets.getUint16(row * 2), inWord);
    }
  }
  return answers;
}

/** Adds one row to the answers that its word tells of; the first 16 of them lie in the lower half. */
function unpack(high: number, low: number, offset: number, answers: readonly ChunkAnswer[]): void {
  for (let half = 0, rest = low; half < 2; half += 1, rest = high) {
    for (let place = half * 16; rest !== 0; place += 1, rest >>>= 2) {
      const answer = answers[place];
      if (answer === undefined || (rest & 3) === verdictBits.none) continue;
      if ((rest & 3) === verdictBits.passing) addOffset(answer.passing, offset);
      else if ((rest & 3) === verdictBits.failing) addOffset(answer.failing, offset);
      else addOffset(answer.unknown, offset);
    }
  }
}

function viewOf(bytes: unknown): DataView {
  return bytes instanceof Uint8Array
    ? new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new DataView(new ArrayBuffer(0));
}

/** The lines that `ValueCounter` takes of rows of a chunk; in one string, because a row for each would cost several times as much. */
async function linesOf(
  scan: Run,
  columns: readonly ListColumn[],
  chunk: number,
  rows: readonly number[] | 'all',
): Promise<string> {
  if (rows.length === 0) return '';
  const lists = columns.map((column) => ` || ';' || array_to_string(${rowColumns[column]}, ',')`);
  const chosen =
    rows === 'all' ? 'entity >= $1::bigint AND entity < $2::bigint' : 'entity = ANY ($2::bigint[])';
  const first = chunk * chunkSpan;
  const { rows: answer } = await scan(
    `SELECT string_agg((entity - $1::bigint)::text${lists.join('')}, E'\\n') AS lines FROM test_row WHERE ${chosen}`,
    [first, rows === 'all' ? first + chunkSpan : rows],
  );
  return String(answer[0]?.['lines'] ?? '');
}
