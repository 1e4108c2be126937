import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { parseUrn, type Urn } from '../urn/urn.ts';
import { compilePredicate, compileTest, evaluationBudget } from './compile-test.ts';
import { conformanceNow, conformanceWorld, pack, sourceOf, urnOf } from './conformance.fixture.ts';
import { compileExplainer } from './explain-predicate.ts';
import { explainTest } from './explain-test.ts';
import type { ExplainedNode, Explanation } from './explanation.ts';
import { type FactSource, runOn } from './facts.ts';
import { loadFacts } from './load-facts.ts';
import { predicatesOf } from './predicate.ts';
import { requireValidDefinition } from './require-valid.ts';

const dataset = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)');
const on = { types: ['dataset'] };

async function explain(
  definition: JsonValue,
  urn: Urn = dataset,
  source: FactSource = conformanceWorld,
): Promise<Explanation> {
  const compiled = compileTest(requireValidDefinition(JSON.stringify(definition)));
  const facts = await loadFacts(source, urn, compiled.readSet);
  const entity = facts.get(urn);
  assert.ok(entity !== undefined);
  return explainTest(compiled, entity, facts, conformanceNow);
}

const definitionOf = (id: string): JsonValue => pack.find((test) => test.id === id)?.definition ?? null;

function nodesIn(node: ExplainedNode): readonly ExplainedNode[] {
  const shown = (node.elements?.shown ?? []).flatMap(({ why }) => nodesIn(why));
  return [node, ...node.children.flatMap(nodesIn), ...shown];
}

describe('the explanation of the rule pack', () => {
  for (const { id, definition, verdicts } of pack) {
    it(`of ${id} gives each verdict of the matrix, and a reason in words`, async () => {
      for (const [alias, verdict] of Object.entries(verdicts)) {
        const explanation = await explain(definition, urnOf(alias));
        assert.equal(explanation.verdict, verdict, alias);
        assert.ok(explanation.why.length > 10, explanation.why);
        if (verdict !== 'FAIL') continue;
        assert.ok(explanation.rules.length > 0);
        for (const rule of explanation.rules) {
          assert.equal(rule.outcome, false);
          assert.ok(
            nodesIn(rule.why).some(({ leaf, elements }) => leaf !== undefined || elements !== undefined),
          );
        }
      }
    });
  }

  it('names the column, what was found, who wrote it, and what to do', async () => {
    const explanation = await explain(definitionOf('GO002'), urnOf('D1'));
    assert.equal(explanation.why, '1 PII columns without classification: phone');
    const [rule] = explanation.rules;
    assert.deepEqual(rule, {
      id: 'pii-has-class',
      severity: 'error',
      outcome: false,
      message: '1 PII columns without classification: phone',
      why: {
        node: 'forEach',
        pointer: '/rules/0',
        outcome: false,
        children: [],
        elements: {
          collection: 'columns',
          considered: 3,
          selected: 2,
          satisfied: 1,
          deciding: 1,
          shown: [
            {
              element: 'phone',
              why: {
                node: 'leaf',
                pointer: '/rules/0/satisfies',
                outcome: false,
                children: [],
                leaf: {
                  property: 'terms',
                  operator: 'within',
                  expected: ['urn:li:glossaryNode:Classification'],
                  observed: [],
                  observedCount: 0,
                  notes: ['MISSING'],
                },
              },
            },
          ],
        },
      },
    });
    assert.deepEqual(
      explanation.provenance.map(({ aspect, changedBy, version }) => [aspect, changedBy, version]),
      [
        ['schemaMetadata', 'urn:li:corpuser:ana', 1],
        ['editableSchemaMetadata', 'urn:li:corpuser:ana', 1],
      ],
    );
    assert.deepEqual(explanation.toPass, [
      'phone: Set a glossary term below urn:li:glossaryNode:Classification.',
    ]);
  });

  it('says why something is not in scope', async () => {
    const type = await explain(definitionOf('GO001'), urnOf('B1'));
    assert.match(type.why, /^The test is for dataset, not for entities of type dashboard\.$/);
    const condition = await explain(definitionOf('GO001'), urnOf('D2'));
    assert.match(
      condition.why,
      /^A condition does not hold: 'globalTags\.tags\.tag' contains_any urn:li:tag:Tier1/,
    );
    assert.equal(condition.scope.why?.pointer, '/on/conditions/0');
    const removed = await explain({ on, rules: [] }, urnOf('D4'));
    assert.match(removed.why, /soft-deleted/);
  });
});

