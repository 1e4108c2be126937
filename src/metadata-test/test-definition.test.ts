import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { canonicalText, definitionMd5, semanticHash } from './canonical-text.ts';
import { compileTest } from './compile-test.ts';
import { definitionOf, hasOwner, on, owner, rule, tag, text } from './definition.fixture.ts';
import { readTestDefinition } from './test-definition.ts';

describe('dialects', () => {
  const conditions = [tag];
  const current = {
    on: { types: ['dataset', 'chart'], conditions },
    rules: [hasOwner, { not: [{ property: 'deprecation.deprecated', operator: 'is_true' }] }],
  };
  const oldTag = {
    query: 'globalTags.tags.tag',
    operation: 'equals',
    params: { values: ['urn:li:tag:Tier1'] },
  };
  const spellings: Record<string, unknown> = {
    'B, with match, query, operation, params and negate': {
      on: { types: ['dataset', 'chart'], match: [oldTag] },
      rules: [
        { query: owner, operation: 'exists' },
        { query: 'deprecation.deprecated', operation: 'is_true', negate: true },
      ],
    },
    'A, with types as keys, condition and upper case': {
      on: {
        dataset: [{ query: 'globalTags.tags.tag', condition: 'EQUALS', values: ['urn:li:tag:Tier1'] }],
        chart: [{ query: 'globalTags.tags.tag', condition: 'EQUALS', values: ['urn:li:tag:Tier1'] }],
      },
      rules: {
        and: [
          { query: owner, condition: 'EXISTS' },
          { not: { query: 'deprecation.deprecated', condition: 'IS_TRUE' } },
        ],
      },
    },
    'a mixture, with other spellings of types and a single value': {
      on: {
        types: ['CHART', 'DATASET', 'dataset'],
        conditions: { and: { ...tag, values: undefined, value: 'urn:li:tag:Tier1' } },
      },
      rules: {
        operator: 'and',
        operands: [
          { property: owner, operation: 'exists' },
          { not: [{ query: 'deprecation.deprecated', operator: 'is_true' }] },
        ],
      },
      actions: { passing: [], failing: [] },
    },
    'the key true for on': { true: current.on, rules: current.rules },
  };
  const expected = semanticHash(definitionOf(current));
  for (const [name, definition] of Object.entries(spellings)) {
    it(`${name}: the same tree`, () => {
      assert.equal(semanticHash(definitionOf(definition)), expected);
    });
  }

  it('a different meaning is a different tree', () => {
    const others = [
      { ...current, rules: [hasOwner] },
      { ...current, on: { types: ['dataset'], conditions } },
      { ...current, rules: { or: current.rules } },
      { ...current, actions: { passing: [{ type: 'deprecate' }] } },
    ];
    const hashes = new Set([expected, ...others.map((definition) => semanticHash(definitionOf(definition)))]);
    assert.equal(hashes.size, others.length + 1);
  });

  const equal: readonly (readonly [string, object, object])[] = [
    [
      'a URN field that was left out before a hop (N9)',
      { property: 'glossaryTerms.terms.glossaryTermInfo.parentNode', operator: 'exists' },
      { property: 'glossaryTerms.terms.urn.glossaryTermInfo.parentNode', operator: 'exists' },
    ],
    [
      'contains on a list (N5)',
      { property: owner, operator: 'contains', values: ['urn:li:corpuser:a'] },
      { property: owner, operator: 'contains_any', values: ['urn:li:corpuser:a'] },
    ],
    [
      'contains on a text (N5)',
      { property: 'datasetProperties.name', operator: 'contains', values: ['a'] },
      { property: 'datasetProperties.name', operator: 'contains_str', values: ['a'] },
    ],
    [
      'in and any_equals (N5)',
      { property: 'urn', operator: 'in', values: ['b', 'a', 'a'] },
      { property: 'urn', operator: 'ANY_EQUALS', values: ['a', 'b'] },
    ],
    [
      'numbers as numbers (N10)',
      { property: 'schemaFields.length', operator: 'greater_than', values: [3] },
      { property: 'schemaFields.length', operator: 'greater_than', values: ['3.0'] },
    ],
    [
      'points in time',
      { property: '__lastObserved', operator: 'greater_than', values: ['2025-01-01T00:00:00Z'] },
      { property: '__lastObserved', operator: 'greater_than', values: ['1735689600000'] },
    ],
  ];
  for (const [name, left, right] of equal) {
    it(`${name}: the same tree`, () => {
      assert.equal(semanticHash(definitionOf(rule(left))), semanticHash(definitionOf(rule(right))));
    });
  }

  it('notes every normalisation that was applied', () => {
    const source = text({
      on: { types: ['DATASET'], match: { query: 'urn', operation: 'IN', value: 7, negate: true } },
      rules: [],
    });
    const rules = readTestDefinition(source).notes.map((note) => note.rule);
    assert.deepEqual(new Set(rules), new Set(['N2', 'N3', 'N4', 'N5', 'N6', 'N8', 'N10', 'N12']));
  });

  it('reads actions with named parameters (N13) and keeps what is no plain list', () => {
    const { actions } = definitionOf({
      on,
      rules: [],
      actions: {
        passing: [
          { type: 'ADD_OWNERS', owners: 'urn:li:corpuser:ana', ownershipType: 'urn:li:ownershipType:x' },
        ],
        failing: [{ type: 'ASSIGN_FORM', params: { formUrn: 'urn:li:form:f' } }],
      },
    });
    assert.deepEqual(actions, {
      passing: [
        {
          type: 'add_owners',
          values: ['urn:li:corpuser:ana'],
          params: { ownershipType: 'urn:li:ownershipType:x' },
        },
      ],
      failing: [{ type: 'assign_form', values: [], params: { formUrn: 'urn:li:form:f' } }],
    });
  });

  it('the canonical text is the current dialect with sorted keys', () => {
    assert.equal(
      canonicalText(
        definitionOf({ on, rules: { query: 'schemaFields.length', operation: 'EQUALS', value: 3 } }),
      ),
      '{"on":{"types":["dataset"]},"rules":[{"operator":"equals","property":"schemaFields.length","values":["3"]}]}',
    );
  });

  it('the MD5 of a definition is that of its text, byte for byte', () => {
    assert.equal(definitionMd5(''), 'd41d8cd98f00b204e9800998ecf8427e');
    assert.notEqual(definitionMd5('{}'), definitionMd5('{ }'));
  });
});

