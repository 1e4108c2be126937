import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Urn } from '../../urn/urn.ts';
import {
  addOffset,
  chunkSpan,
  type ChunkSet,
  decodeChunkSet,
  emptyChunkSet,
  offsetOf,
} from '../../verdict/chunk-set.ts';
import { listColumns, numberColumns, type TestRow } from '../../verdict/test-row.ts';
import type {
  ChunkVerdicts,
  RecordedVerdictChange,
  VerdictReader,
  VerdictStore,
} from '../../verdict/verdict-store.ts';
import { rowColumns } from '../row-columns.ts';
import type { ReadSnapshot } from './read-snapshot.ts';
import { guard, type SqliteReader } from './sqlite-reader.ts';

/** What the wide rows say beside the questions that the scanner answers. */
export type SqliteVerdictReader = VerdictReader & Pick<VerdictStore, 'dictionary' | 'rowCount' | 'rows'>;

type Changes = Parameters<VerdictReader['verdictChanges']>[0];
type Records = Parameters<VerdictReader['records']>[0];
type Values = readonly (string | number)[];
type VerdictRow = [test: number, ...sets: Uint8Array[]];
type ChangeRow = [
  number,
  number,
  number,
  number,
  string,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  number,
  number,
  number,
];

/** The columns of `test_row` after `entity`, `type` and `removed`, in the order in which rows are read and written. */
export const valueColumns = [...listColumns, ...numberColumns] as const;

/** Answers over one connection, as the reader of aspects does. */
export function createSqliteVerdictReader(
  database: DatabaseSync,
  reader: SqliteReader,
  /** Only for a connection that reads committed state. */
  snapshot?: ReadSnapshot,
): SqliteVerdictReader {
  const statements = new Map<string, StatementSync>();

  function all<Row>(text: string, ...parameters: Values): readonly Row[] {
    let statement = statements.get(text);
    if (statement === undefined) {
      statement = database.prepare(text);
      statement.setReturnArrays(true);
      statements.set(text, statement);
    }
    return statement.all(...parameters) as unknown as readonly Row[];
  }

  const ask = <T>(work: () => T): T =>
    guard(() => {
      snapshot?.hold();
      return work();
    });

  function urnOf(id: number): Urn | undefined {
    return all<[Urn]>('SELECT urn FROM entity WHERE id = ?', id)[0]?.[0];
  }

  function verdictsNow(chunk: number, tests: readonly Urn[] | undefined): ReadonlyMap<Urn, ChunkVerdicts> {
    const select = 'SELECT test, passing, failing, exempt, undecided FROM test_verdict WHERE chunk = ?';
    const rows =
      tests === undefined
        ? all<VerdictRow>(select, chunk)
        : tests.flatMap((test) => {
            const id = reader.idOf(test);
            return id === undefined ? [] : all<VerdictRow>(`${select} AND test = ?`, chunk, id);
          });
    const verdicts = new Map<Urn, ChunkVerdicts>();
    for (const [test, ...sets] of rows) {
      const urn = urnOf(test);
      if (urn !== undefined) verdicts.set(urn, verdictsOf(sets));
    }
    return verdicts;
  }

  function changesNow(query: Changes): readonly RecordedVerdictChange[] {
    const test = reader.idOf(query.test);
    if (test === undefined) return [];
    const bounds = (
      [
        ['chunk = ?', query.chunk],
        ['time >= ?', query.fromTime],
        ['time <= ?', query.toTime],
        ['id < ?', query.before],
        ['id > ?', query.after],
      ] as const
    ).flatMap(([condition, value]) => (value === undefined ? [] : [{ condition, value }]));
    const where = ['test = ?', ...bounds.map(({ condition }) => condition)].join(' AND ');
    const rows = all<ChangeRow>(
      `SELECT id, chunk, time, sequence, definition_md5, to_passing, to_failing, to_exempt, to_none,
         passing_delta, failing_delta, exempt_delta
       FROM test_change WHERE ${where} ORDER BY id ${query.newestFirst ? 'DESC' : 'ASC'} LIMIT ?`,
      test,
      ...bounds.map(({ value }) => value),
      query.count,
    );
    return rows.map((row) => changeOf(query.test, row));
  }

  function recordsNow(query: Records): readonly { readonly key: string; readonly text: string }[] {
    const bounds = (
      [
        ['key >= ?', query.from],
        ['key < ?', query.to],
      ] as const
    ).flatMap(([condition, value]) => (value === undefined ? [] : [{ condition, value }]));
    const where = ['kind = ?', ...bounds.map(({ condition }) => condition)].join(' AND ');
    const order = query.descending === true ? 'DESC' : 'ASC';
    return all<[string, string]>(
      `SELECT key, text FROM test_record WHERE ${where} ORDER BY key ${order} LIMIT ?`,
      query.kind,
      ...bounds.map(({ value }) => value),
      query.count,
    ).map(([key, text]) => ({ key, text }));
  }

  function rowNow(urn: Urn): TestRow | undefined {
    const id = reader.idOf(urn);
    const columns = valueColumns.map((column) => rowColumns[column]).join(', ');
    const row =
      id === undefined
        ? undefined
        : all<[string, number, ...(string | number)[]]>(
            `SELECT type, removed, ${columns} FROM test_row WHERE entity = ?`,
            id,
          )[0];
    if (row === undefined) return undefined;
    const [type, removed, ...values] = row;
    const textsOf = (index: number): readonly string[] =>
      numbersIn(String(values[index])).flatMap((number) =>
        all<[string]>('SELECT text FROM test_value WHERE id = ?', number).map(([text]) => text),
      );
    return {
      urn,
      type,
      removed: removed === 1,
      lists: recordOf(listColumns, textsOf),
      numbers: recordOf(numberColumns, (index) => Number(values[listColumns.length + index])),
    };
  }

  function entitiesNow(chunk: number, type: string): ChunkSet {
    const first = chunk * chunkSpan;
    const set = emptyChunkSet();
    const rows = all<[number]>(
      'SELECT id FROM entity WHERE type = ? AND present = 1 AND id >= ? AND id < ?',
      type,
      first,
      first + chunkSpan,
    );
    for (const [id] of rows) addOffset(set, offsetOf(id));
    return set;
  }

  function sumsOf(select: string, test: Urn, ...parameters: Values): readonly number[] {
    const id = reader.idOf(test);
    return id === undefined ? [] : (all<number[]>(select, id, ...parameters)[0] ?? []);
  }

  return {
    async numbersOf(urns) {
      return ask(() => mapOf(urns, (urn) => reader.idOf(urn)));
    },
    async urnsOf(numbers) {
      return ask(() => mapOf(numbers, urnOf));
    },
    async largestNumber() {
      return ask(() => all<[number | null]>('SELECT max(id) FROM entity')[0]?.[0] ?? 0);
    },
    async entitiesIn(chunk, type) {
      return ask(() => entitiesNow(chunk, type));
    },
    async verdictsIn(chunk, tests) {
      return ask(() => verdictsNow(chunk, tests));
    },
    async chunksOf(test) {
      return ask(() => {
        const id = reader.idOf(test);
        const select = 'SELECT chunk FROM test_verdict WHERE test = ? ORDER BY chunk';
        return id === undefined ? [] : all<[number]>(select, id).map(([chunk]) => chunk);
      });
    },
    async counts(test) {
      return ask(() => {
        const [passing, failing, exempt, undecided] = sumsOf(
          `SELECT sum(passing_count), sum(failing_count), sum(exempt_count), sum(undecided_count)
           FROM test_verdict WHERE test = ?`,
          test,
        );
        return {
          passing: passing ?? 0,
          failing: failing ?? 0,
          exempt: exempt ?? 0,
          undecided: undecided ?? 0,
        };
      });
    },
    async verdictChanges(query) {
      return ask(() => changesNow(query));
    },
    async countsAt(test, time) {
      return ask(() => {
        const [passing, failing, exempt] = sumsOf(
          `SELECT sum(passing_delta), sum(failing_delta), sum(exempt_delta)
           FROM test_change WHERE test = ? AND time <= ?`,
          test,
          time,
        );
        return { passing: passing ?? 0, failing: failing ?? 0, exempt: exempt ?? 0 };
      });
    },
    async record(kind, key) {
      return ask(
        () => all<[string]>('SELECT text FROM test_record WHERE kind = ? AND key = ?', kind, key)[0]?.[0],
      );
    },
    async records(query) {
      return ask(() => recordsNow(query));
    },
    async dictionary(column) {
      return ask(() =>
        all<[number, string]>('SELECT id, text FROM test_value WHERE property = ? ORDER BY id', column).map(
          ([id, text]) => ({ id, text }),
        ),
      );
    },
    async rowCount() {
      return ask(() => all<[number]>('SELECT count(*) FROM test_row')[0]?.[0] ?? 0);
    },
    async rows(urns) {
      return ask(() => mapOf(urns, rowNow));
    },
  };
}

