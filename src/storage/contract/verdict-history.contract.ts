import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseUrn, type Urn } from '../../urn/urn.ts';
import { addOffset, chunkSpan, emptyChunkSet, offsetsIn, type ChunkSet } from '../../verdict/chunk-set.ts';
import type {
  ChunkVerdicts,
  VerdictChange,
  VerdictKeepingStore,
  VerdictReader,
  VerdictTransaction,
} from '../../verdict/verdict-store.ts';
import { datasetUrn, keyDraft, termUrn, write } from './change-batch.ts';
import type { Subject } from './opened-store.ts';
import { emptyRow } from './random-rows.ts';

const orders = datasetUrn('shop.orders');
const customers = datasetUrn('shop.customers');
const owned = parseUrn('urn:li:test:owned');
const described = parseUrn('urn:li:test:described');
const neverRun = parseUrn('urn:li:test:never-run');
const noCounts = { passing: 0, failing: 0, exempt: 0, undecided: 0 };

function setOf(...offsets: readonly number[]): ChunkSet {
  const set = emptyChunkSet();
  for (const offset of offsets) addOffset(set, offset);
  return set;
}

function verdictsOf(verdicts: Partial<ChunkVerdicts>): ChunkVerdicts {
  const none = emptyChunkSet();
  return { passing: none, failing: none, exempt: none, undecided: none, ...verdicts };
}

/** Lists of offsets, which are easier to compare and to read than bitmaps. */
function shown(verdicts: ChunkVerdicts | undefined): unknown {
  if (verdicts === undefined) return undefined;
  return [verdicts.passing, verdicts.failing, verdicts.exempt, verdicts.undecided].map((set) => [
    ...offsetsIn(set),
  ]);
}

function changeOf(change: Partial<VerdictChange>): VerdictChange {
  const none = emptyChunkSet();
  return {
    test: owned,
    chunk: 0,
    time: 1_700_000_000_000,
    sequence: 1,
    definitionMd5: 'd41d8cd98f00b204e9800998ecf8427e',
    toPassing: none,
    toFailing: none,
    toExempt: none,
    toNone: none,
    deltas: { passing: 0, failing: 0, exempt: 0 },
    ...change,
  };
}

async function change<T>(
  store: VerdictKeepingStore,
  work: (transaction: VerdictTransaction) => Promise<T>,
): Promise<T> {
  return store.verdicts.transact(work);
}

