import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../../test/catalogue.ts';
import type { JsonObject } from '../../aspect/json.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { parseUrn, type Urn } from '../../urn/urn.ts';
import { createTest } from '../create-test.ts';
import { text } from '../definition.fixture.ts';
import { runTests } from '../run-tests.ts';
import { createTestLibrary } from '../test-library.ts';
import { evaluateProposed, type ProposedAspect, type ProposedEvaluation } from './evaluate-proposed.ts';
import { randomAspects, randomDefinition, randomOf, seedRandomly } from './preview.fixture.ts';

const orders = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)');
const raw = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,raw,PROD)');
const now = Date.UTC(2026, 0, 1);
const actor = { actor: 'urn:li:corpuser:ana', canSee: () => true };

const owned = {
  on: { types: ['dataset'] },
  rules: [{ property: 'ownership.owners.owner', operator: 'exists' }],
};
const onHive = {
  on: { types: ['dataset'] },
  rules: [
    { property: 'dataPlatformInstance.platform', operator: 'equals', values: ['urn:li:dataPlatform:hive'] },
  ],
};
const ownership: JsonObject = { owners: [{ owner: 'urn:li:corpuser:ana', type: 'DATAOWNER' }] };

async function save(catalogue: TestCatalogue, id: string, definition: object): Promise<Urn> {
  const input = { id, name: id, category: 'x', definition: { json: text(definition) } };
  return parseUrn(await catalogue.execute(createTest, input, catalogue.admin));
}

async function propose(
  { store }: TestCatalogue,
  urn: Urn,
  aspects: { readonly [name: string]: JsonObject },
): Promise<ProposedEvaluation> {
  const proposed: readonly ProposedAspect[] = Object.entries(aspects).map(([aspectName, body]) => ({
    aspectName,
    json: text(body),
  }));
  const tests = await createTestLibrary(store).all();
  return evaluateProposed(store, tests, { urn, aspects: proposed }, actor, now);
}

const verdictsOf = ({ results }: ProposedEvaluation): readonly (readonly string[])[] =>
  results.map(({ test, before, explanation }) => [test, before, explanation.verdict]);

