import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../aspect/json.ts';
import type { Command } from '../../command/command.ts';
import { objectsIn } from '../../entity/stored-member.ts';
import type { Privilege } from '../../auth/privilege.ts';
import { parseUrn, type Urn } from '../../urn/urn.ts';
import { type ActingCatalogue, openActingCatalogue } from './acting-catalogue.fixture.ts';
import { testActor } from './action-caller.ts';
import { readLog } from './action-log.ts';
import { deleteTest } from '../delete-test.ts';
import { approveRun, planOfTest, rejectRun, releaseActions, undoRun } from './manage-runs.ts';
import { addTags, gold, removeTags, silver, tagged, written } from './action.fixture.ts';

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const orders = dataset('orders');
const tags = (...urns: readonly string[]): JsonObject => ({ tags: urns.map((tag) => ({ tag })) });
const [sales, finance] = ['urn:li:domain:sales', 'urn:li:domain:finance'];

/** What an ingestion run writes, which nobody meant as a decision. */
async function ingested({ catalogue }: ActingCatalogue, aspect: string, body: JsonObject): Promise<void> {
  const write = { urn: parseUrn(orders), aspect, body, systemMetadata: { runId: 'hive-1' } };
  const decide: Command<undefined, undefined>['decide'] = () =>
    Promise.resolve({ writes: [write], result: undefined });
  await catalogue.execute({ name: 'ingest', demands: () => [], decide }, undefined);
}

/** A day later, when everything is compared. */
async function compared(acting: ActingCatalogue): Promise<void> {
  await acting.settle();
  acting.passTime(25 * 60 * 60_000);
  await acting.settle();
}

describe('A5: what people decided', () => {
  it('A5: stays when something else that the test did is repaired', async () => {
    await using acting = await openActingCatalogue();
    await acting.catalogue.seed(orders);
    await acting.save('all', { passing: [addTags(gold, silver)] });
    await acting.catalogue.seed(orders, { globalTags: tags(silver) });
    await compared(acting);
    assert.deepEqual(await acting.tagsOf(orders), [silver]);
    await ingested(acting, 'globalTags', tags());
    for (const _day of [1, 2]) {
      await compared(acting);
      assert.deepEqual(await acting.tagsOf(orders), [silver]);
    }
  });

  it('A5: stays where there is room for one value: nothing of it is taken away, nor replaced', async () => {
    await using acting = await openActingCatalogue();
    const { catalogue } = acting;
    const [property, mine, theirs] = [
      'urn:li:structuredProperty:level',
      'urn:li:dataProduct:mine',
      'urn:li:dataProduct:theirs',
    ];
    await catalogue.seed(property, {
      propertyDefinition: {
        valueType: 'urn:li:dataType:datahub.string',
        qualifiedName: 'level',
        entityTypes: [],
      },
    });
    for (const product of [mine, theirs]) await catalogue.seed(product, { dataProductProperties: {} });
    await catalogue.seed(orders);
    await acting.save('all', {
      passing: [
        { type: 'set_domain', values: [sales] },
        { type: 'set_structured_property', values: [property, 'high'] },
        { type: 'set_data_product', values: [mine] },
      ],
    });
    assert.deepEqual((await catalogue.body(orders, 'domains'))?.['domains'], [sales]);
    const assigned = { propertyUrn: property, values: [{ string: 'low' }] };
    await catalogue.seed(orders, {
      domains: { domains: [finance] },
      structuredProperties: { properties: [assigned] },
    });
    await catalogue.seed(mine, { dataProductProperties: { assets: [] } });
    await catalogue.seed(theirs, { dataProductProperties: { assets: [{ destinationUrn: orders }] } });
    await compared(acting);
    assert.deepEqual((await catalogue.body(orders, 'domains'))?.['domains'], [finance]);
    const [found] = objectsIn(await catalogue.body(orders, 'structuredProperties'), 'properties');
    assert.deepEqual(found?.['values'], [{ string: 'low' }]);
    const held = objectsIn(await catalogue.body(theirs, 'dataProductProperties'), 'assets');
    assert.deepEqual(
      held.map((asset) => asset['destinationUrn']),
      [orders],
    );
  });

  it('A5: what ingestion put back in its place is no decision of anybody', async () => {
    await using acting = await openActingCatalogue();
    const { catalogue } = acting;
    const property = 'urn:li:structuredProperty:level';
    const level = (text: string): JsonObject => ({
      properties: [{ propertyUrn: property, values: [{ string: text }] }],
    });
    const type = 'urn:li:dataType:datahub.string';
    await catalogue.seed(property, {
      propertyDefinition: { valueType: type, qualifiedName: 'level', entityTypes: [] },
    });
    await catalogue.seed(orders);
    await catalogue.seed(orders, { structuredProperties: level('low') });
    await acting.save('all', { passing: [{ type: 'set_structured_property', values: [property, 'high'] }] });
    const found = async (): Promise<unknown> =>
      objectsIn(await catalogue.body(orders, 'structuredProperties'), 'properties')[0]?.['values'];
    assert.deepEqual(await found(), [{ string: 'high' }]);
    await ingested(acting, 'structuredProperties', level('low'));
    await compared(acting);
    assert.deepEqual(await found(), [{ string: 'high' }]);
  });
});

