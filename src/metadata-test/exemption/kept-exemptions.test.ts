import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { postgresUnavailable, startPostgres } from '../../../test/postgres-server.ts';
import type { JsonObject } from '../../aspect/json.ts';
import { openStore } from '../../storage/open-store.ts';
import { parseUrn, type Urn } from '../../urn/urn.ts';
import { entityVerdict } from '../history/entity-verdict.ts';
import { resultEntities } from '../history/result-entities.ts';
import { testCounts } from '../history/test-counts.ts';
import { entityHistory, testHistory } from '../history/test-history.ts';
import { type KeptCatalogue, openKeptCatalogue } from '../keeping/kept-catalogue.fixture.ts';
import { overlaidResults } from '../results-overlay.ts';
import { createTestLibrary } from '../test-library.ts';
import { removeTestExemption, createTestExemption } from './change-exemptions.ts';

const dataset = (name: string): Urn => parseUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`);
const [orders, customers] = [dataset('orders'), dataset('customers')];
const owned = { id: 'owned', property: 'ownership.owners.owner', operator: 'exists' };
const named = { id: 'named', property: 'datasetProperties.name', operator: 'exists' };
const legacy = { property: 'globalTags.tags.tag', operator: 'equals', values: ['urn:li:tag:Legacy'] };
const legacyTag = { tags: [{ tag: 'urn:li:tag:Legacy' }] };
const hour = 3_600_000;

const stores = [
  { name: 'SQLite', skip: false as const, startServer: undefined },
  { name: 'PostgreSQL', skip: postgresUnavailable(), startServer: startPostgres },
];

for (const { name, skip, startServer } of stores) {
  describe(`kept verdicts on ${name}`, { skip }, () => {
    async function withKept(work: (kept: KeptCatalogue) => Promise<void>): Promise<void> {
      const server = await startServer?.();
      try {
        await using kept = await openKeptCatalogue(
          server === undefined ? {} : { store: await openStore(server.url) },
        );
        await work(kept);
        assert.deepEqual(kept.reports, []);
      } finally {
        await server?.stop();
      }
    }

    async function shown(kept: KeptCatalogue, urn: Urn): Promise<unknown> {
      const { store, clock } = kept;
      const stored = (await store.read(urn, ['testResults'])).get('testResults');
      const sources = { library: createTestLibrary(store), verdicts: store.verdicts };
      const results = (await overlaidResults(sources, new Map([[urn, stored]]), clock.now)).get(urn);
      const testsIn = (list: unknown): unknown =>
        (list as JsonObject[] | undefined)?.map(({ test }) => test) ?? [];
      return [testsIn(results?.body['failing']), testsIn(results?.body['passing'])];
    }

    it('become EXEMPT with an exemption, and FAIL again when it ends, without anything being written', () =>
      withKept(async (kept) => {
        const { catalogue, keeper, clock, store } = kept;
        await catalogue.seed(orders);
        await catalogue.seed(customers);
        const test = await kept.saveTest('t', { on: { types: ['dataset'] }, rules: [owned], graceDays: 1 });
        await keeper.settled();
        assert.deepEqual(await shown(kept, orders), [[test], []]);
        clock.now += hour;
        const exemption = { testUrn: test, entityUrn: orders, reason: 'r', expires: clock.now + hour };
        const id = await catalogue.execute(createTestExemption, exemption);
        await keeper.settled();
        assert.deepEqual(
          [await kept.verdict(test, orders), await kept.verdict(test, customers)],
          ['EXEMPT', 'FAIL'],
        );
        assert.deepEqual(await shown(kept, orders), [[], []]);
        clock.now += hour;
        keeper.poke();
        await keeper.settled();
        assert.equal(await kept.verdict(test, orders), 'FAIL');
        assert.deepEqual(await entityVerdict(store.verdicts, test, orders), {
          verdict: 'FAIL',
          since: clock.now,
        });
        const query = { from: 0, to: clock.now };
        const { changes } = await entityHistory(store.verdicts, test, orders, query, clock.now);
        assert.deepEqual(
          changes.map(({ verdict }) => verdict),
          ['FAIL', 'EXEMPT', 'FAIL'],
        );
        await catalogue.execute(removeTestExemption, { testUrn: test, id });
        await keeper.settled();
        assert.equal(await kept.verdict(test, orders), 'FAIL');
        const tests = await createTestLibrary(store).all();
        const found = tests.get(test);
        assert.ok(found !== undefined);
        const page = await resultEntities(store.verdicts, found, { verdict: 'FAIL', count: 5 }, clock.now);
        const pendings = new Map(page.entities.map(({ urn, pendingUntil }) => [urn, pendingUntil]));
        assert.equal(pendings.get(orders), clock.now + 24 * hour, 'the days of grace begin anew');
        assert.equal(pendings.get(customers), clock.now - 2 * hour + 24 * hour);
        const counts = await testCounts(store.verdicts, found);
        assert.deepEqual([counts?.failing, counts?.exempt, counts?.evaluatedPercent], [2, 0, 100]);
        const { counts: series, runs } = await testHistory(
          store.verdicts,
          test,
          { from: clock.now - 2 * hour - 1, to: clock.now, buckets: 1 },
          clock.now,
        );
        assert.deepEqual(
          series.map(({ failing, exempt }) => [failing, exempt]),
          [[2, 0]],
        );
        assert.ok(
          runs.length >= 1 && runs.every(({ status }) => status === 'COMPLETE'),
          JSON.stringify(runs),
        );
      }));

    it('follow the aspects that a filter reads, although the rules do not read them', () =>
      withKept(async (kept) => {
        const { catalogue, keeper, clock } = kept;
        await catalogue.seed(orders);
        const test = await kept.saveTest('t', { on: { types: ['dataset'] }, rules: [owned] });
        const exemption = {
          testUrn: test,
          filter: JSON.stringify(legacy),
          reason: 'r',
          expires: clock.now + hour,
        };
        await catalogue.execute(createTestExemption, exemption);
        await keeper.settled();
        assert.equal(await kept.verdict(test, orders), 'FAIL');
        await catalogue.seed(orders, { globalTags: legacyTag });
        await keeper.settled();
        assert.equal(await kept.verdict(test, orders), 'EXEMPT');
        await catalogue.seed(orders, { globalTags: { tags: [] } });
        await keeper.settled();
        assert.equal(await kept.verdict(test, orders), 'FAIL');
      }));

    it('of an exemption from one rule follow the name of the rule', () =>
      withKept(async (kept) => {
        const { catalogue, keeper, clock } = kept;
        await catalogue.seed(orders, { datasetProperties: { name: 'n' } });
        const definition = (id: string): object => ({
          on: { types: ['dataset'] },
          rules: [{ ...owned, id }, named],
        });
        const test = await kept.saveTest('t', definition('owned'));
        const exemption = {
          testUrn: test,
          entityUrn: orders,
          rule: 'owned',
          reason: 'r',
          expires: clock.now + hour,
        };
        await catalogue.execute(createTestExemption, exemption);
        await keeper.settled();
        assert.equal(await kept.verdict(test, orders), 'EXEMPT');
        await kept.saveTest('t', definition('has-owner'));
        await keeper.settled();
        assert.equal(await kept.verdict(test, orders), 'FAIL');
      }));

    it('of a test that becomes inactive are gone, and come back with it', () =>
      withKept(async (kept) => {
        const { catalogue, keeper, store } = kept;
        await catalogue.seed(orders);
        const definition = { on: { types: ['dataset'] }, rules: [owned] };
        const test = await kept.saveTest('t', definition);
        await keeper.settled();
        await kept.saveTest('t', definition, { status: { mode: 'INACTIVE' } });
        await keeper.settled();
        assert.deepEqual(await shown(kept, orders), [[], []]);
        const inactive = (await createTestLibrary(store).all()).get(test);
        assert.ok(inactive !== undefined && !inactive.isActive);
        assert.equal(await testCounts(store.verdicts, inactive), undefined);
        await kept.saveTest('t', definition, { status: { mode: 'ACTIVE' } });
        await keeper.settled();
        assert.deepEqual(await shown(kept, orders), [[test], []]);
      }));
  });
}
