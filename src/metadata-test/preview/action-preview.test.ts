import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../../test/catalogue.ts';
import { parseUrn, type Urn } from '../../urn/urn.ts';
import { noState, stateRecord } from '../action/action-state.ts';
import { semanticHash } from '../canonical-text.ts';
import { definitionOf, text } from '../definition.fixture.ts';
import { previewed } from './previewed.fixture.ts';

const now = Date.now();
const dataset = (index: number): Urn => parseUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,t${index},PROD)`);
const gold = 'urn:li:tag:Gold';
const acting = {
  on: { types: ['dataset'] },
  rules: [{ property: 'ownership.owners.owner', operator: 'exists' }],
  actions: {
    passing: [{ type: 'add_tags', values: [gold] }],
    failing: [{ type: 'remove_tags', values: [gold] }],
  },
};

/** Every second one is owned; of `tagged`, the first have the tag. */
async function seed(catalogue: TestCatalogue, count: number, tagged: number): Promise<void> {
  await catalogue.seed(gold);
  for (let index = 0; index < count; index += 1) {
    const owners = index % 2 === 0 ? [{ owner: 'urn:li:corpuser:ana', type: 'DATAOWNER' }] : [];
    await catalogue.seed(dataset(index), {
      ownership: { owners },
      ...(index < tagged ? { globalTags: { tags: [{ tag: gold }] } } : {}),
    });
  }
}

describe('what actions would write', () => {
  it('is told without what is as wanted already, and nothing is written', async () => {
    await using catalogue = await openTestCatalogue();
    await seed(catalogue, 10, 3);
    await using preview = await previewed(catalogue);
    const before = await catalogue.lastSequence();
    const { actions } = await preview({ json: text(acting) }, now);
    // 0 and 2 pass and have the tag, 4, 6 and 8 pass without; 1 fails and has it.
    assert.deepEqual(actions, {
      entities: 4,
      isComplete: true,
      writes: { remove_tags: 1, add_tags: 3 },
      removedOfPeople: 1,
      sample: [
        { entity: dataset(4), verdict: 'PASS', changes: [`+ globalTags.tags ${gold}`] },
        { entity: dataset(6), verdict: 'PASS', changes: [`+ globalTags.tags ${gold}`] },
        { entity: dataset(8), verdict: 'PASS', changes: [`+ globalTags.tags ${gold}`] },
        { entity: dataset(1), verdict: 'FAIL', changes: [`- globalTags.tags ${gold}`] },
      ],
      approval: 'activation',
    });
    assert.equal(await catalogue.lastSequence(), before);
    const hidden = await preview({ json: text(acting) }, now, { canSee: (urn) => urn !== dataset(6) });
    assert.deepEqual([hidden.actions?.entities, hidden.actions?.sample.length], [4, 3]);
    const { actions: none } = await preview({ json: text({ ...acting, actions: undefined }) }, now);
    assert.equal(none, undefined);
  });

  it('waits for an approval when its meaning is new, or when too many entities would change', async () => {
    await using catalogue = await openTestCatalogue();
    await seed(catalogue, 50, 0);
    await using preview = await previewed(catalogue);
    const testUrn = await preview.save('acting', text(acting));
    assert.equal((await preview({ testUrn }, now)).actions?.approval, 'activation');
    await catalogue.store.verdicts.transact((transaction) =>
      transaction.putRecords([
        stateRecord(testUrn, { ...noState, semanticHash: semanticHash(definitionOf(acting)) }),
      ]),
    );
    const wide = (await preview({ testUrn }, now)).actions;
    assert.deepEqual([wide?.entities, wide?.approval], [25, 'blast-radius']);
    const narrow = { ...acting, actions: { ...acting.actions, passing: [] } };
    assert.equal((await preview({ testUrn, json: text(narrow) }, now)).actions?.approval, 'activation');
    for (let index = 0; index < 10; index += 2) {
      await catalogue.seed(dataset(index), { globalTags: { tags: [{ tag: gold }] } });
    }
    const small = (await preview({ testUrn }, now)).actions;
    assert.deepEqual([small?.entities, small?.approval], [20, undefined]);
  });

  it('is said to be at least so much where not everything was looked at', async () => {
    await using catalogue = await openTestCatalogue();
    await seed(catalogue, 4, 0);
    await using preview = await previewed(catalogue);
    const late = await preview({ json: text(acting) }, now, { limits: { milliseconds: 0 } });
    assert.deepEqual([late.actions?.entities, late.actions?.isComplete], [0, false]);
  });
});
