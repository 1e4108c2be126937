import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../command/command.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { parseUrn, type Urn } from '../../urn/urn.ts';
import { sizeOfSet } from '../../verdict/chunk-set.ts';
import type { VerdictKeepingStore } from '../../verdict/verdict-store.ts';
import { deleteTest } from '../delete-test.ts';
import { testInfoOf } from '../test-entity.ts';
import { openKeptCatalogue } from './kept-catalogue.fixture.ts';
import { readTestRuns, readTestState } from './test-state.ts';

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const hasTag = { property: 'globalTags.tags.tag', operator: 'equals', values: ['urn:li:tag:Tier1'] };
const hasOwner = { property: 'ownership.owners.owner', operator: 'exists' };
const tags = (...names: string[]): { tags: { tag: string }[] } => ({
  tags: names.map((name) => ({ tag: `urn:li:tag:${name}` })),
});
const owners = (...names: string[]): { owners: { owner: string; type: string }[] } => ({
  owners: names.map((name) => ({ owner: `urn:li:corpuser:${name}`, type: 'DATAOWNER' })),
});

test('a saved test has its verdicts, and they follow what is written', async () => {
  await using kept = await openKeptCatalogue();
  const { catalogue, keeper } = kept;
  await catalogue.seed(dataset('a'), { globalTags: tags('Tier1') });
  await catalogue.seed(dataset('b'), { globalTags: tags('Tier1'), ownership: owners('ana') });
  await kept.saveTest('t', { on: { types: ['dataset'], conditions: [hasTag] }, rules: [hasOwner] });
  await keeper.settled();
  assert.deepEqual(kept.reports, []);
  assert.equal(await kept.verdict('urn:li:test:t', dataset('a')), 'FAIL');
  assert.equal(await kept.verdict('urn:li:test:t', dataset('b')), 'PASS');
  await catalogue.seed(dataset('a'), { ownership: owners('ana') });
  await catalogue.seed(dataset('b'), { globalTags: tags('Other') });
  await catalogue.seed(dataset('c'), { globalTags: tags('Tier1') });
  await keeper.settled();
  assert.equal(await kept.verdict('urn:li:test:t', dataset('a')), 'PASS');
  assert.equal(await kept.verdict('urn:li:test:t', dataset('b')), 'NONE');
  assert.equal(await kept.verdict('urn:li:test:t', dataset('c')), 'FAIL');
  assert.deepEqual(kept.reports, []);
});

/** Everything that a store keeps for tests, as one text. */
async function everythingKept({ verdicts }: VerdictKeepingStore, tests: readonly Urn[]): Promise<string> {
  const kept: unknown[] = [];
  for (const test of tests) {
    kept.push(await readTestState(verdicts, test), await readTestRuns(verdicts, test, { count: 100 }));
    kept.push(await verdicts.verdictChanges({ test, newestFirst: false, count: 1_000 }));
  }
  return JSON.stringify(kept);
}

test('a full pass over an unchanged catalogue writes nothing but that it was there', async () => {
  await using kept = await openKeptCatalogue();
  const { catalogue, clock, keeper, store } = kept;
  for (let count = 0; count < 20; count += 1) {
    await catalogue.seed(dataset(`d${count}`), count % 2 === 0 ? { globalTags: tags('Tier1') } : {});
  }
  const urn = await kept.saveTest('t', {
    on: { types: ['dataset'] },
    rules: [hasTag, { property: '__lastSynchronized', operator: 'newer_than', values: ['P1D'] }],
  });
  await keeper.settled();
  const changes = await store.verdicts.verdictChanges({ test: urn, newestFirst: false, count: 1_000 });
  const state = await readTestState(store.verdicts, urn);
  const wakes = await store.verdicts.records({ kind: 'wake', count: 1_000 });
  assert.equal(wakes.length, 10, 'whoever fails in any case need not be asked again');
  clock.now += 1_000;
  assert.deepEqual(await keeper.fullPass(), { tests: 1, differences: 0 });
  assert.deepEqual(
    await store.verdicts.verdictChanges({ test: urn, newestFirst: false, count: 1_000 }),
    changes,
  );
  assert.deepEqual(await store.verdicts.records({ kind: 'wake', count: 1_000 }), wakes);
  assert.deepEqual(await readTestState(store.verdicts, urn), { ...state, confirmedAt: clock.now });
  const [run, first] = await readTestRuns(store.verdicts, urn, { count: 10 });
  assert.deepEqual(
    [run?.kind, run?.status, run?.changed, run?.passing, run?.failing],
    ['full-pass', 'COMPLETE', 0, 10, 10],
  );
  assert.deepEqual([first?.kind, first?.changed], ['revision', 20]);
});

