import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { objectIn, objectsIn } from '../../entity/stored-member.ts';
import { parseUrn } from '../../urn/urn.ts';
import { addOffset, emptyChunkSet } from '../../verdict/chunk-set.ts';
import { testActor } from './action-caller.ts';
import { addTags, gold, removeTags, silver, tagged, tier1 } from './action.fixture.ts';
import { openActingCatalogue } from './acting-catalogue.fixture.ts';
import { dataset, orders, owned, tags, hasOwner } from './acted-upon.fixture.ts';
import { readLog } from './action-log.ts';
import { queueTransitions } from './queue-transitions.ts';
import { approveRun, planOfTest, undoRun } from './manage-runs.ts';

describe('A1: acting on transitions', () => {
  it('A1: acts when a verdict arrives, and again when it changes', async () => {
    await using acting = await openActingCatalogue();
    const { catalogue } = acting;
    await acting.save('owned', { rules: [hasOwner], passing: [addTags(gold)], failing: [removeTags(gold)] });
    await catalogue.seed(orders, { ownership: owned });
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(orders), [gold]);
    await catalogue.seed(orders, { ownership: { owners: [] } });
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(orders), []);
  });

  it('A1: writes nothing where all is as wanted already', async () => {
    await using acting = await openActingCatalogue();
    await acting.catalogue.seed(orders, { globalTags: tags(gold) });
    await acting.settle();
    const before = await acting.catalogue.body(orders, 'globalTags');
    const test = await acting.save('all', { passing: [addTags(gold)] });
    const sequence = await acting.catalogue.lastSequence();
    await acting.runner.reconcile();
    await acting.settle();
    assert.equal(await acting.catalogue.lastSequence(), sequence);
    assert.deepEqual(await acting.catalogue.body(orders, 'globalTags'), before);
    const [run] = await acting.runs(test);
    assert.equal(run?.counts.done, 0);
    assert.ok((run?.counts.unchanged ?? 0) > 0);
  });

  it('A1: a daily comparison repairs what ingestion overwrote', async () => {
    await using acting = await openActingCatalogue();
    const { catalogue } = acting;
    await catalogue.seed(orders);
    await acting.save('all', { passing: [addTags(gold)] });
    assert.deepEqual(await acting.tagsOf(orders), [gold]);
    await catalogue.execute(
      {
        name: 'ingest',
        demands: () => [],
        decide: () =>
          Promise.resolve({
            writes: [
              {
                urn: parseUrn(orders),
                aspect: 'globalTags',
                body: tags(silver),
                systemMetadata: { runId: 'hive-1' },
              },
            ],
            result: undefined,
          }),
      },
      undefined,
    );
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(orders), [silver]);
    acting.passTime(25 * 60 * 60_000);
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(orders), [silver, gold]);
  });

  it('A1: neither the exempt nor the undecided nor what is out of scope is acted upon', async () => {
    await using acting = await openActingCatalogue();
    await acting.catalogue.seed(orders);
    await acting.catalogue.seed(dataset('silver'), { globalTags: tags(silver) });
    const test = await acting.save(
      'owned',
      { rules: [hasOwner], failing: [addTags(gold)], conditions: [tagged(silver)] },
      false,
    );
    const { verdicts } = acting.store;
    const silverUrn = parseUrn(dataset('silver'));
    const number = (await verdicts.numbersOf([silverUrn])).get(silverUrn) ?? 0;
    const chunk = Math.floor(number / 8192);
    const kept = (await verdicts.verdictsIn(chunk)).get(test);
    assert.ok(kept);
    for (const set of ['exempt', 'undecided'] as const) {
      await verdicts.transact((transaction) =>
        transaction.putVerdicts(test, chunk, {
          ...kept,
          failing: set === 'exempt' ? kept.failing.map(() => 0) : kept.failing,
          [set]: kept.failing,
        }),
      );
      const [run] = await acting.runs(test);
      if (run?.status === 'paused') await approveRun(acting.services, test, run.id, acting.catalogue.admin);
      await acting.runner.settled();
      await acting.runner.reconcile();
      await acting.runner.settled();
      assert.deepEqual(await acting.tagsOf(silverUrn), [silver], set);
    }
    await verdicts.transact((transaction) => transaction.putVerdicts(test, chunk, kept));
    await acting.runner.reconcile();
    await acting.runner.settled();
    assert.deepEqual(await acting.tagsOf(silverUrn), [silver, gold]);
    assert.deepEqual(await acting.tagsOf(orders), []);
  });
});

