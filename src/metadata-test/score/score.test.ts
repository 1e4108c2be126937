import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../../../test/server.ts';
import type { JsonObject } from '../../aspect/json.ts';
import { parseUrn, type Urn } from '../../urn/urn.ts';
import { semanticHash } from '../canonical-text.ts';
import { arrive } from '../history/history.fixture.ts';
import { requireValidDefinition } from '../require-valid.ts';
import { endOfDay, levelOf, targetOf, weightOf } from './score-keys.ts';
import { targetProgress } from './target-progress.ts';

const dataset = (name: string): Urn =>
  parseUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,shop.${name},PROD)`);
const on = { types: ['dataset'] };
const has = (property: string): object => ({ property, operator: 'exists' });
const owner = has('ownership.owners.owner');
const tag = has('globalTags.tags.tag');
const dayMs = 86_400_000;

let server: TestServer;
before(async () => {
  server = await startTestServer({ keepsVerdicts: false });
});
after(() => server.close());

async function saveTest(id: string, rules: object, keys: object = {}): Promise<Urn> {
  const json = JSON.stringify({ on, rules: [rules], ...keys });
  const input = { id, name: id, category: 'c', definition: { json } };
  await server.data('mutation c($input: CreateTestInput!) { createTest(input: $input) }', { input });
  return parseUrn(`urn:li:test:${id}`);
}

async function scoreOf(urn: Urn): Promise<JsonObject> {
  const query = `{ testScore(urn: "${urn}") { score passing failing exempt undecided level levels { level applicable satisfied isReached } } }`;
  return (await server.data(query, {}, server.tokens.Reader))['testScore'] as JsonObject;
}

describe('the score of an entity', () => {
  it('is null and of no level while no test applies', async () => {
    const lonely = dataset('lonely');
    await server.ingest(lonely, 'datasetProperties', { name: 'lonely' });
    const { score, level, passing } = await scoreOf(lonely);
    assert.deepEqual([score, level, passing], [null, null, 0]);
  });

  it('weighs the tests, leaves out who is excused, and names the highest level without a gap below', async () => {
    const urn = dataset('scored');
    await server.ingest(urn, 'globalTags', { tags: [{ tag: 'urn:li:tag:A' }] });
    await saveTest('s-bronze', tag, { level: 'bronze', weight: 3 });
    const silver = await saveTest('s-silver', owner, { level: 'silver' });
    await saveTest('s-gold', tag, { level: 'gold', weight: 0.5 });
    await saveTest('s-plain', owner, { weight: 1.5 });
    const before = await scoreOf(urn);
    assert.equal(before['score'], 3.5 / 6);
    assert.deepEqual(
      [before['passing'], before['failing'], before['exempt'], before['level']],
      [2, 2, 0, 'BRONZE'],
    );
    assert.deepEqual(before['levels'], [
      { level: 'BRONZE', applicable: 1, satisfied: 1, isReached: true },
      { level: 'SILVER', applicable: 1, satisfied: 0, isReached: false },
      { level: 'GOLD', applicable: 1, satisfied: 1, isReached: false },
    ]);
    const input = { testUrn: silver, entityUrn: urn, reason: 'r', expires: Date.now() + dayMs };
    await server.data('mutation e($input: TestExemptionInput!) { createTestExemption(input: $input) }', {
      input,
    });
    const after = await scoreOf(urn);
    assert.equal(after['score'], 3.5 / 5);
    assert.deepEqual([after['exempt'], after['level']], [1, 'GOLD']);
  });

  it('is refused for an entity that does not exist', async () => {
    const { errors } = await server.graphql(`{ testScore(urn: "${dataset('ghost')}") { score } }`);
    assert.match(errors?.[0]?.message ?? '', /no entity .*ghost/);
  });
});

describe('the keys of scores and targets', () => {
  it('are kept, have defaults, and are no part of what a definition means', () => {
    const target = { passRate: 0.9, by: '2030-02-28', owner: 'urn:li:corpuser:ana' };
    const plain = requireValidDefinition(JSON.stringify({ on, rules: [tag] }));
    const full = requireValidDefinition(
      JSON.stringify({ on, rules: [tag], target, weight: 2, level: 'gold' }),
    );
    assert.deepEqual([weightOf(plain), levelOf(plain), targetOf(plain)], [1, undefined, undefined]);
    assert.deepEqual([weightOf(full), levelOf(full), targetOf(full)], [2, 'gold', target]);
    assert.equal(semanticHash(full), semanticHash(plain));
    assert.equal(endOfDay('2030-02-28'), Date.parse('2030-03-01T00:00:00Z'));
    assert.equal(endOfDay('2030-02-29'), undefined);
  });
});

describe('the target of a test', () => {
  const urns = Array.from({ length: 10 }, (_, index) => dataset(`t${index}`));
  const now = 1_000 * dayMs;

  before(async () => {
    for (const urn of urns) await server.ingest(urn, 'datasetProperties', { name: 'n' });
  });

  /** A test of which so many entities pass, one after the other, a day apart, the last of them now. */
  async function improving(id: string, passing: number): Promise<Urn> {
    const test = parseUrn(`urn:li:test:${id}`);
    const { store } = server.catalogue;
    const start = now - passing * dayMs;
    await arrive(store, test, start, new Map(urns.map((urn) => [urn, 'FAIL'])));
    for (const [index, urn] of urns.slice(0, passing).entries()) {
      await arrive(store, test, start + (index + 1) * dayMs, new Map([[urn, 'PASS']]));
    }
    return test;
  }

  it('tells the present rate, and when it will be met if it goes on like this', async () => {
    const test = await improving('improving', 4);
    const { verdicts } = server.catalogue.store;
    const progress = await targetProgress(verdicts, test, { passRate: 0.6, by: '1972-10-01' }, now);
    assert.equal(progress.currentPassRate, 0.4);
    assert.deepEqual([progress.isMet, progress.isOverdue], [false, false]);
    assert.ok(Math.abs((progress.projectedAt ?? 0) - (now + 2 * dayMs)) <= 2, String(progress.projectedAt));
  });

  it('is overdue after its day, met when the rate is reached, and has no projection where nothing gets better', async () => {
    const test = await improving('late', 4);
    const { verdicts } = server.catalogue.store;
    const late = await targetProgress(verdicts, test, { passRate: 0.6, by: '1970-01-02' }, now);
    assert.equal(late.isOverdue, true);
    const met = await targetProgress(verdicts, test, { passRate: 0.4, by: '1970-01-02' }, now);
    assert.deepEqual([met.isMet, met.isOverdue, met.projectedAt], [true, false, null]);
    const still = await targetProgress(verdicts, test, { passRate: 0.6, by: '1970-01-02' }, now + 40 * dayMs);
    assert.equal(still.projectedAt, null, 'nothing changed in the last 30 days');
    const none = await targetProgress(
      verdicts,
      parseUrn('urn:li:test:none'),
      { passRate: 1, by: '2030-01-01' },
      now,
    );
    assert.deepEqual([none.currentPassRate, none.isMet, none.projectedAt], [null, false, null]);
  });

  it('names the owners and domains with most of what fails', async () => {
    const target = { passRate: 1, by: '2030-01-01', owner: 'urn:li:corpuser:ana' };
    const test = await saveTest('with-target', has('datasetProperties.description'), { target, weight: 2 });
    const ownedBy = (name: string): JsonObject => ({
      owners: [{ owner: `urn:li:corpuser:${name}`, type: 'DATAOWNER' }],
      lastModified: { time: 0, actor: 'urn:li:corpuser:a' },
    });
    const [first, second, third] = urns;
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    await server.ingest(first, 'ownership', ownedBy('bo'));
    await server.ingest(second, 'ownership', ownedBy('bo'));
    await server.ingest(third, 'ownership', ownedBy('al'));
    await server.ingest(first, 'domains', { domains: ['urn:li:domain:shop'] });
    const fails = [first, second, third].map((urn) => [urn, 'FAIL'] as const);
    await arrive(server.catalogue.store, test, Date.now(), new Map(fails));
    const query = `{ test(urn: "${test}") { weight level target { passRate by owner currentPassRate isMet projectedAt
      contributors { owners { urn failing } domains { urn failing } withoutOwner withoutDomain considered total } } } }`;
    assert.deepEqual((await server.data(query))['test'], {
      weight: 2,
      level: null,
      target: {
        ...target,
        currentPassRate: 0,
        isMet: false,
        projectedAt: null,
        contributors: {
          owners: [
            { urn: 'urn:li:corpuser:bo', failing: 2 },
            { urn: 'urn:li:corpuser:al', failing: 1 },
          ],
          domains: [{ urn: 'urn:li:domain:shop', failing: 1 }],
          withoutOwner: 0,
          withoutDomain: 2,
          considered: 3,
          total: 3,
        },
      },
    });
  });
});
