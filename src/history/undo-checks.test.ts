import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestCatalogue } from '../../test/catalogue.ts';
import { orders, unauthorized } from '../../test/sample-metadata.ts';
import { startTestServer, type TestServer } from '../../test/server.ts';
import type { JsonObject } from '../aspect/json.ts';
import { parseUrn } from '../urn/urn.ts';
import { undoChange } from './undo-change.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer({ keepsVerdicts: false });
});

after(() => server.close());

/** The number of the newest change of an aspect. */
async function newest(urn: string, aspect: string): Promise<number> {
  const changes = await server.catalogue.store.changesOf({ urn: parseUrn(urn), count: 100 });
  return changes.find((change) => change.aspect === aspect)?.sequence ?? 0;
}

async function body(urn: string, aspect: string): Promise<JsonObject | undefined> {
  return (await server.catalogue.store.read(parseUrn(urn), [aspect])).get(aspect)?.body;
}

async function undo(sequence: number, token?: string): Promise<void> {
  await server.data(`mutation { undoChange(sequence: ${sequence}) { urn } }`, {}, token);
}

async function refused(sequence: number, message: RegExp, token?: string): Promise<void> {
  const before = await server.lastSequence();
  const { errors } = await server.graphql(
    `mutation { undoChange(sequence: ${sequence}) { urn } }`,
    {},
    token,
  );
  assert.match(errors?.[0]?.message ?? 'not refused', message);
  assert.equal(await server.lastSequence(), before);
}

const node = (id: string): string => `urn:li:glossaryNode:${id}`;
const domain = (id: string): string => `urn:li:domain:${id}`;
const container = (id: string): string => `urn:li:container:${id}`;

/** The three kinds of trees: how something is put below a parent, or at the root. */
const trees = [
  {
    urnOf: node,
    aspect: 'glossaryNodeInfo',
    bodyBelow: (parentNode?: string): JsonObject => ({ definition: 'd', parentNode }),
  },
  {
    urnOf: domain,
    aspect: 'domainProperties',
    bodyBelow: (parentDomain?: string): JsonObject => ({ name: `n${Math.random()}`, parentDomain }),
  },
  {
    urnOf: container,
    aspect: 'container',
    bodyBelow: (parent?: string): JsonObject | undefined =>
      parent === undefined ? undefined : { container: parent },
  },
] as const;

test('undoing an older move is refused where it would make a cycle of parents', async () => {
  for (const { urnOf, aspect, bodyBelow } of trees) {
    const [a, b, c] = [urnOf('A'), urnOf('B'), urnOf('C')];
    const place = async (urn: string, parent?: string): Promise<void> => {
      const placed = bodyBelow(parent);
      if (placed !== undefined) return server.ingest(urn, aspect, placed);
      await server.send('POST', '/entities?action=delete', {
        body: { urn, aspectName: aspect },
        token: server.tokens.Admin,
      });
    };
    await place(b);
    await place(c, b);
    await place(a, c);
    await place(a);
    const moveToRoot = await newest(a, aspect);
    await place(b, a);
    await refused(moveToRoot, /is the .* itself or lies below it/);
    await place(b);
    await undo(moveToRoot);
    assert.equal(Object.values((await body(a, aspect)) ?? {}).includes(c), true, aspect);
  }
});

test('undoing attaches nothing that was deleted since, and does once it is back', async () => {
  const tag = 'urn:li:tag:soon-gone';
  await server.ingest(tag, 'tagProperties', { name: 'Soon gone' });
  await server.ingest(orders, 'globalTags', { tags: [] });
  await server.data(`mutation { addTag(input: {tagUrn: "${tag}", resourceUrn: "${orders}"}) }`);
  await server.data(`mutation { removeTag(input: {tagUrn: "${tag}", resourceUrn: "${orders}"}) }`);
  const removal = await newest(orders, 'globalTags');
  await server.data(`mutation { deleteTag(urn: "${tag}") }`, {}, server.tokens.Admin);
  await refused(removal, /refers to urn:li:tag:soon-gone, which was deleted; undo its deletion first/);
  await undo(await newest(tag, 'tagKey'), server.tokens.Admin);
  await undo(removal);
  assert.deepEqual(await body(orders, 'globalTags'), { tags: [{ tag }] });
});

test('undoing brings back references that ingestion made to what was never stored', async () => {
  const owners = [{ owner: 'urn:li:corpuser:never-seen', type: 'DATAOWNER' }];
  await server.ingest(orders, 'ownership', { owners });
  await server.ingest(orders, 'ownership', { owners: [] });
  await undo(await newest(orders, 'ownership'));
  assert.deepEqual((await body(orders, 'ownership'))?.['owners'], owners);
});