describe('A2 to A5: what is written', () => {
  it('A2: writes single associations, and one version per aspect for all tests together', async () => {
    await using acting = await openActingCatalogue();
    const { catalogue } = acting;
    await acting.save('gold', { rules: [hasOwner], passing: [addTags(gold)] });
    await acting.save('silver', { rules: [hasOwner], passing: [addTags(silver)] });
    const kept = { tag: tier1, context: '{"kept":true}' };
    await catalogue.seed(orders, { globalTags: { tags: [kept] }, ownership: owned });
    await acting.settle();
    const stored = (await catalogue.store.read(parseUrn(orders), ['globalTags'])).get('globalTags');
    assert.deepEqual(await acting.tagsOf(orders), [tier1, gold, silver]);
    assert.deepEqual(objectsIn(stored?.body, 'tags')[0], kept);
    assert.equal(stored?.version, 2);
  });

  it('A3: each association says which test added it, when, and in which run', async () => {
    await using acting = await openActingCatalogue();
    await acting.catalogue.seed(orders);
    const test = await acting.save('all', {
      passing: [
        addTags(gold),
        { type: 'add_glossary_terms', values: ['urn:li:glossaryTerm:t'] },
        { type: 'add_owners', values: ['urn:li:corpuser:bo'] },
        { type: 'set_domain', values: ['urn:li:domain:d'] },
        { type: 'set_structured_property', values: ['urn:li:structuredProperty:p', '7'] },
      ],
    });
    const [run] = await acting.runs(test);
    const lists = [
      ['globalTags', 'tags'],
      ['glossaryTerms', 'terms'],
      ['ownership', 'owners'],
      ['domains', 'domainAssociations'],
      ['structuredProperties', 'properties'],
    ] as const;
    for (const [aspect, list] of lists) {
      const [element] = objectsIn(await acting.catalogue.body(orders, aspect), list);
      const attribution = objectIn(element, 'attribution');
      assert.equal(attribution?.['source'], test, aspect);
      assert.equal(attribution['actor'], testActor);
      assert.ok(Number(attribution['time']) > 0);
      assert.deepEqual(attribution['sourceDetail'], {
        revision: '1',
        verdict: 'PASS',
        runId: run?.id,
        depth: '0',
      });
    }
    const [owner] = objectsIn(await acting.catalogue.body(orders, 'ownership'), 'owners');
    assert.equal(owner?.['type'], 'TECHNICAL_OWNER');
    assert.deepEqual((await acting.catalogue.body(orders, 'domains'))?.['domains'], ['urn:li:domain:d']);
  });

  it('A4: removes what anybody set, or with removeOnlyOwn only what the test added; the plan counts those of people', async () => {
    await using acting = await openActingCatalogue();
    await acting.catalogue.seed(orders, { globalTags: tags(gold, silver) });
    const any = await acting.save('any', { rules: [hasOwner], failing: [removeTags(gold)] }, false);
    const { plan } = await planOfTest(acting.services, any);
    assert.deepEqual([plan.entities, plan.removedOfPeople, plan.writes], [1, 1, { remove_tags: 1 }]);
    await acting.approve(any);
    assert.deepEqual(await acting.tagsOf(orders), [silver]);
    await acting.save('own', {
      rules: [hasOwner],
      failing: [removeTags(silver, tier1)],
      passing: [addTags(tier1)],
      policy: { removeOnlyOwn: true },
    });
    assert.deepEqual(await acting.tagsOf(orders), [silver]);
    await acting.catalogue.seed(orders, { ownership: owned });
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(orders), [silver, tier1]);
    await acting.catalogue.seed(orders, { ownership: { owners: [] } });
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(orders), [silver]);
  });

  it('A5: what a person took back is not done again until the verdict changes', async () => {
    await using acting = await openActingCatalogue();
    const { catalogue } = acting;
    await catalogue.seed(orders, { ownership: owned });
    const test = await acting.save('owned', { rules: [hasOwner], passing: [addTags(gold)] });
    assert.deepEqual(await acting.tagsOf(orders), [gold]);
    await catalogue.seed(orders, { globalTags: tags() });
    await acting.settle();
    await acting.runner.reconcile();
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(orders), []);
    const [run] = await acting.runs(test);
    const [entry] = await readLog(acting.store.verdicts, run ?? assert.fail(), { count: 10 });
    assert.match(entry?.reason ?? '', /somebody took back/);
    for (const ownership of [{ owners: [] }, owned]) {
      await catalogue.seed(orders, { ownership });
      await acting.settle();
    }
    assert.deepEqual(await acting.tagsOf(orders), [gold]);
  });

  it('does and takes back every action that is applied', async () => {
    await using acting = await openActingCatalogue();
    const { catalogue } = acting;
    const product = 'urn:li:dataProduct:p';
    const property = 'urn:li:structuredProperty:n';
    await catalogue.seed(property, {
      propertyDefinition: {
        valueType: 'urn:li:dataType:datahub.number',
        qualifiedName: 'n',
        entityTypes: [],
      },
    });
    await catalogue.seed(product, { dataProductProperties: { name: 'P' } });
    await catalogue.seed('urn:li:dataProduct:q', {
      dataProductProperties: { assets: [{ destinationUrn: orders }] },
    });
    await catalogue.seed(orders, {
      domains: { domains: ['urn:li:domain:old'] },
      deprecation: { deprecated: false, note: 'n', actor: 'urn:li:corpuser:ana' },
    });
    const before = await catalogue.body(orders, 'domains');
    const test = await acting.save('all', {
      rules: [tagged(tier1)],
      failing: [
        { type: 'set_domain', values: ['urn:li:domain:new'] },
        { type: 'set_data_product', values: [product] },
        { type: 'set_structured_property', values: [property, '7'] },
        { type: 'deprecate' },
      ],
      passing: [
        { type: 'unset_domain' },
        { type: 'unset_data_product' },
        { type: 'unset_structured_property', values: [property] },
        { type: 'un_deprecate' },
        { type: 'remove_owners', values: ['urn:li:corpuser:bo'] },
        { type: 'remove_glossary_terms', values: ['urn:li:glossaryTerm:t'] },
      ],
    });
    const seen = async (): Promise<unknown> => ({
      domains: (await catalogue.body(orders, 'domains'))?.['domains'],
      assets: objectsIn(await catalogue.body(product, 'dataProductProperties'), 'assets').map(
        (asset) => asset['destinationUrn'],
      ),
      values: objectsIn(await catalogue.body(orders, 'structuredProperties'), 'properties').map(
        ({ values }) => values,
      ),
      deprecated: (await catalogue.body(orders, 'deprecation'))?.['deprecated'],
    });
    const done = {
      domains: ['urn:li:domain:new'],
      assets: [orders],
      values: [[{ double: 7 }]],
      deprecated: true,
    };
    assert.deepEqual(await seen(), done);
    assert.equal((await catalogue.body(orders, 'deprecation'))?.['note'], 'n');
    assert.deepEqual(
      objectsIn(await catalogue.body('urn:li:dataProduct:q', 'dataProductProperties'), 'assets'),
      [],
    );
    const [run] = await acting.runs(test);
    const report = await undoRun(acting.services, test, run?.id ?? '', catalogue.admin);
    assert.equal(report.kept, 0);
    assert.deepEqual(await seen(), {
      domains: ['urn:li:domain:old'],
      assets: [],
      values: [],
      deprecated: false,
    });
    assert.deepEqual((await catalogue.body(orders, 'domains'))?.['domains'], before?.['domains']);
    await acting.runner.reconcile();
    await acting.settle();
    assert.deepEqual((await catalogue.body(orders, 'domains'))?.['domains'], ['urn:li:domain:old']);
    await catalogue.seed(orders, {
      globalTags: tags(tier1),
      ownership: { owners: [{ owner: 'urn:li:corpuser:bo', type: 'DATAOWNER' }] },
      glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:t' }], auditStamp: { time: 1, actor: testActor } },
    });
    await acting.settle();
    assert.deepEqual(await seen(), { domains: [], assets: [], values: [], deprecated: false });
    assert.deepEqual((await catalogue.body(orders, 'glossaryTerms'))?.['terms'], []);
    assert.deepEqual((await catalogue.body(orders, 'ownership'))?.['owners'], []);
  });
});

