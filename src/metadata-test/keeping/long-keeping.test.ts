import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../aspect/json.ts';
import type { Command } from '../../command/command.ts';
import { keyBodyOf } from '../../entity/entity-registry.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { parseUrn } from '../../urn/urn.ts';
import { emptyChunkSet } from '../../verdict/chunk-set.ts';
import { deleteTest } from '../delete-test.ts';
import { overlaidResults } from '../results-overlay.ts';
import { testInfoOf } from '../test-entity.ts';
import { createTestLibrary } from '../test-library.ts';
import { createBulkRun } from './bulk-run.ts';
import { openKeptCatalogue } from './kept-catalogue.fixture.ts';
import { createTestIndex } from './test-index.ts';
import { prunedTestRuns, readTestRuns, testRunRecord } from './test-state.ts';
import { copyOfVerdicts, emptyVerdicts, setVerdict } from './verdict-difference.ts';

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const definition = {
  on: { types: ['dataset'] },
  rules: [{ property: 'ownership.owners.owner', operator: 'exists' }],
};
const owned = { ownership: { owners: [{ owner: 'urn:li:corpuser:ana', type: 'DATAOWNER' }] } };

test('an evaluation of everything leaves verdicts alone that were decided while it went on', async () => {
  await using kept = await openKeptCatalogue();
  const { catalogue, clock, keeper, store } = kept;
  const { verdicts } = store;
  const [left, gone, other] = [
    await catalogue.seed(dataset('left')),
    await catalogue.seed(dataset('gone')),
    await catalogue.seed(dataset('other')),
  ];
  const urn = await kept.saveTest('t', definition);
  await keeper.settled();
  await keeper.stop();
  const numbers = await verdicts.numbersOf([left, gone, other]);
  const numberOf = (entity: typeof left): number => numbers.get(entity) ?? -1;
  const run = createBulkRun({
    kind: 'again',
    tests: createTestIndex(await createTestLibrary(store).all()).tests,
    startedAt: clock.now,
    startSequence: await store.lastSequence(),
    source: store,
    verdicts,
    largestNumber: await verdicts.largestNumber(),
    pace: () => undefined,
  });
  const outcome = await run.evaluate(clock.now, async () => undefined);
  const sets = copyOfVerdicts((await verdicts.verdictsIn(0, [urn])).get(urn) ?? emptyVerdicts());
  setVerdict(sets, numberOf(left), 'PASS');
  setVerdict(sets, numberOf(gone), 'NONE');
  setVerdict(sets, numberOf(other), 'PASS');
  await verdicts.transact((transaction) => transaction.putVerdicts(urn, 0, sets));
  run.touch(urn, numberOf(left));
  run.gone(numberOf(gone));
  const { differences } = await run.differences(outcome, { sequence: 0, isCurrent: () => true });
  await run.close();
  assert.equal(differences.length, 1);
  const [difference] = differences;
  assert.equal(difference?.transitions, 1, 'only what nobody decided meanwhile is different');
  const failing = emptyChunkSet();
  setVerdict({ ...emptyVerdicts(), failing }, numberOf(other), 'FAIL');
  assert.deepEqual(difference?.verdicts.failing, failing);
});

test('a test that is deleted and made again starts its history from nothing', async () => {
  await using kept = await openKeptCatalogue();
  const { catalogue, clock, keeper, store } = kept;
  await catalogue.seed(dataset('a'), owned);
  await catalogue.seed(dataset('b'));
  const urn = await kept.saveTest('t', definition);
  await keeper.settled();
  const first = clock.now;
  clock.now += 1_000;
  await catalogue.execute(deleteTest, { urn }, catalogue.admin);
  await keeper.settled();
  assert.deepEqual(await store.verdicts.countsAt(urn, clock.now), { passing: 0, failing: 0, exempt: 0 });
  clock.now += 1_000;
  await kept.saveTest('t', definition);
  await keeper.settled();
  assert.deepEqual(await store.verdicts.countsAt(urn, clock.now), { passing: 1, failing: 1, exempt: 0 });
  assert.deepEqual(await store.verdicts.countsAt(urn, first), { passing: 1, failing: 1, exempt: 0 });
});