test('an entity that comes back comes without what was deleted while it was away', async () => {
  const [dataset, tag, kept] = [`${orders.slice(0, -6)}_back,PROD)`, 'urn:li:tag:away', 'urn:li:tag:kept'];
  for (const each of [tag, kept]) await server.ingest(each, 'tagProperties', { name: each });
  await server.ingest(dataset, 'globalTags', { tags: [{ tag }, { tag: kept }] });
  for (const urn of [dataset, tag]) {
    await server.send('POST', '/entities?action=delete', { body: { urn }, token: server.tokens.Admin });
  }
  await undo(await newest(dataset, 'datasetKey'));
  assert.deepEqual(await body(dataset, 'globalTags'), { tags: [{ tag: kept }] });
});

test('a node that comes back does not come to lie below itself', async () => {
  const [gone, below] = [node('gone'), node('below')];
  await server.ingest(below, 'glossaryNodeInfo', { definition: 'd' });
  await server.ingest(gone, 'glossaryNodeInfo', { definition: 'd', parentNode: below });
  await server.data(`mutation { deleteGlossaryEntity(urn: "${gone}") }`);
  const deletion = await newest(gone, 'glossaryNodeKey');
  await server.ingest(below, 'glossaryNodeInfo', { definition: 'd', parentNode: gone });
  await refused(deletion, /lies below it/);
});

test('a name that another one has by now does not come back', async () => {
  const [first, second] = [domain('first'), domain('second')];
  await server.ingest(first, 'domainProperties', { name: 'Sales' });
  await server.data(`mutation { updateName(input: {urn: "${first}", name: "Shop"}) }`);
  const renaming = await newest(first, 'domainProperties');
  await server.ingest(second, 'domainProperties', { name: 'Sales' });
  await refused(renaming, /urn:li:domain:second is called "Sales" by now/);
  await server.data(`mutation { updateName(input: {urn: "${second}", name: "Marketing"}) }`);
  await undo(renaming);
  assert.equal((await body(first, 'domainProperties'))?.['name'], 'Sales');

  const term = { definition: 'd', termSource: 'INTERNAL', name: 'Customer' };
  await server.ingest('urn:li:glossaryTerm:one', 'glossaryTermInfo', term);
  await server.data('mutation { deleteGlossaryEntity(urn: "urn:li:glossaryTerm:one") }');
  const deletion = await newest('urn:li:glossaryTerm:one', 'glossaryTermKey');
  await server.ingest('urn:li:glossaryTerm:two', 'glossaryTermInfo', term);
  await refused(deletion, /urn:li:glossaryTerm:two is called "Customer" by now/);
});

test('an undo takes the privilege that the command takes, of a column on its dataset', async () => {
  await using shop = await openTestCatalogue();
  const ana = await shop.seed('urn:li:corpuser:ana', { corpUserEditableInfo: { title: 'a' } });
  const column = await shop.seed(`urn:li:schemaField:(${orders},id)`);
  const cases = [
    [parseUrn(orders), 'globalTags', 'EDIT_ENTITY_TAGS', { tags: [] }],
    [parseUrn(orders), 'ownership', 'EDIT_ENTITY_OWNERS', { owners: [] }],
    [parseUrn(orders), 'structuredProperties', 'EDIT_ENTITY_PROPERTIES', { properties: [] }],
    [ana, 'corpUserEditableInfo', 'EDIT_USER_PROFILE', { title: 'b' }],
    [
      parseUrn('urn:li:structuredProperty:p'),
      'structuredPropertySettings',
      'MANAGE_STRUCTURED_PROPERTIES',
      {},
    ],
  ] as const;
  for (const [urn, aspect, , stored] of cases) await shop.seed(urn, { [aspect]: stored });
  for (const [urn, aspect, own] of cases) {
    const changes = await shop.store.changesOf({ urn, count: 10 });
    const sequence = changes.find((change) => change.aspect === aspect)?.sequence ?? 0;
    const input = { sequence, urn, aspect };
    for (const [, , other] of cases) {
      const caller = { ...shop.reader, privileges: new Set([other]) };
      if (other !== own) await shop.refuses(undoChange, input, unauthorized, caller);
    }
    await shop.execute(undoChange, input, { ...shop.reader, privileges: new Set([own]) });
  }
  const asked = undoChange.demands({ sequence: 1, urn: column, aspect: 'structuredProperties' }, shop.reader);
  assert.deepEqual(
    asked.map(({ on }) => on),
    [orders],
  );
});