describe('properties of reading', () => {
  const word = fc.constantFrom(
    'on',
    'types',
    'rules',
    'conditions',
    'match',
    'and',
    'or',
    'not',
    'property',
    'query',
    'operator',

    'operation',
    'values',
    'value',
    'params',
    'negate',
    'actions',
    'passing',
    'type',
    'dataset',
    'exists',
    'equals',

    'urn',
    'ownership.owners.owner',
    'forEach',
    'columns',
    'satisfies',
    'where',
    'quantifier',
    'atLeast',
    'ratio',
    'params',
    '${a}',
    '__proto__',
    'constructor',
    'toString',
    'true',
    'operands',
    'severity',
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 8 },
      fc.oneof(word, fc.string(), fc.double(), fc.boolean(), fc.constant(null)),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc
        .array(fc.tuple(fc.oneof(word, fc.string()), tie('tree')), { maxLength: 5 })
        .map((entries) => Object.fromEntries(entries)),
    ),
  }));

  it('never throws, whatever the text is', () => {
    fc.assert(
      fc.property(
        fc.oneof(tree.map(text), fc.json(), fc.string()),
        (source) => typeof readTestDefinition(source ?? '').valid === 'boolean',
      ),
      { numRuns: 2000 },
    );
  });

  const leaf = fc.oneof(
    fc.constantFrom<object>(
      hasOwner,
      tag,
      { query: owner, condition: 'CONTAINS', value: 'urn:li:corpuser:a', negate: true },
      { property: 'glossaryTerms.terms.glossaryTermInfo.name', operator: 'starts_with', values: ['a', 'b'] },
      { property: 'datasetProperties.customProperties.a.b', operator: 'exists' },
      {
        property: 'structuredProperties.urn:li:structuredProperty:a.b',
        operator: 'equals',
        values: [1, 'x'],
      },
    ),
    fc.string().map((value) => ({ property: 'urn', operator: 'in', values: [value] })),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((value) => ({ property: 'schemaFields.length', operator: 'less_than', values: [value] })),
  );
  const { predicate } = fc.letrec<{ predicate: unknown }>((tie) => ({
    predicate: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('predicate'), { maxLength: 3 }),
      fc
        .tuple(
          fc.constantFrom('and', 'or', 'not'),
          fc.oneof(tie('predicate'), fc.array(tie('predicate'), { maxLength: 3 })),
        )
        .map(([kind, operands]) => ({ [kind]: operands })),
    ),
  }));

  it('reading the canonical text gives the same canonical text and the same meaning, and it compiles', () => {
    fc.assert(
      fc.property(predicate, predicate, (conditions, rules) => {
        const once = definitionOf({ on: { types: ['dataset'], conditions }, rules });
        const again = definitionOf(JSON.parse(canonicalText(once)));
        assert.equal(canonicalText(again), canonicalText(once));
        assert.equal(semanticHash(again), semanticHash(once));
        compileTest(again);
      }),
      { numRuns: 500 },
    );
  });
});
