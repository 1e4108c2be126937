import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { objectIn, objectsIn } from '../../entity/stored-member.ts';
import { parseUrn } from '../../urn/urn.ts';
import { deleteTag } from '../../tag/delete-tag.ts';
import { updateTest } from '../update-test.ts';
import { addTags, gold, removeTags, silver, tagged, written } from './action.fixture.ts';
import { openActingCatalogue } from './acting-catalogue.fixture.ts';
import { dataset, orders, owned, tags, hasOwner, seedMany } from './acted-upon.fixture.ts';
import { readLog } from './action-log.ts';
import { approveRun, planOfTest, rejectRun, releaseActions, undoRun } from './manage-runs.ts';

describe('A8: loops at run time', () => {
  it('A8: two tests that were ingested and undo each other are quarantined, and released by hand', async () => {
    await using acting = await openActingCatalogue();
    const { catalogue } = acting;
    // Ingested, so nobody validated them beside each other.
    const ingest = async (id: string, text: string): Promise<void> => {
      const definition = { type: 'JSON', json: text };
      await catalogue.seed(`urn:li:test:${id}`, { testInfo: { name: id, category: 'c', definition } });
    };
    await ingest('a', written({ rules: [tagged(gold)], failing: [addTags(gold)] }));
    await ingest('b', written({ rules: [{ not: [tagged(gold)] }], failing: [removeTags(gold)] }));
    await acting.settle();
    for (const id of ['a', 'b']) await acting.approve(parseUrn(`urn:li:test:${id}`));
    await catalogue.seed(orders);
    await acting.settle();
    const alarms = acting.attended.filter((line) => line.includes('quarantined'));
    assert.ok(alarms.length > 0, acting.attended.join('\n'));
    const changes = (await catalogue.store.changes({ after: 0, count: 1000 })).filter(
      ({ aspect }) => aspect === 'globalTags',
    );
    assert.ok(changes.length <= 10, `${changes.length} writes`);
    const quarantined = parseUrn(/urn:li:test:[ab]/.exec(alarms[0] ?? '')?.[0] ?? '');
    assert.ok((await planOfTest(acting.services, quarantined)).quarantine);
    await assert.rejects(
      releaseActions(acting.services, parseUrn('urn:li:test:x'), catalogue.admin),
      /There is no test/,
    );
    acting.passTime(11 * 60_000);
    await releaseActions(acting.services, quarantined, catalogue.admin);
    assert.equal((await planOfTest(acting.services, quarantined)).quarantine, undefined);
  });

  it('A8: what actions led to carries its depth, and ends after five', async () => {
    await using acting = await openActingCatalogue();
    const tag = (index: number): string => `urn:li:tag:chain${index}`;
    for (let index = 0; index < 8; index += 1) {
      await acting.save(`chain${index}`, {
        conditions: [tagged(tag(index))],
        passing: [addTags(tag(index + 1))],
      });
    }
    await acting.catalogue.seed(orders, { globalTags: tags(tag(0)) });
    await acting.settle();
    const all = await acting.tagsOf(orders);
    assert.deepEqual(all, [0, 1, 2, 3, 4, 5, 6].map(tag));
    const associations = objectsIn(await acting.catalogue.body(orders, 'globalTags'), 'tags');
    const depths = associations
      .slice(1)
      .map((each) => objectIn(objectIn(each, 'attribution'), 'sourceDetail')?.['depth']);
    assert.deepEqual(depths, ['0', '1', '2', '3', '4', '5']);
    const [run] = await acting.runs(parseUrn('urn:li:test:chain6'));
    const [last] = await readLog(acting.store.verdicts, run ?? assert.fail(), { count: 1 });
    assert.match(last?.reason ?? '', /5 actions already led to each other/);
  });
});