test('a full pass repairs what is not as it should be, and says how much that was', async () => {
  await using kept = await openKeptCatalogue();
  const { catalogue, keeper, store } = kept;
  await catalogue.seed(dataset('a'), { globalTags: tags('Tier1') });
  const urn = await kept.saveTest('t', { on: { types: ['dataset'] }, rules: [hasTag] });
  await keeper.settled();
  await store.verdicts.transact((transaction) => transaction.removeVerdicts(urn));
  assert.equal(await kept.verdict(urn, dataset('a')), 'NONE');
  assert.deepEqual(await keeper.fullPass(), { tests: 1, differences: 1 });
  assert.equal(await kept.verdict(urn, dataset('a')), 'PASS');
  assert.equal(kept.reports.length, 1);
});

test('a definition that means the same is no new revision, and one that means something else is', async () => {
  await using kept = await openKeptCatalogue();
  const { clock, keeper, store } = kept;
  const definition = { on: { types: ['dataset'] }, rules: [hasTag] };
  const urn = await kept.saveTest('t', definition);
  await keeper.settled();
  const first = await readTestState(store.verdicts, urn);
  await kept.saveTest('t', { rules: { and: [hasTag] }, on: { types: ['dataset'], conditions: [] } });
  await keeper.settled();
  const second = await readTestState(store.verdicts, urn);
  assert.notEqual(second?.definitionMd5, first?.definitionMd5);
  assert.deepEqual({ ...second, definitionMd5: '' }, { ...first, definitionMd5: '' });
  clock.now += 1;
  await kept.saveTest('t', { ...definition, rules: [hasOwner] });
  await keeper.settled();
  assert.equal((await readTestState(store.verdicts, urn))?.revision, 2);
  assert.equal((await readTestRuns(store.verdicts, urn, { count: 10 })).length, 2);
});

test('an inactive test has no verdicts, and a deleted one leaves nothing behind but its history', async () => {
  await using kept = await openKeptCatalogue();
  const { catalogue, keeper, store } = kept;
  await catalogue.seed(dataset('a'), { globalTags: tags('Tier1') });
  const definition = {
    on: { types: ['dataset'] },
    rules: [{ property: '__lastSynchronized', operator: 'newer_than', values: ['P1D'] }],
  };
  const urn = await kept.saveTest('t', definition);
  await keeper.settled();
  assert.equal(await kept.verdict(urn, dataset('a')), 'PASS');
  await kept.saveTest('t', definition, { status: { mode: 'INACTIVE' } });
  await keeper.settled();
  assert.equal(await kept.verdict(urn, dataset('a')), 'NONE');
  assert.deepEqual(await store.verdicts.countsAt(urn, kept.clock.now), { passing: 0, failing: 0, exempt: 0 });
  await kept.saveTest('t', definition);
  await keeper.settled();
  assert.equal(await kept.verdict(urn, dataset('a')), 'PASS');
  await catalogue.execute(deleteTest, { urn }, catalogue.admin);
  await keeper.settled();
  assert.deepEqual(await store.verdicts.chunksOf(urn), []);
  assert.equal(await readTestState(store.verdicts, urn), undefined);
  for (const kind of ['wake', 'wake-of', 'test-run']) {
    assert.deepEqual(await store.verdicts.records({ kind, count: 10 }), [], kind);
  }
});

test('a verdict changes when its time has come, and not before', async () => {
  await using kept = await openKeptCatalogue();
  const { catalogue, clock, keeper } = kept;
  const day = 24 * 3_600_000;
  const start = clock.now;
  await catalogue.seed(dataset('a'), { ownership: owners('ana') });
  const urn = await kept.saveTest('t', {
    on: { types: ['dataset'] },
    rules: [{ property: '__lastSynchronized', operator: 'newer_than', values: ['P1D'] }],
  });
  await keeper.settled();
  clock.now = start + day - 1;
  await keeper.settled();
  assert.equal(await kept.verdict(urn, dataset('a')), 'PASS');
  clock.now = start + day;
  await keeper.settled();
  assert.equal(await kept.verdict(urn, dataset('a')), 'FAIL');
  clock.now += 10;
  await catalogue.seed(dataset('a'), { ownership: owners('bob') });
  await keeper.settled();
  assert.equal(await kept.verdict(urn, dataset('a')), 'PASS');
});