describe('what is shown', () => {
  const world = (bodies: JsonObject): FactSource => sourceOf({ [dataset]: bodies });
  const named = { property: 'datasetProperties.name', operator: 'exists' };
  const owned = { property: 'ownership.owners.owner', operator: 'exists' };

  it('of a list of rules are those that do not hold', async () => {
    const rules = [named, owned, { ...named, operator: 'is_empty', severity: 'warn', id: 'nameless' }];
    const explanation = await explain({ on, rules }, dataset, world({ datasetProperties: { name: 'x' } }));
    assert.deepEqual(
      explanation.rules.map(({ id, severity }) => [id, severity]),
      [
        ['rule-2', 'error'],
        ['nameless', 'warn'],
      ],
    );
    assert.deepEqual(explanation.toPass, ['Set an owner.'], 'a warning is no reason to fail');
  });

  it('of a disjunction that fails are all parts, and an edit for each', async () => {
    const explanation = await explain({ on, rules: { or: [named, owned] } }, dataset, world({}));
    assert.deepEqual(
      explanation.rules[0]?.why.children.map(({ pointer }) => pointer),
      ['/rules/or/0', '/rules/or/1'],
    );
    assert.deepEqual(explanation.toPass, ["Set a value for 'datasetProperties.name'. Or: Set an owner."]);
  });

  it('of a not that fails are the parts that hold, to be undone', async () => {
    const rules = { not: [named, owned] };
    const explanation = await explain({ on, rules }, dataset, world({ datasetProperties: { name: 'x' } }));
    assert.deepEqual(
      explanation.rules[0]?.why.children.map(({ pointer }) => pointer),
      ['/rules/not/0'],
    );
    assert.deepEqual(explanation.toPass, ["Remove 'datasetProperties.name'."]);
  });

  it('are at most five values and elements, each cut when it is long', async () => {
    const fields = Array.from({ length: 9 }, (_, index) => ({ fieldPath: `${'c'.repeat(300)}${index}` }));
    const rules = [
      { forEach: 'columns', satisfies: { property: 'description', operator: 'exists' } },
      { property: 'schemaMetadata.fields.fieldPath', operator: 'equals', values: ['x'] },
    ];
    const explanation = await explain({ on, rules }, dataset, world({ schemaMetadata: { fields } }));
    const [columns, leaf] = explanation.rules.map(({ why }) => why);
    assert.equal(columns?.elements?.shown.length, 5);
    assert.equal(columns.elements.deciding, 9);
    assert.equal(leaf?.leaf?.observed.length, 5);
    assert.equal(leaf.leaf.observedCount, 9);
    assert.ok(leaf.leaf.observed.every((value) => value.length <= 203));
  });

  it('no edit is proposed for what nobody edits', async () => {
    const rules = { property: 'urn', operator: 'ends_with', values: ['DEV)'] };
    assert.deepEqual((await explain({ on, rules }, dataset, world({}))).toPass, []);
  });

  it('captures in messages: the entity, how many, which', async () => {
    const rule = {
      ...named,
      operator: 'equals',
      values: ['y'],
      message: '{{name}}: {{ count }} ({{sample}})',
    };
    const explanation = await explain(
      { on, rules: [rule] },
      dataset,
      world({ datasetProperties: { name: 'x' } }),
    );
    assert.equal(explanation.why, 'shop.orders: 1 (x)');
  });

  it('the verdict ERROR is explained by its limit, and the rest is left out', async () => {
    const values = Array.from({ length: 10_000 }, (_, index) => `needle ${index}`);
    const rules = { property: 'datasetProperties.name', operator: 'contains_str', values };
    const explanation = await explain(
      { on, rules },
      dataset,
      world({ datasetProperties: { name: 'x'.repeat(2e5) } }),
    );
    assert.deepEqual([explanation.verdict, explanation.rules], ['ERROR', []]);
    assert.match(explanation.why, /more steps/);
  });
});