describe('A9: the blast radius', () => {
  it('A9: the first activation of a definition waits with its plan, and nothing acts meanwhile', async () => {
    await using acting = await openActingCatalogue();
    await seedMany(acting, 3);
    const test = await acting.save('all', { passing: [addTags(gold)] }, false);
    await acting.catalogue.seed(orders);
    await acting.runner.reconcile();
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(orders), []);
    const { run, plan, isActivated } = await planOfTest(acting.services, test);
    assert.deepEqual(
      [run?.pausedFor, isActivated, plan.entities, plan.scope, plan.writes],
      ['activation', false, 4, 4, { add_tags: 4 }],
    );
    assert.deepEqual(plan.sample.find(({ entity }) => entity === orders)?.changes, [
      `+ globalTags.tags ${gold}`,
    ]);
    await acting.approve(test);
    assert.deepEqual(await acting.tagsOf(orders), [gold]);
    assert.equal((await acting.runs(test))[0]?.counts.done, 4);
  });

  it('A9: another meaning waits again, the same meaning goes on, and a rejected one does nothing', async () => {
    await using acting = await openActingCatalogue();
    const test = await acting.save('all', { passing: [addTags(gold)] });
    const input = (text: string): object => ({
      urn: test,
      input: { name: 'n', category: 'c', definition: { json: text } },
    });
    const update = (text: string): Promise<unknown> =>
      acting.catalogue.execute(updateTest, input(text) as Parameters<typeof updateTest.demands>[0]);
    await update(` ${written({ passing: [addTags(gold)] })}`);
    await acting.catalogue.seed(orders);
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(orders), [gold]);
    await update(written({ passing: [addTags(silver)] }));
    await acting.settle();
    const [run] = await acting.runs(test);
    assert.equal(run?.status, 'paused');
    await rejectRun(acting.services, test, run.id, acting.catalogue.admin);
    acting.runner.poke();
    await acting.settle();
    await assert.rejects(
      rejectRun(acting.services, test, run.id, acting.catalogue.admin),
      /only one that waits/,
    );
    assert.deepEqual(await acting.tagsOf(orders), [gold]);
    assert.equal((await acting.runs(test))[0]?.id, run.id);
    await approveRun(acting.services, test, run.id, acting.catalogue.admin);
    acting.runner.poke();
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(orders), [gold, silver]);
  });

  it('A9: a run that would change too much waits, and so do those that join it', async () => {
    await using acting = await openActingCatalogue();
    const test = await acting.save('owned', {
      rules: [hasOwner],
      passing: [addTags(gold)],
      policy: { maxEntities: 3 },
    });
    await seedMany(acting, 3, { ownership: owned });
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(dataset('t2')), [gold]);
    await acting.catalogue.seed(orders, { ownership: owned });
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(orders), []);
    const { run, plan } = await planOfTest(acting.services, test);
    assert.deepEqual([run?.pausedFor, plan.entities], ['blast radius', 1]);
    assert.ok(acting.attended.some((line) => line.includes('would change too much')));
    await approveRun(acting.services, test, run?.id ?? '', acting.catalogue.admin);
    acting.runner.poke();
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(orders), [gold]);
  });

  it('A9: what is as wanted already does not count', async () => {
    await using acting = await openActingCatalogue();
    await seedMany(acting, 30, { globalTags: tags(gold) });
    await acting.save('all', { passing: [addTags(gold)] });
    acting.passTime(11 * 60_000);
    await acting.runner.reconcile();
    await acting.settle();
    await acting.catalogue.seed(orders);
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(orders), [gold]);
  });
});

describe('A10: undoing', () => {
  it('A10: takes back what is still as the run left it, leaves the rest, and reports', async () => {
    await using acting = await openActingCatalogue();
    const { catalogue } = acting;
    await seedMany(acting, 3);
    const test = await acting.save('all', { passing: [addTags(gold, silver)] });
    const [run] = await acting.runs(test);
    // Somebody takes over one of them.
    await catalogue.seed(dataset('t1'), { globalTags: tags(gold) });
    await acting.settle();
    const report = await undoRun(acting.services, test, run?.id ?? '', catalogue.admin);
    assert.deepEqual(report, { entities: 2, undone: 4, kept: 2 });
    assert.deepEqual(await acting.tagsOf(dataset('t0')), []);
    assert.deepEqual(await acting.tagsOf(dataset('t1')), [gold]);
    await acting.runner.reconcile();
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(dataset('t0')), []);
    const again = await undoRun(acting.services, test, run?.id ?? '', catalogue.admin);
    assert.equal(again.undone, 0);
    await assert.rejects(undoRun(acting.services, test, 'no-run', catalogue.admin), /have no run no-run/);
  });
});

describe('A10: undoing what left nothing behind', () => {
  it('A10: a tag that the run took off and that was deleted since does not come back', async () => {
    await using acting = await openActingCatalogue();
    const { catalogue } = acting;
    for (const tag of [gold, silver]) await catalogue.seed(tag, { tagProperties: { name: tag } });
    await catalogue.seed(orders, { globalTags: tags(gold, silver) });
    await acting.settle();
    const test = await acting.save('all', { passing: [removeTags(gold, silver)] });
    const [run] = await acting.runs(test);
    assert.deepEqual(await acting.tagsOf(orders), []);
    await catalogue.execute(deleteTag, { urn: gold }, catalogue.admin);
    const report = await undoRun(acting.services, test, run?.id ?? '', catalogue.admin);
    assert.deepEqual(report, { entities: 1, undone: 1, kept: 1 });
    assert.deepEqual(await acting.tagsOf(orders), [silver]);
  });

  it('A10: runs are forgotten after ninety days, with their logs, and not before', async () => {
    await using acting = await openActingCatalogue();
    await acting.catalogue.seed(orders);
    const test = await acting.save('all', { passing: [addTags(gold)] });
    const [first] = await acting.runs(test);
    const isKept = async (): Promise<boolean> => (await acting.runs(test)).some(({ id }) => id === first?.id);
    for (const [days, kept] of [
      [89, true],
      [2, false],
    ] as const) {
      acting.passTime(days * 24 * 60 * 60_000);
      await acting.runner.reconcile();
      await acting.settle();
      assert.equal(await isKept(), kept);
      const log = await readLog(acting.store.verdicts, first ?? assert.fail(), { count: 10 });
      assert.equal(log.length, kept ? 1 : 0);
    }
  });

  it('A10: an aspect that the run made is gone, and is not made again for the same verdict', async () => {
    await using acting = await openActingCatalogue();
    await acting.catalogue.seed(orders);
    const test = await acting.save('all', { passing: [{ type: 'deprecate' }] });
    assert.equal((await acting.catalogue.body(orders, 'deprecation'))?.['deprecated'], true);
    const [run] = await acting.runs(test);
    await undoRun(acting.services, test, run?.id ?? '', acting.catalogue.admin);
    await acting.runner.reconcile();
    await acting.settle();
    assert.equal(await acting.catalogue.body(orders, 'deprecation'), undefined);
  });
});