describe('what is decided when it is done', () => {
  it('A1: an entity that no longer has the verdict when its action is written is left alone', async () => {
    let isEarly = true;
    await using acting = await openActingCatalogue({
      around: (execute) => async (command, input, caller) => {
        if (command.name === 'applyTestActions' && isEarly) {
          isEarly = false;
          // Before the keeper of verdicts hears of it.
          await acting.catalogue.seed(orders, { ownership: { owners: [] } });
        }
        return execute(command, input, caller);
      },
    });
    await acting.catalogue.seed(orders, { ownership: owned });
    const test = await acting.save('owned', { rules: [hasOwner], passing: [addTags(gold)] });
    assert.equal(isEarly, false);
    assert.deepEqual(await acting.tagsOf(orders), []);
    const [run] = await acting.runs(test);
    const [entry] = await readLog(acting.store.verdicts, run ?? assert.fail(), { count: 1 });
    assert.deepEqual([entry?.status, entry?.reason], ['skipped', 'the verdict is FAIL by now']);
  });

  it('A9: verdicts of a definition that was not approved queue nothing', async () => {
    await using acting = await openActingCatalogue();
    const test = await acting.save('all', { passing: [addTags(gold)] });
    const { verdicts } = acting.store;
    const queuedAfter = async (definitionMd5: string): Promise<number> =>
      verdicts.transact(async (transaction) => {
        const none = emptyChunkSet();
        const toPassing = emptyChunkSet();
        addOffset(toPassing, 1);
        const sets = { toPassing, toFailing: none, toExempt: none, toNone: none };
        const deltas = { passing: 1, failing: 0, exempt: 0 };
        const change = { test, chunk: 0, time: 1, sequence: 1, definitionMd5, ...sets, deltas };
        await queueTransitions(() => {})(transaction, [change], { now: Date.now(), cause: 'change' });
        return (await transaction.records({ kind: 'action-queue', count: 10 })).length;
      });
    assert.equal(await queuedAfter('of another definition'), 0);
    const { library } = acting.services;
    assert.equal(await queuedAfter((await library.all()).get(test)?.definitionMd5 ?? ''), 1);
  });
});