test('everything is evaluated once a day, and whenever the schedule of a test says so', async () => {
  await using kept = await openKeptCatalogue();
  const { clock, keeper, store } = kept;
  const rest = { on: { types: ['dataset'] }, rules: [hasTag] };
  const daily = await kept.saveTest('daily', rest);
  const hourly = await kept.saveTest('hourly', { ...rest, schedule: '0 * * * *' });
  await keeper.settled();
  const kindsOf = async (urn: Urn): Promise<readonly string[]> =>
    (await readTestRuns(store.verdicts, urn, { count: 10 })).map(({ kind }) => kind).toReversed();
  /** The keeper looks at the clock when it has nothing else to do. */
  const until = async (urn: Urn, kinds: readonly string[]): Promise<void> => {
    for (let turns = 0; turns < 1_000 && (await kindsOf(urn)).length < kinds.length; turns += 1) {
      await keeper.settled();
    }
    assert.deepEqual(await kindsOf(urn), kinds);
  };
  clock.now += 3_600_000;
  await until(hourly, ['revision', 'again']);
  assert.deepEqual(await kindsOf(daily), ['revision']);
  clock.now += 23 * 3_600_000;
  await until(daily, ['revision', 'full-pass']);
  assert.deepEqual(kept.reports, []);
});

test('a catalogue without tests pays nothing, until somebody asks for rows', async () => {
  await using kept = await openKeptCatalogue();
  const { catalogue, keeper, store } = kept;
  await catalogue.seed(dataset('a'));
  await keeper.settled();
  assert.equal(keeper.status().activity, 'dormant');
  assert.equal(keeper.status().counters.changes, 0);
  assert.equal(await store.verdicts.rowCount(), 0);
  await keeper.ensureRows();
  assert.equal(await store.verdicts.rowCount(), 1);
  await catalogue.seed(dataset('b'));
  await keeper.settled();
  assert.equal(await store.verdicts.rowCount(), 2);
});

test('after a restart the work goes on where it stood', async () => {
  await using kept = await openKeptCatalogue();
  const { catalogue, store } = kept;
  await catalogue.seed(dataset('a'), { globalTags: tags('Tier1') });
  const urn = await kept.saveTest('t', { on: { types: ['dataset'] }, rules: [hasTag] });
  await kept.keeper.settled();
  await kept.keeper.stop();
  const stopped = await store.lastSequence();
  await catalogue.seed(dataset('a'), { globalTags: tags('Other') });
  await catalogue.seed(dataset('b'), { globalTags: tags('Tier1') });
  const other = await kept.saveTest('u', { on: { types: ['dataset'] }, rules: [hasOwner] });
  const before = await everythingKept(store, [urn]);
  const keeper = await kept.restart();
  await keeper.settled();
  assert.equal(
    keeper.status().counters.changes,
    (await store.lastSequence()) - stopped,
    'what had been considered is not considered again',
  );
  assert.equal(await kept.verdict(urn, dataset('a')), 'FAIL');
  assert.equal(await kept.verdict(urn, dataset('b')), 'PASS');
  assert.equal(await kept.verdict(other, dataset('b')), 'FAIL');
  assert.deepEqual(await keeper.fullPass(), { tests: 2, differences: 0 });
  await kept.restart();
  await kept.keeper.settled();
  assert.equal(kept.keeper.status().counters.changes, 0);
  assert.notEqual(await everythingKept(store, [urn]), before);
});

test('rows of an older form are made anew after an update', async () => {
  await using kept = await openKeptCatalogue();
  const { catalogue, store } = kept;
  const urn = await catalogue.seed(dataset('a'), { globalTags: tags('Tier1') });
  await kept.keeper.ensureRows();
  const row = (await store.verdicts.rows([urn])).get(urn);
  const [place] = await store.verdicts.records({ kind: 'progress', from: 'rows', to: 'rowt', count: 1 });
  assert.ok(row !== undefined && place !== undefined);
  await kept.keeper.stop();
  await store.verdicts.transact(async (transaction) => {
    await transaction.putRows([{ ...row, lists: { ...row.lists, tags: [] } }]);
    const older = { ...JSON.parse(place.text), form: 0 };
    await transaction.putRecords([{ kind: 'progress', key: place.key, text: JSON.stringify(older) }]);
  });
  const keeper = await kept.restart();
  await keeper.ensureRows();
  assert.deepEqual((await store.verdicts.rows([urn])).get(urn), row);
});

