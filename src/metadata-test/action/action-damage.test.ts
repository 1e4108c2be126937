import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../aspect/json.ts';
import type { Command } from '../../command/command.ts';
import { objectsIn } from '../../entity/stored-member.ts';
import { parseUrn } from '../../urn/urn.ts';
import { addTags, gold, silver, tagged } from './action.fixture.ts';
import { type ActingCatalogue, openActingCatalogue } from './acting-catalogue.fixture.ts';
import { planOfTest } from './manage-runs.ts';

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

describe('what is gone', () => {
  it('is not made again by an action that names it', async () => {
    await using acting = await openActingCatalogue();
    const product = 'urn:li:dataProduct:gone';
    await acting.catalogue.seed(orders);
    await acting.save('all', { passing: [{ type: 'set_data_product', values: [product] }] });
    assert.equal(await acting.catalogue.body(product, 'dataProductProperties'), undefined);
  });
});
