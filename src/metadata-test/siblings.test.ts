import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { openTestCatalogue } from '../../test/catalogue.ts';
import { parseUrn, type Urn } from '../urn/urn.ts';
import { compileTest } from './compile-test.ts';
import { conformanceNow, evaluate, sourceOf } from './conformance.fixture.ts';
import { definitionOf } from './definition.fixture.ts';
import { evaluateTests } from './evaluate-tests.ts';
import { explainTest } from './explain-test.ts';
import { loadFacts } from './load-facts.ts';

const model = parseUrn('urn:li:dataset:(urn:li:dataPlatform:dbt,shop.orders,PROD)');
const table = parseUrn('urn:li:dataset:(urn:li:dataPlatform:snowflake,shop.orders,PROD)');
const copy = parseUrn('urn:li:dataset:(urn:li:dataPlatform:bigquery,shop.orders,PROD)');
const source = parseUrn('urn:li:dataset:(urn:li:dataPlatform:snowflake,shop.raw,PROD)');
const on = { types: ['dataset'] };

const siblings = (primary: boolean, ...urns: readonly Urn[]): JsonObject => ({ siblings: urns, primary });
const owners = (...names: readonly string[]): JsonObject => ({
  owners: names.map((name) => ({ owner: `urn:li:corpuser:${name}`, type: 'DATAOWNER' })),
});
const tags = (...names: readonly string[]): JsonObject => ({
  tags: names.map((name) => ({ tag: `urn:li:tag:${name}` })),
});

const world: Record<string, JsonObject> = {
  [model]: {
    siblings: siblings(true, table),
    ownership: owners('ana', 'bob'),
    globalTags: tags('Tier1'),
    datasetProperties: { name: 'orders', description: 'Orders as booked' },
    upstreamLineage: { upstreams: [{ dataset: source }] },
    domains: { domains: ['urn:li:domain:sales'] },
    schemaMetadata: {
      fields: [
        { fieldPath: 'id', description: 'Key' },
        { fieldPath: 'email', globalTags: tags('PII') },
      ],
    },
  },
  [table]: {
    siblings: siblings(false, model),
    ownership: owners('bob', 'eve'),
    globalTags: tags('Hot'),
    datasetProperties: { name: 'ORDERS', description: 'a table', qualifiedName: 'db.shop.orders' },
    upstreamLineage: { upstreams: [{ dataset: model }] },
    domains: { domains: ['urn:li:domain:finance'] },
    schemaMetadata: {
      fields: [
        { fieldPath: '[version=2.0].[type=string].email', description: 'Address', nativeDataType: 'VARCHAR' },
        { fieldPath: 'loaded_at' },
      ],
    },
    editableSchemaMetadata: {
      editableSchemaFieldInfo: [{ fieldPath: 'loaded_at', description: 'When', globalTags: tags('Audit') }],
    },
  },
  [source]: { status: { removed: false } },
  'urn:li:corpuser:ana': { corpUserInfo: { active: false } },
  'urn:li:corpuser:bob': { corpUserInfo: { active: false } },
  'urn:li:corpuser:eve': { corpUserInfo: { active: true } },
};

async function verdicts(rules: JsonValue, facts = world, urns = [model, table]): Promise<readonly string[]> {
  const definition = { on, siblings: 'merge', rules } as JsonValue;
  const all = urns.map(async (urn) => (await evaluate(definition, urn, sourceOf(facts))).verdict);
  return Promise.all(all);
}

const has = (property: string, operator: string, ...values: readonly string[]): JsonObject => ({
  property,
  operator,
  ...(values.length === 0 ? {} : { values }),
});

