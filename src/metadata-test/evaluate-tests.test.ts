import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { openTestCatalogue } from '../../test/catalogue.ts';
import { parseUrn, type Urn } from '../urn/urn.ts';
import { compileTest } from './compile-test.ts';
import { conformanceWorld, evaluate, pack, sourceOf, urnOf } from './conformance.fixture.ts';
import { type CandidateTest, evaluateTests } from './evaluate-tests.ts';
import { requireValidDefinition } from './require-valid.ts';

const dataset = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)');
const other = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,shop.raw,PROD)');
const on = { types: ['dataset'] };

function candidate(id: string, definition: JsonValue): CandidateTest {
  const compiled = compileTest(requireValidDefinition(JSON.stringify(definition)));
  return { urn: parseUrn(`urn:li:test:${id}`), compiled };
}

const verdictOn = async (
  rules: JsonValue,
  world: Record<string, JsonObject>,
  urn: Urn = dataset,
): Promise<string> => (await evaluate({ on, rules }, urn, sourceOf(world))).verdict;

describe('evaluateTests', () => {
  it('answers sorted lists without the tests that do not apply, and the time that was given', async () => {
    const tests = pack
      .filter((test) => !test.extended)
      .map((test) => candidate(test.id, test.definition))
      .toReversed();
    const outcome = await evaluateTests(conformanceWorld, urnOf('D3'), tests, 1_760_000_000_000);
    const expected = (verdict: string): string[] =>
      pack
        .filter((test) => !test.extended && test.verdicts['D3'] === verdict)
        .map((test) => `urn:li:test:${test.id}`);
    assert.deepEqual(outcome, {
      passing: expected('PASS'),
      failing: expected('FAIL'),
      exempt: [],
      errors: [],
      evaluatedAt: 1_760_000_000_000,
    });
  });

  it('reads once per level for a hundred tests, not once per test', async () => {
    const hop = { property: 'glossaryTerms.terms.urn.glossaryTermInfo.parentNode', operator: 'exists' };
    const below = { ...hop, operator: 'within', values: ['urn:li:glossaryNode:Classification'] };
    const tests = Array.from({ length: 100 }, (_, index) =>
      candidate(`t${index}`, {
        on,
        rules: index % 2 === 0 ? [hop] : [below, { property: 'domains.domains', operator: 'exists' }],
      }),
    );
    const { calls } = conformanceWorld;
    const before = { ...calls };
    const outcome = await evaluateTests(conformanceWorld, urnOf('D1'), tests, 0);
    assert.equal(outcome.passing.length, 100);
    // The dataset, its terms, the parents of their group: two levels of them.
    assert.equal(calls.readMany - before.readMany, 4);
    assert.equal(calls.existing - before.existing, 1);
  });

  it('reads nothing when no test is for the type of the entity', async () => {
    const source = sourceOf({});
    const outcome = await evaluateTests(
      source,
      dataset,
      [candidate('c', { on: { types: ['chart'] }, rules: [] })],
      5,
    );
    assert.deepEqual(
      [outcome, source.calls],
      [
        { passing: [], failing: [], exempt: [], errors: [], evaluatedAt: 5 },
        { readMany: 0, existing: 0 },
      ],
    );
  });

  it('asks the store for no aspect that no test reads', async () => {
    const asked: (readonly string[] | undefined)[] = [];
    const source = sourceOf({ [dataset]: {} });
    const watching = {
      ...source,
      readMany: (urns: readonly Urn[], names?: readonly string[]) => {
        asked.push(names);
        return source.readMany(urns, names);
      },
    };
    const rules = [{ property: 'ownership.owners.owner', operator: 'exists' }];
    await evaluateTests(watching, dataset, [candidate('o', { on, rules })], 0);
    assert.deepEqual(asked, [['status', 'ownership']]);
  });

  it('gives the same answers from a real store', async () => {
    await using catalogue = await openTestCatalogue();
    const stamp = { time: 0, actor: 'urn:li:corpuser:ana' };
    const term = 'urn:li:glossaryTerm:Classification.Sensitive';
    await catalogue.seed('urn:li:glossaryNode:Classification');
    await catalogue.seed(term, {
      glossaryTermInfo: { definition: 'x', termSource: '', parentNode: 'urn:li:glossaryNode:Classification' },
    });
    await catalogue.seed(dataset, { glossaryTerms: { terms: [{ urn: term }], auditStamp: stamp } });
    const path = 'glossaryTerms.terms.urn.glossaryTermInfo.parentNode';
    const values = ['urn:li:glossaryNode:Classification'];
    const tests = [
      candidate('b-hop', { on, rules: [{ property: path, operator: 'equals', values }] }),
      candidate('a-within', {
        on,
        rules: [{ property: 'glossaryTerms.terms.urn', operator: 'within', values }],
      }),
      candidate('c-owner', { on, rules: [{ property: 'ownership.owners.owner', operator: 'exists' }] }),
      candidate('d-synced', { on, rules: [{ property: '__firstSynchronized', operator: 'exists' }] }),
    ];
    const outcome = await evaluateTests(catalogue.store, dataset, tests, 1);
    assert.deepEqual(outcome.passing, ['urn:li:test:a-within', 'urn:li:test:b-hop', 'urn:li:test:d-synced']);
    assert.deepEqual(outcome.failing, ['urn:li:test:c-owner']);
  });

  it('reports a test that needs too many steps as an error, and still decides the others', async () => {
    const source = sourceOf({ [dataset]: { datasetProperties: { name: 'a'.repeat(200_000) } } });
    const pattern = {
      property: 'datasetProperties.name',
      operator: 'regex_match',
      values: ['^(a{0,500}){2}x$'],
    };
    const started = performance.now();
    const outcome = await evaluateTests(
      source,
      dataset,
      [candidate('hostile', { on, rules: [pattern] }), candidate('fine', { on, rules: [] })],
      0,
    );
    assert.ok(performance.now() - started < 5_000);
    assert.deepEqual(outcome.passing, ['urn:li:test:fine']);
    assert.deepEqual(
      outcome.errors.map((error) => error.urn),
      ['urn:li:test:hostile'],
    );
  });

  it('decides hostile patterns in linear time', async () => {
    const rules = [
      {
        property: 'datasetProperties.name',
        operator: 'regex_match',
        values: ['^(a+)+$', '^(a|a)*b$', '^(.*a){20}$'],
      },
    ];
    assert.equal(
      await verdictOn(rules, { [dataset]: { datasetProperties: { name: `${'a'.repeat(50_000)}!` } } }),
      'FAIL',
    );
  });
});