describe('A9: what is counted', () => {
  it('A9: what only the test itself knows to be its own counts as well', async () => {
    await using acting = await openActingCatalogue();
    const { catalogue } = acting;
    const names = [0, 1, 2, 3, 4].map((index) => dataset(`t${index}`));
    for (const name of names) await catalogue.seed(name, { globalTags: tags(gold) });
    const test = await acting.save('tagged', {
      rules: [tagged(gold)],
      passing: [{ type: 'deprecate' }],
      failing: [{ type: 'un_deprecate' }],
      policy: { maxEntities: 3, removeOnlyOwn: true },
    });
    const deprecated = async (): Promise<number> => {
      const bodies = await Promise.all(names.map((name) => catalogue.body(name, 'deprecation')));
      return bodies.filter((body) => body?.['deprecated'] === true).length;
    };
    assert.equal(await deprecated(), 5);
    acting.passTime(11 * 60_000);
    await acting.keeper.settled();
    for (const name of names) await catalogue.seed(name, { globalTags: tags() });
    await acting.settle();
    const { run, plan } = await planOfTest(acting.services, test);
    assert.ok((await deprecated()) >= 2, 'more than three were changed without approval');
    assert.deepEqual([run?.pausedFor, (await deprecated()) - plan.entities], ['blast radius', 0]);
  });
});

describe('A9: what is approved', () => {
  it('A9: is refused when more would change by now than the plan said', async () => {
    await using acting = await openActingCatalogue();
    const { catalogue, services } = acting;
    const test = await acting.save('tagged', {
      rules: [tagged(silver)],
      passing: [addTags(gold)],
      policy: { maxEntities: 1 },
    });
    const silvered = async (...names: readonly string[]): Promise<void> => {
      for (const name of names) await catalogue.seed(dataset(name), { globalTags: tags(silver) });
      await acting.settle();
    };
    await silvered('t0', 't1', 't2');
    const { run, plan } = await planOfTest(services, test);
    const [id, entities] = [run?.id ?? '', plan.entities];
    assert.ok(entities >= 1);
    await silvered('t3');
    await assert.rejects(approveRun(services, test, id, catalogue.admin, entities), /look at its plan again/);
    assert.deepEqual(await acting.tagsOf(dataset('t3')), [silver]);
    await approveRun(services, test, id, catalogue.admin, entities + 1);
    acting.runner.poke();
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(dataset('t3')), [silver, gold]);
  });

  it('A9: counts everything that an activation is about', async () => {
    await using acting = await openActingCatalogue();
    const { catalogue, services } = acting;
    await catalogue.seed(orders);
    const test = await acting.save('all', { passing: [addTags(gold)] }, false);
    const { run } = await planOfTest(services, test);
    await catalogue.seed(dataset('later'));
    await acting.settle();
    const approving = approveRun(services, test, run?.id ?? '', catalogue.admin, 1);
    await assert.rejects(approving, { code: 'BAD_REQUEST' });
    await approveRun(services, test, run?.id ?? '', catalogue.admin, 2);
  });
});

describe('what is gone', () => {
  it('is not made again by an action that names it', async () => {
    await using acting = await openActingCatalogue();
    const product = 'urn:li:dataProduct:gone';
    await acting.catalogue.seed(orders);
    await acting.save('all', { passing: [{ type: 'set_data_product', values: [product] }] });
    assert.equal(await acting.catalogue.body(product, 'dataProductProperties'), undefined);
  });
});

describe('A11: rights', () => {
  it('A11: approving takes the rights to do by hand what the test would do', async () => {
    await using acting = await openActingCatalogue();
    await acting.catalogue.seed(orders);
    const test = await acting.save('all', { passing: [addTags(gold)] }, false);
    const [run] = await acting.runs(test);
    const { admin } = acting.catalogue;
    const author = { ...admin, privileges: new Set<Privilege>(['MANAGE_TESTS', 'EDIT_ENTITY_OWNERS']) };
    const approving = approveRun(acting.services, test, run?.id ?? '', author);
    await assert.rejects(approving, { code: 'FORBIDDEN' });
    acting.runner.poke();
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(orders), []);
  });

  for (const [name, aspects] of [
    ['suspended', { corpUserStatus: { status: 'SUSPENDED', lastModified: { time: 1, actor: testActor } } }],
    ['removed', { status: { removed: true } }],
    ['given a role that nobody knows', { roleMembership: { roles: ['urn:li:dataHubRole:Stranger'] } }],
  ] as const) {
    it(`A11: nothing is done as a user that was ${name}`, async () => {
      await using acting = await openActingCatalogue();
      await acting.catalogue.seed(testActor, aspects);
      await acting.catalogue.seed(orders);
      const test = await acting.save('all', { passing: [addTags(gold)] });
      assert.deepEqual(await acting.tagsOf(orders), []);
      assert.equal((await acting.runs(test))[0]?.counts.failed, 1);
    });
  }
});

