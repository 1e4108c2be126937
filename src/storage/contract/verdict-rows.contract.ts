import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Urn } from '../../urn/urn.ts';
import { urnType } from '../../urn/urn.ts';
import {
  addOffset,
  type ChunkSet,
  chunkOf,
  chunkSpan,
  emptyChunkSet,
  offsetOf,
  offsetsIn,
} from '../../verdict/chunk-set.ts';
import type { RowPredicate, RowQuestion } from '../../verdict/row-predicate.ts';
import { listColumns, type ListColumn, type TestRow } from '../../verdict/test-row.ts';
import type { ChunkAnswer, ValueCount, VerdictKeepingStore } from '../../verdict/verdict-store.ts';
import { datasetUrn, keyDraft, termUrn, write } from './change-batch.ts';
import type { Subject } from './opened-store.ts';
import { emptyRow, predicatesAbout, questionsAbout, rowContent } from './random-rows.ts';
import { countedValues, truthOf, verdictOf, type NumberedRow, type Verdict } from './row-interpretation.ts';

const orders = datasetUrn('shop.orders');
const customers = datasetUrn('shop.customers');
const neverSeen = datasetUrn('never.seen');
const rowsOfBorder = 200;
const unknownQuestion: RowQuestion = { scope: { kind: 'unknown' }, rules: [] };

/** The row as it is compared: the order of the texts is irrelevant. */
function sorted(row: TestRow | undefined): TestRow | undefined {
  if (row === undefined) return undefined;
  const lists = Object.fromEntries(
    Object.entries(row.lists).map(([column, texts]) => [column, texts.toSorted()]),
  );
  // The same columns with the same texts.
  return { ...row, lists: lists as unknown as TestRow['lists'] };
}

async function put(store: VerdictKeepingStore, ...rows: readonly TestRow[]): Promise<void> {
  await store.verdicts.transact((transaction) => transaction.putRows(rows));
}

/** Random rows of datasets and terms whose numbers lie on both sides of the border of two chunks. */
async function putRandomRows(
  { sql, reopen }: ReturnType<Subject>,
  seed: number,
): Promise<{ readonly store: VerdictKeepingStore; readonly rows: readonly NumberedRow[] }> {
  const first = chunkSpan - rowsOfBorder / 2;
  await sql(`INSERT INTO entity (id, urn, type, present) VALUES (${first}, 'urn:li:tag:border', 'tag', 1)`);
  const store = await reopen();
  const urns = Array.from({ length: rowsOfBorder }, (_, index) =>
    index % 5 === 0 ? termUrn(`t${index}`) : datasetUrn(`d${index}`),
  );
  await write(
    store,
    urns.map((urn) => keyDraft(urn)),
  );
  const contents = fc.sample(rowContent, { seed, numRuns: rowsOfBorder });
  const rows = urns.flatMap((urn, index) => {
    const content = contents[index];
    return content === undefined ? [] : [{ ...content, urn, type: urnType(urn) }];
  });
  await put(store, ...rows);
  return { store, rows: await numbered(store, rows) };
}

async function numbered(
  store: VerdictKeepingStore,
  rows: readonly TestRow[],
): Promise<readonly NumberedRow[]> {
  const entities = await store.verdicts.numbersOf(rows.map(({ urn }) => urn));
  const dictionaries = new Map<ListColumn, ReadonlyMap<string, number>>();
  for (const column of listColumns) {
    const entries = await store.verdicts.dictionary(column);
    dictionaries.set(column, new Map(entries.map(({ id, text }) => [text, id])));
  }
  return rows.map((row) => {
    const values = listColumns.map((column) => [
      column,
      new Set(row.lists[column].map((text) => dictionaries.get(column)?.get(text) ?? Number.NaN)),
    ]);
    // Each column of the lists has its set.
    return {
      entity: entities.get(row.urn) ?? 0,
      row,
      values: Object.fromEntries(values) as NumberedRow['values'],
    };
  });
}

async function numbersByColumn(
  store: VerdictKeepingStore,
): Promise<Readonly<Record<ListColumn, readonly number[]>>> {
  const entries = await Promise.all(
    listColumns.map(async (column) => [
      column,
      (await store.verdicts.dictionary(column)).map(({ id }) => id),
    ]),
  );
  // Each column of the lists has its numbers.
  return Object.fromEntries(entries) as Record<ListColumn, readonly number[]>;
}

