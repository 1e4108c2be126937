import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pack, sourceOf } from './conformance.fixture.ts';
import { columns, findingsOf, hasOwner, on, owner, rule, tag, text } from './definition.fixture.ts';
import { type IssueCode, issueCodes } from './issue.ts';
import { readTestDefinition } from './test-definition.ts';
import { requireValidDefinition } from './require-valid.ts';
import { validateDefinition } from './validate.ts';

const platform = 'dataPlatformInstance.platform';

/** Found beside what is stored; MT134 and MT135 in action/check-actions.test.ts. */
type BesideOthers = 'MT134' | 'MT135' | 'MT208';

/** Per code a definition that has it, and where. */
const cases: {
  readonly [Code in Exclude<IssueCode, BesideOthers>]: readonly (readonly [unknown, string])[];
} = {
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
    [{ on, rules: [], bindings: [] }, '/bindings'],
    [{ on, rules: [], version: 2 }, '/version'],
    [rule({ or: [{ ...hasOwner, severity: 'warn' }, tag] }), '/rules/0/or/0/severity'],
    [{ on: { ...on, conditions: [{ ...tag, severity: 'warn' }] }, rules: [] }, '/on/conditions/0/severity'],
  ],
  MT008: [
    [rule({ ...hasOwner, severity: 'fatal' }), '/rules/0/severity'],
    [rule({ ...hasOwner, id: 7 }), '/rules/0/id'],
    [
      {
        on,
        rules: [
          { ...hasOwner, id: 'a' },
          { ...tag, id: 'a' },
        ],
      },
      '/rules/1/id',
    ],
    [rule({ ...hasOwner, message: '{{counts}} columns' }), '/rules/0/message'],
    [{ on, rules: [], severity: 'high' }, '/severity'],
    [{ on, rules: [], owners: 'urn:li:corpuser:a' }, '/owners'],
    [{ on, rules: [], owners: ['ana'] }, '/owners/0'],
    [{ on, rules: [], owners: ['urn:li:corpuser:a', 'urn:li:tag:a'] }, '/owners/1'],
    [rule({ ...hasOwner, docs: 'javascript:alert(1)' }), '/rules/0/docs'],
    [{ on, rules: [], exemptionPolicy: { allowed: 'no' } }, '/exemptionPolicy/allowed'],
    [{ on, rules: [], exemptionPolicy: { maxDays: 0 } }, '/exemptionPolicy/maxDays'],
    [{ on, rules: [], weight: 0 }, '/weight'],
    [{ on, rules: [], weight: 1001 }, '/weight'],
    [{ on, rules: [], weight: '2' }, '/weight'],
    [{ on, rules: [], level: 'golden' }, '/level'],
    [{ on, rules: [], target: 0.9 }, '/target'],
    [{ on, rules: [], target: { passRate: 90, by: '2030-01-01' } }, '/target/passRate'],
    [{ on, rules: [], target: { passRate: 0.9, by: '2030-02-30' } }, '/target/by'],
    [{ on, rules: [], target: { passRate: 0.9 } }, '/target/by'],
    [{ on, rules: [], target: { passRate: 0.9, by: '2030-01-01', owner: 'ana' } }, '/target/owner'],
    [{ on, rules: [], graceDays: -1 }, '/graceDays'],
    [{ on, rules: [], graceDays: 3651 }, '/graceDays'],
    [{ on, rules: [], graceDays: '3' }, '/graceDays'],
    [{ on, rules: [], graceDays: 1.5 }, '/graceDays'],
    [{ on, rules: [], schedule: '0 3 * *' }, '/schedule'],
    [{ on, rules: [], schedule: '0 24 * * *' }, '/schedule'],
    [{ on, rules: [], schedule: { interval: 'HOURLY' } }, '/schedule/interval'],
    [{ on, rules: [], siblings: 'both' }, '/siblings'],
    [{ on, rules: [], params: { a: { bindings: [] } } }, '/params/a'],
    [{ on, rules: [], params: { a: { default: 1, bindings: [], when: tag } } }, '/params/a/when'],
    [{ on, rules: [], params: { a: { default: 1, bindings: [{ value: 1 }] } } }, '/params/a/bindings/0'],
    [{ on, rules: [], params: [] }, '/params'],
    [{ on, rules: [], params: { a: {} } }, '/params/a'],
    [{ on, rules: [], params: { 'a b': 1 } }, '/params/a b'],
    [{ on, rules: [], fixtures: {} }, '/fixtures'],
    [{ on, rules: [], exemptionPolicy: 'never' }, '/exemptionPolicy'],
    [{ on, rules: [], actionPolicy: [] }, '/actionPolicy'],
    [{ on, rules: [], actionPolicy: { removeOnlyOwn: 'yes' } }, '/actionPolicy/removeOnlyOwn'],
    [{ on, rules: [], actionPolicy: { maxEntities: 0 } }, '/actionPolicy/maxEntities'],
  ],
  MT101: [
    [rule({ operator: 'exists' }), '/rules/0'],
    [rule({ property: 7, operator: 'exists' }), '/rules/0'],
    [rule({ ...columns, forEach: [] }), '/rules/0/forEach'],
  ],
  MT102: [
    [rule({ property: 'urn' }), '/rules/0'],
    [rule({ property: 'urn', operation: 7 }), '/rules/0'],
  ],
  MT103: [
    [rule({ property: 'urn', operator: 'equal', values: ['x'] }), '/rules/0/operator'],
    [rule({ query: owner, operation: 'count_at_lest', values: ['2'] }), '/rules/0/operation'],
  ],
  MT104: [
    [rule({ property: 'urn', operator: 'equals' }), '/rules/0'],
    [rule({ property: 'urn', operator: 'equals', values: [] }), '/rules/0'],
    [rule({ property: 'urn', operator: 'equals', values: ['a', {}] }), '/rules/0/values/1'],
    [rule({ property: 'schemaFields.length', operator: 'between', values: ['1'] }), '/rules/0/values'],
  ],
  MT105: [
    [rule({ ...hasOwner, values: ['yes'] }), '/rules/0/values'],
    [
      rule({ property: 'schemaFields.length', operator: 'less_than', params: { values: [1, 2] } }),
      '/rules/0/params/values',
    ],
    [rule({ property: 'schemaFields.length', operator: 'between', values: [1, 2, 3] }), '/rules/0/values'],
    [rule({ property: owner, operator: 'is_empty', values: ['x'] }), '/rules/0/values'],
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
    [rule({ forEach: 'columns' }), '/rules/0'],
    [rule({ ...columns, quantifier: 'most' }), '/rules/0/quantifier'],
    [rule({ ...columns, onEmpty: 'skip' }), '/rules/0/onEmpty'],
    [rule({ ...columns, or: [] }), '/rules/0'],
    [rule({ forEach: 'columns', satisfies: 7 }), '/rules/0/satisfies'],
    [rule({ cel: 'true' }), '/rules/0/cel'],
    [rule({ operator: 'xor', operands: [] }), '/rules/0/operator'],
  ],
  MT111: [
    [rule({ property: 'ownershp.owners', operator: 'exists' }), '/rules/0/property'],
    [rule({ property: `${owner}.corpUserInf.active`, operator: 'is_true' }), '/rules/0/property'],
    [rule({ property: '.', operator: 'exists' }), '/rules/0/property'],
    [rule({ property: '$root.domains.domains', operator: 'exists' }), '/rules/0/property'],
    [rule({ ...columns, forEach: 'column' }), '/rules/0/forEach'],
    [rule({ property: 'columns.description', operator: 'exists' }), '/rules/0/property'],
    [rule({ property: 'corpUserCredentials', operator: 'exists' }), '/rules/0/property'],
    [
      rule({
        property: `${owner}.corpUserCredentials.hashedPassword`,
        operator: 'starts_with',
        values: ['a'],
      }),
      '/rules/0/property',
    ],
    [
      rule({ forEach: owner, satisfies: { property: 'corpUserCredentials.salt', operator: 'exists' } }),
      '/rules/0/satisfies/property',
    ],
  ],
  MT112: [
    [rule({ property: 'ownership.owner.owner', operator: 'exists' }), '/rules/0/property'],
    [rule({ property: 'datasetProperties.name.length', operator: 'exists' }), '/rules/0/property'],
    [rule({ property: 'urn.type', operator: 'exists' }), '/rules/0/property'],
    [rule({ property: 'datasetProperties.constructor', operator: 'exists' }), '/rules/0/property'],
    [rule({ property: 'structuredProperties.io.example.x', operator: 'exists' }), '/rules/0/property'],
    [rule({ property: 'ownership.ownerTypes.boss', operator: 'exists' }), '/rules/0/property'],
    [rule({ property: 'globalTags.tagProperties.name', operator: 'exists' }), '/rules/0/property'],
    [
      rule({ forEach: 'columns', satisfies: { property: 'tag', operator: 'exists' } }),
      '/rules/0/satisfies/property',
    ],
    [rule({ property: 'schemaFieldStructuredProperties', operator: 'exists' }), '/rules/0/property'],
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
    [rule({ forEach: 'lineage.upstream', hops: 4, satisfies: hasOwner }), '/rules/0/hops'],
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
    [rule({ property: '__lastObserved', operator: 'newer_than', values: ['45'] }), '/rules/0/values/0'],
    [rule({ property: '__lastObserved', operator: 'older_than', values: ['P'] }), '/rules/0/values/0'],
    [rule({ property: owner, operator: 'count_at_least', values: ['1.5'] }), '/rules/0/values/0'],
    [rule({ property: 'urn', operator: 'min_length', values: ['-1'] }), '/rules/0/values/0'],
    [
      { ...rule({ property: 'urn', operator: 'equals', values: ['${tierTag}'] }), params: { tierTags: 'x' } },
      '/rules/0/values/0',
    ],
    [
      { ...rule({ property: 'urn', operator: 'equals', values: ['a${all}'] }), params: { all: ['x', 'y'] } },
      '/rules/0/values/0',
    ],
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
  MT123: [
    [rule({ ...columns, quantifier: 'atLeast' }), '/rules/0'],
    [rule({ ...columns, quantifier: 'atLeast', ratio: 0.5, count: 1 }), '/rules/0'],
    [rule({ ...columns, quantifier: 'atLeast', ratio: 1.1 }), '/rules/0/ratio'],
    [rule({ ...columns, quantifier: 'atLeast', count: -1 }), '/rules/0/count'],
    [rule({ ...columns, quantifier: 'atLeast', count: '2' }), '/rules/0/count'],
    [rule({ ...columns, ratio: 0.5 }), '/rules/0/ratio'],
    [rule({ forEach: 'lineage.upstream', hops: 0, satisfies: hasOwner }), '/rules/0/hops'],
    [rule({ ...columns, hops: 2 }), '/rules/0/hops'],
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
  MT133: [
    [
      {
        on: { types: ['dataset', 'glossaryTerm'] },
        rules: [],
        actions: { passing: [{ type: 'add_tags', values: ['urn:li:tag:a'] }] },
      },
      '/actions/passing/0/type',
    ],
    [
      {
        on: { types: ['dataProduct'] },
        rules: [],
        actions: { failing: [{ type: 'unset_data_product' }] },
      },
      '/actions/failing/0/type',
    ],
  ],
  MT140: [
    [{ on, rules: Array.from({ length: 250 }, () => hasOwner) }, '/rules/200'],
    [
      { on, rules: JSON.parse(`${'{"not":'.repeat(12)}${text(hasOwner)}${'}'.repeat(12)}`) as unknown },
      `/rules${'/not'.repeat(12)}`,
    ],
    [{ on, rules: [], note: 'x'.repeat(256 * 1024) }, ''],
    [
      {
        on,
        rules: [],
        params: Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`p${index}`, 1])),
      },
      '/params',
    ],
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
      rule({
        ...columns,
        satisfies: { forEach: 'tags', satisfies: { forEach: '$root.columns', satisfies: tag } },
      }),
      '/rules/0/satisfies/satisfies',
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
  MT205: [
    [
      {
        on: {
          ...on,
          conditions: [
            { property: platform, operator: 'equals', values: ['urn:li:dataPlatform:hive'] },
            { property: platform, operator: 'equals', values: ['urn:li:dataPlatform:kafka'] },
          ],
        },
        rules: [],
      },
      '/on/conditions/1',
    ],
    [{ on, rules: [hasOwner, { not: hasOwner }] }, '/rules/1'],
    [{ on, rules: { and: [hasOwner, { property: owner, operator: 'is_empty' }] } }, '/rules/and/1'],
    [rule({ property: 'schemaFields.length', operator: 'between', values: [3, 1] }), '/rules/0'],
    [
      {
        on,
        rules: [
          { property: 'schemaFields.length', operator: 'greater_than', values: [5] },
          { property: 'schemaFields.length', operator: 'less_or_equal', values: [5] },
        ],
      },
      '/rules/1',
    ],
  ],
  MT206: [
    [rule({ or: [hasOwner, { not: hasOwner }] }), '/rules/0'],
    [rule({ property: 'urn', operator: 'exists' }), '/rules/0'],
    [rule({ property: 'entityType', operator: 'equals', values: ['dataset', 'chart'] }), '/rules/0'],
    [rule({ property: owner, operator: 'count_at_least', values: ['0'] }), '/rules/0'],
  ],
  MT207: [[{ on: { ...on, conditions: tag }, rules: [hasOwner, { ...tag, id: 'again' }] }, '/rules/1']],
  MT209: [
    [
      rule({
        property: 'usageFeatures.queryCountPercentileLast30Days',
        operator: 'greater_than',
        values: [90],
      }),
      '/rules/0/property',
    ],
  ],
  MT210: [
    [rule({ forEach: 'lineage.upstream', hops: 3, satisfies: hasOwner }), '/rules/0/forEach'],
    [
      rule({
        property: 'upstreamLineage.upstreams.dataset.upstreamLineage.upstreams.dataset.status.removed',
        operator: 'is_true',
      }),
      '/rules/0/property',
    ],
    [
      rule({
        forEach: 'upstreamLineage.upstreams.dataset',
        satisfies: { property: 'ownership.owners.owner.corpUserInfo.active', operator: 'is_true' },
      }),
      '/rules/0/satisfies/property',
    ],
  ],
  MT211: [
    [rule({ property: 'datasetProperties.description', operator: 'exists' }), '/rules/0/property'],
    [
      rule({
        property: 'upstreamLineage.upstreams.dataset.datasetProperties.description',
        operator: 'exists',
      }),
      '/rules/0/property',
    ],
  ],
  MT212: [
    [
      rule({ property: '__lastObserved', operator: 'greater_than', values: ['2025-01-01'] }),
      '/rules/0/property',
    ],
  ],
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
      rules: [
        { ...hasOwner, id: 'has-owner', message: 'm', docs: 'https://example.org/d', severity: 'error' },
      ],
      owners: [],
    };
    assert.deepEqual(findingsOf(text(definition)), []);
  });

  it('MT208 is reported for what nothing is stored about, and for what is soft-deleted', async () => {
    const source = text({
      on,
      rules: [
        { ...tag, values: ['urn:li:tag:here', 'urn:li:tag:gone'] },
        { property: owner, operator: 'equals', values: ['urn:li:corpuser:nobody'] },
      ],
      actions: { failing: [{ type: 'add_tags', values: ['urn:li:tag:here', 'urn:li:tag:new'] }] },
    });
    const reader = sourceOf({ 'urn:li:tag:here': {}, 'urn:li:tag:gone': { status: { removed: true } } });
    const { valid, issues } = await validateDefinition(source, reader);
    assert.equal(valid, true);
    assert.deepEqual(
      issues.map(({ code, pointer, message }) => [code, pointer, message]),
      [
        ['MT208', '/rules/0', "'urn:li:tag:gone' is soft-deleted."],
        ['MT208', '/rules/1', "There is no 'urn:li:corpuser:nobody'."],
        ['MT208', '/actions/failing/0', "There is no 'urn:li:tag:new'."],
      ],
    );
  });

  it('says in which line and column the value at the pointer starts', () => {
    const source = `{
  "on": {"types": ["dataset"]},
  "rules": [
    {"property": "ownership.owner.owner",
     "operator": "exist"}]}`;
    assert.deepEqual(
      readTestDefinition(source).issues.map(({ code, line, column }) => [code, line, column]),
      [
        ['MT112', 4, 18],
        ['MT103', 5, 18],
      ],
    );
    const [missing] = readTestDefinition('\n  {"on": {"types": ["chart"]}}').issues;
    assert.deepEqual([missing?.code, missing?.line, missing?.column], ['MT004', 2, 3]);
    const [syntax] = readTestDefinition('{\n "on": 01}').issues;
    assert.deepEqual([syntax?.code, syntax?.line, syntax?.column], ['MT000', 2, 9]);
  });

  for (const { id, definition, portable } of pack) {
    it(`calls ${id} ${portable ? '' : 'not '}portable`, async () => {
      const validation = await validateDefinition(text(definition), sourceOf({}));
      assert.equal(validation.valid, true);
      assert.equal(validation.portable, portable);
    });
  }

  it('points at what makes a definition not portable', () => {
    const definition = {
      on: { ...on, conditions: [{ property: 'effective.description', operator: 'EXISTS' }] },
      params: { tier: 'urn:li:tag:a' },
      actionPolicy: { removeOnlyOwn: true },
      rules: [
        { ...tag, operation: 'is_empty', operator: undefined, values: [], severity: 'warn', id: 'x' },
        { forEach: 'columns', satisfies: { property: '$root.urn', operator: 'exists' } },
      ],
    };
    assert.deepEqual(readTestDefinition(text(definition)).extensions.toSorted(), [
      '/actionPolicy',
      '/on/conditions/0/property',
      '/params',
      '/rules/0/operation',
      '/rules/0/severity',
      '/rules/1/forEach',
      '/rules/1/satisfies/property',
    ]);
  });
});