describe('an explanation', () => {
  const texts = fc.constantFrom('a', 'b', ' ', 'fct_a', '7');
  const urns = fc.constantFrom('urn:li:tag:a', 'urn:li:tag:b', 'urn:li:tag:gone');
  const property = fc.constantFrom('datasetProperties.name', 'globalTags.tags.tag', 'effective.description');
  const leaf = fc.oneof(
    fc
      .tuple(property, fc.constantFrom('exists', 'is_empty'))
      .map(([path, operator]) => ({ property: path, operator })),
    fc
      .tuple(
        fc.constantFrom('equals', 'not_equals', 'starts_with', 'ends_with', 'contains_all', 'subset_of'),
        texts,
      )
      .map(([operator, value]) => ({ property: 'datasetProperties.name', operator, values: [value] })),
    fc
      .tuple(fc.constantFrom('contains_any', 'contains_none', 'contains_all'), urns)
      .map(([operator, value]) => ({ property: 'globalTags.tags.tag', operator, values: [value] })),
    fc.constant({ property: 'schemaFields', operator: 'schema_fields_have_descriptions' }),
    fc.nat(3).map((count) => ({ property: 'schemaFields', operator: 'count_at_most', values: [count] })),
    fc.constant({ property: 'deprecation.deprecated', operator: 'is_false' }),
  );
  const inside = fc.constantFrom(
    { property: 'description', operator: 'exists' },
    { property: 'name', operator: 'equals', values: ['a'] },
    { property: '$root.datasetProperties.name', operator: 'exists' },
    { forEach: 'tags', satisfies: { property: 'tagProperties.name', operator: 'exists' }, quantifier: 'any' },
  );
  const forEach = fc
    .tuple(
      inside,
      fc.option(inside, { nil: undefined }),
      fc.constantFrom<object>(
        {},
        { quantifier: 'any' },
        { quantifier: 'none', onEmpty: 'pass' },
        { quantifier: 'atLeast', ratio: 0.5 },
        { quantifier: 'atLeast', count: 1 },
      ),
    )
    .map(([satisfies, where, rest]) => ({
      forEach: 'columns',
      satisfies,
      ...(where === undefined ? {} : { where }),
      ...rest,
    }));
  const { predicate } = fc.letrec<{ predicate: object }>((tie) => ({
    predicate: fc.oneof(
      { maxDepth: 3 },
      leaf,
      forEach,
      fc
        .tuple(fc.constantFrom('and', 'or', 'not'), fc.array(tie('predicate'), { maxLength: 3 }))
        .map(([kind, operands]) => ({ [kind]: operands })),
    ),
  }));
  const column = fc.record({
    fieldPath: fc.constantFrom('a', 'b', '[version=2.0].[type=int].c'),
    description: fc.constantFrom('', 'x'),
    globalTags: fc.array(urns, { maxLength: 2 }).map((tags) => ({ tags: tags.map((tag) => ({ tag })) })),
  });
  const bodies = fc.record(
    {
      datasetProperties: fc.record({ name: texts, description: texts }),
      editableDatasetProperties: fc.record({ description: texts }),
      globalTags: fc.array(urns, { maxLength: 3 }).map((tags) => ({ tags: tags.map((tag) => ({ tag })) })),
      deprecation: fc.boolean().map((deprecated) => ({ deprecated })),
      schemaMetadata: fc.array(column, { maxLength: 4 }).map((fields) => ({ fields })),
      status: fc.boolean().map((removed) => ({ removed })),
    },
    { requiredKeys: [] },
  );

  it('has the outcome that evaluation gives, at the root, at every rule and in the scope', async () => {
    const run = async (conditions: object, rules: readonly object[], aspects: object): Promise<void> => {
      const text = JSON.stringify({ on: { ...on, conditions }, rules });
      const compiled = compileTest(requireValidDefinition(text));
      const source = sourceOf({
        [dataset]: aspects as JsonObject,
        'urn:li:tag:a': { tagProperties: { name: 'A' } },
        'urn:li:tag:b': {},
      });
      const facts = await loadFacts(source, dataset, compiled.readSet);
      const entity = facts.get(dataset);
      assert.ok(entity !== undefined);
      for (const node of predicatesOf(compiled.definition)) {
        const fresh = (): ReturnType<typeof runOn> => runOn(entity, facts, conformanceNow, evaluationBudget);
        const outcome = compilePredicate(node)(entity, fresh());
        assert.equal(
          compileExplainer(node)(
            entity,
            fresh(),
            () => {},
            () => true,
          ).outcome,
          outcome,
          text,
        );
      }
      const { verdict } = compiled.evaluate(entity, facts, conformanceNow);
      const explanation = explainTest(compiled, entity, facts, conformanceNow);
      assert.equal(explanation.verdict, verdict);
      if (verdict === 'PASS') assert.ok(explanation.rules.every(({ outcome }) => outcome));
      if (verdict === 'FAIL') assert.ok(explanation.rules.some(({ outcome }) => !outcome));
      if (verdict === 'NONE') assert.ok(entity.removed || explanation.scope.why?.outcome === false);
    };
    await fc.assert(fc.asyncProperty(predicate, fc.array(predicate, { maxLength: 3 }), bodies, run), {
      numRuns: 2_000,
    });
  });
});