/** The numbers of a list column. */
function numbersIn(list: string): readonly number[] {
  return list === '' ? [] : list.slice(1, -1).split(',').map(Number);
}

function verdictsOf([passing, failing, exempt, undecided]: readonly Uint8Array[]): ChunkVerdicts {
  return {
    passing: setOf(passing),
    failing: setOf(failing),
    exempt: setOf(exempt),
    undecided: setOf(undecided),
  };
}

function changeOf(test: Urn, row: ChangeRow): RecordedVerdictChange {
  const [id, chunk, time, sequence, definitionMd5, toPassing, toFailing, toExempt, toNone, ...deltas] = row;
  const [passing, failing, exempt] = deltas;
  return {
    id,
    test,
    chunk,
    time,
    sequence,
    definitionMd5,
    toPassing: setOf(toPassing),
    toFailing: setOf(toFailing),
    toExempt: setOf(toExempt),
    toNone: setOf(toNone),
    deltas: { passing, failing, exempt },
  };
}

function setOf(stored: Uint8Array | undefined): ChunkSet {
  return decodeChunkSet(stored ?? new Uint8Array());
}

function mapOf<Key, Value>(
  keys: readonly Key[],
  valueOf: (key: Key) => Value | undefined,
): ReadonlyMap<Key, Value> {
  const map = new Map<Key, Value>();
  for (const key of keys) {
    const value = valueOf(key);
    if (value !== undefined) map.set(key, value);
  }
  return map;
}

function recordOf<Column extends string, Value>(
  columns: readonly Column[],
  valueOf: (index: number) => Value,
): Readonly<Record<Column, Value>> {
  // Every column of the list gets its value.
  return Object.fromEntries(columns.map((column, index) => [column, valueOf(index)])) as Record<
    Column,
    Value
  >;
}