describe('what tests would say of proposed aspects', () => {
  it('is told with the difference to now, and nothing is stored', async () => {
    await using catalogue = await openTestCatalogue();
    const test = await save(catalogue, 'owned', owned);
    await catalogue.seed(orders, { ownership });
    const before = await catalogue.lastSequence();
    const worse = await propose(catalogue, orders, { ownership: { owners: [] } });
    assert.deepEqual(verdictsOf(worse), [[test, 'PASS', 'FAIL']]);
    assert.deepEqual(
      [worse.exists, worse.passes, worse.newlyFailing, worse.newlyPassing],
      [true, false, [test], []],
    );
    assert.deepEqual(worse.results[0]?.explanation.toPass, ['Set an owner.']);
    const same = await propose(catalogue, orders, { globalTags: { tags: [] } });
    assert.deepEqual(verdictsOf(same), [[test, 'PASS', 'PASS']]);
    assert.deepEqual([same.passes, same.newlyFailing, same.newlyPassing], [true, [], []]);
    assert.equal(await catalogue.lastSequence(), before);
    assert.deepEqual(await catalogue.body(orders, 'ownership'), ownership);
  });

  it('is told of an entity that does not exist yet, with what every new entity gets', async () => {
    await using catalogue = await openTestCatalogue();
    const [ownedTest, hive] = [await save(catalogue, 'owned', owned), await save(catalogue, 'hive', onHive)];
    const proposed = await propose(catalogue, orders, { ownership });
    assert.equal(proposed.exists, false);
    assert.deepEqual(verdictsOf(proposed), [
      [hive, 'NONE', 'PASS'],
      [ownedTest, 'NONE', 'PASS'],
    ]);
    assert.deepEqual(proposed.newlyPassing, [hive, ownedTest]);
    assert.equal((await catalogue.store.existing([orders])).size, 0);
  });

  it('is explained without what the caller may not see', async () => {
    await using catalogue = await openTestCatalogue();
    await save(catalogue, 'nobody', {
      on: { types: ['dataset'] },
      rules: [{ property: 'ownership.owners.owner', operator: 'is_empty' }],
    });
    const tests = await createTestLibrary(catalogue.store).all();
    const input = { urn: orders, aspects: [{ aspectName: 'ownership', json: text(ownership) }] };
    const told = async (hidden: string): Promise<string> => {
      const proposer = { ...actor, canSee: (urn: Urn) => urn !== hidden };
      return text(await evaluateProposed(catalogue.store, tests, input, proposer, now));
    };
    assert.match(await told('nothing'), /"observed":\["urn:li:corpuser:ana"\]/);
    assert.doesNotMatch(await told('urn:li:corpuser:ana'), /"observed":\["urn:li:corpuser:ana"\]/);
  });

  it('counts the edges that the entity would have', async () => {
    await using catalogue = await openTestCatalogue();
    await catalogue.seed(raw);
    await catalogue.seed(orders);
    const test = await save(catalogue, 'read', {
      on: { types: ['dataset'] },
      rules: [
        {
          forEach: 'upstreamLineage.upstreams.dataset',
          satisfies: {
            forEach: 'lineage.downstream',
            satisfies: { property: 'urn', operator: 'equals', values: [orders] },
          },
        },
      ],
    });
    const upstreams = [{ dataset: raw, type: 'TRANSFORMED', auditStamp: { time: 1, actor: actor.actor } }];
    const named = await propose(catalogue, orders, { upstreamLineage: { upstreams } });
    assert.deepEqual(verdictsOf(named), [[test, 'FAIL', 'PASS']]);
  });

  it('is what the tests say once the aspects are stored, for random tests and aspects (seed 7)', async () => {
    const random = randomOf(7);
    await using catalogue = await openTestCatalogue();
    const urns = await seedRandomly(catalogue, random, 25);
    for (let index = 0; index < 25; index += 1) await save(catalogue, `t${index}`, randomDefinition(random));
    const fresh = parseUrn('urn:li:dataset:(urn:li:dataPlatform:kafka,fresh,PROD)');
    for (const urn of [...urns, fresh]) {
      const aspects = randomAspects(random, urn.startsWith('urn:li:dataset'));
      const proposed = await propose(catalogue, urn, aspects);
      await catalogue.seed(urn, aspects);
      const tests = await createTestLibrary(catalogue.store).all();
      const outcome = (await runTests(catalogue.store, tests, { urns: [urn], testUrns: undefined }, now)).get(
        urn,
      );
      const would = (verdict: string): readonly string[] =>
        verdictsOf(proposed).flatMap(([test = '', , is]) => (is === verdict ? [test] : []));
      assert.deepEqual(would('PASS'), outcome?.passing);
      assert.deepEqual(would('FAIL'), outcome?.failing);
    }
  });

  it('is refused for aspects that could not be stored, and for types that are not tested', async () => {
    await using catalogue = await openTestCatalogue();
    const tests = await createTestLibrary(catalogue.store).all();
    const refused = async (
      urn: Urn,
      aspects: readonly ProposedAspect[],
      code: string,
      words: RegExp,
    ): Promise<void> => {
      await assert.rejects(
        evaluateProposed(catalogue.store, tests, { urn, aspects }, actor, now),
        (error) => {
          assert.ok(error instanceof PostilError, String(error));
          assert.equal(error.code, code);
          assert.match(error.message, words);
          return true;
        },
      );
    };
    const one = (aspectName: string, json: string): readonly ProposedAspect[] => [{ aspectName, json }];
    await refused(
      orders,
      one('ownership', '{"owners": 3}'),
      'INVALID_ASPECT',
      /ownership of urn:li:dataset.*owners/,
    );
    await refused(orders, one('ownership', '[]'), 'INVALID_ASPECT', /must be a JSON object/);
    await refused(orders, one('ownership', '{'), 'BAD_REQUEST', /not valid JSON/);
    await refused(
      orders,
      one('ownership', '['.repeat(5_000) + ']'.repeat(5_000)),
      'INVALID_ASPECT',
      /nested/,
    );
    await refused(orders, one('owner', '{}'), 'UNKNOWN_ASPECT', /owner/);
    await refused(orders, one('chartInfo', '{}'), 'UNKNOWN_ASPECT', /chartInfo/);
    await refused(parseUrn('urn:li:dataPlatform:hive'), [], 'BAD_REQUEST', /not tested/);
    const many = Array.from({ length: 101 }, () => ({ aspectName: 'status', json: '{}' }));
    await refused(orders, many, 'LIMIT_EXCEEDED', /100 are the limit/);
  });
});