describe('hops', () => {
  const upstream = (...steps: readonly string[]): string =>
    ['upstreamLineage.upstreams.dataset', ...steps].join('.');
  const downstream = { upstreamLineage: { upstreams: [{ dataset: other }] } };
  const named = { property: upstream('datasetProperties.name'), operator: 'exists' };

  it('lead to the aspects of the other entity', async () => {
    assert.equal(
      await verdictOn(named, { [dataset]: downstream, [other]: { datasetProperties: { name: 'raw' } } }),
      'PASS',
    );
  });

  it('into an entity that does not exist give nothing, and a note', async () => {
    const evaluation = await evaluate({ on, rules: named }, dataset, sourceOf({ [dataset]: downstream }));
    assert.equal(evaluation.verdict, 'FAIL');
    assert.deepEqual([...evaluation.notes], ['DANGLING_REF']);
  });

  it('into a soft-deleted entity give nothing', async () => {
    const world = {
      [dataset]: downstream,
      [other]: { status: { removed: true }, datasetProperties: { name: 'raw' } },
    };
    assert.equal(await verdictOn(named, world), 'FAIL');
  });

  it('into an existing entity use its defaults, into a missing one they do not', async () => {
    const rule = { property: upstream('deprecation.deprecated'), operator: 'is_false' };
    assert.equal(await verdictOn(rule, { [dataset]: downstream, [other]: {} }), 'PASS');
    assert.equal(await verdictOn(rule, { [dataset]: downstream }), 'FAIL');
  });

  it('go over three entities, the first one again included', async () => {
    const world = {
      [dataset]: { ...downstream, datasetProperties: { name: 'orders' } },
      [other]: { upstreamLineage: { upstreams: [{ dataset }] } },
    };
    const rule = {
      property: upstream(upstream('datasetProperties.name')),
      operator: 'equals',
      values: ['orders'],
    };
    assert.equal(await verdictOn(rule, world), 'PASS');
  });

  it('end in virtual properties, too', async () => {
    const rule = { property: upstream('schemaFields'), operator: 'schema_fields_have_descriptions' };
    const described = { schemaMetadata: { fields: [{ fieldPath: 'a', description: 'x' }] } };
    assert.equal(await verdictOn(rule, { [dataset]: downstream, [other]: described }), 'PASS');
    const platform = { property: upstream('urn'), operator: 'contains_str', values: ['shop.raw'] };
    assert.equal(await verdictOn(platform, { [dataset]: downstream, [other]: {} }), 'PASS');
    assert.equal(await verdictOn(platform, { [dataset]: downstream }), 'FAIL');
  });

  it('are told from fields of the same name in aspects of unknown shape', async () => {
    const rule = { property: 'access.x.status.removed', operator: 'exists' };
    await assert.rejects(verdictOn(rule, {}), /MT112/);
    const unknown = {
      property: 'applications.applications.applicationProperties.status.x',
      operator: 'equals',
      values: ['y'],
    };
    const world = {
      [dataset]: { applications: { applications: ['urn:li:application:a'] } },
      'urn:li:application:a': { applicationProperties: { status: { x: ['y'] } } },
    };
    assert.equal(await verdictOn(unknown, world), 'PASS');
  });
});

describe('scope', () => {
  const removed = { [dataset]: { status: { removed: true } } };
  const mentions = { property: 'status.removed', operator: 'is_false' };

  it('leaves out soft-deleted entities unless the conditions mention status.removed, wherever', async () => {
    assert.equal((await evaluate({ on, rules: [] }, dataset, sourceOf(removed))).verdict, 'NONE');
    const both = { on: { ...on, conditions: { or: [mentions, { not: mentions }] } }, rules: [] };
    assert.equal((await evaluate(both, dataset, sourceOf(removed))).verdict, 'PASS');
    assert.equal(
      (await evaluate({ on, rules: [{ not: mentions }] }, dataset, sourceOf(removed))).verdict,
      'NONE',
    );
  });

  it('takes any of several types', async () => {
    const definition = { on: { types: ['CHART', 'DATASET'] }, rules: [] };
    assert.equal((await evaluate(definition, dataset, sourceOf({}))).verdict, 'PASS');
  });

  it('counts owners without an ownership type URN under the built-in types', async () => {
    const world = {
      [dataset]: { ownership: { owners: [{ owner: 'urn:li:corpuser:ana', type: 'TECHNICAL_OWNER' }] } },
    };
    const path = (type: string): string => `ownership.ownerTypes.urn:li:ownershipType:${type}`;
    assert.equal(
      await verdictOn({ property: path('__system__technical_owner'), operator: 'exists' }, world),
      'PASS',
    );
    assert.equal(
      await verdictOn({ property: path('__system__data_steward'), operator: 'exists' }, world),
      'FAIL',
    );
    assert.equal(await verdictOn({ property: path('custom'), operator: 'exists' }, world), 'FAIL');
  });
});
