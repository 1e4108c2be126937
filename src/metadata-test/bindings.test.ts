import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { parseUrn } from '../urn/urn.ts';
import { canonicalText, semanticHash } from './canonical-text.ts';
import { evaluate, sourceOf } from './conformance.fixture.ts';
import { definitionOf, findingsOf, hasOwner, on, owner, rule, tag, text } from './definition.fixture.ts';
import { graceDaysOf, scheduleOf } from './read-keys.ts';
import { nextRunAfter } from './schedule.ts';

const dataset = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)');
const isIn = (domain: string): JsonObject => ({
  property: 'domains.domains',
  operator: 'equals',
  values: [`urn:li:domain:${domain}`],
});
const isTagged = (value: string): JsonObject => ({
  property: 'globalTags.tags.tag',
  operator: 'contains_any',
  values: [value],
});
const tier: JsonObject = {
  default: 'urn:li:tag:Tier1',
  bindings: [
    { when: isIn('finance'), value: 'urn:li:tag:Gold' },
    { when: { or: [isIn('hr'), isIn('finance')] }, value: ['urn:li:tag:Silver', 'urn:li:tag:Bronze'] },
  ],
};

describe('parameters with bindings', () => {
  const world = (domain: string | undefined, ...tags: string[]): Record<string, JsonObject> => ({
    [dataset]: {
      ...(domain === undefined ? {} : { domains: { domains: [`urn:li:domain:${domain}`] } }),
      globalTags: { tags: tags.map((name) => ({ tag: `urn:li:tag:${name}` })) },
      schemaMetadata: {
        fields: [{ fieldPath: 'id', globalTags: { tags: [{ tag: 'urn:li:tag:Gold' }] } }],
      },
    },
  });
  const verdict = async (definition: object, facts: Record<string, JsonObject>): Promise<string> =>
    (await evaluate({ on, rules: [], ...definition } as JsonValue, dataset, sourceOf(facts))).verdict;

  it('have the value of the first binding whose predicate holds, else the default', async () => {
    const definition = { params: { tier }, rules: [isTagged('${tier}')] };
    const cases: readonly (readonly [string | undefined, string, string])[] = [
      ['finance', 'Gold', 'PASS'],
      ['finance', 'Silver', 'FAIL'],
      ['hr', 'Silver', 'PASS'],
      ['hr', 'Bronze', 'PASS'],
      ['hr', 'Gold', 'FAIL'],
      ['sales', 'Tier1', 'PASS'],
      [undefined, 'Tier1', 'PASS'],
      [undefined, 'Gold', 'FAIL'],
    ];
    for (const [domain, name, expected] of cases) {
      assert.equal(await verdict(definition, world(domain, name)), expected, `${domain} ${name}`);
    }
  });

  it('are about the entity under test, inside forEach as well, and select in conditions', async () => {
    const columns = { forEach: 'columns', satisfies: { ...isTagged('${tier}'), property: 'tags' } };
    assert.equal(await verdict({ params: { tier }, rules: [columns] }, world('finance')), 'PASS');
    assert.equal(await verdict({ params: { tier }, rules: [columns] }, world('sales')), 'FAIL');
    const scoped = { params: { tier }, on: { ...on, conditions: isTagged('${tier}') } };
    assert.equal(await verdict(scoped, world('finance', 'Gold')), 'PASS');
    assert.equal(await verdict(scoped, world('finance', 'Tier1')), 'NONE');
  });

  it('mean the tree that writes every case out, and its canonical text is that tree', () => {
    const bound = definitionOf({ on, params: { tier }, rules: [{ id: 'tiered', not: isTagged('${tier}') }] });
    const [finance, later] = [isIn('finance'), { or: [isIn('hr'), isIn('finance')] }];
    const written = definitionOf(
      rule({
        id: 'tiered',
        or: [
          { and: [finance, { not: [isTagged('urn:li:tag:Gold')] }] },
          {
            and: [
              { not: [finance] },
              later,
              {
                not: [
                  { ...isTagged('urn:li:tag:Silver'), values: ['urn:li:tag:Silver', 'urn:li:tag:Bronze'] },
                ],
              },
            ],
          },
          { and: [{ not: [finance, later] }, { not: [isTagged('urn:li:tag:Tier1')] }] },
        ],
      }),
    );
    assert.equal(semanticHash(bound), semanticHash(written));
    assert.equal(canonicalText(bound), canonicalText(written));
    assert.equal(canonicalText(definitionOf(JSON.parse(canonicalText(bound)))), canonicalText(bound));
  });

  it('give the verdict of the definition with the chosen value written into it, for any choice', async () => {
    const name = fc.constantFrom('Gold', 'Silver', 'Tier1');
    const domain = fc.constantFrom('finance', 'hr', 'sales');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(domain, name), { maxLength: 3 }),
        name,
        fc.array(fc.tuple(domain, name), { maxLength: 2 }),
        domain,
        fc.array(name, { maxLength: 2 }),
        fc.boolean(),
        async (first, fallback, second, own, tags, isNegated) => {
          const parameter = (bindings: readonly (readonly [string, string])[]): JsonObject => ({
            default: `urn:li:tag:${fallback}`,
            bindings: bindings.map(([when, value]) => ({ when: isIn(when), value: `urn:li:tag:${value}` })),
          });
          const chosen = (bindings: readonly (readonly [string, string])[]): string =>
            `urn:li:tag:${bindings.find(([when]) => when === own)?.[1] ?? fallback}`;
          const rules = (a: string, b: string): object => ({
            rules: [{ [isNegated ? 'not' : 'or']: [isTagged(a), isTagged(b)] }],
          });
          const params = { a: parameter(first), b: parameter(second) };
          const facts = world(own, ...tags);
          assert.equal(
            await verdict({ params, ...rules('${a}', '${b}') }, facts),
            await verdict(rules(chosen(first), chosen(second)), facts),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it('cannot be used by another binding or by an action, whose value would depend on the entity', () => {
    const other = {
      default: 'urn:li:tag:A',
      bindings: [{ when: isTagged('${tier}'), value: 'urn:li:tag:B' }],
    };
    const actions = { passing: [{ type: 'add_tags', values: ['${tier}'] }] };
    const refusedAt = (definition: object): readonly string[] =>
      findingsOf(text({ on, rules: [], ...definition })).flatMap(([code, pointer]) =>
        code === 'MT121' ? [pointer] : [],
      );
    assert.deepEqual(refusedAt({ params: { tier, other } }), ['/params/other/bindings/0/when/values/0']);
    assert.deepEqual(refusedAt({ params: { tier }, actions }), ['/actions/passing/0/values/0']);
  });

  it('are refused beyond 20 combinations in one rule, and count their leaves as written out', () => {
    const many: JsonObject = {
      default: 'x',
      bindings: Array.from({ length: 4 }, (_, index) => ({ when: isIn(`d${index}`), value: 'y' })),
    };
    const leaf = { property: 'urn', operator: 'equals', values: ['${a}${b}'] };
    assert.deepEqual(findingsOf(text({ on, params: { a: many, b: many }, rules: [leaf] })), [
      ['MT140', '/rules/0'],
    ]);
    const codes = findingsOf(
      text({ on, params: { a: many, b: 'z' }, rules: Array.from({ length: 15 }, () => leaf) }),
    ).map(([code]) => code);
    assert.deepEqual([...new Set(codes)], ['MT140']);
  });

  it('report what is wrong with a predicate that uses them once, not once for each binding', () => {
    const wrong = { property: 'urn', operator: 'equal', values: ['${tier}'] };
    assert.deepEqual(findingsOf(text({ on, params: { tier }, rules: [wrong] })), [
      ['MT103', '/rules/0/operator'],
    ]);
  });
});

describe('keys about when and how a test is applied', () => {
  it('graceDays, schedule and siblings are accepted, kept and make a definition not portable', () => {
    const definition = definitionOf({
      on,
      rules: [hasOwner],
      graceDays: 14,
      schedule: '0 3 * * *',
      siblings: 'merge',
    });
    assert.equal(graceDaysOf(definition), 14);
    const schedule = scheduleOf(definition);
    assert.ok(schedule !== undefined);
    assert.equal(nextRunAfter(schedule, 0), 3 * 60 * 60 * 1000);
    const again = definitionOf(JSON.parse(canonicalText(definition)));
    assert.deepEqual(again.keys, definition.keys);
  });

  it('graceDays and siblings are part of the meaning; a schedule and the owners are not', () => {
    const plain = semanticHash(definitionOf({ on, rules: [tag] }));
    const hashOf = (keys: object): string => semanticHash(definitionOf({ on, rules: [tag], ...keys }));
    assert.notEqual(hashOf({ graceDays: 3 }), plain);
    assert.notEqual(hashOf({ siblings: 'merge' }), plain);
    assert.equal(hashOf({ siblings: 'separate', graceDays: 0 }), plain);
    assert.equal(hashOf({ schedule: '0 3 * * *', owners: ['urn:li:corpuser:a'] }), plain);
    assert.equal(graceDaysOf(definitionOf({ on, rules: [{ property: owner, operator: 'exists' }] })), 0);
  });
});
