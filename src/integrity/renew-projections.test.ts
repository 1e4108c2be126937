import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import { postgresUnavailable } from '../../test/postgres-server.ts';
import { schemaForEachTest } from '../../test/postgres-schemas.ts';
import type { Projections } from '../command/projection.ts';
import { createWriteEngine } from '../command/write-engine.ts';
import { projections } from '../projections.ts';
import { entriesVersion } from '../search-index/entries-version.ts';
import { completeIndex } from '../search-index/rebuild-index.ts';
import { openPostgresStore } from '../storage/postgres/postgres-aspect-store.ts';
import { parseUrn } from '../urn/urn.ts';
import { renewOldProjections, renewProjections } from './renew-projections.ts';
import { verifyStore } from './verify-store.ts';
import type { Command } from '../command/command.ts';
import type { AspectWrite } from '../aspect/aspect.ts';

const orders = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)');
const customers = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,shop.customers,PROD)');
const revenue = parseUrn('urn:li:glossaryTerm:revenue');
const finance = parseUrn('urn:li:glossaryNode:finance');

const stamp = { time: 0, actor: 'urn:li:corpuser:ana' };
const writes: readonly AspectWrite[] = [
  { urn: orders, aspect: 'glossaryTerms', body: { terms: [{ urn: revenue }], auditStamp: stamp } },
  {
    urn: orders,
    aspect: 'editableSchemaMetadata',
    body: {
      editableSchemaFieldInfo: [
        { fieldPath: 'total', glossaryTerms: { terms: [{ urn: revenue }], auditStamp: stamp } },
      ],
    },
  },
  {
    urn: revenue,
    aspect: 'glossaryTermInfo',
    body: { name: 'Revenue', definition: '', termSource: 'INTERNAL', parentNode: finance },
  },
  { urn: finance, aspect: 'glossaryNodeInfo', body: { name: 'Finance', definition: '' } },
];

const storeAll: Command<readonly AspectWrite[], void> = {
  name: 'storeAll',
  demands: () => [],
  decide: async (_view, given) => ({ writes: given, result: undefined }),
};

/** A version that knew fewer edges, one that is none, and nothing of trees and fragments. */
const earlier: Projections = {
  ...projections,
  edgesOf: (aspect) =>
    aspect === 'glossaryTerms' ? [{ kind: 'UsedToBe', destination: customers, path: '' }] : [],
  placementOf: () => undefined,
  fragments: [],
};

async function bringsForward({ store, admin }: TestCatalogue): Promise<void> {
  const engine = createWriteEngine({ store, projections: earlier, now: Date.now, newId: () => 'id' });
  await engine.execute(storeAll, writes, admin);
  await store.search.setProgress({ version: entriesVersion - 1, done: undefined });
  const before = await store.lastSequence();
  const usesOf = async (): Promise<number> => {
    const { items } = await store.uses({
      urn: revenue,
      direction: 'INCOMING',
      kinds: ['TermedWith'],
      withRemoved: false,
      start: 0,
      count: 9,
    });
    return items.length;
  };
  assert.equal(await usesOf(), 0);
  assert.deepEqual((await verifyStore(store, projections, () => undefined)).problems, [], 'not compared yet');

  assert.equal(await renewOldProjections(store, projections, () => undefined), 3);
  await completeIndex(store.search, { entryOf: projections.searchEntryOf, milliseconds: 10 });

  const { problems, searchIndex } = await verifyStore(store, projections, () => undefined);
  assert.deepEqual([problems, searchIndex], [[], 'compared']);
  assert.equal(await usesOf(), 2);
  assert.deepEqual(await store.childrenNamed('glossaryTerm', finance, 'Revenue'), [revenue]);
  assert.equal(
    (await store.relationships({ urn: customers, direction: 'INCOMING', start: 0, count: 9, distinct: true }))
      .total,
    0,
  );
  assert.equal(await store.lastSequence(), before, 'nothing is added to the change log');
  assert.equal(await renewProjections(store, projections, () => undefined), 0, 'nothing is left to be done');
  assert.equal(
    await renewOldProjections(store, earlier, () => undefined),
    0,
    'a store of this version is left alone',
  );
}

describe('what an earlier version derived otherwise is brought forward', () => {
  test('SQLite', async () => {
    await using catalogue = await openTestCatalogue();
    await bringsForward(catalogue);
  });

  describe('PostgreSQL', { skip: postgresUnavailable() }, () => {
    const schema = schemaForEachTest('renew');
    test('PostgreSQL', async () => {
      await using catalogue = await openTestCatalogue({ store: await openPostgresStore(schema.url) });
      await bringsForward(catalogue);
    });
  });
});

test('many entities are brought forward in several transactions', async () => {
  await using catalogue = await openTestCatalogue();
  const { store, admin } = catalogue;
  const many: readonly AspectWrite[] = Array.from({ length: 600 }, (_, index) => ({
    urn: parseUrn(`urn:li:glossaryTerm:t${index}`),
    aspect: 'glossaryTermInfo',
    body: { name: `T${index}`, definition: '', termSource: 'INTERNAL', parentNode: finance },
  }));
  const engine = createWriteEngine({ store, projections: earlier, now: Date.now, newId: () => 'id' });
  await engine.execute(storeAll, many, admin);
  const last: number[] = [];
  assert.equal(await renewProjections(store, projections, (entities) => last.push(entities)), 600);
  assert.ok(last.length > 1, 'in several transactions');
});
