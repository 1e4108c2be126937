import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import type { Command } from '../command/command.ts';
import { addTags } from '../tag/add-tags.ts';
import { removeTag } from '../tag/remove-tag.ts';
import { PostilError } from '../errors/postil-error.ts';
import { updateParentNode } from '../glossary/update-parent-node.ts';
import { deletionOf } from '../relationship/deletion.ts';
import { edgesOf } from '../relationship/edges.ts';
import { isUrn, parseUrn, type Urn } from '../urn/urn.ts';
import { undoChange } from './undo-change.ts';

const nodes = [0, 1, 2, 3].map((index) => parseUrn(`urn:li:glossaryNode:n${index}`));
const tags = [0, 1].map((index) => parseUrn(`urn:li:tag:t${index}`));
const datasets = [0, 1].map((index) => parseUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,d${index},PROD)`));
const everything = [...nodes, ...tags, ...datasets];

/** As deleting a dataset through ingestion does. */
const deleteWhole: Command<Urn, true> = {
  name: 'deleteWhole',
  demands: () => [],
  decide: async (view, urn) => ({ writes: await deletionOf(view, urn), result: true }),
};

const place = fc.nat({ max: 3 });
const step = fc.oneof(
  fc.record({ kind: fc.constant('move' as const), at: place, to: fc.option(place, { nil: undefined }) }),
  fc.record({ kind: fc.constant('tag' as const), at: place, to: place }),
  fc.record({ kind: fc.constant('untag' as const), at: place, to: place }),
  fc.record({ kind: fc.constant('delete' as const), at: fc.nat({ max: everything.length - 1 }) }),
  // Most of what is undone is what happened last; anything else is refused more often than not.
  fc.record({ kind: fc.constant('undo' as const), back: fc.nat({ max: 12 }) }),
  fc.record({ kind: fc.constant('undo' as const), back: fc.nat({ max: 3 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function apply(catalogue: TestCatalogue, what: Step): Promise<void> {
  if (what.kind === 'undo') {
    const sequence = (await catalogue.lastSequence()) - what.back;
    const [change] = await catalogue.store.changes({ after: Math.max(0, sequence - 1), count: 1 });
    if (change === undefined) return;
    const { urn, aspect } = change;
    await catalogue.execute(undoChange, { sequence: change.sequence, urn, aspect }, catalogue.admin);
    return;
  }
  if (what.kind === 'delete') {
    const urn = everything[what.at];
    if (urn !== undefined && (await catalogue.store.existing([urn])).has(urn)) {
      await catalogue.execute(deleteWhole, urn);
    }
    return;
  }
  if (what.kind === 'move') {
    const resourceUrn = nodes[what.at] ?? '';
    const parentNode = what.to === undefined ? null : (nodes[what.to] ?? null);
    await catalogue.execute(updateParentNode, { resourceUrn, parentNode });
    return;
  }
  const resourceUrn = datasets[what.at % datasets.length] ?? '';
  const tagUrn = tags[what.to % tags.length] ?? '';
  await (what.kind === 'tag'
    ? catalogue.execute(addTags, { resourceUrn, tagUrns: [tagUrn] })
    : catalogue.execute(removeTag, { resourceUrn, tagUrn }));
}

/** Nothing refers to what is not there, and every walk up the glossary ends at the root. */
async function assertSound(catalogue: TestCatalogue): Promise<void> {
  const { store } = catalogue;
  const existing = await store.existing(everything);
  const parents = new Map<Urn, Urn>();
  for (const [urn, aspects] of await store.readMany(everything)) {
    if (!existing.has(urn)) assert.equal(aspects.size, 0, `${urn} has aspects, and does not exist`);
    for (const { name, body } of aspects.values()) {
      for (const { destination } of edgesOf(name, body)) {
        const isThere = existing.has(destination) || !everything.includes(destination);
        assert.ok(isThere, `${name} of ${urn} refers to ${destination}, which does not exist`);
      }
      const parent = name === 'glossaryNodeInfo' ? body['parentNode'] : undefined;
      if (isUrn(parent)) parents.set(urn, parent);
    }
  }
  for (const node of nodes) {
    let above: Urn | undefined = node;
    for (let steps = 0; above !== undefined; steps += 1) {
      assert.ok(steps <= nodes.length, `${node} lies below itself`);
      above = parents.get(above);
    }
  }
}

test('no sequence of moves, deletions and undos makes a cycle, or a reference to what is not there', async () => {
  let undone = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      await using catalogue = await openTestCatalogue();
      for (const [index, node] of nodes.entries()) {
        await catalogue.seed(node, { glossaryNodeInfo: { definition: 'd', name: `n${index}` } });
      }
      for (const dataset of datasets) await catalogue.seed(dataset, { globalTags: { tags: [] } });
      for (const tag of tags) await catalogue.seed(tag, { tagProperties: { name: tag } });
      for (const each of steps) {
        const before = await catalogue.lastSequence();
        try {
          await apply(catalogue, each);
          if (each.kind === 'undo') undone += 1;
        } catch (error) {
          if (!(error instanceof PostilError)) throw error;
          if (each.kind === 'undo') refused += 1;
          assert.equal(await catalogue.lastSequence(), before);
        }
        await assertSound(catalogue);
      }
    }),
    { numRuns: 25 },
  );
  assert.ok(undone > 0 && refused > 0, `${undone} undone, ${refused} refused`);
});
