import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { parseUrn } from '../urn/urn.ts';
import { conformanceNow, evaluate, sourceOf } from './conformance.fixture.ts';
import { operators } from './operators.ts';

const urn = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)');

const named = (name: JsonValue): JsonObject => ({ datasetProperties: { name } });
const tagged = (...tags: readonly string[]): JsonObject => ({
  globalTags: { tags: tags.map((tag) => ({ tag })) },
});
const queried = (count: JsonValue): JsonObject => ({ usageFeatures: { queryCountLast30Days: count } });
const columns = (...fields: readonly JsonObject[]): JsonObject => ({ schemaMetadata: { fields } });
const edits = (...editableSchemaFieldInfo: readonly JsonObject[]): JsonObject => ({
  editableSchemaMetadata: { editableSchemaFieldInfo },
});

const name = 'datasetProperties.name';
const tags = 'globalTags.tags.tag';
const count = 'usageFeatures.queryCountLast30Days';
const property = 'structuredProperties.urn:li:structuredProperty:a.b';
const structured = (...values: readonly JsonObject[]): JsonObject => ({
  structuredProperties: { properties: [{ propertyUrn: 'urn:li:structuredProperty:a.b', values }] },
});

const now = conformanceNow;
const day = 86_400_000;

type Case = readonly [
  about: string,
  aspects: JsonObject,
  path: string,
  values: readonly string[],
  verdict: 'PASS' | 'FAIL',
];

