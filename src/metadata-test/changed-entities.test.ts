import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openTestCatalogue } from '../../test/catalogue.ts';
import { parseUrn, type Urn } from '../urn/urn.ts';
import { changedEntities } from './changed-entities.ts';

it('changed entities come in parts, each of at most as many as were asked for, and together they are all', async () => {
  let now = 1_000;
  await using catalogue = await openTestCatalogue({ now: () => now });
  const urnOf = (index: number): Urn => parseUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,t${index},PROD)`);
  const expected: Urn[] = [];
  for (let index = 0; index < 30; index += 1) {
    now += 1_000;
    await catalogue.seed(urnOf(index), { status: { removed: false } });
    if (index >= 10) expected.push(urnOf(index));
  }
  await catalogue.seed('urn:li:dataPlatform:unrelated');
  const { store } = catalogue;
  const first = (await store.changes({ after: 0, count: 1_000 })).find(({ urn }) => urn === urnOf(10));
  assert.ok(first !== undefined);
  const last = await store.lastSequence();
  const found: Urn[] = [];
  let part = await changedEntities(store, { since: String(first.sequence - 1) }, 7);
  for (let parts = 1; ; parts += 1) {
    assert.ok(part.urns.length <= 7);
    assert.equal(part.sequence, last);
    found.push(...part.urns);
    if (part.cursor === undefined) break;
    assert.ok(parts < 10);
    // What is changed in between is not waited for.
    await catalogue.seed(urnOf(100 + parts));
    part = await changedEntities(store, { cursor: part.cursor }, 7);
  }
  assert.deepEqual([...new Set(found)].toSorted(), expected.toSorted());
  await assert.rejects(changedEntities(store, { since: 'yesterday' }, 7), /such as 2026/);
  await assert.rejects(changedEntities(store, { cursor: 'x' }, 7), /the part before/);
});

it('since a time, what was changed from then on counts', async () => {
  let now = 0;
  await using catalogue = await openTestCatalogue({ now: () => now });
  const dates = ['2026-01-01', '2026-01-02', '2026-01-03'];
  for (const [index, date] of dates.entries()) {
    now = Date.parse(date);
    await catalogue.seed(`urn:li:chart:(looker,c${index})`);
  }
  const { urns } = await changedEntities(catalogue.store, { since: '2026-01-02' }, 10);
  assert.deepEqual(urns, ['urn:li:chart:(looker,c1)', 'urn:li:chart:(looker,c2)']);
});
