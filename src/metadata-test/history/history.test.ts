import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../../test/catalogue.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { parseUrn, type Urn } from '../../urn/urn.ts';
import { testRunRecord } from '../keeping/test-state.ts';
import { createTestLibrary, type LibraryTest } from '../test-library.ts';
import { entityVerdict } from './entity-verdict.ts';
import { arrive, putState } from './history.fixture.ts';
import { resultEntities } from './result-entities.ts';
import { passRateOf, testCounts } from './test-counts.ts';
import { entityHistory, testHistory } from './test-history.ts';

const dataset = (name: string | number): Urn =>
  parseUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,shop.${name},PROD)`);
const dayMs = 86_400_000;

let catalogue: TestCatalogue;
let serial = 0;

before(async () => {
  catalogue = await openTestCatalogue();
  for (let index = 0; index < 12; index += 1) await catalogue.seed(dataset(index));
});
after(() => catalogue.close());

async function newTest(keys: object = {}): Promise<LibraryTest> {
  serial += 1;
  const urn = parseUrn(`urn:li:test:h${serial}`);
  const json = JSON.stringify({ on: { types: ['dataset'] }, rules: [], ...keys });
  await catalogue.seed(urn, { testInfo: { name: 't', category: 'c', definition: { type: 'JSON', json } } });
  const test = (await createTestLibrary(catalogue.store).all()).get(urn);
  assert.ok(test !== undefined);
  return test;
}

const verdicts = (): TestCatalogue['store']['verdicts'] => catalogue.store.verdicts;

describe('pages of entities with a verdict', () => {
  it('go through all of them once, in one order, while others write', async () => {
    const test = await newTest();
    const names = [1, 3, 4, 7, 8];
    await arrive(catalogue.store, test.urn, 1_000, new Map(names.map((name) => [dataset(name), 'FAIL'])));
    const first = await resultEntities(verdicts(), test, { verdict: 'FAIL', count: 2 }, 0);
    assert.deepEqual(
      first.entities.map(({ urn }) => urn),
      [dataset(1), dataset(3)],
    );
    assert.equal(first.total, 5);
    await arrive(
      catalogue.store,
      test.urn,
      2_000,
      new Map([
        [dataset(3), 'PASS'],
        [dataset(0), 'FAIL'],
        [dataset(9), 'FAIL'],
      ]),
    );
    const rest: Urn[] = [];
    for (let cursor = first.cursor; cursor !== null;) {
      const page = await resultEntities(verdicts(), test, { verdict: 'FAIL', cursor, count: 2 }, 0);
      rest.push(...page.entities.map(({ urn }) => urn));
      cursor = page.cursor;
    }
    assert.deepEqual(rest, [4, 7, 8, 9].map(dataset), 'neither skipped nor told twice');
  });

  it('refuse a cursor that no page answered, and pages that are too long', async () => {
    const test = await newTest();
    for (const cursor of [
      '',
      'x',
      'bjEy!',
      Buffer.from('n-1').toString('base64url'),
      Buffer.from('12').toString('base64url'),
    ]) {
      await assert.rejects(
        resultEntities(verdicts(), test, { verdict: 'FAIL', cursor, count: 2 }, 0),
        (error) => error instanceof PostilError && error.code === 'BAD_REQUEST',
        cursor,
      );
    }
    for (const count of [0, 1_001]) {
      await assert.rejects(
        resultEntities(verdicts(), test, { verdict: 'FAIL', count }, 0),
        (error) => error instanceof PostilError && error.code === 'LIMIT_EXCEEDED',
      );
    }
  });

  it('tell since when, and who is pending because the days of grace are not over', async () => {
    const test = await newTest({ graceDays: 2 });
    await arrive(
      catalogue.store,
      test.urn,
      10 * dayMs,
      new Map([
        [dataset(1), 'FAIL'],
        [dataset(2), 'PASS'],
      ]),
    );
    await arrive(
      catalogue.store,
      test.urn,
      11 * dayMs,
      new Map([
        [dataset(2), 'FAIL'],
        [dataset(3), 'ERROR'],
      ]),
    );
    const page = await resultEntities(verdicts(), test, { verdict: 'FAIL', count: 9 }, 12 * dayMs);
    assert.deepEqual(page.entities, [
      { urn: dataset(1), since: 10 * dayMs, pending: false, pendingUntil: null },
      { urn: dataset(2), since: 11 * dayMs, pending: true, pendingUntil: 13 * dayMs },
    ]);
    const undecided = await resultEntities(verdicts(), test, { verdict: 'ERROR', count: 9 }, 12 * dayMs);
    assert.deepEqual(
      undecided.entities.map(({ urn }) => urn),
      [dataset(3)],
    );
  });
});

describe('the history of a test', () => {
  it('has the exact counts at the end of each part of the time, and who is exempt is in no pass rate', async () => {
    const test = await newTest();
    await arrive(
      catalogue.store,
      test.urn,
      100,
      new Map([
        [dataset(1), 'FAIL'],
        [dataset(2), 'FAIL'],
        [dataset(3), 'PASS'],
      ]),
    );
    await arrive(
      catalogue.store,
      test.urn,
      200,
      new Map([
        [dataset(1), 'PASS'],
        [dataset(2), 'EXEMPT'],
      ]),
    );
    const { counts } = await testHistory(verdicts(), test.urn, { from: 0, to: 400, buckets: 4 }, 0);
    assert.deepEqual(
      counts.map(({ time, ...rest }) => [time, ...Object.values(rest), passRateOf(rest)]),
      [
        [100, 1, 2, 0, 1 / 3],
        [200, 2, 0, 1, 1],
        [300, 2, 0, 1, 1],
        [400, 2, 0, 1, 1],
      ],
    );
    assert.equal(passRateOf({ passing: 0, failing: 0 }), null);
  });

  it('has the evaluations that began in the time, the newest first', async () => {
    const test = await newTest();
    const run = {
      status: 'COMPLETE',
      kind: 'revision',
      passing: 1,
      failing: 2,
      exempt: 0,
      undecided: 0,
      changed: 3,
    } as const;
    await verdicts().transact((transaction) =>
      transaction.putRecords(
        [100, 200, 300, 400].map((startedAt) =>
          testRunRecord(test.urn, { ...run, startedAt, completedAt: startedAt + 5 }),
        ),
      ),
    );
    const { runs } = await testHistory(verdicts(), test.urn, { from: 200, to: 300 }, 0);
    assert.deepEqual(
      runs.map(({ startedAt }) => startedAt),
      [300, 200],
    );
  });

  it('refuses a time without any time in it, and too many parts', async () => {
    const test = await newTest();
    await assert.rejects(testHistory(verdicts(), test.urn, { from: 5, to: 5 }, 0), /no time in it/);
    await assert.rejects(testHistory(verdicts(), test.urn, { from: 1, to: 5, buckets: 201 }, 0), /1 to 200/);
    await assert.rejects(testHistory(verdicts(), test.urn, { from: 1, to: 5, buckets: 0 }, 0), /1 to 200/);
  });

  it('of one entity tells the verdicts that it arrived at, and since when it has the present one', async () => {
    const test = await newTest();
    const at = (time: number, verdict: 'PASS' | 'FAIL' | 'NONE' | 'EXEMPT'): Promise<void> =>
      arrive(
        catalogue.store,
        test.urn,
        time,
        new Map([
          [dataset(1), verdict],
          [dataset(2), 'PASS'],
        ]),
        `md5 of ${time}`,
      );
    await at(100, 'FAIL');
    await at(200, 'EXEMPT');
    await at(300, 'NONE');
    await at(400, 'PASS');
    await at(500, 'PASS');
    const history = await entityHistory(verdicts(), test.urn, dataset(1), { from: 150, to: 400 }, 0);
    assert.deepEqual([history.verdict, history.since], ['PASS', 400]);
    assert.deepEqual(
      history.changes.map(({ time, verdict, definitionMd5 }) => [time, verdict, definitionMd5]),
      [
        [400, 'PASS', 'md5 of 400'],
        [300, 'NONE', 'md5 of 300'],
        [200, 'EXEMPT', 'md5 of 200'],
      ],
    );
    assert.deepEqual(await entityVerdict(verdicts(), test.urn, dataset(5)), { verdict: 'NONE', since: null });
    await assert.rejects(entityHistory(verdicts(), test.urn, dataset('ghost'), {}, 1), /no entity .*ghost/);
  });
});

describe('the counts of a test', () => {
  it('are those of the kept verdicts once the present definition is evaluated', async () => {
    const test = await newTest();
    assert.equal(await testCounts(verdicts(), test), undefined, 'it was never evaluated');
    await arrive(
      catalogue.store,
      test.urn,
      100,
      new Map([
        [dataset(1), 'FAIL'],
        [dataset(2), 'PASS'],
        [dataset(3), 'EXEMPT'],
      ]),
    );
    await putState(catalogue.store, test.urn, {
      definitionMd5: test.definitionMd5,
      completedAt: 150,
      confirmedAt: 170,
    });
    assert.deepEqual(await testCounts(verdicts(), test), {
      passing: 1,
      failing: 1,
      exempt: 1,
      undecided: 0,
      definitionMd5: test.definitionMd5,
      lastComputed: 170,
      evaluatedPercent: 100,
      previous: null,
    });
    await putState(catalogue.store, test.urn, { isActive: false });
    assert.equal(await testCounts(verdicts(), test), undefined, 'an inactive test has none');
  });

  it('tell both numbers while a new definition is evaluated', async () => {
    const test = await newTest();
    await arrive(
      catalogue.store,
      test.urn,
      100,
      new Map([
        [dataset(1), 'FAIL'],
        [dataset(2), 'PASS'],
      ]),
    );
    await putState(catalogue.store, test.urn, { definitionMd5: 'that of an earlier definition' });
    const before = await testCounts(verdicts(), test);
    assert.deepEqual(
      [before?.evaluatedPercent, before?.failing, before?.previous],
      [0, 0, { passing: 1, failing: 1, exempt: 0 }],
    );
    await putState(catalogue.store, test.urn, {
      definitionMd5: test.definitionMd5,
      revision: 2,
      startedAt: 200,
      completedAt: null,
      evaluatedChunks: 1,
      chunks: 3,
    });
    await arrive(catalogue.store, test.urn, 210, new Map([[dataset(1), 'PASS']]));
    const during = await testCounts(verdicts(), test);
    assert.deepEqual([during?.evaluatedPercent, during?.passing, during?.failing], [33, 2, 0]);
    assert.deepEqual(during?.previous, { passing: 1, failing: 1, exempt: 0 });
    assert.equal(during?.lastComputed, null);
  });
});

describe('a first evaluation', () => {
  it('has no counts before it', async () => {
    const test = await newTest();
    const { definitionMd5 } = test;
    await putState(catalogue.store, test.urn, { definitionMd5, completedAt: null, confirmedAt: null });
    const counts = await testCounts(verdicts(), test);
    assert.deepEqual([counts?.evaluatedPercent, counts?.previous, counts?.lastComputed], [99, null, null]);
  });
});