test('of the runs of a test the newest 400 are kept', async () => {
  await using kept = await openKeptCatalogue({ isStarted: false });
  const { store } = kept;
  const urn = await kept.saveTest('t', definition);
  const run = { completedAt: 1, status: 'COMPLETE', kind: 'again', changed: 0 } as const;
  const counts = { passing: 0, failing: 0, exempt: 0, undecided: 0 };
  const runs = Array.from({ length: 460 }, (_, startedAt) => ({ ...run, ...counts, startedAt }));
  await store.verdicts.transact(async (transaction) => {
    await transaction.putRecords(runs.map((each) => testRunRecord(urn, each)));
  });
  await store.verdicts.transact(async (transaction) => {
    await transaction.putRecords(await prunedTestRuns(transaction, urn));
  });
  const left = await readTestRuns(store.verdicts, urn, { count: 1_000 });
  assert.deepEqual([left.length, left[0]?.startedAt, left.at(-1)?.startedAt], [400, 459, 60]);
  await store.verdicts.transact(async (transaction) => {
    await transaction.putRecords(runs.map((each) => testRunRecord(urn, each)));
  });
  kept.keeper.start();
  await kept.keeper.settled();
  assert.equal((await readTestRuns(store.verdicts, urn, { count: 1_000 })).length, 400);
});

const makeDatasets: Command<readonly string[], undefined> = {
  name: 'makeDatasets',
  demands: () => [],
  async decide(_view, urns) {
    const writes = urns.map(parseUrn).map((urn) => ({ urn, aspect: 'datasetKey', body: keyBodyOf(urn) }));
    return { writes, result: undefined };
  },
};