test('what a handler of transitions records is stored with them, or neither is', async () => {
  let failures = 2;
  const seen: string[] = [];
  await using kept = await openKeptCatalogue({
    transitionHandlers: [
      async (transaction, changes, { cause }) => {
        seen.push(cause);
        for (const { test: urn, toPassing } of changes) {
          const count = sizeOfSet(toPassing);
          await transaction.putRecords([{ kind: 'seen', key: urn, text: JSON.stringify({ count }) }]);
        }
        failures -= 1;
        if (failures >= 0) throw new PostilError('STORAGE_UNREACHABLE', 'Not now');
      },
    ],
  });
  const { catalogue, keeper, store } = kept;
  await catalogue.seed(dataset('a'), { globalTags: tags('Tier1') });
  const urn = await kept.saveTest('t', { on: { types: ['dataset'] }, rules: [hasTag] });
  await keeper.settled();
  assert.deepEqual(seen, ['revision', 'revision', 'revision']);
  assert.equal(kept.reports.length, 2);
  assert.equal(keeper.status().problem, undefined);
  assert.equal(await store.verdicts.record('seen', urn), '{"count":1}');
  assert.equal((await store.verdicts.verdictChanges({ test: urn, newestFirst: true, count: 10 })).length, 1);
});

test('of 10,000 narrow tests a change evaluates those alone whose anchor the entity has or had', async () => {
  await using kept = await openKeptCatalogue({ isStarted: false });
  const { catalogue, keeper } = kept;
  const anchored = (tag: string): string =>
    JSON.stringify({
      on: {
        types: ['dataset'],
        conditions: [{ property: 'globalTags.tags.tag', operator: 'equals', values: [`urn:li:tag:${tag}`] }],
      },
      rules: [hasOwner],
    });
  await catalogue.execute(
    saveTests,
    Array.from({ length: 10_000 }, (_, index) => ({ id: `n${index}`, definition: anchored(`t${index}`) })),
    catalogue.admin,
  );
  for (let index = 0; index < 20; index += 1) {
    await catalogue.seed(dataset(`d${index}`), { globalTags: tags(`t${index}`, `t${index + 1}`) });
  }
  keeper.start();
  await keeper.settled();
  assert.equal(await kept.verdict('urn:li:test:n3', dataset('d3')), 'FAIL');
  const before = keeper.status().counters;
  for (let index = 0; index < 20; index += 1) {
    await catalogue.seed(dataset(`d${index}`), { ownership: owners('ana') });
    await catalogue.seed(dataset(`d${index}`), { globalTags: tags(`t${index + 100}`) });
  }
  await keeper.settled();
  const { candidates, changes } = keeper.status().counters;
  assert.equal(changes - before.changes, 40);
  const average = (candidates - before.candidates) / (changes - before.changes);
  assert.ok(average >= 1 && average <= 3, `${average} candidates for each change`);
  assert.equal(await kept.verdict('urn:li:test:n3', dataset('d3')), 'NONE');
  assert.equal(await kept.verdict('urn:li:test:n103', dataset('d3')), 'PASS');
});

type SavedTest = { readonly id: string; readonly definition: string };

const saveTests: Command<readonly SavedTest[], undefined> = {
  name: 'saveTests',
  demands: () => [],
  async decide(_view, saved) {
    const writes = saved.map(({ id, definition }) => ({
      urn: parseUrn(`urn:li:test:${id}`),
      aspect: 'testInfo',
      body: testInfoOf({ name: id, category: 'c', definition: { json: definition } }, 0),
    }));
    return { writes, result: undefined };
  },
};

test('what a write changes while a full pass goes on is not called a repair', async () => {
  await using kept = await openKeptCatalogue();
  const { catalogue, keeper } = kept;
  const dataset = 'urn:li:dataset:(urn:li:dataPlatform:hive,sold,PROD)';
  const user = 'urn:li:corpuser:ana';
  const deprecation = { deprecated: true, note: '', actor: user };
  await catalogue.seed(dataset, { deprecation });
  // No relationship leads from who deprecated to the dataset, so a change of the user makes the whole test stale.
  const rules = [{ property: 'deprecation.actor.corpUserInfo.active', operator: 'is_true' }];
  const test = await kept.saveTest('t', { on: { types: ['dataset'] }, rules });
  await keeper.settled();
  for (let round = 0; round < 10; round += 1) {
    const active = round % 2 === 0;
    const pass = keeper.fullPass();
    await catalogue.seed(user, { corpUserInfo: { active } });
    assert.equal((await pass).differences, 0);
    await keeper.settled();
    assert.equal(await kept.verdict(test, dataset), active ? 'PASS' : 'FAIL');
  }
  assert.deepEqual(kept.reports, []);
});