const cases: { readonly [operator: string]: readonly Case[] } = {
  equals: [
    ['one of several values equals', tagged('urn:li:tag:a', 'urn:li:tag:b'), tags, ['urn:li:tag:b'], 'PASS'],
    ['no trimming', named(' orders'), name, ['orders'], 'FAIL'],
    ['a part is not enough', named('orders'), name, ['order'], 'FAIL'],
    ['numbers compare as numbers, stored as text', queried('95'), count, ['95.0'], 'PASS'],
    ['a structured number compares as a number', structured({ double: 90 }), property, ['90.0'], 'PASS'],
    ['a structured text compares as text', structured({ string: '90' }), property, ['90.0'], 'FAIL'],
    ['URL encoding of URNs is undone', tagged('urn:li:tag:a%20b'), tags, ['urn:li:tag:a b'], 'PASS'],
    ['a declared default counts', {}, 'deprecation.deprecated', ['false'], 'PASS'],
    ['nothing equals nothing', {}, name, [''], 'FAIL'],
    ['the entity type, in any spelling', {}, 'entityType', ['DATASET'], 'PASS'],
    [
      'a custom property by its dotted key',
      { datasetProperties: { customProperties: { 'a.b': 'x' } } },
      'datasetProperties.customProperties.a.b',
      ['x'],
      'PASS',
    ],
  ],
  exists: [
    ['a blank text does not', named(' \t\n'), name, [], 'FAIL'],
    ['zero does', queried(0), count, [], 'PASS'],
    ['false does', { status: { removed: false } }, 'status.removed', [], 'PASS'],
    ['a default does not', {}, 'status.removed', [], 'FAIL'],
    [
      'a record of audit stamps does not',
      { editableDatasetProperties: { created: { time: 0, actor: 'urn:li:corpuser:a' } } },
      'editableDatasetProperties',
      [],
      'FAIL',
    ],
    [
      'a record with one filled field does',
      { editableDatasetProperties: { name: 'x' } },
      'editableDatasetProperties',
      [],
      'PASS',
    ],
    [
      'an empty map does not',
      { datasetProperties: { customProperties: {} } },
      'datasetProperties.customProperties',
      [],
      'FAIL',
    ],
    ['null does not', named(null), name, [], 'FAIL'],
    [
      'an inherited member is no field',
      { datasetProperties: { customProperties: {} } },
      'datasetProperties.customProperties.constructor',
      [],
      'FAIL',
    ],
    [
      'a list on any column does',
      columns({ fieldPath: 'a' }, { fieldPath: 'b', description: 'x' }),
      'schemaMetadata.fields.description',
      [],
      'PASS',
    ],
    ['columns do', columns({ fieldPath: 'a' }), 'schemaFields', [], 'PASS'],
    ['no columns do not', columns(), 'schemaFields', [], 'FAIL'],
  ],
  contains_str: [
    ['a part', named('fct_orders'), name, ['stg', 'orders'], 'PASS'],
    ['in this case only', named('fct_orders'), name, ['Orders'], 'FAIL'],
  ],
  contains_any: [
    ['one of them', tagged('urn:li:tag:a'), tags, ['urn:li:tag:b', 'urn:li:tag:a'], 'PASS'],
    ['none of them', tagged('urn:li:tag:a'), tags, ['urn:li:tag:b'], 'FAIL'],
    [
      'an entry of a map',
      { datasetProperties: { customProperties: { tier: '1' } } },
      'datasetProperties.customProperties',
      ['tier=1'],
      'PASS',
    ],
    [
      'not another entry',
      { datasetProperties: { customProperties: { tier: '1' } } },
      'datasetProperties.customProperties',
      ['tier=2'],
      'FAIL',
    ],
    [
      'an entry whose key has an equals sign',
      { datasetProperties: { customProperties: { 'a=b': 'c=d' } } },
      'datasetProperties.customProperties',
      ['a=b=c=d'],
      'PASS',
    ],
  ],
  starts_with: [
    ['a prefix', named('fct_orders'), name, ['dim_', 'fct_'], 'PASS'],
    ['not an infix', named('my_fct_orders'), name, ['fct_'], 'FAIL'],
  ],
  regex_match: [
    ['the whole value', named('fct_orders'), name, ['^fct_[a-z]+$'], 'PASS'],
    ['not a part, whatever the anchors', named('fct_orders1'), name, ['fct_[a-z]+.{0}'], 'FAIL'],
    ['alternatives are anchored as a whole', named('ab'), name, ['a|b'], 'FAIL'],
    ['a dot is no line break', named('a\nb'), name, ['^a.b$'], 'FAIL'],
    ['unless the pattern says so', named('a\nb'), name, ['(?s)^a.b$'], 'PASS'],
  ],
  greater_than: [
    ['greater', queried(91), count, ['90'], 'PASS'],
    ['not equal', queried(90), count, ['90'], 'FAIL'],
    ['a number in text', structured({ string: '91' }), property, ['90'], 'PASS'],
    ['text is not greater than anything', structured({ string: 'many' }), property, ['0'], 'FAIL'],
    ['a date in ISO-8601', { __lastObserved: 1_735_689_600_001 }, '__lastObserved', ['2025-01-01'], 'PASS'],
    ['nothing is not greater', {}, count, ['-1'], 'FAIL'],
  ],
  less_than: [
    ['less', queried(89.5), count, ['90'], 'PASS'],
    ['not equal', queried(90), count, ['9e1'], 'FAIL'],
    [
      'a date with an offset',
      { __lastObserved: 1_735_686_000_000 },
      '__lastObserved',
      ['2025-01-01T00:30:00+01:00'],
      'PASS',
    ],
  ],
  is_true: [
    ['true', { deprecation: { deprecated: true } }, 'deprecation.deprecated', [], 'PASS'],
    ['not the text true', { deprecation: { deprecated: 'true' } }, 'deprecation.deprecated', [], 'FAIL'],
    ['not a missing one', {}, 'deprecation.deprecated', [], 'FAIL'],
  ],
  is_false: [
    ['false', { deprecation: { deprecated: false } }, 'deprecation.deprecated', [], 'PASS'],
    ['the default of status.removed', {}, 'status.removed', [], 'PASS'],
    [
      'a record without the field has the default, too',
      { deprecation: { note: 'x' } },
      'deprecation.deprecated',
      [],
      'PASS',
    ],
    [
      'null has the default, too',
      { deprecation: { deprecated: null } },
      'deprecation.deprecated',
      [],
      'PASS',
    ],
    ['no other property has a default', {}, 'viewProperties.materialized', [], 'FAIL'],
  ],
  schema_fields_have_descriptions: [
    [
      'edited wins, joined on the simple path',
      {
        ...columns({ fieldPath: '[version=2.0].[type=com.acme.Rec].[type=string].a' }),
        ...edits({ fieldPath: 'a', description: 'x' }),
      },
      'schemaFields',
      [],
      'PASS',
    ],
    [
      'a blank edit does not hide the ingested text',
      { ...columns({ fieldPath: 'a', description: 'x' }), ...edits({ fieldPath: 'a', description: ' ' }) },
      'schemaFields',
      [],
      'PASS',
    ],
    [
      'one without is enough to fail',
      columns({ fieldPath: 'a', description: 'x' }, { fieldPath: 'b', description: ' ' }),
      'schemaFields',
      [],
      'FAIL',
    ],
    ['no column is a failure', columns(), 'schemaFields', [], 'FAIL'],
    [
      'an edit of another column does not help',
      { ...columns({ fieldPath: 'a' }), ...edits({ fieldPath: 'b', description: 'x' }) },
      'schemaFields',
      [],
      'FAIL',
    ],
  ],
  within: [
    [
      'itself, even if it was never stored',
      { domains: { domains: ['urn:li:domain:x'] } },
      'domains.domains',
      ['urn:li:domain:x'],
      'PASS',
    ],
    [
      'below, over two levels',
      { domains: { domains: ['urn:li:domain:team'] } },
      'domains.domains',
      ['urn:li:domain:corp'],
      'PASS',
    ],
    [
      'not above',
      { domains: { domains: ['urn:li:domain:corp'] } },
      'domains.domains',
      ['urn:li:domain:team'],
      'FAIL',
    ],
    [
      'cycles end',
      { domains: { domains: ['urn:li:domain:loop'] } },
      'domains.domains',
      ['urn:li:domain:corp'],
      'FAIL',
    ],
    [
      'a soft-deleted parent leads nowhere',
      { domains: { domains: ['urn:li:domain:orphan'] } },
      'domains.domains',
      ['urn:li:domain:corp'],
      'FAIL',
    ],
  ],
  not_equals: [
    ['none of them', named('orders'), name, ['raw', 'dim'], 'PASS'],
    ['one of them', named('orders'), name, ['raw', 'orders'], 'FAIL'],
    ['one of several values', tagged('urn:li:tag:a', 'urn:li:tag:b'), tags, ['urn:li:tag:b'], 'FAIL'],
    ['nothing', {}, name, ['orders'], 'PASS'],
    ['a declared default counts', {}, 'deprecation.deprecated', ['false'], 'FAIL'],
  ],
  contains_none: [
    ['none of them', tagged('urn:li:tag:a'), tags, ['urn:li:tag:b'], 'PASS'],
    ['one of them', tagged('urn:li:tag:a'), tags, ['urn:li:tag:b', 'urn:li:tag:a'], 'FAIL'],
    ['an empty list', tagged(), tags, ['urn:li:tag:a'], 'PASS'],
  ],
  contains_all: [
    [
      'all of them, among others',
      tagged('urn:li:tag:a', 'urn:li:tag:b', 'urn:li:tag:c'),
      tags,
      ['urn:li:tag:c', 'urn:li:tag:a'],
      'PASS',
    ],
    ['one is missing', tagged('urn:li:tag:a'), tags, ['urn:li:tag:a', 'urn:li:tag:b'], 'FAIL'],
    ['numbers as numbers', queried('5'), count, ['5.0'], 'PASS'],
    ['of an empty list', {}, tags, ['urn:li:tag:a'], 'FAIL'],
    [
      'entries of a map',
      { datasetProperties: { customProperties: { tier: '1', area: 'x' } } },
      'datasetProperties.customProperties',
      ['tier=1', 'area=x'],
      'PASS',
    ],
  ],
  subset_of: [
    ['all are among them', tagged('urn:li:tag:a'), tags, ['urn:li:tag:a', 'urn:li:tag:b'], 'PASS'],
    ['one is not', tagged('urn:li:tag:a', 'urn:li:tag:c'), tags, ['urn:li:tag:a', 'urn:li:tag:b'], 'FAIL'],
    ['nothing is no subset', tagged(), tags, ['urn:li:tag:a'], 'FAIL'],
  ],
  ends_with: [
    ['a suffix', named('orders_v2'), name, ['_v1', '_v2'], 'PASS'],
    ['not an infix', named('orders_v2_old'), name, ['_v2'], 'FAIL'],
  ],
  greater_or_equal: [
    ['equal', queried(90), count, ['90'], 'PASS'],
    ['less', queried(89), count, ['90'], 'FAIL'],
  ],
  less_or_equal: [
    ['equal', queried(90), count, ['90'], 'PASS'],
    ['greater', queried(91), count, ['90'], 'FAIL'],
  ],
  between: [
    ['the lower end', queried(5), count, ['5', '7'], 'PASS'],
    ['the upper end', queried(7), count, ['5', '7'], 'PASS'],
    ['above', queried(8), count, ['5', '7'], 'FAIL'],
    ['below', queried(4), count, ['5', '7'], 'FAIL'],
    [
      'one value in between, whatever the others are',
      structured({ double: 1 }, { double: 6 }),
      property,
      ['5', '7'],
      'PASS',
    ],
    [
      'two values around it are not between',
      structured({ double: 1 }, { double: 9 }),
      property,
      ['5', '7'],
      'FAIL',
    ],
  ],
  min_length: [
    ['spaces around it do not count', named('  abc  '), name, ['4'], 'FAIL'],
    ['code points, not units', named('\u{1F600}\u{1F600}'), name, ['3'], 'FAIL'],
    ['long enough', named('abcd'), name, ['4'], 'PASS'],
    ['one of several texts', structured({ string: 'a' }, { string: 'abcd' }), property, ['4'], 'PASS'],
    ['nothing has no length', {}, name, ['0'], 'FAIL'],
  ],
  max_length: [
    ['short enough', named(' \u{1F600}\u{1F600} '), name, ['2'], 'PASS'],
    ['too long', named('abc'), name, ['2'], 'FAIL'],
    [
      'one of several texts is too long',
      structured({ string: 'a' }, { string: 'abcd' }),
      property,
      ['3'],
      'FAIL',
    ],
    ['nothing has no length', {}, name, ['10'], 'FAIL'],
  ],
  count_at_least: [
    ['two', tagged('urn:li:tag:a', 'urn:li:tag:b'), tags, ['2'], 'PASS'],
    ['the same twice counts once', tagged('urn:li:tag:a', 'urn:li:tag:a'), tags, ['2'], 'FAIL'],
    ['empty values do not count', tagged('urn:li:tag:a', ' '), tags, ['2'], 'FAIL'],
    [
      'records count',
      columns({ fieldPath: 'a' }, { fieldPath: 'b' }),
      'schemaMetadata.fields',
      ['2'],
      'PASS',
    ],
  ],
  count_at_most: [
    ['none', {}, tags, ['0'], 'PASS'],
    ['one too many', tagged('urn:li:tag:a', 'urn:li:tag:b'), tags, ['1'], 'FAIL'],
  ],
  count_equals: [
    ['as many', tagged('urn:li:tag:a', 'urn:li:tag:b', 'urn:li:tag:a'), tags, ['2'], 'PASS'],
    ['more', tagged('urn:li:tag:a', 'urn:li:tag:b'), tags, ['1'], 'FAIL'],
    ['none', {}, tags, ['0'], 'PASS'],
  ],
  newer_than: [
    ['a day ago', { __lastObserved: now - day }, '__lastObserved', ['P2D'], 'PASS'],
    ['exactly as old', { __lastObserved: now - 2 * day }, '__lastObserved', ['P2D'], 'FAIL'],
    ['parts add up', { __lastObserved: now - 2 * day }, '__lastObserved', ['P1DT24H1M'], 'PASS'],
    ['never observed', {}, '__lastObserved', ['P2D'], 'FAIL'],
  ],
  older_than: [
    ['three days ago', { __lastObserved: now - 3 * day }, '__lastObserved', ['P2D'], 'PASS'],
    ['exactly as old', { __lastObserved: now - 2 * day }, '__lastObserved', ['P2D'], 'FAIL'],
    ['a text is no point in time', structured({ string: 'long ago' }), property, ['P1D'], 'FAIL'],
  ],
  is_empty: [
    ['a blank text', named(' '), name, [], 'PASS'],
    ['nothing', {}, name, [], 'PASS'],
    ['something', named('a'), name, [], 'FAIL'],
    ['zero is something', queried(0), count, [], 'FAIL'],
  ],
};