describe('A8: release', () => {
  it('A8: what flipped before a quarantine was ended does not quarantine again', async () => {
    await using acting = await openActingCatalogue();
    const { catalogue } = acting;
    const ingest = async (id: string, text: string): Promise<void> => {
      const definition = { type: 'JSON', json: text };
      await catalogue.seed(`urn:li:test:${id}`, { testInfo: { name: id, category: 'c', definition } });
    };
    await ingest('a', written({ rules: [tagged(gold)], failing: [addTags(gold)] }));
    await ingest('b', written({ rules: [{ not: [tagged(gold)] }], failing: [removeTags(gold)] }));
    await acting.settle();
    const [first, second] = [parseUrn('urn:li:test:a'), parseUrn('urn:li:test:b')];
    for (const test of [first, second]) await acting.approve(test);
    await catalogue.seed(orders);
    await acting.settle();
    const isResting = async (test: Urn): Promise<boolean> =>
      (await planOfTest(acting.services, test)).quarantine !== undefined;
    const [resting, other] = (await isResting(first)) ? [first, second] : [second, first];
    assert.ok(await isResting(resting));
    await catalogue.execute(deleteTest, { urn: other });
    await releaseActions(acting.services, resting, catalogue.admin);
    acting.runner.poke();
    await acting.settle();
    assert.equal(await isResting(resting), false);
    assert.deepEqual(await acting.tagsOf(orders), resting === first ? [gold] : []);
  });
});

describe('what people said of a run', () => {
  it('is kept: who rejected it, and when', async () => {
    await using acting = await openActingCatalogue();
    const { admin } = acting.catalogue;
    const test = await acting.save('all', { passing: [addTags(gold)] }, false);
    const [run] = await acting.runs(test);
    await rejectRun(acting.services, test, run?.id ?? '', admin);
    const [rejected] = await acting.runs(test);
    assert.equal(rejected?.rejectedBy, admin.actor);
    assert.ok((rejected?.rejectedAt ?? 0) > 0);
  });

  it('A10: taking back a run that goes on ends it, and takes back what is just being done', async () => {
    let runs = 0;
    await using acting = await openActingCatalogue({
      around: (execute) => async (command, input, caller) => {
        const result = await execute(command, input, caller);
        if (command.name === 'applyTestActions' && (runs += 1) === 1) {
          const [run] = await acting.runs(test);
          await undoRun(acting.services, test, run?.id ?? '', acting.catalogue.admin);
        }
        return result;
      },
    });
    const names = Array.from({ length: 120 }, (_, index) => dataset(`t${index}`));
    for (const name of names) await acting.catalogue.seed(name);
    const test = parseUrn('urn:li:test:all');
    await acting.save('all', { passing: [addTags(gold)] });
    const all = await Promise.all(names.map((name) => acting.tagsOf(name)));
    assert.deepEqual([all.flat().length, runs], [0, 1]);
    const [run] = await acting.runs(test);
    const log = await readLog(acting.store.verdicts, run ?? assert.fail(), { count: 500 });
    assert.deepEqual([...new Set(log.map(({ status }) => status))], ['undone']);
    // What was taken back stays so; the rest is done by a run of its own.
    acting.passTime(25 * 60 * 60_000);
    await acting.settle();
    const later = await acting.runs(test);
    assert.notEqual(later[0]?.id, run?.id);
    const taken = log.map(({ entity }) => entity);
    for (const entity of taken) assert.deepEqual(await acting.tagsOf(entity), []);
  });

  it('A10: of a deleted test nothing is left after ninety days', async () => {
    await using acting = await openActingCatalogue();
    await acting.catalogue.seed(orders);
    await acting.save('other', { conditions: [tagged(silver)], failing: [addTags(silver)] });
    const test = await acting.save('all', { passing: [addTags(gold)] });
    await acting.catalogue.execute(deleteTest, { urn: test });
    await acting.settle();
    const kept = async (): Promise<readonly number[]> =>
      Promise.all(
        ['action-run', 'action-log', 'action-mark'].map(async (kind) => {
          const records = await acting.store.verdicts.records({ kind, count: 100 });
          return records.filter(({ key }) => key.startsWith(`${test}\n`)).length;
        }),
      );
    assert.deepEqual(await kept(), [1, 1, 1]);
    acting.passTime(91 * 24 * 60 * 60_000);
    await acting.settle();
    assert.deepEqual(await kept(), [0, 0, 0]);
  });
});
