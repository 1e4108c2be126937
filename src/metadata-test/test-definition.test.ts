import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { canonicalText, definitionMd5, semanticHash } from './canonical-text.ts';
import { compileTest } from './compile-test.ts';
import { type IssueCode, issueCodes } from './issue.ts';
import type { TestDefinition } from './predicate.ts';
import { readTestDefinition } from './test-definition.ts';
import { requireValidDefinition } from './validate.ts';

const on = { types: ['dataset'] };
const owner = 'ownership.owners.owner';
const tag = { property: 'globalTags.tags.tag', operator: 'equals', values: ['urn:li:tag:Tier1'] };
const hasOwner = { property: owner, operator: 'exists' };
const rule = (leaf: object): object => ({ on, rules: [leaf] });
const text = (definition: unknown): string => JSON.stringify(definition);

function definitionOf(definition: unknown): TestDefinition {
  const read = readTestDefinition(text(definition));
  assert.ok(read.valid, text(read.issues));
  return read.definition;
}

const findingsOf = (source: string): (readonly [string, string])[] =>
  readTestDefinition(source).issues.map(({ code, pointer }) => [code, pointer] as const);

/** Per code a definition that has it, and where. */
const cases: { readonly [Code in IssueCode]: readonly (readonly [unknown, string])[] } = {
  MT000: [
    ['{"on":', ''],
    ['[]', ''],
    ['"on"', ''],
  ],
  MT001: [
    [{ rules: [] }, ''],
    [{ on: ['dataset'], rules: [] }, '/on'],
  ],
  MT002: [
    [{ on: {}, rules: [] }, '/on'],
    [{ on: { types: null }, rules: [] }, '/on/types'],
    [{ on: { types: [7] }, rules: [] }, '/on/types'],
  ],
  MT003: [[{ on: { dataset: [hasOwner], chart: [tag] }, rules: [] }, '/on/chart']],
  MT004: [
    [{ on }, ''],
    [{ on, rules: null }, '/rules'],
  ],
  MT005: [[{ on: { ...on, match: [], conditions: [] }, rules: [] }, '/on/match']],
  MT006: [
    [{ on: { types: ['dataset', 'datset'] }, rules: [] }, '/on/types/1'],
    [{ on: { types: ['dataPlatform'] }, rules: [] }, '/on/types/0'],
    [rule({ property: 'entityType', operator: 'equals', values: ['table'] }), '/rules/0/values/0'],
  ],
  MT007: [
    [{ on, rules: [], params: { tier: 'urn:li:tag:Tier1' } }, '/params'],
    [{ on, rules: [], siblings: 'merge' }, '/siblings'],
    [rule({ ...hasOwner, severity: 'warn' }), '/rules/0/severity'],
  ],
  MT101: [
    [rule({ operator: 'exists' }), '/rules/0'],
    [rule({ property: 7, operator: 'exists' }), '/rules/0'],
  ],
  MT102: [
    [rule({ property: 'urn' }), '/rules/0'],
    [rule({ property: 'urn', operation: 7 }), '/rules/0'],
  ],
  MT103: [
    [rule({ property: 'urn', operator: 'equal', values: ['x'] }), '/rules/0/operator'],
    [rule({ query: owner, operation: 'count_at_least', values: ['2'] }), '/rules/0/operation'],
  ],
  MT104: [
    [rule({ property: 'urn', operator: 'equals' }), '/rules/0'],
    [rule({ property: 'urn', operator: 'equals', values: [] }), '/rules/0'],
    [rule({ property: 'urn', operator: 'equals', values: ['a', {}] }), '/rules/0/values/1'],
  ],
  MT105: [
    [rule({ ...hasOwner, values: ['yes'] }), '/rules/0/values'],
    [
      rule({ property: 'schemaFields.length', operator: 'less_than', params: { values: [1, 2] } }),
      '/rules/0/params/values',
    ],
  ],
  MT110: [
    [{ on, rules: 'all' }, '/rules'],
    [{ on, rules: [true] }, '/rules/0'],
    [rule({}), '/rules/0'],
    [rule({ nor: [hasOwner] }), '/rules/0'],
    [rule({ and: [], or: [] }), '/rules/0'],
    [rule({ not: 7 }), '/rules/0/not'],
    [rule({ ...hasOwner, negate: 'yes' }), '/rules/0/negate'],
    [rule({ ...hasOwner, query: 'urn' }), '/rules/0/query'],
    [rule({ forEach: 'columns', satisfies: hasOwner }), '/rules/0/forEach'],
    [rule({ cel: 'true' }), '/rules/0/cel'],
    [rule({ operator: 'xor', operands: [] }), '/rules/0/operator'],
  ],
  MT111: [
    [rule({ property: 'ownershp.owners', operator: 'exists' }), '/rules/0/property'],
    [rule({ property: `${owner}.corpUserInf.active`, operator: 'is_true' }), '/rules/0/property'],
    [rule({ property: '.', operator: 'exists' }), '/rules/0/property'],
  ],
  MT112: [
    [rule({ property: 'ownership.owner.owner', operator: 'exists' }), '/rules/0/property'],
    [rule({ property: 'datasetProperties.name.length', operator: 'exists' }), '/rules/0/property'],
    [rule({ property: 'urn.type', operator: 'exists' }), '/rules/0/property'],
    [rule({ property: 'datasetProperties.constructor', operator: 'exists' }), '/rules/0/property'],
    [rule({ property: 'structuredProperties.io.example.x', operator: 'exists' }), '/rules/0/property'],
    [rule({ property: 'ownership.ownerTypes.boss', operator: 'exists' }), '/rules/0/property'],
    [rule({ property: 'globalTags.tagProperties.name', operator: 'exists' }), '/rules/0/property'],
  ],
  MT113: [
    [
      rule({ property: 'schemaMetadata.foreignKeys.schemaFieldKey.parent', operator: 'exists' }),
      '/rules/0/property',
    ],
  ],
  MT114: [
    [
      rule({ property: 'globalTags.tags.tag.glossaryTermInfo.name', operator: 'exists' }),
      '/rules/0/property',
    ],
  ],
  MT115: [
    [
      rule({ property: Array.from({ length: 10 }, () => 'container').join('.'), operator: 'exists' }),
      '/rules/0/property',
    ],
  ],
  MT116: [
    [rule({ ...tag, values: ['urn:li:tag:a', 'urn:li:glossaryTerm:a'] }), '/rules/0/values/1'],
    [rule({ ...tag, values: 'Tier1' }), '/rules/0/values'],
    [
      rule({ property: 'domains.domains', operator: 'within', values: ['urn:li:container:a'] }),
      '/rules/0/values/0',
    ],
  ],
  MT120: [
    [rule({ property: owner, operator: 'is_true' }), '/rules/0/operator'],
    [rule({ property: 'globalTags', operator: 'equals', values: ['x'] }), '/rules/0/operator'],
    [rule({ query: owner, condition: 'SCHEMA_FIELDS_HAVE_DESCRIPTIONS' }), '/rules/0/condition'],
    [
      rule({ property: 'deprecation.deprecated', operator: 'greater_than', values: ['1'] }),
      '/rules/0/operator',
    ],
  ],
  MT121: [
    [
      rule({ property: 'schemaFields.length', operator: 'greater_than', values: ['many'] }),
      '/rules/0/values/0',
    ],
    [rule({ property: 'schemaFields.length', operator: 'equals', values: ['0x10'] }), '/rules/0/values/0'],
    [
      rule({ property: '__lastObserved', operator: 'less_than', values: ['2025-13-41'] }),
      '/rules/0/values/0',
    ],
    [rule({ property: 'deprecation.deprecated', operator: 'equals', values: ['yes'] }), '/rules/0/values/0'],
  ],
  MT122: [
    [rule({ property: 'urn', operator: 'regex_match', values: ['^a$', '('] }), '/rules/0/values/1'],
    [rule({ property: 'urn', operator: 'regex_match', values: ['^(?=a).*$'] }), '/rules/0/values/0'],
    [
      rule({ property: 'urn', operator: 'regex_match', values: [`^${'a'.repeat(1000)}`] }),
      '/rules/0/values/0',
    ],
    [rule({ property: 'urn', operator: 'regex_match', values: ['^(a{1000}){1000}$'] }), '/rules/0/values/0'],
  ],
  MT130: [
    [{ on, rules: [], actions: { passing: [{ type: 'add_tag', values: [] }] } }, '/actions/passing/0/type'],
    [{ on, rules: [], actions: { failing: [{}] } }, '/actions/failing/0'],
    [{ on, rules: [], actions: { fail: [] } }, '/actions/fail'],
    [{ on, rules: [], actions: [] }, '/actions'],
  ],
  MT131: [
    [{ on, rules: [], actions: { passing: [{ type: 'add_tags' }] } }, '/actions/passing/0'],
    [{ on, rules: [], actions: { passing: [{ type: 'deprecate', values: ['x'] }] } }, '/actions/passing/0'],
    [
      {
        on,
        rules: [],
        actions: { failing: [{ type: 'set_domain', values: ['urn:li:domain:a', 'urn:li:domain:b'] }] },
      },
      '/actions/failing/0',
    ],
  ],
  MT132: [
    [
      { on, rules: [], actions: { passing: [{ type: 'add_tags', values: ['Gold'] }] } },
      '/actions/passing/0/values/0',
    ],
    [
      { on, rules: [], actions: { passing: [{ type: 'add_tags', values: {} }] } },
      '/actions/passing/0/values',
    ],
    [
      {
        on,
        rules: [],
        actions: { passing: [{ type: 'set_structured_property', values: ['urn:li:tag:a', '1'] }] },
      },
      '/actions/passing/0/values/0',
    ],
  ],
  MT140: [
    [{ on, rules: Array.from({ length: 250 }, () => hasOwner) }, '/rules/200'],
    [
      { on, rules: JSON.parse(`${'{"not":'.repeat(12)}${text(hasOwner)}${'}'.repeat(12)}`) as unknown },
      `/rules${'/not'.repeat(12)}`,
    ],
    [{ on, rules: [], note: 'x'.repeat(256 * 1024) }, ''],
    ['['.repeat(100_000) + ']'.repeat(100_000), ''],
    [
      rule({
        property: `structuredProperties.urn:li:structuredProperty:${'x.'.repeat(2000)}`,
        operator: 'exists',
      }),
      '/rules/0/property',
    ],
    [
      rule({ property: 'urn', operator: 'equals', values: Array.from({ length: 10_001 }, () => 'x') }),
      '/rules/0/values',
    ],
    [
      {
        on,
        rules: {
          or: Array.from({ length: 101 }, () => ({
            property: 'urn',
            operator: 'regex_match',
            values: ['.*a'],
          })),
        },
      },
      '/rules/or/100',
    ],
  ],
  MT201: [[{ on, rules: { not: [hasOwner, tag] } }, '/rules/not']],
  MT202: [
    [{ on: { types: [] }, rules: [] }, '/on/types'],
    [{ on, rules: { or: [] } }, '/rules/or'],
    [{ on, rules: { not: [] } }, '/rules/not'],
  ],
  MT203: [[rule({ property: 'urn', operator: 'regex_match', values: ['finance'] }), '/rules/0/values/0']],
  MT204: [[{ on: { types: ['dataset', 'glossaryTerm'] }, rules: [tag] }, '/rules/0']],
};

