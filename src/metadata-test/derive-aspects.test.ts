import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Aspect } from '../aspect/aspect.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { openTestCatalogue } from '../../test/catalogue.ts';
import { parseUrn, type Urn } from '../urn/urn.ts';
import { compileTest, type Evaluation } from './compile-test.ts';
import { sourceOf } from './conformance.fixture.ts';
import { definitionOf } from './definition.fixture.ts';
import { explainTest } from './explain-test.ts';
import type { FactSource } from './facts.ts';
import { loadFacts } from './load-facts.ts';

const dataset = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)');
const dashboard = parseUrn('urn:li:dashboard:(looker,revenue)');
const day = 24 * 60 * 60 * 1000;
const now = 1_760_000_000_000;
const ago = (days: number): number => now - days * day;
const daily = { unit: 'DAY', multiple: 1 };
const has = (property: string, operator: string, ...values: readonly (string | number)[]): JsonObject => ({
  property,
  operator,
  ...(values.length === 0 ? {} : { values }),
});

async function evaluation(
  source: FactSource,
  rules: JsonValue,
  urn: Urn = dataset,
  at = now,
): Promise<Evaluation> {
  const compiled = compileTest(definitionOf({ on: { types: ['dataset', 'dashboard'] }, rules }));
  const facts = await loadFacts(source, urn, compiled.readSet);
  const entity = facts.get(urn);
  assert.ok(entity !== undefined);
  return compiled.evaluate(entity, facts, at);
}

const verdict = async (...given: Parameters<typeof evaluation>): Promise<string> =>
  (await evaluation(...given)).verdict;

const usage = (
  timestampMillis: number,
  totalSqlQueries: number,
  ...users: readonly string[]
): JsonObject => ({
  timestampMillis,
  eventGranularity: daily,
  totalSqlQueries,
  uniqueUserCount: users.length,
  userCounts: users.map((user) => ({ user: `urn:li:corpuser:${user}`, count: 1 })),
});

