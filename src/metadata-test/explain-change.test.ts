import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../aspect/json.ts';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import { startTestServer } from '../../test/server.ts';
import { parseUrn } from '../urn/urn.ts';
import { createTest } from './create-test.ts';
import { on, text } from './definition.fixture.ts';
import { explainChange, type TestChange } from './explain-change.ts';
import { explainTest } from './explain-test.ts';
import { compileTest } from './compile-test.ts';
import { definitionOf } from './definition.fixture.ts';
import { loadFacts } from './load-facts.ts';
import { sourceOf } from './conformance.fixture.ts';
import { updateTest } from './update-test.ts';

const dataset = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)');
const test = parseUrn('urn:li:test:owned');
const owned = { property: 'ownership.owners.owner', operator: 'exists' };
const tagged = { property: 'globalTags.tags.tag', operator: 'equals', values: ['urn:li:tag:Tier1'] };
const ownership = { owners: [{ owner: 'urn:li:corpuser:ana', type: 'DATAOWNER' }] };
const tagsOf = (...names: readonly string[]): JsonObject => ({
  tags: names.map((name) => ({ tag: `urn:li:tag:${name}` })),
});

describe('explaining a change of a verdict', () => {
  let time = 1_000;
  const tick = (): number => (time += 1_000);

  async function catalogueWith(rules: readonly JsonObject[]): Promise<TestCatalogue> {
    time = 1_000;
    const catalogue = await openTestCatalogue({ now: () => time });
    const definition = { json: text({ on, rules }) };
    await catalogue.execute(createTest, { id: 'owned', name: 'Owned', category: 'c', definition });
    return catalogue;
  }

  const change = (catalogue: TestCatalogue, from: number, to: number): Promise<TestChange> =>
    explainChange(catalogue.store, { urn: dataset, test, from, to }, () => true);

  it('names the leaf that changed, its values, and who wrote what it looks at', async () => {
    await using catalogue = await catalogueWith([owned, tagged]);
    await catalogue.seed(dataset, { globalTags: tagsOf('Tier1', 'Hot') });
    const before = time;
    const written = tick();
    await catalogue.seed(dataset, { globalTags: tagsOf('Hot'), ownership });
    const { from, to, nodes, definitionChanged } = await change(catalogue, before, tick());
    assert.deepEqual([from.verdict, to.verdict, definitionChanged], ['FAIL', 'FAIL', false]);
    assert.deepEqual(
      nodes.map(({ pointer, before: then, after }) => [
        pointer,
        then.outcome,
        then.observed,
        after.outcome,
        after.observed,
      ]),
      [
        ['/rules/0', false, [], true, ['urn:li:corpuser:ana']],
        ['/rules/1', true, ['urn:li:tag:Tier1', 'urn:li:tag:Hot'], false, ['urn:li:tag:Hot']],
      ],
    );
    const [owner, tag] = nodes.map(({ writes }) => writes[0]);
    assert.deepEqual(
      [owner?.aspect, owner?.versionBefore, owner?.versionAfter, owner?.changedAt],
      ['ownership', 0, 1, written],
    );
    assert.deepEqual([tag?.aspect, tag?.versionBefore, tag?.versionAfter], ['globalTags', 1, 2]);
    assert.match(tag?.changedBy ?? '', /^urn:li:corpuser:/);
  });

  it('sees what was removed since, and what was removed and written again', async () => {
    await using catalogue = await catalogueWith([owned, tagged]);
    const store = async (aspect: string, body: JsonObject | undefined): Promise<void> => {
      tick();
      await catalogue.engine.execute(
        {
          name: 'write',
          demands: () => [],
          decide: () => Promise.resolve({ writes: [{ urn: dataset, aspect, body }], result: undefined }),
        },
        undefined,
        catalogue.admin,
      );
    };
    await catalogue.seed(dataset, { ownership });
    const owners = time;
    await store('ownership', undefined);
    const none = time;
    await store('ownership', { owners: [{ owner: 'urn:li:corpuser:bob', type: 'DATAOWNER' }] });
    const again = time;
    await store('ownership', undefined);
    const end = tick();
    const verdicts = async (from: number, to: number): Promise<readonly unknown[]> => {
      const { nodes } = await change(catalogue, from, to);
      return nodes.map(({ before, after }) => [before.observed, after.observed]);
    };
    assert.deepEqual(await verdicts(owners, none), [[['urn:li:corpuser:ana'], []]]);
    assert.deepEqual(await verdicts(none, again), [[[], ['urn:li:corpuser:bob']]]);
    assert.deepEqual(await verdicts(owners, again), [[['urn:li:corpuser:ana'], ['urn:li:corpuser:bob']]]);
    assert.deepEqual(await verdicts(again, end), [[['urn:li:corpuser:bob'], []]]);
    assert.deepEqual(await verdicts(none, end), []);
    const [removed] = (await change(catalogue, again, end)).nodes[0]?.writes ?? [];
    assert.deepEqual([removed?.versionAfter, removed?.changedBy], [0, undefined]);
  });

  it('uses the definition of each point in time, and says when it is another one', async () => {
    await using catalogue = await catalogueWith([owned]);
    await catalogue.seed(dataset, { ownership });
    const before = time;
    tick();
    const definition = { json: text({ on, rules: [tagged] }) };
    await catalogue.execute(updateTest, { urn: test, input: { name: 'Owned', category: 'c', definition } });
    const { from, to, definitionChanged, nodes } = await change(catalogue, before, tick());
    assert.deepEqual([from.verdict, to.verdict, definitionChanged], ['PASS', 'FAIL', true]);
    assert.deepEqual(nodes, []);
  });

  it('is the same as evaluating at that time would have said, after any changes', async () => {
    await using catalogue = await catalogueWith([owned, tagged]);
    const said: { readonly at: number; readonly verdict: string }[] = [];
    const compiled = compileTest(definitionOf({ on, rules: [owned, tagged] }));
    for (let step = 0; step < 24; step += 1) {
      tick();
      await catalogue.seed(dataset, {
        globalTags: step % 3 === 0 ? tagsOf() : tagsOf('Tier1', `t${step}`),
        ownership: step % 4 === 0 ? { owners: [] } : ownership,
        status: { removed: step % 7 === 0 },
      });
      const facts = await loadFacts(catalogue.store, dataset, compiled.readSet);
      const entity = facts.get(dataset);
      assert.ok(entity !== undefined);
      said.push({ at: time, verdict: compiled.evaluate(entity, facts, time).verdict });
    }
    for (const [index, { at, verdict }] of said.entries()) {
      const { from } = await change(catalogue, at, said.at(-1)?.at === at ? tick() : (said.at(-1)?.at ?? 0));
      assert.equal(from.verdict, verdict, `step ${index}`);
    }
  });

  it('refuses times in the wrong order, and times before the entity or the test', async () => {
    await using catalogue = await catalogueWith([owned]);
    const early = time;
    tick();
    await catalogue.seed(dataset, { ownership });
    await assert.rejects(change(catalogue, time, early), { code: 'BAD_REQUEST' });
    await assert.rejects(change(catalogue, early, time), { code: 'ENTITY_NOT_FOUND', message: /no entity/ });
    await assert.rejects(change(catalogue, 1, time), { code: 'ENTITY_NOT_FOUND', message: /no test/ });
  });
});