export function testRows(subject: Subject): void {
  test('a row is read back as it was put, is replaced as a whole, and is removed', async () => {
    const { store, reopen } = subject();
    await write(store, [keyDraft(orders), keyDraft(customers)]);
    const rich: TestRow = {
      ...emptyRow(orders, { removed: true }),
      lists: {
        ...emptyRow(orders).lists,
        tags: ['{"tag":"urn:li:tag:é\u{1F600}"}', '{"tag":"a, b"}', ''],
        terms: ['same text'],
        columnProfiles: ['same text', 'x'.repeat(20_000)],
      },
      numbers: { ...emptyRow(orders).numbers, columns: 1_500, editedTrimmedLength: 123_456_789 },
    };
    assert.equal(await store.verdicts.rowCount(), 0);
    await put(store, rich, emptyRow(customers));
    assert.equal(await store.verdicts.rowCount(), 2);
    for (const restarted of [false, true]) {
      const { verdicts } = restarted ? await reopen() : store;
      const rows = await verdicts.rows([orders, neverSeen, customers]);
      assert.deepEqual([...rows.keys()].toSorted(), [customers, orders].toSorted());
      assert.deepEqual(sorted(rows.get(orders)), sorted(rich));
      assert.deepEqual(rows.get(customers), emptyRow(customers));
      await verdicts.transact((transaction) => transaction.putRows([emptyRow(orders)]));
      assert.deepEqual((await verdicts.rows([orders])).get(orders), emptyRow(orders));
      await verdicts.transact((transaction) => transaction.removeRows([orders, neverSeen]));
      assert.equal((await verdicts.rows([orders])).size, 0);
      assert.equal(await verdicts.rowCount(), 1);
      await verdicts.transact((transaction) => transaction.putRows([rich]));
    }
  });

  test('each text of a column has one number for ever, and another in each column', async () => {
    const { store, reopen } = subject();
    await write(store, [keyDraft(orders), keyDraft(customers)]);
    const withTexts = (urn: Urn, tags: readonly string[], terms: readonly string[]): TestRow => ({
      ...emptyRow(urn),
      lists: { ...emptyRow(urn).lists, tags, terms },
    });
    await put(store, withTexts(orders, ['a', 'b'], ['a']), withTexts(customers, ['b'], []));
    const tags = await store.verdicts.dictionary('tags');
    assert.deepEqual(tags.map(({ text }) => text).toSorted(), ['a', 'b']);
    assert.equal(
      new Set([...tags, ...(await store.verdicts.dictionary('terms'))].map(({ id }) => id)).size,
      3,
    );
    assert.deepEqual(await store.verdicts.dictionary('owners'), []);
    const again = await reopen();
    await put(again, withTexts(orders, ['c', 'b'], []));
    const later = await again.verdicts.dictionary('tags');
    assert.deepEqual(
      later.filter(({ text }) => text !== 'c'),
      tags,
    );
    assert.equal(later.length, 3);
  });

  test('a row of an entity that the store has never heard of is refused, and nothing of its transaction stays', async () => {
    const { store } = subject();
    await write(store, [keyDraft(orders)]);
    await assert.rejects(put(store, emptyRow(orders), emptyRow(neverSeen)), {
      name: 'PostilError',
      code: 'ENTITY_NOT_FOUND',
    });
    assert.equal(await store.verdicts.rowCount(), 0);
  });

  test('texts that a rejected transaction brought get their numbers anew', async () => {
    const { store, reopen } = subject();
    await write(store, [keyDraft(orders), keyDraft(customers)]);
    const tagged = (urn: Urn, tag: string): TestRow => ({
      ...emptyRow(urn),
      lists: { ...emptyRow(urn).lists, tags: [tag] },
    });
    const refusal = new Error('refused');
    const rejected = store.verdicts.transact(async (transaction) => {
      await transaction.putRows([tagged(orders, 'first'), tagged(customers, 'second')]);
      throw refusal;
    });
    await assert.rejects(rejected, refusal);
    assert.deepEqual(await store.verdicts.dictionary('tags'), []);
    await put(store, tagged(orders, 'second'));
    await put(store, tagged(customers, 'first'));
    for (const restarted of [false, true]) {
      const rows = await (restarted ? await reopen() : store).verdicts.rows([orders, customers]);
      assert.deepEqual(rows.get(orders)?.lists.tags, ['second']);
      assert.deepEqual(rows.get(customers)?.lists.tags, ['first']);
    }
  });

  test('random questions are answered by scans and searches as their meaning says', async (t) => {
    const seed = Math.trunc(Math.random() * 2 ** 31);
    t.diagnostic(`seed ${seed}`);
    const { store, rows } = await putRandomRows(subject(), seed);
    const datasets = rows.filter(({ row }) => row.type === 'dataset');
    assert.deepEqual(new Set(datasets.map(({ entity }) => chunkOf(entity))), new Set([0, 1]));
    const predicate = predicatesAbout(await numbersByColumn(store));
    await fc.assert(
      fc.asyncProperty(
        fc.array(questionsAbout(predicate), { minLength: 1, maxLength: 20 }),
        fc.boolean(),
        fc.boolean(),
        async (drawn, unknown, isOfOneScope) => {
          const [{ scope } = unknownQuestion] = drawn;
          const questions = isOfOneScope ? drawn.map(({ rules }) => ({ scope, rules })) : drawn;
          await checkScan(store, datasets, questions);
          await checkFind(store, datasets, questions[0]?.scope ?? { kind: 'unknown' }, unknown);
        },
      ),
      { seed, numRuns: 60 },
    );
  });

  test('members of sets are counted by the values of their rows, however many or few they are', async (t) => {
    const seed = Math.trunc(Math.random() * 2 ** 31);
    t.diagnostic(`seed ${seed}`);
    const { store, rows } = await putRandomRows(subject(), seed);
    const entities = rows.map(({ entity }) => entity);
    const last = Math.max(...entities);
    await fc.assert(
      fc.asyncProperty(
        fc.subarray([...listColumns]),
        fc.array(fc.subarray(entities), { maxLength: 3 }),
        fc.boolean(),
        async (columns, chosen, isWide) => {
          // Entities without a row count for nothing, and there may be more of them than of all others.
          const strangers = isWide ? Array.from({ length: 2_000 }, (_, index) => last + 1 + index) : [];
          const sets = chosen.map((members) => new Set([...members, ...strangers]));
          const counted = await store.verdicts.countValues({ columns, chunks: byChunk(sets) });
          assert.deepEqual(
            counted.map(inOrder),
            columns.map((column) => inOrder(countedValues(rows, column, sets))),
          );
        },
      ),
      { seed, numRuns: 60 },
    );
    const nobody = await store.verdicts.countValues({ columns: ['tags'], chunks: new Map() });
    assert.deepEqual(nobody, [[]]);
  });

  test('hundreds of questions with thousands of values are one scan', async (t) => {
    const seed = Math.trunc(Math.random() * 2 ** 31);
    t.diagnostic(`seed ${seed}`);
    const { store, rows } = await putRandomRows(subject(), seed);
    const question = questionsAbout(predicatesAbout(await numbersByColumn(store)));
    const many = fc.sample(question, { seed, numRuns: 700 });
    const values = Array.from({ length: 9_000 }, (_, index) => index * 3);
    const wide = Array.from({ length: 1_500 }, (_, index): RowPredicate => ({
      kind: 'any',
      column: 'tags',
      values: values.slice(index, index + 12),
    }));
    await checkScan(
      store,
      rows.filter(({ row }) => row.type === 'glossaryTerm'),
      [
        ...many,
        {
          scope: { kind: 'any', column: 'terms', values },
          rules: [{ kind: 'only', column: 'tags', values }],
        },
        { scope: { kind: 'or', operands: wide }, rules: wide.slice(0, 300) },
      ],
      'glossaryTerm',
    );
    await checkScan(store, rows, [], 'glossaryTerm');
  });

  test('a share of a number is rounded up, whatever binary fractions say', async () => {
    const { store } = subject();
    await write(store, [keyDraft(orders)]);
    const shares = [
      { ratio: 0.28, whole: 25, needed: 7 },
      { ratio: 0.07, whole: 100, needed: 7 },
      { ratio: 0.3, whole: 10, needed: 3 },
      { ratio: 1 / 3, whole: 10, needed: 4 },
      { ratio: 0.5, whole: 0, needed: 0 },
    ];
    for (const { ratio, whole, needed } of shares) {
      for (const part of [needed - 1, needed].filter((number) => number >= 0)) {
        const row = emptyRow(orders);
        const numbers = { ...row.numbers, describedColumns: part, columns: whole };
        await put(store, { ...row, numbers });
        const where: RowPredicate = { kind: 'ratio', part: 'describedColumns', whole: 'columns', ratio };
        const found = await store.verdicts.find({ entityType: 'dataset', where, count: 1 });
        assert.equal(found.length, part === needed ? 1 : 0, `${part} of ${whole} is ${ratio}`);
      }
    }
  });

  test('a search goes on after an entity, stops at its count, and knows only its entity type', async () => {
    const { store } = subject();
    const urns = ['a', 'b', 'c', 'd'].map((name) => datasetUrn(name));
    await write(store, [...urns.map((urn) => keyDraft(urn)), keyDraft(termUrn('t'))]);
    await put(store, ...[...urns, termUrn('t')].map((urn) => emptyRow(urn)));
    const numbers = await store.verdicts.numbersOf(urns);
    const [a, b, c, d] = urns.map((urn) => numbers.get(urn) ?? 0);
    const find = (after: number | undefined, count: number): Promise<readonly number[]> =>
      store.verdicts.find({
        entityType: 'dataset',
        where: { kind: 'known', value: true },
        ...(after === undefined ? {} : { after }),
        count,
      });
    assert.deepEqual(await find(undefined, 100), [a, b, c, d]);
    assert.deepEqual(await find(undefined, 2), [a, b]);
    assert.deepEqual(await find(b, 100), [c, d]);
    assert.deepEqual(await find(d, 100), []);
  });

  test('a scan sees what was committed before it was asked, chunk by chunk, and nothing else', async () => {
    const { store } = subject();
    await write(store, [keyDraft(orders), keyDraft(customers)]);
    await put(store, emptyRow(orders));
    const everything: RowPredicate = { kind: 'known', value: true };
    const scan = await store.verdicts.prepareScan('dataset', [{ scope: everything, rules: [] }]);
    const seen = async (): Promise<number> =>
      [...offsetsIn((await scan.chunk(0))[0]?.passing ?? new Uint8Array())].length;
    assert.equal(await seen(), 1);
    await store.verdicts.transact(async (transaction) => {
      await transaction.putRows([emptyRow(customers)]);
      assert.equal(await seen(), 1);
    });
    assert.equal(await seen(), 2);
    assert.deepEqual(await store.verdicts.find({ entityType: 'dataset', where: everything, count: 1 }), [
      (await store.verdicts.numbersOf([orders])).get(orders),
    ]);
    await scan.close();
    await scan.close();
  });
}

