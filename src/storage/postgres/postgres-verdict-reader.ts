import type { Urn } from '../../urn/urn.ts';
import { addOffset, chunkSpan, decodeChunkSet, emptyChunkSet } from '../../verdict/chunk-set.ts';
import type { ChunkSet } from '../../verdict/chunk-set.ts';
import type { RecordedVerdictChange, VerdictReader } from '../../verdict/verdict-store.ts';
import type { Row, Run, Value } from './postgres-connection.ts';

const idOfUrn = '(SELECT id FROM entity WHERE urn = $1)';

const selectVerdicts = `
  SELECT urn, passing, failing, exempt, undecided FROM test_verdict JOIN entity ON entity.id = test
  WHERE chunk = $1`;

/** What a number names never changes once it is committed, so only memory bounds this. */
const rememberedUrns = 20_000;

/** Answers the port's questions, each with one statement, so each answer is of one state. */
export function createPostgresVerdictReader(run: Run): VerdictReader {
  const urns = new Map<number, Urn>();
  return {
    async numbersOf(urns) {
      if (urns.length === 0) return new Map();
      const { rows } = await run('SELECT urn, id FROM entity WHERE urn = ANY ($1::text[])', [urns]);
      return new Map(rows.map((row) => [urnOf(row), Number(row['id'])]));
    },
    async urnsOf(numbers) {
      const found = new Map<number, Urn>();
      const unknown: number[] = [];
      for (const number of numbers) {
        const urn = urns.get(number);
        if (urn === undefined) unknown.push(number);
        else found.set(number, urn);
      }
      if (unknown.length === 0) return found;
      const { rows } = await run('SELECT urn, id FROM entity WHERE id = ANY ($1::bigint[])', [unknown]);
      if (urns.size + rows.length > rememberedUrns) urns.clear();
      for (const row of rows) {
        const [number, urn] = [Number(row['id']), urnOf(row)];
        found.set(number, urn);
        if (urns.size < rememberedUrns) urns.set(number, urn);
      }
      return found;
    },
    async largestNumber() {
      const { rows } = await run('SELECT coalesce(max(id), 0) AS id FROM entity');
      return Number(rows[0]?.['id']);
    },
    async entitiesIn(chunk, type) {
      const first = chunk * chunkSpan;
      const { rows } = await run(
        `SELECT string_agg(int2send((id - $2::bigint)::smallint), '') AS offsets FROM entity
         WHERE type = $1 AND present = 1 AND id >= $2::bigint AND id < $3::bigint`,
        [type, first, first + chunkSpan],
      );
      return setOfOffsets(bytesOf(rows[0]?.['offsets']));
    },
    async verdictsIn(chunk, tests) {
      const { rows } = await (tests === undefined
        ? run(selectVerdicts, [chunk])
        : run(`${selectVerdicts} AND urn = ANY ($2::text[])`, [chunk, tests]));
      return new Map(
        rows.map((row) => [
          urnOf(row),
          {
            passing: setOf(row['passing']),
            failing: setOf(row['failing']),
            exempt: setOf(row['exempt']),
            undecided: setOf(row['undecided']),
          },
        ]),
      );
    },
    async chunksOf(test) {
      const { rows } = await run(`SELECT chunk FROM test_verdict WHERE test = ${idOfUrn} ORDER BY chunk`, [
        test,
      ]);
      return rows.map((row) => Number(row['chunk']));
    },
    async counts(test) {
      const { rows } = await run(
        `SELECT sum(passing_count) AS passing, sum(failing_count) AS failing, sum(exempt_count) AS exempt,
           sum(undecided_count) AS undecided FROM test_verdict WHERE test = ${idOfUrn}`,
        [test],
      );
      const sum = (name: string): number => Number(rows[0]?.[name] ?? 0);
      return {
        passing: sum('passing'),
        failing: sum('failing'),
        exempt: sum('exempt'),
        undecided: sum('undecided'),
      };
    },
    async verdictChanges(query) {
      const values: Value[] = [query.test];
      const bound = (condition: string, value: number | undefined): string =>
        value === undefined ? '' : ` AND ${condition} $${values.push(value)}`;
      const conditions = [
        bound('chunk =', query.chunk),
        bound('time >=', query.fromTime),
        bound('time <=', query.toTime),
        bound('id <', query.before),
        bound('id >', query.after),
      ];
      const { rows } = await run(
        `SELECT * FROM test_change WHERE test = ${idOfUrn}${conditions.join('')}
         ORDER BY id ${query.newestFirst ? 'DESC' : 'ASC'} LIMIT $${values.push(query.count)}`,
        values,
      );
      return rows.map((row) => changeOf(query.test, row));
    },
    async countsAt(test, time) {
      const { rows } = await run(
        `SELECT sum(passing_delta) AS passing, sum(failing_delta) AS failing, sum(exempt_delta) AS exempt
         FROM test_change WHERE test = ${idOfUrn} AND time <= $2`,
        [test, time],
      );
      const sum = (name: string): number => Number(rows[0]?.[name] ?? 0);
      return { passing: sum('passing'), failing: sum('failing'), exempt: sum('exempt') };
    },
    async record(kind, key) {
      const { rows } = await run('SELECT text FROM test_record WHERE kind = $1 AND key = $2', [kind, key]);
      return rows[0] === undefined ? undefined : String(rows[0]['text']);
    },
    async records({ kind, from, to, descending, count }) {
      const values: Value[] = [kind];
      const start = from === undefined ? '' : ` AND key >= $${values.push(from)}`;
      const end = to === undefined ? '' : ` AND key < $${values.push(to)}`;
      const { rows } = await run(
        `SELECT key, text FROM test_record WHERE kind = $1${start}${end}
         ORDER BY key ${descending === true ? 'DESC' : 'ASC'} LIMIT $${values.push(count)}`,
        values,
      );
      return rows.map((row) => ({ key: String(row['key']), text: String(row['text']) }));
    },
  };
}

const urnOf = (row: Row): Urn => String(row['urn']) as Urn;

/** Bytes of their own, not a part of what the client read. */
function bytesOf(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? new Uint8Array(value) : new Uint8Array();
}

const setOf = (value: unknown): ChunkSet => decodeChunkSet(bytesOf(value));

function setOfOffsets(offsets: Uint8Array): ChunkSet {
  const set = emptyChunkSet();
  const view = new DataView(offsets.buffer);
  for (let at = 0; at < offsets.length; at += 2) addOffset(set, view.getUint16(at));
  return set;
}

function changeOf(test: Urn, row: Row): RecordedVerdictChange {
  return {
    id: Number(row['id']),
    test,
    chunk: Number(row['chunk']),
    time: Number(row['time']),
    sequence: Number(row['sequence']),
    definitionMd5: String(row['definition_md5']),
    toPassing: setOf(row['to_passing']),
    toFailing: setOf(row['to_failing']),
    toExempt: setOf(row['to_exempt']),
    toNone: setOf(row['to_none']),
    deltas: {
      passing: Number(row['passing_delta']),
      failing: Number(row['failing_delta']),
      exempt: Number(row['exempt_delta']),
    },
  };
}
