import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { schemaForEachTest } from '../../../test/postgres-schemas.ts';
import { postgresUnavailable } from '../../../test/postgres-server.ts';
import { openPostgresStore } from '../../storage/postgres/postgres-aspect-store.ts';
import type { VerdictKeepingStore } from '../../verdict/verdict-store.ts';
import { createTestLibrary } from '../test-library.ts';
import { createVerdictKeeper } from './create-verdict-keeper.ts';
import { type KeptCatalogue, openKeptCatalogue } from './kept-catalogue.fixture.ts';
import { assertKeptThroughMany } from './random-changes.fixture.ts';
import type { VerdictKeeper } from './verdict-keeper.ts';

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const definition = {
  on: { types: ['dataset'] },
  rules: [{ property: 'ownership.owners.owner', operator: 'exists' }],
};
const owners = { owners: [{ owner: 'urn:li:corpuser:ana', type: 'DATAOWNER' }] };

describe('nodes that share a store', { skip: postgresUnavailable() }, () => {
  const database = schemaForEachTest('keeping');

  const others: { readonly keeper: VerdictKeeper; readonly store: VerdictKeepingStore }[] = [];
  afterEach(async () => {
    for (const { keeper, store } of others.splice(0)) {
      await keeper.stop();
      await store.close();
    }
  });

  /** Another node with the same clock. */
  async function otherNode({ clock }: KeptCatalogue): Promise<VerdictKeeper> {
    const store = await openPostgresStore(database.url);
    const keeper = createVerdictKeeper({ store, library: createTestLibrary(store), now: () => clock.now });
    others.push({ keeper, store });
    keeper.start();
    return keeper;
  }

  test('after any sequence of changes, kept verdicts are those of evaluating everything', async () => {
    await using kept = await openKeptCatalogue({ store: await openPostgresStore(database.url) });
    await assertKeptThroughMany(kept, { numRuns: 5 });
  });

  test('one keeps at a time, all know when it has, and another takes over when it stops', async () => {
    await using kept = await openKeptCatalogue({ store: await openPostgresStore(database.url) });
    const { catalogue, keeper } = kept;
    await kept.saveTest('t', definition);
    await catalogue.seed(dataset('a'));
    await keeper.settled();
    const other = await otherNode(kept);
    await catalogue.seed(dataset('a'), { ownership: owners });
    await other.settled();
    assert.equal(await kept.verdict('urn:li:test:t', dataset('a')), 'PASS');
    assert.equal(other.status().activity, 'waiting');
    await assert.rejects(other.fullPass(), { code: 'OVERLOADED' });
    await keeper.stop();
    await catalogue.seed(dataset('b'));
    await other.settled();
    assert.notEqual(other.status().activity, 'waiting');
    assert.equal(await kept.verdict('urn:li:test:t', dataset('b')), 'FAIL');
    assert.deepEqual(await other.fullPass(), { tests: 1, differences: 0 });
  });

  test('rows that are wanted on a node that does not keep are made by the one that does', async () => {
    await using kept = await openKeptCatalogue({ store: await openPostgresStore(database.url) });
    const { catalogue, keeper, store } = kept;
    await catalogue.seed(dataset('a'));
    await keeper.settled();
    assert.equal(keeper.status().activity, 'dormant');
    const other = await otherNode(kept);
    await other.ensureRows();
    assert.equal(other.status().activity, 'waiting');
    assert.equal(await store.verdicts.rowCount(), 1);
    assert.deepEqual(kept.reports, []);
  });

  test('what a dead node left is taken over when its lease has run out, and no sooner', async () => {
    await using kept = await openKeptCatalogue({
      store: await openPostgresStore(database.url),
      isStarted: false,
    });
    const { catalogue, clock, keeper, store } = kept;
    const lease = JSON.stringify({ owner: 'a dead node', until: clock.now + 10_000 });
    await store.verdicts.transact((transaction) =>
      transaction.putRecords([{ kind: 'progress', key: 'lease', text: lease }]),
    );
    await kept.saveTest('t', definition);
    await catalogue.seed(dataset('a'));
    keeper.start();
    const settled = keeper.settled();
    for (let turns = 0; keeper.status().activity !== 'waiting'; turns += 1) {
      assert.ok(turns < 1_000, 'it waits');
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
    }
    assert.equal(await kept.verdict('urn:li:test:t', dataset('a')), 'NONE');
    clock.now += 10_000;
    await settled;
    assert.equal(await kept.verdict('urn:li:test:t', dataset('a')), 'FAIL');
  });

  test('a node that lost its lease writes nothing more', async () => {
    await using kept = await openKeptCatalogue({ store: await openPostgresStore(database.url) });
    const { catalogue, clock, keeper, store } = kept;
    await kept.saveTest('t', definition);
    await catalogue.seed(dataset('a'));
    await keeper.settled();
    const lease = JSON.stringify({ owner: 'another node', until: clock.now + 10_000 });
    await store.verdicts.transact((transaction) =>
      transaction.putRecords([{ kind: 'progress', key: 'lease', text: lease }]),
    );
    await catalogue.seed(dataset('a'), { ownership: owners });
    for (let turns = 0; keeper.status().activity !== 'waiting'; turns += 1) {
      assert.ok(turns < 1_000, 'it waits');
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
    }
    assert.equal(await kept.verdict('urn:li:test:t', dataset('a')), 'FAIL');
    clock.now += 10_000;
    await keeper.settled();
    assert.equal(await kept.verdict('urn:li:test:t', dataset('a')), 'PASS');
    assert.deepEqual(kept.reports, []);
  });
});