/** Compares what a scan answers with what the questions mean, for both chunks. */
async function checkScan(
  store: VerdictKeepingStore,
  rows: readonly NumberedRow[],
  questions: readonly RowQuestion[],
  entityType = 'dataset',
): Promise<void> {
  const scan = await store.verdicts.prepareScan(entityType, questions);
  try {
    for (const chunk of [0, 1, 2]) {
      const answers = await scan.chunk(chunk);
      assert.equal(answers.length, questions.length);
      const ofChunk = rows.filter(({ entity }) => chunkOf(entity) === chunk);
      for (const [index, question] of questions.entries()) {
        const offsets = (verdict: Verdict): readonly number[] =>
          ofChunk.filter((row) => verdictOf(question, row) === verdict).map(({ entity }) => offsetOf(entity));
        const expected = {
          passing: offsets('passing'),
          failing: offsets('failing'),
          unknown: offsets('unknown'),
        };
        assert.deepEqual(offsetsOf(answers[index]), expected, JSON.stringify(question));
      }
    }
  } finally {
    await scan.close();
  }
}

async function checkFind(
  store: VerdictKeepingStore,
  rows: readonly NumberedRow[],
  where: RowPredicate,
  unknown: boolean,
): Promise<void> {
  const found = await store.verdicts.find({ entityType: 'dataset', where, unknown, count: 1_000 });
  const expected = rows.filter((row) => truthOf(where, row) === (unknown ? null : true));
  assert.deepEqual(
    found,
    expected.map(({ entity }) => entity),
  );
}

function offsetsOf(answer: ChunkAnswer | undefined): unknown {
  if (answer === undefined) return undefined;
  return {
    passing: [...offsetsIn(answer.passing)],
    failing: [...offsetsIn(answer.failing)],
    unknown: [...offsetsIn(answer.unknown)],
  };
}

function inOrder(counted: readonly ValueCount[]): readonly string[] {
  return counted.map(({ value, counts }) => JSON.stringify([value, counts])).toSorted();
}

/** The same sets, each cut into its chunks; of two chunks and one without anything. */
function byChunk(sets: readonly ReadonlySet<number>[]): ReadonlyMap<number, readonly ChunkSet[]> {
  return new Map(
    [0, 1, 2].map((chunk) => [
      chunk,
      sets.map((members) => {
        const set = emptyChunkSet();
        for (const entity of members) if (chunkOf(entity) === chunk) addOffset(set, offsetOf(entity));
        return set;
      }),
    ]),
  );
}