const hierarchy: Record<string, JsonObject> = {
  'urn:li:domain:team': { domainProperties: { name: 'Team', parentDomain: 'urn:li:domain:unit' } },
  'urn:li:domain:unit': { domainProperties: { name: 'Unit', parentDomain: 'urn:li:domain:corp' } },
  'urn:li:domain:corp': { domainProperties: { name: 'Corp' } },
  'urn:li:domain:loop': { domainProperties: { name: 'Loop', parentDomain: 'urn:li:domain:pool' } },
  'urn:li:domain:pool': { domainProperties: { name: 'Pool', parentDomain: 'urn:li:domain:loop' } },
  'urn:li:domain:orphan': { domainProperties: { name: 'Orphan', parentDomain: 'urn:li:domain:closed' } },
  'urn:li:domain:closed': {
    status: { removed: true },
    domainProperties: { name: 'Closed', parentDomain: 'urn:li:domain:corp' },
  },
};

describe('operators', () => {
  it('each has cases here', () => {
    assert.deepEqual(
      Object.keys(cases),
      operators.map((operator) => operator.id),
    );
  });

  for (const [operator, examples] of Object.entries(cases)) {
    for (const [about, aspects, path, values, verdict] of examples) {
      it(`${operator}, ${about}: ${verdict}`, async () => {
        const leaf =
          values.length === 0 ? { property: path, operator } : { property: path, operator, values };
        const definition = { on: { types: ['dataset'] }, rules: [leaf] };
        const source = sourceOf({ [urn]: aspects, ...hierarchy });
        assert.equal((await evaluate(definition, urn, source)).verdict, verdict);
        const opposite = { on: { types: ['dataset'] }, rules: [{ not: leaf }] };
        const expected = verdict === 'PASS' ? 'FAIL' : 'PASS';
        assert.equal(
          (await evaluate(opposite, urn, source)).verdict,
          expected,
          'two-valued: not is the opposite',
        );
      });
    }
  }
});