describe('derived aspects', () => {
  it('usage of a dataset counts queries, distinct users and writes of the last 30 days', async () => {
    await using catalogue = await openTestCatalogue();
    const { store, seed } = catalogue;
    for (const datasetUsageStatistics of [
      usage(ago(40), 1000, 'old'),
      usage(ago(30), 500, 'gone'),
      usage(ago(29), 10, 'ana', 'bob'),
      usage(ago(2), 5, 'bob', 'eve'),
      // The same day again: it replaces what was known of it.
      usage(ago(2), 7, 'bob', 'eve'),
      // The same queries by the hour count once.
      { ...usage(ago(1), 900, 'ana'), eventGranularity: { unit: 'HOUR', multiple: 1 } },
    ]) {
      await seed(dataset, { datasetUsageStatistics });
    }
    for (const [days, operationType] of [
      [3, 'INSERT'],
      [3.5, 'UPDATE'],
      [4, 'DROP'],
      [31, 'INSERT'],
    ] as const) {
      const operation = { timestampMillis: ago(days), lastUpdatedTimestamp: ago(days), operationType };
      await seed(dataset, { operation });
    }
    for (const [property, count] of [
      ['queryCountLast30Days', 17],
      ['uniqueUserCountLast30Days', 3],
      ['writeCountLast30Days', 2],
    ] as const) {
      const rule = has(`usageFeatures.${property}`, 'equals', count);
      assert.equal(await verdict(store, [rule]), 'PASS', property);
    }
    assert.equal(
      await verdict(store, [has('usageFeatures.queryCountPercentileLast30Days', 'exists')]),
      'FAIL',
    );
  });

  it('say when time alone changes them, and what was counted then is gone', async () => {
    await using catalogue = await openTestCatalogue();
    await catalogue.seed(dataset, { datasetUsageStatistics: usage(ago(29), 10, 'ana') });
    await catalogue.seed(dataset, { datasetUsageStatistics: usage(ago(-1), 4, 'ana') });
    const rules = [has('usageFeatures.queryCountLast30Days', 'equals', 10)];
    assert.deepEqual(await evaluation(catalogue.store, rules), {
      verdict: 'PASS',
      notes: new Set(),
      wakeAt: now + day,
    });
    const later = await evaluation(catalogue.store, rules, dataset, now + day);
    assert.deepEqual([later.verdict, later.wakeAt], ['FAIL', now + 31 * day]);
    const unused = [has('usageFeatures.queryCountLast30Days', 'equals', 0)];
    assert.equal(await verdict(catalogue.store, unused, dataset, now + 31 * day), 'PASS');
  });

  it('size is that of the newest profile of the whole table', async () => {
    await using catalogue = await openTestCatalogue();
    const { store, seed } = catalogue;
    await seed(dataset, { datasetProfile: { timestampMillis: ago(9), rowCount: 5, sizeInBytes: 50 } });
    await seed(dataset, { datasetProfile: { timestampMillis: ago(8), rowCount: 6, sizeInBytes: 60 } });
    const partitionSpec = { type: 'PARTITION', partition: '2025-10-01' };
    await seed(dataset, { datasetProfile: { timestampMillis: ago(7), rowCount: 1, partitionSpec } });
    const rules = [
      has('storageFeatures.rowCount', 'equals', 6),
      has('storageFeatures.sizeInBytes', 'equals', 60),
    ];
    assert.equal(await verdict(store, rules), 'PASS');
  });

  it('views of a dashboard: the total of the newest snapshot, and buckets of the last 30 days', async () => {
    await using catalogue = await openTestCatalogue();
    const user = (name: string): JsonObject => ({ user: `urn:li:corpuser:${name}`, viewsCount: 1 });
    for (const dashboardUsageStatistics of [
      { timestampMillis: ago(50), viewsCount: 90 },
      { timestampMillis: ago(3), viewsCount: 120 },
      { timestampMillis: ago(45), viewsCount: 7, eventGranularity: daily, userCounts: [user('old')] },
      { timestampMillis: ago(5), viewsCount: 8, eventGranularity: daily, userCounts: [user('ana')] },
      { timestampMillis: ago(4), viewsCount: 9, eventGranularity: daily, userCounts: [user('ana')] },
    ]) {
      await catalogue.seed(dashboard, { dashboardUsageStatistics });
    }
    const rules = [
      has('usageFeatures.viewCountTotal', 'equals', 120),
      has('usageFeatures.viewCountLast30Days', 'equals', 17),
      has('usageFeatures.uniqueUserCountLast30Days', 'equals', 1),
    ];
    assert.equal(await verdict(catalogue.store, rules, dashboard), 'PASS');
  });

  it('assertions pass or fail by their newest completed run, whoever refers to the dataset', async () => {
    await using catalogue = await openTestCatalogue();
    const { store, seed } = catalogue;
    await seed(dataset);
    const run = (id: string, days: number, status: string, type?: string): JsonObject => ({
      timestampMillis: ago(days),
      runId: `${id}-${days}`,
      asserteeUrn: dataset,
      assertionUrn: `urn:li:assertion:${id}`,
      status,
      ...(type === undefined ? {} : { result: { type } }),
    });
    const runs: Readonly<Record<string, readonly JsonObject[]>> = {
      good: [
        run('good', 5, 'COMPLETE', 'FAILURE'),
        run('good', 4, 'COMPLETE', 'SUCCESS'),
        run('good', 3, 'STARTED'),
      ],
      bad: [run('bad', 5, 'COMPLETE', 'SUCCESS'), run('bad', 4, 'COMPLETE', 'FAILURE')],
      broken: [run('broken', 4, 'COMPLETE', 'ERROR')],
      idle: [],
      deleted: [run('deleted', 4, 'COMPLETE', 'FAILURE')],
    };
    for (const [id, events] of Object.entries(runs)) {
      const urn = `urn:li:assertion:${id}`;
      const assertionInfo = {
        type: 'VOLUME',
        volumeAssertion: { entity: dataset },
        source: { type: 'NATIVE' },
      };
      await seed(urn, { assertionInfo });
      for (const assertionRunEvent of events) await seed(urn, { assertionRunEvent });
    }
    await seed('urn:li:assertion:deleted', { status: { removed: true } });
    const rules = [
      has('assertionsSummary.passingAssertionDetails.urn', 'contains_all', 'urn:li:assertion:good'),
      has('assertionsSummary.passingAssertions', 'count_equals', 1),
      has('assertionsSummary.failingAssertionDetails.urn', 'equals', 'urn:li:assertion:bad'),
      has('assertionsSummary.failingAssertionDetails', 'count_equals', 1),
      has('assertionsSummary.failingAssertionDetails.source', 'equals', 'NATIVE'),
      has('assertionsSummary.failingAssertionDetails.lastResultAt', 'equals', ago(4)),
    ];
    assert.equal(await verdict(store, rules), 'PASS');
  });

  it('have no value where nothing was measured, and what is stored by that name wins', async () => {
    const absent = [
      'usageFeatures.queryCountLast30Days',
      'storageFeatures.rowCount',
      'dataContractStatus.state',
    ];
    const source = sourceOf({ [dataset]: { status: { removed: false } } });
    for (const property of absent) assert.equal(await verdict(source, [has(property, 'exists')]), 'FAIL');
    const stored = sourceOf({
      [dataset]: { usageFeatures: { queryCountLast30Days: 3 }, datasetUsageStatistics: usage(ago(1), 10) },
    });
    assert.equal(await verdict(stored, [has('usageFeatures.queryCountLast30Days', 'equals', 3)]), 'PASS');
  });

  it('are what a plain sum over the window says, in whatever order measurements come', async () => {
    const at = fc.nat({ max: 60 });
    const measurement = fc.record({ at, queries: fc.nat({ max: 50 }), user: fc.constantFrom('a', 'b', 'c') });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(measurement, { selector: (one) => one.at, minLength: 1, maxLength: 30 }),
        async (measurements) => {
          const bodies = measurements.map(({ at: days, queries, user }) => usage(ago(days), queries, user));
          const recent = measurements.filter(({ at: days }) => days < 30);
          const queries = recent.reduce((sum, one) => sum + one.queries, 0);
          const users = new Set(recent.map(({ user }) => user)).size;
          const rules = [
            has('usageFeatures.queryCountLast30Days', 'equals', queries),
            has('usageFeatures.uniqueUserCountLast30Days', 'equals', users),
          ];
          assert.equal(await verdict(await sourceOfVersions(bodies), rules), 'PASS');
        },
      ),
      { numRuns: 60 },
    );
  });

  it('read a bounded number of versions, and no more than the window needs', async () => {
    const hourly = Array.from({ length: 3_000 }, (_, index) => ({
      ...usage(now - (3_000 - index) * 60_000, 1, 'ana'),
    }));
    const source = await sourceOfVersions(hourly);
    await verdict(source, [has('usageFeatures.queryCountLast30Days', 'exists')]);
    assert.equal(source.versionsRead(), 1_023);
    const old = Array.from({ length: 500 }, (_, index) => usage(ago(500 - index), 1, 'ana'));
    const short = await sourceOfVersions(old);
    await verdict(short, [has('usageFeatures.queryCountLast30Days', 'exists')]);
    assert.ok(short.versionsRead() < 100);
  });

  it('name the aspects they are made from in the read set, and in the provenance of an explanation', async () => {
    const definition = definitionOf({
      on: { types: ['dataset'] },
      rules: [
        has('usageFeatures.queryCountLast30Days', 'greater_than', 5),
        has('assertionsSummary.failingAssertions', 'exists'),
      ],
    });
    const compiled = compileTest(definition);
    const { aspects, series, assertions, hops } = compiled.readSet;
    assert.ok(aspects.has('datasetUsageStatistics') && series.has('operation') && assertions);
    const [hop] = hops.values();
    assert.ok(hop?.target.aspects.has('assertionRunEvent'));
    const source = await sourceOfVersions([usage(ago(1), 2, 'ana')]);
    const facts = await loadFacts(source, dataset, compiled.readSet);
    const entity = facts.get(dataset);
    assert.ok(entity !== undefined);
    const { provenance } = explainTest(compiled, entity, facts, now);
    assert.deepEqual(
      provenance.map(({ aspect }) => aspect),
      ['datasetUsageStatistics'],
    );
  });
});

/** The usage of the dataset, a version for each of the bodies. */
async function sourceOfVersions(
  bodies: readonly JsonObject[],
): Promise<FactSource & { versionsRead(): number }> {
  const latest = bodies.at(-1) ?? {};
  const source = sourceOf({ [dataset]: { datasetUsageStatistics: latest } });
  const stored = (await source.readMany([dataset])).get(dataset)?.get('datasetUsageStatistics');
  assert.ok(stored !== undefined);
  const version = (number: number): typeof stored => {
    const body = bodies[number - 1] ?? {};
    return new Aspect(stored.name, number, JSON.stringify(body), stored.stamp, null, body);
  };
  let read = 0;
  return {
    ...source,
    readMany: async (urns, names) => {
      const all = await source.readMany(urns, names);
      const own = new Map(all.get(dataset));
      if (own.has(stored.name)) own.set(stored.name, version(bodies.length));
      return new Map([...all, [dataset, own]]);
    },
    readVersion: (_urn, _name, number) => {
      read += 1;
      return Promise.resolve(version(number));
    },
    versionsRead: () => read,
  };
}
