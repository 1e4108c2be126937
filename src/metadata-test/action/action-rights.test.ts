import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assignRole } from '../../access-token/assign-role.ts';
import { parseUrn } from '../../urn/urn.ts';
import { createTest } from '../create-test.ts';
import { storeTestResults } from '../run-tests.ts';
import { testActor } from './action-caller.ts';
import { readLog } from './action-log.ts';
import { addTags, gold, written } from './action.fixture.ts';
import { openActingCatalogue } from './acting-catalogue.fixture.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)';
const owned = { owners: [{ owner: 'urn:li:corpuser:ana', type: 'DATAOWNER' }] };
const hasOwner = { property: 'ownership.owners.owner', operator: 'exists' };

describe('A11 and A12: rights and types', () => {
  it('A11: acts as a user of its own with the rights of its role', async () => {
    await using acting = await openActingCatalogue();
    const { catalogue } = acting;
    await catalogue.execute(assignRole, { actor: testActor, role: 'Reader' }, catalogue.admin);
    await catalogue.seed(orders);
    const test = await acting.save('all', { passing: [addTags(gold)] });
    assert.deepEqual(await acting.tagsOf(orders), []);
    const [run] = await acting.runs(test);
    assert.equal(run?.counts.failed, 1);
    const [entry] = await readLog(acting.store.verdicts, run, { count: 1 });
    assert.match(entry?.reason ?? '', /__metadata_tests may not/);
    await catalogue.execute(assignRole, { actor: testActor, role: 'Editor' }, catalogue.admin);
    await acting.runner.reconcile();
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(orders), [gold]);
    const changes = await catalogue.store.changes({ after: 0, count: 1000 });
    assert.equal(changes.find(({ aspect }) => aspect === 'globalTags')?.actor, testActor);
  });

  it('A12: an action on a type without its aspect is refused when it is saved', async () => {
    await using acting = await openActingCatalogue();
    const json = written({ types: ['glossaryTerm'], passing: [addTags(gold)] });
    await acting.catalogue.refuses(
      createTest,
      { name: 'n', category: 'c', definition: { json } },
      { code: 'INVALID_TEST_DEFINITION', message: /MT133/ },
    );
  });

  it('evaluating without storing never acts', async () => {
    await using acting = await openActingCatalogue();
    await acting.save('all', { rules: [hasOwner], passing: [addTags(gold)] }, false);
    await acting.catalogue.seed(orders, { ownership: owned });
    await acting.settle();
    const { library } = acting.services;
    const tests = await library.all();
    await acting.catalogue.execute(storeTestResults(tests), {
      urns: [parseUrn(orders)],
      testUrns: undefined,
    });
    await acting.settle();
    assert.deepEqual(await acting.tagsOf(orders), []);
  });
});