describe('validation', () => {
  for (const [code, examples] of Object.entries(cases)) {
    for (const [index, [definition, pointer]] of examples.entries()) {
      it(`${code} (${index + 1}) is reported at ${pointer === '' ? 'the root' : pointer.slice(0, 60)}, and nothing else is`, () => {
        const source = typeof definition === 'string' ? definition : text(definition);
        assert.deepEqual(findingsOf(source), [[code, pointer]]);
        const isError = issueCodes[code as IssueCode].severity === 'error';
        assert.equal(readTestDefinition(source).valid, !isError);
      });
    }
  }

  it('reports everything that is wrong, not only the first thing', () => {
    const definition = {
      on: { types: ['datset'] },
      rules: [{ property: 'x.y', operator: 'equal' }, { value: 1 }],
    };
    assert.deepEqual(
      findingsOf(text(definition)).map(([code]) => code),
      ['MT006', 'MT111', 'MT103', 'MT110'],
    );
  });

  const suggestions: readonly (readonly [object, string])[] = [
    [rule({ property: 'urn', operator: 'equal', values: ['x'] }), 'equals'],
    [rule({ property: 'ownership.owner.owner', operator: 'exists' }), owner],
    [rule({ property: 'ownershp.owners.owner', operator: 'exists' }), owner],
    [rule({ property: 'owners', operator: 'exists' }), owner],
    [{ on: { types: ['datasets'] }, rules: [] }, 'dataset'],
    [
      rule({ property: 'structuredProperties.io.x', operator: 'exists' }),
      'structuredProperties.urn:li:structuredProperty:io.x',
    ],
    [{ on, rules: [], actions: { passing: [{ type: 'add_tag' }] } }, 'add_tags'],
  ];
  for (const [definition, suggestion] of suggestions) {
    it(`suggests ${suggestion}`, () => {
      assert.deepEqual(
        readTestDefinition(text(definition)).issues.map((issue) => issue.suggestion),
        [suggestion],
      );
    });
  }

  it('says that an extension is an extension, and does not take it for a misspelling', () => {
    const [issue] = readTestDefinition(
      text(rule({ property: 'urn', operator: 'not_equals', values: ['x'] })),
    ).issues;
    assert.match(issue?.message ?? '', /belongs to the extended language/);
    assert.equal(issue?.suggestion, undefined);
  });

  it('keeps the answer to a hostile definition small, and still refuses it', () => {
    const values = Array.from({ length: 10_000 }, () => 'x');
    const read = readTestDefinition(text(rule({ ...tag, values })));
    assert.equal(read.valid, false);
    assert.equal(read.issues.length, 100);
  });

  it('refuses to save an invalid definition with one line per error, and with all issues as details', () => {
    assert.throws(
      () => requireValidDefinition(text(rule({ property: 'urn', operator: 'equal', values: ['x'] }))),
      {
        name: 'PostilError',
        code: 'INVALID_TEST_DEFINITION',
        message:
          "The test definition is not valid. /rules/0/operator: Unsupported operation 'equal'. Did you mean 'equals'? [MT103]",
        details: readTestDefinition(text(rule({ property: 'urn', operator: 'equal', values: ['x'] }))).issues,
      },
    );
    assert.deepEqual(requireValidDefinition(text({ on, rules: [] })).types, ['dataset']);
  });

  it('accepts keys it does not know where they decide nothing', () => {
    const definition = {
      on,
      rules: [{ ...hasOwner, id: 'has-owner', message: 'm', docs: 'd', severity: 'error' }],
      owners: [],
    };
    assert.deepEqual(findingsOf(text(definition)), []);
  });
});

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
      '{"on":{"types":["dataset"]},"rules":{"operator":"equals","property":"schemaFields.length","values":["3"]}}',
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