export function testVerdictHistory(subject: Subject): void {
  test('entities have numbers that stay, and chunks say which of them exist', async () => {
    const { store, reopen } = subject();
    assert.equal(await store.verdicts.largestNumber(), 0);
    await write(store, [keyDraft(orders), keyDraft(customers), keyDraft(termUrn('pii'))]);
    await write(store, [{ ...keyDraft(customers), existence: 'ends' }]);
    const numbers = await store.verdicts.numbersOf([orders, customers, owned]);
    assert.deepEqual([...numbers.keys()].toSorted(), [customers, orders].toSorted());
    assert.deepEqual(
      await store.verdicts.urnsOf([...numbers.values(), 1_000_000]),
      new Map([...numbers].map(([urn, number]) => [number, urn])),
    );
    const again = await reopen();
    assert.deepEqual(await again.verdicts.numbersOf([orders, customers]), numbers);
    const present = await again.verdicts.entitiesIn(0, 'dataset');
    assert.deepEqual([...offsetsIn(present)], [numbers.get(orders)]);
    assert.deepEqual([...offsetsIn(await again.verdicts.entitiesIn(1, 'dataset'))], []);
    assert.ok((await again.verdicts.largestNumber()) >= 3);
  });

  test('verdicts are kept for each test and chunk, with their counts', async () => {
    const { store, reopen } = subject();
    const many = setOf(...Array.from({ length: 3_000 }, (_, index) => index * 2));
    const first = verdictsOf({
      passing: many,
      failing: setOf(1, 8_191),
      exempt: setOf(3),
      undecided: setOf(0, 1),
    });
    const second = verdictsOf({ failing: setOf(5) });
    await change(store, async (transaction) => {
      await transaction.putVerdicts(owned, 0, first);
      await transaction.putVerdicts(owned, 121, second);
      await transaction.putVerdicts(owned, 7, second);
      await transaction.putVerdicts(described, 0, second);
    });
    for (const restarted of [false, true]) {
      const { verdicts } = restarted ? await reopen() : store;
      const ofChunk = await verdicts.verdictsIn(0);
      assert.deepEqual(new Set(ofChunk.keys()), new Set([owned, described]));
      assert.deepEqual(shown(ofChunk.get(owned)), shown(first));
      assert.deepEqual(shown(ofChunk.get(described)), shown(second));
      assert.deepEqual([...(await verdicts.verdictsIn(0, [described, neverRun])).keys()], [described]);
      assert.equal((await verdicts.verdictsIn(0, [])).size, 0);
      assert.equal((await verdicts.verdictsIn(1)).size, 0);
      assert.deepEqual(await verdicts.chunksOf(owned), [0, 7, 121]);
      assert.deepEqual(await verdicts.counts(owned), { passing: 3_000, failing: 4, exempt: 1, undecided: 2 });
      assert.deepEqual(await verdicts.counts(described), { ...noCounts, failing: 1 });
      assert.deepEqual(await verdicts.counts(neverRun), noCounts);
      assert.deepEqual(await verdicts.chunksOf(neverRun), []);
    }
  });

  test('verdicts are replaced as a whole, four empty sets remove them, and so does the end of the test', async () => {
    const { store } = subject();
    const { verdicts } = store;
    await change(store, async (transaction) => {
      await transaction.putVerdicts(owned, 0, verdictsOf({ passing: setOf(1, 2), undecided: setOf(2) }));
      await transaction.putVerdicts(owned, 1, verdictsOf({ passing: setOf(3) }));
      await transaction.putVerdicts(described, 1, verdictsOf({ exempt: setOf(3) }));
      await transaction.appendChanges([changeOf({ toPassing: setOf(1, 2) })]);
    });
    await change(store, (transaction) =>
      transaction.putVerdicts(owned, 0, verdictsOf({ failing: setOf(1) })),
    );
    assert.deepEqual(await verdicts.counts(owned), { ...noCounts, passing: 1, failing: 1 });
    await change(store, (transaction) => transaction.putVerdicts(owned, 0, verdictsOf({})));
    assert.deepEqual(await verdicts.chunksOf(owned), [1]);
    assert.equal((await verdicts.verdictsIn(0)).size, 0);
    await change(store, async (transaction) => {
      await transaction.removeVerdicts(owned);
      await transaction.removeVerdicts(neverRun);
    });
    assert.deepEqual(await verdicts.counts(owned), noCounts);
    assert.deepEqual(await verdicts.counts(described), { ...noCounts, exempt: 1 });
    const history = await verdicts.verdictChanges({ test: owned, newestFirst: true, count: 10 });
    assert.equal(history.length, 1);
  });

  test('a set that was read belongs to the reader', async () => {
    const { store } = subject();
    await change(store, (transaction) =>
      transaction.putVerdicts(owned, 0, verdictsOf({ passing: setOf(1) })),
    );
    const read = (await store.verdicts.verdictsIn(0)).get(owned);
    if (read !== undefined) addOffset(read.passing, 9);
    const again = (await store.verdicts.verdictsIn(0)).get(owned);
    assert.deepEqual(shown(again), [[1], [], [], []]);
  });

  test('a change of verdicts is read back as it was appended', async () => {
    const { store, reopen } = subject();
    const appended = changeOf({
      chunk: 121,
      sequence: 987_654_321,
      definitionMd5: '900150983cd24fb0d6963f7d28e17f72',
      toPassing: setOf(...Array.from({ length: chunkSpan }, (_, offset) => offset)),
      toFailing: setOf(0, 4_095, 8_191),
      toExempt: setOf(7),
      toNone: setOf(256, 257),
      deltas: { passing: 8_000, failing: -3, exempt: 1 },
    });
    await change(store, (transaction) => transaction.appendChanges([appended]));
    const query = { test: owned, newestFirst: true, count: 1 };
    const [read] = await (await reopen()).verdicts.verdictChanges(query);
    assert.ok(read !== undefined);
    const { id, ...rest } = read;
    assert.ok(id > 0);
    assert.deepEqual(rest, appended);
  });

  test('the history is read by test, chunk, time and place, in both directions, and sums up to the counts of any time', async (t) => {
    const { store } = subject();
    const seed = Math.trunc(Math.random() * 2 ** 31);
    t.diagnostic(`seed ${seed}`);
    const appended = Array.from({ length: 60 }, (_, index) =>
      changeOf({
        test: index % 3 === 0 ? described : owned,
        chunk: index % 4,
        time: 1_000 + 10 * Math.floor(index / 5),
        sequence: index,
        toPassing: setOf(index),
        deltas: { passing: index, failing: -index, exempt: index % 2 },
      }),
    );
    for (let from = 0; from < 60; from += 20) {
      await change(store, (transaction) => transaction.appendChanges(appended.slice(from, from + 20)));
    }
    const ids = await idsBySequence(store.verdicts, [owned, described]);
    const idOf = ({ sequence }: VerdictChange): number => ids.get(sequence) ?? Number.NaN;
    const knownIds = [...ids.values()];
    assert.deepEqual(knownIds.toSorted(ascending), appended.map(idOf));
    const optional = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
      fc.option(values, { nil: undefined });
    const time = fc.oneof(
      fc.integer({ min: 995, max: 1_130 }),
      fc.constantFrom(...appended.map((one) => one.time)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(owned, described, neverRun),
        fc.record({
          chunk: optional(fc.nat(4)),
          fromTime: optional(time),
          toTime: optional(time),
          before: optional(fc.constantFrom(...knownIds)),
          after: optional(fc.constantFrom(...knownIds)),
        }),
        fc.boolean(),
        fc.constantFrom(0, 1, 5, 100),
        async (urn, bounds, newestFirst, count) => {
          const given = Object.fromEntries(Object.entries(bounds).filter(([, value]) => value !== undefined));
          const read = await store.verdicts.verdictChanges({ test: urn, ...given, newestFirst, count });
          const expected = appended.filter(
            (one) =>
              one.test === urn &&
              (bounds.chunk ?? one.chunk) === one.chunk &&
              (bounds.fromTime ?? one.time) <= one.time &&
              (bounds.toTime ?? one.time) >= one.time &&
              (bounds.before ?? Infinity) > idOf(one) &&
              (bounds.after ?? -Infinity) < idOf(one),
          );
          assert.deepEqual(
            read.map(({ sequence }) => sequence),
            (newestFirst ? expected.toReversed() : expected).slice(0, count).map(({ sequence }) => sequence),
          );
        },
      ),
      { seed, numRuns: 150 },
    );
    for (const moment of [0, 999, 1_000, 1_009, 1_010, 1_055, 5_000]) {
      const until = appended.filter((one) => one.test === owned && one.time <= moment);
      const sum = (of: (deltas: VerdictChange['deltas']) => number): number =>
        until.reduce((total, { deltas }) => total + of(deltas), 0);
      assert.deepEqual(await store.verdicts.countsAt(owned, moment), {
        passing: sum(({ passing }) => passing),
        // Not minus zero.
        failing: sum(({ failing }) => failing) + 0,
        exempt: sum(({ exempt }) => exempt),
      });
    }
    assert.deepEqual(await store.verdicts.countsAt(neverRun, 5_000), { passing: 0, failing: 0, exempt: 0 });
  });

  test('records are found by kind and key, in the order of the bytes of their keys', async () => {
    const { store, reopen } = subject();
    // UTF-16 would put the emoji before the full-width letter.
    const keys = ['', 'B', 'Z', 'a', 'a/1', 'a/10', 'a/2', 'é', 'ｆ', '\u{1F600}', '\u{1F600}x'];
    const records = keys.map((key) => ({ kind: 'cursor', key, text: `{"of":"${key}"}` }));
    await change(store, (transaction) =>
      transaction.putRecords([...records.toReversed(), { kind: 'other', key: 'a', text: '1' }]),
    );
    await change(store, (transaction) =>
      transaction.putRecords([
        { kind: 'other', key: 'b', text: '2' },
        { kind: 'other', key: 'a', text: undefined },
        { kind: 'other', key: 'never', text: undefined },
        { kind: 'other', key: 'b', text: '"replaced"' },
      ]),
    );
    const { verdicts } = await reopen();
    assert.equal(await verdicts.record('cursor', 'é'), '{"of":"é"}');
    assert.equal(await verdicts.record('cursor', 'e'), undefined);
    assert.equal(await verdicts.record('other', 'a'), undefined);
    assert.equal(await verdicts.record('other', 'b'), '"replaced"');
    const all = await verdicts.records({ kind: 'cursor', count: 100 });
    assert.deepEqual(
      all,
      records.map(({ key, text }) => ({ key, text })),
    );
    const read = async (query: Omit<Parameters<VerdictReader['records']>[0], 'kind'>): Promise<unknown> =>
      (await verdicts.records({ kind: 'cursor', ...query })).map(({ key }) => key);
    assert.deepEqual(await read({ count: 2 }), ['', 'B']);
    assert.deepEqual(await read({ count: 2, descending: true }), ['\u{1F600}x', '\u{1F600}']);
    assert.deepEqual(await read({ from: 'a/', to: 'a0', count: 100 }), ['a/1', 'a/10', 'a/2']);
    assert.deepEqual(await read({ from: 'a/1', to: 'a/2', count: 1, descending: true }), ['a/10']);
    assert.deepEqual(await read({ from: 'é', count: 100 }), ['é', 'ｆ', '\u{1F600}', '\u{1F600}x']);
    assert.deepEqual(await read({ to: '\u{1F600}', descending: true, count: 2 }), ['ｆ', 'é']);
    assert.deepEqual(await verdicts.records({ kind: 'none', count: 10 }), []);
  });

  test('a transaction of verdicts sees its own writes, and nobody else does before the commit', async () => {
    const { store } = subject();
    await write(store, [keyDraft(orders)]);
    const lookUp = async (reader: VerdictReader): Promise<unknown> => ({
      known: (await reader.numbersOf([owned])).size,
      counts: await reader.counts(owned),
      chunk: shown((await reader.verdictsIn(0)).get(owned)),
      chunks: await reader.chunksOf(owned),
      changes: (await reader.verdictChanges({ test: owned, newestFirst: false, count: 9 })).length,
      countsAt: await reader.countsAt(owned, Number.MAX_SAFE_INTEGER),
      record: await reader.record('kind', 'key'),
      records: (await reader.records({ kind: 'kind', count: 9 })).length,
    });
    const before = await lookUp(store.verdicts);
    const after = {
      known: 1,
      counts: { ...noCounts, passing: 1 },
      chunk: [[1], [], [], []],
      chunks: [0],
      changes: 1,
      countsAt: { passing: 1, failing: 0, exempt: 0 },
      record: '{}',
      records: 1,
    };
    const putAll = async (transaction: VerdictTransaction): Promise<void> => {
      await transaction.putVerdicts(owned, 0, verdictsOf({ passing: setOf(1) }));
      await transaction.appendChanges([
        changeOf({ toPassing: setOf(1), deltas: { passing: 1, failing: 0, exempt: 0 } }),
      ]);
      await transaction.putRecords([{ kind: 'kind', key: 'key', text: '{}' }]);
      await transaction.putRows([emptyRow(orders)]);
      assert.deepEqual(await lookUp(transaction), after);
      assert.deepEqual(await lookUp(store.verdicts), before);
      assert.equal(await store.verdicts.rowCount(), 0);
    };
    const refusal = new Error('refused');
    for (const _ of [1, 2]) {
      const rejected = change(store, async (transaction) => {
        await putAll(transaction);
        throw refusal;
      });
      await assert.rejects(rejected, refusal);
      assert.deepEqual(await lookUp(store.verdicts), before);
      assert.equal(await store.verdicts.rowCount(), 0);
    }
    // Ids of entities that were given in what was rolled back are given anew.
    await write(store, [keyDraft(customers)]);
    assert.equal(await change(store, async (transaction) => (await putAll(transaction), 42)), 42);
    assert.deepEqual(await lookUp(store.verdicts), after);
    const numbers = await store.verdicts.numbersOf([orders, customers, owned]);
    assert.equal(new Set(numbers.values()).size, 3);
    assert.equal((await store.statistics()).entities, 2);
    assert.deepEqual(await store.integrityProblems(), []);
  });

  test('transactions of verdicts and of aspects run one after another', async () => {
    const { store } = subject();
    let running = 0;
    const alone = async (): Promise<void> => {
      running += 1;
      assert.equal(running, 1);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? store.transact(alone) : store.verdicts.transact(alone),
      ),
    );
  });

  test('after closing, every question about verdicts is refused', async () => {
    const { store } = subject();
    const question = { scope: { kind: 'removed' }, rules: [] } as const;
    const scan = await store.verdicts.prepareScan('dataset', [question]);
    await store.close();
    const closed = { name: 'PostilError', code: 'STORAGE_FAILED' };
    const { verdicts } = store;
    await assert.rejects(
      change(store, async () => undefined),
      closed,
    );
    await assert.rejects(verdicts.counts(owned), closed);
    await assert.rejects(verdicts.dictionary('tags'), closed);
    await assert.rejects(verdicts.prepareScan('dataset', [question]), closed);
    await assert.rejects(scan.chunk(0), closed);
    await assert.rejects(verdicts.find({ entityType: 'dataset', where: question.scope, count: 1 }), closed);
    await assert.rejects(
      verdicts.countValues({ columns: ['tags'], chunks: new Map([[0, [emptyChunkSet().fill(1)]]]) }),
      closed,
    );
    await scan.close();
  });
}

async function idsBySequence(
  reader: VerdictReader,
  tests: readonly Urn[],
): Promise<ReadonlyMap<number, number>> {
  const ids = new Map<number, number>();
  for (const urn of tests) {
    const changes = await reader.verdictChanges({ test: urn, newestFirst: false, count: 1_000 });
    for (const { sequence, id } of changes) ids.set(sequence, id);
  }
  return ids;
}

function ascending(left: number, right: number): number {
  return left - right;
}