describe('merged siblings', () => {
  const vectors: readonly (readonly [string, JsonValue, string])[] = [
    [
      'tags of both count',
      has('globalTags.tags.tag', 'contains_all', 'urn:li:tag:Tier1', 'urn:li:tag:Hot'),
      'PASS',
    ],
    ['an owner of both counts once', has('ownership.owners.owner', 'count_equals', '3'), 'PASS'],
    [
      'domains are united',
      has('domains.domains', 'contains_all', 'urn:li:domain:sales', 'urn:li:domain:finance'),
      'PASS',
    ],
    ['the primary wins', has('datasetProperties.name', 'equals', 'orders'), 'PASS'],
    ['of fields of one aspect too', has('datasetProperties.description', 'equals', 'a table'), 'FAIL'],
    [
      'what the primary lacks is taken from the other',
      has('datasetProperties.qualifiedName', 'exists'),
      'PASS',
    ],
    ['the view bears the URN of the primary', has('urn', 'contains_str', 'dataPlatform:dbt'), 'PASS'],
    ['columns are united by their simple path', has('schemaFields.length', 'equals', '3'), 'PASS'],
    [
      'so are their descriptions, edited ones included',
      { forEach: 'columns', satisfies: has('description', 'exists') },
      'PASS',
    ],
    [
      'and their tags',
      {
        forEach: 'columns',
        where: has('name', 'equals', 'email'),
        satisfies: { and: [has('description', 'equals', 'Address'), has('tags', 'exists')] },
      },
      'PASS',
    ],
    [
      'an edge from one to the other is no lineage',
      has('upstreamLineage.upstreams.dataset', 'subset_of', source),
      'PASS',
    ],
    [
      'hops lead on from what either has',
      {
        forEach: 'ownership.owners.owner',
        satisfies: has('corpUserInfo.active', 'is_true'),
        quantifier: 'any',
      },
      'PASS',
    ],
  ];
  for (const [about, rule, expected] of vectors) {
    it(`${about}; both siblings get that verdict`, async () => {
      assert.deepEqual(await verdicts([rule]), [expected, expected]);
    });
  }

  it('are judged separately unless a test says merge', async () => {
    const rules = [has('ownership.owners.owner', 'count_equals', '2')];
    for (const urn of [model, table]) {
      assert.equal((await evaluate({ on, rules }, urn, sourceOf(world))).verdict, 'PASS');
    }
    assert.deepEqual(await verdicts(rules), ['FAIL', 'FAIL']);
  });

  it('that are missing, soft-deleted or of another type do not count', async () => {
    const chart = 'urn:li:chart:(looker,orders)';
    const rules = [has('ownership.owners.owner', 'count_equals', '2')];
    const only = (other: JsonObject, urn: string = table): Record<string, JsonObject> => ({
      [model]: { ...world[model], siblings: { siblings: [urn], primary: true } },
      [urn]: other,
    });
    const removed = { ...world[table], status: { removed: true } };
    assert.deepEqual(await verdicts(rules, only(removed), [model]), ['PASS']);
    assert.deepEqual(await verdicts(rules, only({ ownership: owners('eve') }, chart), [model]), ['PASS']);
    const { [model]: alone = {} } = world;
    assert.deepEqual(await verdicts(rules, { [model]: alone }, [model]), ['PASS']);
  });

  it('of siblings belong to the group, so that all around a primary agree', async () => {
    const facts = {
      ...world,
      [model]: { ...world[model], siblings: siblings(true, table, copy) },
      [copy]: { siblings: siblings(false, model), globalTags: tags('Copied') },
    };
    const rules = [has('globalTags.tags.tag', 'contains_all', 'urn:li:tag:Copied', 'urn:li:tag:Hot')];
    assert.deepEqual(await verdicts(rules, facts, [model, table, copy]), ['PASS', 'PASS', 'PASS']);
  });

  it('of more than a hundred entities are not decided, and it says so', async () => {
    const many = Array.from({ length: 101 }, (_, index) =>
      parseUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,t${index},PROD)`),
    );
    const facts: Record<string, JsonObject> = { [model]: { siblings: siblings(true, ...many) } };
    for (const urn of many) facts[urn] = { status: { removed: false } };
    assert.deepEqual(await verdicts([], facts, [model]), ['ERROR']);
  });

  it('any two siblings agree on any rule, and the order in which they name each other is irrelevant', async () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const names = fc.array(name, { maxLength: 3 });
    const entity = fc.record({ owned: names, tagged: names, columns: names, primary: fc.boolean() });
    const aspects = (
      {
        owned,
        tagged,
        columns,
        primary,
      }: { owned: string[]; tagged: string[]; columns: string[]; primary: boolean },
      other: Urn,
    ): JsonObject => ({
      siblings: siblings(primary, other),
      ...(owned.length === 0 ? {} : { ownership: owners(...owned) }),
      globalTags: tags(...tagged),
      schemaMetadata: {
        fields: columns.map((path) => ({ fieldPath: path, globalTags: tags(path) })),
      },
    });
    const rule = fc.oneof(
      fc.nat({ max: 4 }).map((count) => has('ownership.owners.owner', 'count_at_least', String(count))),
      name.map((tag) => has('globalTags.tags.tag', 'contains_any', `urn:li:tag:${tag}`)),
      fc.nat({ max: 4 }).map((count) => has('schemaFields.length', 'equals', String(count))),
      name.map((tag) => has('schemaMetadata.fields.globalTags.tags.tag', 'equals', `urn:li:tag:${tag}`)),
      fc.constant<JsonObject>({ forEach: 'columns', satisfies: has('tags', 'count_equals', '1') }),
    );
    await fc.assert(
      fc.asyncProperty(entity, entity, rule, async (left, right, some) => {
        const facts = { [model]: aspects(left, table), [table]: aspects(right, model) };
        const [one, other] = await verdicts([some], facts);
        assert.equal(one, other);
        const union = new Set([...left.columns, ...right.columns]).size;
        const [counted] = await verdicts([has('schemaFields.length', 'equals', String(union))], facts);
        assert.equal(counted, 'PASS');
      }),
      { numRuns: 300 },
    );
  });

  it('share their reads with other tests, and each test keeps its own view', async () => {
    const test = (id: string, keys: object): { urn: Urn; compiled: ReturnType<typeof compileTest> } => ({
      urn: parseUrn(`urn:li:test:${id}`),
      compiled: compileTest(
        definitionOf({ on, rules: [has('ownership.owners.owner', 'count_equals', '3')], ...keys }),
      ),
    });
    await using catalogue = await openTestCatalogue();
    await catalogue.seed(model, { siblings: siblings(true, table), ownership: owners('ana', 'bob') });
    await catalogue.seed(table, { siblings: siblings(false, model), ownership: owners('bob', 'eve') });
    const tests = [test('merged', { siblings: 'merge' }), test('alone', {})];
    const outcome = await evaluateTests(catalogue.store, table, tests, conformanceNow);
    assert.deepEqual([outcome.passing, outcome.failing], [['urn:li:test:merged'], ['urn:li:test:alone']]);
  });

  it('are explained by the view, with the sibling that holds each aspect', async () => {
    const definition = definitionOf({
      on,
      siblings: 'merge',
      rules: [has('globalTags.tags.tag', 'equals', 'urn:li:tag:None')],
    });
    const compiled = compileTest(definition);
    const facts = await loadFacts(sourceOf(world), table, compiled.readSet);
    const entity = facts.get(table);
    assert.ok(entity !== undefined);
    const {
      entity: about,
      verdict,
      rules,
      provenance,
    } = explainTest(compiled, entity, facts, conformanceNow);
    assert.deepEqual([about, verdict], [table, 'FAIL']);
    assert.deepEqual(rules[0]?.why.leaf?.observed, ['urn:li:tag:Tier1', 'urn:li:tag:Hot']);
    assert.deepEqual(
      provenance.filter(({ aspect }) => aspect === 'globalTags').map((from) => from.entity),
      [model, table],
    );
  });

  it('the read set says that siblings are read, and the aspects that are read of them', () => {
    const { readSet } = compileTest(
      definitionOf({ on, siblings: 'merge', rules: [has('domains.domains', 'exists')] }),
    );
    assert.ok(readSet.aspects.has('siblings'));
    const [siblingsRead] = readSet.hops.values();
    assert.ok(siblingsRead?.target.aspects.has('domains'));
  });
});