describe('explainTestChange', () => {
  it('answers any caller over GraphQL, up to now unless another time is given', async () => {
    await using server = await startTestServer();
    const definition = { json: text({ on, rules: [owned] }) };
    const input = { id: 'owned', name: 'Owned', category: 'c', definition };
    await server.data('mutation ($input: CreateTestInput!) { createTest(input: $input) }', { input });
    await server.ingest(dataset, 'globalTags', tagsOf('Tier1'));
    const from = Date.now();
    while (Date.now() <= from) await new Promise((resolve) => void setTimeout(resolve, 1));
    await server.ingest(dataset, 'ownership', ownership);
    const query = `query ($urn: String!, $test: String!, $from: Long!, $to: Long) {
      explainTestChange(urn: $urn, testUrn: $test, fromTimeMillis: $from, toTimeMillis: $to) {
        entity test { urn } definitionChanged from { time verdict } to { verdict why }
        nodes { pointer before { outcome observedCount } after { outcome observed }
          writes { aspect versionBefore versionAfter } } } }`;
    const sequence = await server.lastSequence();
    const answer = await server.data(query, { urn: dataset, test, from }, server.tokens.Reader);
    assert.deepEqual(answer['explainTestChange'], {
      entity: dataset,
      test: { urn: test },
      definitionChanged: false,
      from: { time: from, verdict: 'FAIL' },
      to: { verdict: 'PASS', why: 'In scope, and every rule that decides holds.' },
      nodes: [
        {
          pointer: '/rules/0',
          before: { outcome: false, observedCount: 0 },
          after: { outcome: true, observed: ['urn:li:corpuser:ana'] },
          writes: [{ aspect: 'ownership', versionBefore: 0, versionAfter: 1 }],
        },
      ],
    });
    assert.equal(await server.lastSequence(), sequence);
    const refused = await server.graphql(query, { urn: dataset, test, from, to: from - 1 });
    assert.equal(refused.errors?.[0]?.extensions.code, 400);
  });
});

describe('what the viewer may not see', () => {
  it('is hidden among values, elements and the provenance of an explanation', async () => {
    const secret = 'urn:li:corpuser:eve';
    const world = {
      [dataset]: {
        ownership: { owners: ['ana', 'eve'].map((name) => ({ owner: `urn:li:corpuser:${name}` })) },
      },
      'urn:li:corpuser:ana': { corpUserInfo: { active: false, title: 'Analyst' } },
      [secret]: { corpUserInfo: { active: false, title: 'Secret title' } },
    };
    const definition = definitionOf({
      on,
      rules: [
        { property: 'ownership.owners.owner', operator: 'equals', values: ['urn:li:corpuser:x'] },
        { property: 'ownership.owners.owner.corpUserInfo.title', operator: 'equals', values: ['x'] },
        {
          forEach: 'ownership.owners.owner',
          satisfies: { property: 'corpUserInfo.title', operator: 'equals', values: ['x'] },
          message: 'not {{sample}}',
        },
      ],
    });
    const compiled = compileTest(definition);
    const facts = await loadFacts(sourceOf(world), dataset, compiled.readSet);
    const entity = facts.get(dataset);
    assert.ok(entity !== undefined);
    const explain = (canSee: (urn: string) => boolean): string =>
      JSON.stringify(explainTest(compiled, entity, facts, 0, canSee));
    assert.match(
      explain(() => true),
      /Secret title.*corpuser:eve/s,
    );
    const masked = explain((urn) => urn !== secret);
    assert.doesNotMatch(masked, /Secret title|corpuser:eve/);
    assert.match(masked, /\(hidden\)/);
    assert.match(masked, /urn:li:corpuser:ana/);
  });
});