test('how far rows are is told of all that there are to be', async () => {
  await using kept = await openKeptCatalogue({ isStarted: false });
  const { catalogue, keeper } = kept;
  const urns = Array.from({ length: 8_300 }, (_, index) => dataset(`d${index}`));
  for (let start = 0; start < urns.length; start += 1_000) {
    await catalogue.execute(makeDatasets, urns.slice(start, start + 1_000), catalogue.admin);
  }
  const seen = new Set<string>();
  keeper.start();
  const done = keeper.ensureRows();
  let isDone = false;
  void done.then(() => {
    isDone = true;
  });
  while (!isDone) {
    const { rowsBuilt } = keeper.status();
    if (rowsBuilt !== undefined) seen.add(`${rowsBuilt.done} of ${rowsBuilt.of}`);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  assert.ok(seen.has('0 of 2'), [...seen].join());
  assert.equal(await kept.store.verdicts.rowCount(), urns.length);
});

test('an evaluation that was asked for is made, although something went wrong', async () => {
  let failures = 0;
  await using kept = await openKeptCatalogue({
    transitionHandlers: [
      async () => {
        failures -= 1;
        if (failures >= 0) throw new PostilError('STORAGE_UNREACHABLE', 'Not now');
      },
    ],
  });
  const { catalogue, keeper, store } = kept;
  await catalogue.seed(dataset('a'), owned);
  const urn = await kept.saveTest('t', definition);
  await keeper.settled();
  await store.verdicts.transact((transaction) => transaction.removeVerdicts(urn));
  failures = 1;
  await keeper.reevaluate(urn);
  assert.equal(kept.reports.length, 1);
  assert.equal(await kept.verdict(urn, dataset('a')), 'PASS');
});

test('verdicts are kept although what should follow from them always fails', async () => {
  let isBroken = true;
  const heard: number[] = [];
  await using kept = await openKeptCatalogue({
    transitionHandlers: [
      async (_transaction, changes) => {
        if (isBroken) throw new TypeError('A mistake in the handler');
        heard.push(changes.length);
      },
    ],
  });
  const { catalogue, keeper } = kept;
  await catalogue.seed(dataset('a'));
  const urn = await kept.saveTest('t', definition);
  await keeper.settled();
  assert.equal(await kept.verdict(urn, dataset('a')), 'FAIL');
  await catalogue.seed(dataset('a'), owned);
  await keeper.settled();
  assert.equal(await kept.verdict(urn, dataset('a')), 'PASS');
  const left = kept.reports.filter((report) => report.startsWith('Changes of verdicts were stored without'));
  assert.equal(left.length, 2);
  isBroken = false;
  await catalogue.seed(dataset('b'));
  await keeper.settled();
  assert.deepEqual(heard, [1]);
});

test('a test that cannot be read any more keeps its verdicts, which are told to be old', async () => {
  await using kept = await openKeptCatalogue();
  const { catalogue, clock, keeper, store } = kept;
  const a = await catalogue.seed(dataset('a'), owned);
  await catalogue.seed(dataset('b'));
  const urn = await kept.saveTest('t', definition);
  await keeper.settled();
  const unreadable = { name: 't', category: 'c', definition: { type: 'JSON', json: '{"on": 1}' } };
  clock.now += 1;
  await catalogue.seed(urn, { testInfo: unreadable });
  await keeper.settled();
  assert.equal(await kept.verdict(urn, dataset('a')), 'PASS?');
  assert.equal(await kept.verdict(urn, dataset('b')), 'FAIL?');
  const sources = { library: createTestLibrary(store), verdicts: store.verdicts };
  const shown = (await overlaidResults(sources, new Map([[a, undefined]]), clock.now)).get(a);
  assert.deepEqual(
    (shown?.body['passing'] as JsonObject[] | undefined)?.map(({ test: of }) => of),
    [urn],
  );
  await kept.restart();
  await catalogue.execute(makeDatasets, [dataset('c')], catalogue.admin);
  await catalogue.execute(hardDelete, dataset('b'), catalogue.admin);
  await kept.keeper.settled();
  assert.equal(await kept.verdict(urn, dataset('b')), 'NONE', 'what is gone is gone');
  assert.equal(await kept.verdict(urn, dataset('a')), 'PASS?');
  clock.now += 1;
  await kept.saveTest('t', definition);
  await kept.keeper.settled();
  assert.equal(await kept.verdict(urn, dataset('a')), 'PASS');
  assert.equal(await kept.verdict(urn, dataset('c')), 'FAIL');
  assert.deepEqual(await kept.keeper.fullPass(), { tests: 1, differences: 0 });
  assert.deepEqual(kept.reports, []);
});

const hardDelete: Command<string, undefined> = {
  name: 'hardDelete',
  demands: () => [],
  decide: async (_view, urn) => ({
    writes: [{ urn: parseUrn(urn), aspect: 'datasetKey', body: undefined }],
    result: undefined,
  }),
};

const deleteAndSave: Command<
  { readonly dataset: string; readonly test: string; readonly info: JsonObject },
  undefined
> = {
  name: 'deleteAndSave',
  demands: () => [],
  decide: async (_view, { dataset: urn, test: saved, info }) => ({
    writes: [
      { urn: parseUrn(saved), aspect: 'testInfo', body: info },
      { urn: parseUrn(urn), aspect: 'datasetKey', body: undefined },
    ],
    result: undefined,
  }),
};

test('what becomes of a test, and of an entity of it in the same moment, adds up', async () => {
  await using kept = await openKeptCatalogue();
  const { catalogue, keeper } = kept;
  await catalogue.seed(dataset('stays'));
  const infos: readonly (readonly [JsonObject, string])[] = [
    [
      {
        ...testInfoOf({ name: 't', category: 'c', definition: { json: JSON.stringify(definition) } }, 0),
        status: { mode: 'INACTIVE' },
      },
      'NONE',
    ],
    [{ name: 't', category: 'c', definition: { type: 'JSON', json: '{"on": 1}' } }, 'FAIL?'],
  ];
  for (const [index, [info, expected]] of infos.entries()) {
    await catalogue.seed(dataset('goes'));
    const urn = await kept.saveTest(`t${index}`, definition);
    await keeper.settled();
    assert.equal(await kept.verdict(urn, dataset('stays')), 'FAIL');
    await catalogue.execute(deleteAndSave, { dataset: dataset('goes'), test: urn, info }, catalogue.admin);
    await keeper.settled();
    assert.equal(await kept.verdict(urn, dataset('stays')), expected);
    assert.equal(await kept.verdict(urn, dataset('goes')), 'NONE');
  }
});
