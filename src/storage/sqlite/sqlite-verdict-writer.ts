import type { DatabaseSync } from 'node:sqlite';
import { PostilError } from '../../errors/postil-error.ts';
import type { Urn } from '../../urn/urn.ts';
import { encodeChunkSet, sizeOfSet } from '../../verdict/chunk-set.ts';
import { listColumns, numberColumns, type ListColumn, type TestRow } from '../../verdict/test-row.ts';
import type {
  ChunkVerdicts,
  VerdictChange,
  VerdictReader,
  VerdictTransaction,
} from '../../verdict/verdict-store.ts';
import { rowColumns } from '../row-columns.ts';
import { createRecentlyUsed } from './recently-used.ts';
import type { Participant } from './run-transaction.ts';
import { prepareWrite, storageError } from './sqlite-connection.ts';
import { valueColumns } from './sqlite-verdict-reader.ts';
import type { SqliteWriter } from './sqlite-writer.ts';

/** Characters of texts that are remembered with their numbers, for each list column. */
const rememberedCharacters = 2_000_000;
/** What a remembered text costs besides itself, in the same unit. */
const entryCharacters = 100;

type Entities = Pick<SqliteWriter, 'ensureEntity' | 'idOf' | 'rolledBack'>;

/** Writes rows, verdicts, changes and records on the writing connection. The caller owns the surrounding transaction. */
export function createSqliteVerdictWriter(
  database: DatabaseSync,
  entities: Entities,
  reader: VerdictReader,
): Participant<VerdictTransaction> {
  const columns = ['entity', 'type', 'removed', ...valueColumns.map((column) => rowColumns[column])];
  const putRow = prepareWrite(
    database,
    `INSERT OR REPLACE INTO test_row (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const removeRow = prepareWrite(database, 'DELETE FROM test_row WHERE entity = ?');
  const selectValue = database.prepare('SELECT id FROM test_value WHERE property = ? AND text = ?');
  const insertValue = database.prepare('INSERT INTO test_value (property, text) VALUES (?, ?) RETURNING id');
  for (const statement of [selectValue, insertValue]) statement.setReturnArrays(true);
  const putVerdict = prepareWrite(
    database,
    `INSERT OR REPLACE INTO test_verdict (chunk, test, passing, failing, exempt, undecided,
       passing_count, failing_count, exempt_count, undecided_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const removeVerdict = prepareWrite(database, 'DELETE FROM test_verdict WHERE chunk = ? AND test = ?');
  const removeVerdicts = prepareWrite(database, 'DELETE FROM test_verdict WHERE test = ?');
  const addChange = prepareWrite(
    database,
    `INSERT INTO test_change (test, chunk, time, sequence, definition_md5, to_passing, to_failing, to_exempt, to_none,
       passing_delta, failing_delta, exempt_delta) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const putRecord = prepareWrite(
    database,
    'INSERT OR REPLACE INTO test_record (kind, key, text) VALUES (?, ?, ?)',
  );
  const removeRecord = prepareWrite(database, 'DELETE FROM test_record WHERE kind = ? AND key = ?');
  const remembered = new Map(
    listColumns.map((column) => [column, createRecentlyUsed<number>(rememberedCharacters)]),
  );
  let failure: { readonly cause: unknown } | undefined;

  function numberOf(column: ListColumn, text: string): number {
    const known = remembered.get(column)?.get(text);
    if (known !== undefined) return known;
    const row = selectValue.get(column, text) ?? insertValue.get(column, text);
    const [id] = row as unknown as [number];
    remembered.get(column)?.set(text, id, text.length + entryCharacters);
    return id;
  }

  function listOf(column: ListColumn, texts: readonly string[]): string {
    if (texts.length === 0) return '';
    const numbers = new Set(texts.map((text) => numberOf(column, text)));
    return `,${[...numbers].sort((left, right) => left - right).join(',')},`;
  }

  function putRowNow(row: TestRow): void {
    const entity = entities.idOf(row.urn);
    if (entity === undefined) throw neverHeardOf(row.urn);
    const lists = listColumns.map((column) => listOf(column, row.lists[column]));
    const numbers = numberColumns.map((column) => row.numbers[column]);
    putRow.run(entity, row.type, row.removed ? 1 : 0, ...lists, ...numbers);
  }

  function putVerdictsNow(test: Urn, chunk: number, verdicts: ChunkVerdicts): void {
    const sets = [verdicts.passing, verdicts.failing, verdicts.exempt, verdicts.undecided];
    const sizes = sets.map(sizeOfSet);
    const id = entities.ensureEntity(test);
    if (sizes.every((size) => size === 0)) removeVerdict.run(chunk, id);
    else putVerdict.run(chunk, id, ...sets.map(encodeChunkSet), ...sizes);
  }

  function appendNow({ test, chunk, time, sequence, definitionMd5, deltas, ...sets }: VerdictChange): void {
    addChange.run(
      entities.ensureEntity(test),
      chunk,
      time,
      sequence,
      definitionMd5,
      ...[sets.toPassing, sets.toFailing, sets.toExempt, sets.toNone].map(encodeChunkSet),
      deltas.passing,
      deltas.failing,
      deltas.exempt,
    );
  }

  /** What failed half way must not be committed, even by work that goes on. */
  function write(work: () => void): void {
    assertWhole();
    try {
      work();
    } catch (error) {
      failure = { cause: storageError(error) };
      throw failure.cause;
    }
  }

  function assertWhole(): void {
    if (failure === undefined && !database.isTransaction) {
      const lost = new PostilError('STORAGE_FAILED', 'The transaction was lost: nothing was stored.');
      failure = { cause: lost };
    }
    if (failure !== undefined) throw failure.cause;
  }

  return {
    transaction: {
      ...reader,
      async putRows(rows) {
        write(() => rows.forEach(putRowNow));
      },
      async removeRows(urns) {
        write(() => {
          for (const urn of urns) {
            const entity = entities.idOf(urn);
            if (entity !== undefined) removeRow.run(entity);
          }
        });
      },
      async putVerdicts(test, chunk, verdicts) {
        write(() => putVerdictsNow(test, chunk, verdicts));
      },
      async removeVerdicts(test) {
        write(() => {
          const id = entities.idOf(test);
          if (id !== undefined) removeVerdicts.run(id);
        });
      },
      async appendChanges(changes) {
        write(() => changes.forEach(appendNow));
      },
      async putRecords(records) {
        write(() => {
          for (const { kind, key, text } of records) {
            if (text === undefined) removeRecord.run(kind, key);
            else putRecord.run(kind, key, text);
          }
        });
      },
    },
    begin() {
      failure = undefined;
    },
    finish: assertWhole,
    committed() {
      // Numbers of texts and entities are the same for ever.
    },
    rolledBack() {
      for (const texts of remembered.values()) texts.clear();
      entities.rolledBack();
    },
  };
}

function neverHeardOf(urn: Urn): PostilError {
  return new PostilError(
    'ENTITY_NOT_FOUND',
    `There can be no row of ${urn}: the store has never heard of it.`,
  );
}
