import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { parseUrn, type Urn } from '../urn/urn.ts';
import { canonicalText, semanticHash } from './canonical-text.ts';
import { compileTest, type Evaluation } from './compile-test.ts';
import { evaluate, sourceOf } from './conformance.fixture.ts';
import { isEnough, wanted } from './elements.ts';
import { evaluateTests } from './evaluate-tests.ts';
import { requireValidDefinition } from './require-valid.ts';

const on = { types: ['dataset'] };
const dataset = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)');
const table = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,shop.${name},PROD)`;
const ana = 'urn:li:corpuser:ana';
const bob = 'urn:li:corpuser:bob';

type World = Record<string, JsonObject>;

const evaluation = (rules: JsonValue, world: World, urn: Urn = dataset): Promise<Evaluation> =>
  evaluate({ on, rules }, urn, sourceOf(world));
const verdict = async (rules: JsonValue, world: World): Promise<string> =>
  (await evaluation(rules, world)).verdict;

const fields = (...columns: readonly JsonObject[]): JsonObject => ({ schemaMetadata: { fields: columns } });
const upstreams = (...names: readonly string[]): JsonObject => ({
  upstreamLineage: { upstreams: names.map((name) => ({ dataset: table(name) })) },
});
const owned = (...owners: readonly string[]): JsonObject => ({
  ownership: { owners: owners.map((owner) => ({ owner, type: 'DATAOWNER' })) },
});
const described = { property: 'description', operator: 'exists' };
const isDeprecated = { property: 'deprecation.deprecated', operator: 'is_true' };

describe('quantifiers of forEach', () => {
  const half = { [dataset]: fields({ fieldPath: 'a', description: 'x' }, { fieldPath: 'b' }) };
  const cases: readonly (readonly [JsonObject, World, string])[] = [
    [{}, half, 'FAIL'],
    [{ quantifier: 'any' }, half, 'PASS'],
    [{ quantifier: 'none' }, half, 'FAIL'],
    [{ quantifier: 'atLeast', count: 1 }, half, 'PASS'],
    [{ quantifier: 'atLeast', count: 2 }, half, 'FAIL'],
    [{ quantifier: 'atLeast', ratio: 0.5 }, half, 'PASS'],
    [{ quantifier: 'atLeast', ratio: 0.51 }, half, 'FAIL'],
    [{ quantifier: 'none', onEmpty: 'fail' }, {}, 'FAIL'],
    [{ quantifier: 'none', onEmpty: 'pass' }, {}, 'PASS'],
    [{ quantifier: 'any', onEmpty: 'pass' }, {}, 'PASS'],
    [{ quantifier: 'atLeast', count: 3, onEmpty: 'pass' }, {}, 'PASS'],
  ];
  for (const [options, world, expected] of cases) {
    it(`${JSON.stringify(options)} over ${world === half ? 'one of two' : 'nothing'}: ${expected}`, async () => {
      assert.equal(await verdict({ forEach: 'columns', satisfies: described, ...options }, world), expected);
    });
  }

  it('on nothing selected is noted, and onEmpty decides after where', async () => {
    const where = { property: 'name', operator: 'equals', values: ['z'] };
    const outcome = await evaluation({ forEach: 'columns', where, satisfies: described }, half);
    assert.deepEqual([outcome.verdict, [...outcome.notes]], ['FAIL', ['EMPTY_COLLECTION']]);
  });

  it('rounds ratios up, and is not misled by binary fractions', () => {
    assert.equal(wanted({ ratio: 0.7 }, 10), 7);
    assert.equal(wanted({ ratio: 0.9 }, 11), 10);
    assert.equal(wanted({ ratio: 0 }, 5), 0);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 1, max: 1_000 }), (percent, size) => {
        const least = Math.ceil((percent * size) / 100);
        const quantifier = { kind: 'atLeast', ratio: percent / 100 } as const;
        assert.ok(isEnough(quantifier, size, least));
        assert.ok(least === 0 || !isEnough(quantifier, size, least - 1));
      }),
    );
  });
});

describe('columns', () => {
  const world = {
    [dataset]: {
      schemaMetadata: {
        fields: [
          {
            fieldPath: '[version=2.0].[type=string].email',
            nativeDataType: 'varchar(9)',
            globalTags: { tags: [{ tag: 'urn:li:tag:PII' }] },
          },
        ],
      },
      editableSchemaMetadata: {
        editableSchemaFieldInfo: [
          { fieldPath: 'email', description: 'Address', globalTags: { tags: [{ tag: 'urn:li:tag:B' }] } },
        ],
      },
    },
    [`urn:li:schemaField:(${dataset},[version=2.0].[type=string].email)`]: {
      structuredProperties: {
        properties: [{ propertyUrn: 'urn:li:structuredProperty:io.days', values: [{ double: 30 }] }],
      },
    },
  };
  const expectations: readonly (readonly [string, string, readonly string[]])[] = [
    ['name', 'equals', ['email']],
    ['fieldPath', 'starts_with', ['[version=2.0]']],
    ['nativeDataType', 'equals', ['varchar(9)']],
    ['description', 'equals', ['Address']],
    ['tags', 'contains_all', ['urn:li:tag:PII', 'urn:li:tag:B']],
    ['terms', 'is_empty', []],
    ['structuredProperties.urn:li:structuredProperty:io.days', 'equals', ['30']],
    ['tags.tagProperties.name', 'is_empty', []],
  ];
  for (const [property, operator, values] of expectations) {
    it(`have ${property}: ingested and edited metadata together`, async () => {
      const satisfies = values.length === 0 ? { property, operator } : { property, operator, values };
      assert.equal(await verdict({ forEach: 'columns', satisfies }, world), 'PASS');
      assert.equal(await verdict({ forEach: 'columns', satisfies: { not: satisfies } }, world), 'FAIL');
    });
  }

  it('have structured properties that the dataset can be asked for, too', async () => {
    const property = 'schemaFieldStructuredProperties.urn:li:structuredProperty:io.days';
    assert.equal(await verdict({ property, operator: 'less_than', values: ['31'] }, world), 'PASS');
    assert.equal(await verdict({ property, operator: 'less_than', values: ['30'] }, world), 'FAIL');
  });

  it('contain further collections, two levels deep, and $root escapes from both', async () => {
    const rule = (value: string): JsonObject => ({
      forEach: 'columns',
      satisfies: {
        forEach: 'tags',
        satisfies: {
          and: [
            { property: '$root.urn', operator: 'equals', values: [value] },
            { property: 'urn', operator: 'starts_with', values: ['urn:li:tag:'] },
            { property: '$value', operator: 'starts_with', values: ['urn:li:tag:'] },
          ],
        },
      },
    });
    assert.equal(await verdict(rule(dataset), world), 'PASS');
    assert.equal(await verdict(rule('urn:li:corpuser:x'), world), 'FAIL');
  });

  it('are told apart again after a collection inside', async () => {
    const satisfies = {
      or: [{ forEach: 'tags', satisfies: { property: 'urn', operator: 'exists' } }, described],
    };
    const two = fields({ fieldPath: 'a', description: 'x' }, { fieldPath: 'b' });
    assert.equal(await verdict({ forEach: 'columns', satisfies }, { [dataset]: two }), 'FAIL');
  });
});

describe('any list', () => {
  it('of URNs leads to the entities they name, each once', async () => {
    const active = { property: 'corpUserInfo.active', operator: 'is_true' };
    const world = {
      [dataset]: owned(ana, bob, ana),
      [ana]: { corpUserInfo: { active: true } },
      [bob]: { corpUserInfo: { active: false } },
    };
    const rule = { forEach: 'ownership.owners.owner', satisfies: active, quantifier: 'atLeast' };
    assert.equal(await verdict({ ...rule, count: 1 }, world), 'PASS');
    assert.equal(await verdict({ ...rule, count: 2 }, world), 'FAIL');
  });

  it('of records has their fields, and hops go on from them', async () => {
    const world = { [dataset]: owned(ana), [ana]: { corpUserInfo: { active: true, title: 'Lead' } } };
    const type = { property: 'type', operator: 'equals', values: ['DATAOWNER'] };
    const title = { property: 'owner.corpUserInfo.title', operator: 'equals', values: ['Lead'] };
    assert.equal(await verdict({ forEach: 'ownership.owners', satisfies: [type, title] }, world), 'PASS');
    const shorter = { ...title, property: 'corpUserInfo.title' };
    assert.equal(await verdict({ forEach: 'ownership.owners', satisfies: shorter }, world), 'PASS');
  });

  it('of texts has $value', async () => {
    const world = { [dataset]: { subTypes: { typeNames: ['Table', 'View'] } } };
    const satisfies = { property: '$value', operator: 'equals', values: ['Table', 'View'] };
    assert.equal(await verdict({ forEach: 'subTypes.typeNames', satisfies }, world), 'PASS');
    assert.equal(
      await verdict({ forEach: 'subTypes.typeNames', satisfies: { ...satisfies, values: ['View'] } }, world),
      'FAIL',
    );
  });

  it('counts an entity that does not exist, which has nothing but its URN', async () => {
    const rule = (satisfies: JsonObject): JsonObject => ({ forEach: 'ownership.owners.owner', satisfies });
    const world = { [dataset]: owned(bob) };
    const missing = await evaluation(rule({ property: 'status.removed', operator: 'is_false' }), world);
    assert.deepEqual([missing.verdict, [...missing.notes]], ['FAIL', ['DANGLING_REF']]);
    const named = rule({ property: 'urn', operator: 'equals', values: [bob] });
    assert.equal((await evaluation(named, world)).verdict, 'PASS');
    const ofType = rule({ property: 'entityType', operator: 'equals', values: ['corpuser'] });
    assert.equal((await evaluation(ofType, world)).verdict, 'PASS');
  });
});

describe('lineage', () => {
  const world = {
    [dataset]: upstreams('a', 'b'),
    [table('a')]: { ...upstreams('c'), deprecation: { deprecated: false } },
    [table('b')]: {},
    [table('c')]: { ...upstreams('d'), deprecation: { deprecated: true } },
    [table('d')]: { deprecation: { deprecated: true }, ...upstreams('a') },
    [table('down')]: { upstreamLineage: { upstreams: [{ dataset }] } },
    [table('far')]: { ...upstreams('down'), deprecation: { deprecated: true } },
  };
  const cases: readonly (readonly [string, number, number])[] = [
    ['lineage.upstream', 1, 0],
    ['lineage.upstream', 2, 1],
    ['lineage.upstream', 3, 2],
    ['lineage.downstream', 1, 0],
    ['lineage.downstream', 2, 1],
    ['lineage.downstream', 3, 1],
  ];
  for (const [forEach, hops, count] of cases) {
    it(`${forEach} over ${hops} hops finds ${count} deprecated`, async () => {
      const rule = { forEach, hops, satisfies: isDeprecated, quantifier: 'atLeast' };
      assert.equal(await verdict({ ...rule, count }, world), 'PASS');
      assert.equal(await verdict({ ...rule, count: count + 1 }, world), 'FAIL');
    });
  }

  it('leads over a soft-deleted entity no further', async () => {
    const rule = { forEach: 'lineage.upstream', hops: 2, satisfies: isDeprecated, quantifier: 'any' };
    const cut = { ...world, [table('a')]: { ...upstreams('c'), status: { removed: true } } };
    assert.equal(await verdict(rule, cut), 'FAIL');
  });

  it('goes on inside of lineage', async () => {
    const inner = { forEach: 'lineage.upstream', satisfies: isDeprecated, quantifier: 'any' };
    assert.equal(
      await verdict({ forEach: 'lineage.upstream', satisfies: inner, quantifier: 'any' }, world),
      'PASS',
    );
  });

  it('to more entities than the limit is no verdict', async () => {
    const many: World = { [dataset]: {} };
    for (let index = 0; index < 1_001; index += 1) {
      many[table(`t${index}`)] = { upstreamLineage: { upstreams: [{ dataset }] } };
    }
    const rule = { forEach: 'lineage.downstream', satisfies: isDeprecated };
    const outcome = await evaluation(rule, many);
    assert.deepEqual([outcome.verdict, [...outcome.notes]], ['ERROR', ['BUDGET']]);
  });
});

describe('a path that leads to more entities than the limit', () => {
  const many = (count: number): World => ({
    [dataset]: upstreams(...Array.from({ length: count }, (_, index) => `t${index}`)),
  });
  const path = 'upstreamLineage.upstreams.dataset';

  it('is no verdict where it goes on to them, and one where it does not', async () => {
    const forEach = { forEach: path, satisfies: isDeprecated, quantifier: 'none' };
    assert.equal(await verdict(forEach, many(10_001)), 'ERROR');
    assert.equal(await verdict(forEach, many(10_000)), 'PASS');
    const hop = { property: `${path}.deprecation.deprecated`, operator: 'is_true' };
    assert.equal(await verdict(hop, many(10_001)), 'ERROR');
    const count = { property: path, operator: 'count_equals', values: ['10001'] };
    assert.equal(await verdict(count, many(10_001)), 'PASS');
  });

  it('does not keep other tests from their verdicts', async () => {
    const compiled = [
      { forEach: path, satisfies: isDeprecated, quantifier: 'none' },
      { property: 'ownership.owners.owner.corpUserInfo.active', operator: 'is_true' },
    ].map((rule, index) => ({
      urn: parseUrn(`urn:li:test:t${index}`),
      compiled: compileTest(requireValidDefinition(JSON.stringify({ on, rules: [rule] }))),
    }));
    const world = many(10_001);
    world[dataset] = { ...world[dataset], ...owned(ana) };
    world[ana] = { corpUserInfo: { active: true } };
    const outcome = await evaluateTests(sourceOf(world), dataset, compiled, 0);
    assert.deepEqual(outcome.passing, ['urn:li:test:t1']);
    assert.deepEqual(
      outcome.errors.map(({ urn }) => urn),
      ['urn:li:test:t0'],
    );
  });
});

describe('rules and keys', () => {
  it('only rules of severity error decide', async () => {
    const named = { property: 'datasetProperties.name', operator: 'exists' };
    assert.equal(await verdict([{ ...named, severity: 'warn' }], {}), 'PASS');
    assert.equal(await verdict([{ ...named, severity: 'info' }, named], {}), 'FAIL');
  });

  it('${name} stands for a parameter, alone for a list, and inside a text for one value', async () => {
    const definition = {
      on,
      params: { tiers: ['urn:li:tag:A', 'urn:li:tag:B'], prefix: 'fct', most: 3 },
      rules: [
        { property: 'globalTags.tags.tag', operator: 'contains_all', values: ['${tiers}'] },
        { property: 'datasetProperties.name', operator: 'starts_with', values: ['${prefix}_'] },
        { property: 'schemaFields.length', operator: 'count_at_most', values: ['${most}'] },
      ],
    };
    const world = (...tags: readonly string[]): World => ({
      [dataset]: {
        globalTags: { tags: tags.map((tag) => ({ tag })) },
        datasetProperties: { name: 'fct_orders' },
      },
    });
    const both = await evaluate(definition, dataset, sourceOf(world('urn:li:tag:A', 'urn:li:tag:B')));
    assert.equal(both.verdict, 'PASS');
    assert.equal((await evaluate(definition, dataset, sourceOf(world('urn:li:tag:A')))).verdict, 'FAIL');
  });

  it('${name} is plain text in a definition without params', async () => {
    const rule = { property: 'datasetProperties.name', operator: 'equals', values: ['${x}'] };
    assert.equal(await verdict(rule, { [dataset]: { datasetProperties: { name: '${x}' } } }), 'PASS');
  });

  it('the canonical text keeps everything that a definition says', () => {
    const definition = {
      on,
      owners: [ana],
      severity: 'warn',
      version: 1,
      rules: [
        {
          id: 'fresh',
          docs: 'https://example.org',
          message: '{{count}} of {{name}}: {{sample}}',
          forEach: 'lineage.upstream',
          hops: 2,
          where: isDeprecated,
          satisfies: { property: '__lastObserved', operator: 'newer_than', values: ['P45D'] },
          quantifier: 'atLeast',
          ratio: 0.5,
          onEmpty: 'pass',
        },
        { severity: 'warn', property: 'schemaFields.length', operator: 'between', values: ['9', '3'] },
      ],
    };
    const read = requireValidDefinition(JSON.stringify(definition));
    const text = canonicalText(read);
    const again = requireValidDefinition(text);
    assert.equal(canonicalText(again), text);
    assert.equal(semanticHash(again), semanticHash(read));
    const written = JSON.parse(text) as { readonly rules: readonly JsonObject[] };
    assert.deepEqual(written.rules[0], {
      ...definition.rules[0],
      satisfies: { property: '__lastObserved', operator: 'newer_than', values: ['PT3888000S'] },
    });
    assert.deepEqual(written.rules[1], definition.rules[1]);
  });

  it('what decides is part of the semantic hash, what is said about it is not', () => {
    const hash = (rule: JsonObject): string =>
      semanticHash(requireValidDefinition(JSON.stringify({ on, rules: [rule] })));
    const rule = { forEach: 'columns', satisfies: described };
    assert.equal(hash({ ...rule, id: 'x', message: 'm' }), hash(rule));
    for (const change of [
      { quantifier: 'any' },
      { onEmpty: 'pass' },
      { severity: 'info' },
      { where: described },
    ]) {
      assert.notEqual(hash({ ...rule, ...change }), hash(rule));
    }
  });
});

describe('hostile definitions', () => {
  it('end by a count of steps, not by the clock', async () => {
    const wide = fields(...Array.from({ length: 5_000 }, (_, index) => ({ fieldPath: `c${index}` })));
    const inner = { property: 'name', operator: 'equals', values: ['nothing'] };
    const square = {
      forEach: 'columns',
      satisfies: { not: { forEach: '$root.columns', satisfies: inner, quantifier: 'any' } },
    };
    const outcome = await evaluation(square, { [dataset]: wide });
    assert.deepEqual([outcome.verdict, [...outcome.notes]], ['ERROR', ['BUDGET']]);
    const again = await evaluation(square, { [dataset]: wide });
    assert.equal(again.reason, outcome.reason);
  });

  it('that ask something of the entity for every element ask once', async () => {
    const bodies = {
      ...fields(...Array.from({ length: 5_000 }, (_, index) => ({ fieldPath: `c${index}` }))),
      datasetProperties: {
        description: 'x'.repeat(200_000),
        customProperties: Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, 'v'])),
      },
    };
    const rules = [
      { property: '$root.datasetProperties.description', operator: 'min_length', values: ['5'] },
      { property: '$root.schemaMetadata.fields.fieldPath', operator: 'count_equals', values: ['5000'] },
      { property: '$root.datasetProperties.customProperties', operator: 'contains_any', values: ['k9=v'] },
    ];
    assert.equal(await verdict({ forEach: 'columns', satisfies: rules }, { [dataset]: bodies }), 'PASS');
  });

  it('with many leaves about many elements end as well', async () => {
    const wide = fields(...Array.from({ length: 10_000 }, (_, index) => ({ fieldPath: `c${index}` })));
    const rules = Array.from({ length: 199 }, (_, index) => ({
      forEach: 'columns',
      satisfies: { not: { property: 'name', operator: 'ends_with', values: [`x${index}`] } },
    }));
    assert.equal(await verdict(rules, { [dataset]: wide }), 'ERROR');
  });

  it('with ten thousand texts to look for in long values are counted, too', async () => {
    const values = Array.from({ length: 10_000 }, (_, index) => `needle ${index}`);
    const rule = { property: 'datasetProperties.description', operator: 'contains_str', values };
    const world = { [dataset]: { datasetProperties: { description: 'x'.repeat(200_000) } } };
    assert.equal(await verdict(rule, world), 'ERROR');
  });
});
