import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { postgresUnavailable, startPostgres, type TestPostgres } from '../../../test/postgres-server.ts';
import { openPostgresStore } from '../../storage/postgres/postgres-aspect-store.ts';
import { parseUrn } from '../../urn/urn.ts';
import { addTags, gold, removeTags, tagged, written } from './action.fixture.ts';
import { openActingCatalogue } from './acting-catalogue.fixture.ts';
import { undoRun } from './manage-runs.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)';
const hasOwner = { property: 'ownership.owners.owner', operator: 'exists' };
const owned = { owners: [{ owner: 'urn:li:corpuser:ana', type: 'DATAOWNER' }] };

describe('actions on PostgreSQL', { skip: postgresUnavailable() }, () => {
  let server: TestPostgres;

  before(async () => {
    server = await startPostgres();
  });

  after(() => server.stop());

  it('wait for approval, follow verdicts, leave what people took back, are taken back, and rest when they oscillate', async () => {
    await using acting = await openActingCatalogue({ store: await openPostgresStore(server.url) });
    const { catalogue } = acting;
    await catalogue.seed(orders, { ownership: owned });
    const test = await acting.save(
      'owned',
      { rules: [hasOwner], passing: [addTags(gold)], failing: [removeTags(gold)] },
      false,
    );
    assert.deepEqual(await acting.tagsOf(orders), []);
    await acting.approve(test);
    assert.deepEqual(await acting.tagsOf(orders), [gold]);
    await catalogue.seed(orders, { globalTags: { tags: [] } });
    await acting.runner.reconcile();
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(orders), []);
    for (const ownership of [{ owners: [] }, owned]) {
      await catalogue.seed(orders, { ownership });
      await acting.settle();
    }
    assert.deepEqual(await acting.tagsOf(orders), [gold]);
    const [run] = await acting.runs(test);
    assert.equal((await undoRun(acting.services, test, run?.id ?? '', catalogue.admin)).undone, 1);
    assert.deepEqual(await acting.tagsOf(orders), []);

    const opposed = {
      a: { rules: [tagged(gold)], failing: [addTags(gold)] },
      b: { rules: [{ not: [tagged(gold)] }], failing: [removeTags(gold)] },
    };
    for (const [id, parts] of Object.entries(opposed)) {
      const definition = { type: 'JSON', json: written(parts) };
      await catalogue.seed(`urn:li:test:${id}`, { testInfo: { name: id, category: 'c', definition } });
    }
    await acting.settle();
    for (const id of Object.keys(opposed)) await acting.approve(parseUrn(`urn:li:test:${id}`));
    await catalogue.seed(orders.replace('orders', 'other'));
    await acting.settle();
    assert.ok(
      acting.attended.some((line) => line.includes('quarantined')),
      acting.attended.join('\n'),
    );
  });
});
