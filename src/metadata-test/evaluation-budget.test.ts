import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Aspect } from '../aspect/aspect.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { compileTest, type Evaluation, evaluationBudget } from './compile-test.ts';
import { definitionOf, on, text } from './definition.fixture.ts';
import type { LoadedEntity } from './facts.ts';
import { compileSearch } from './operators/text-search.ts';
import { readTestDefinition } from './test-definition.ts';

const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const now = 1_760_000_000_000;
const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

function entityOf(bodies: JsonObject, name = urn): LoadedEntity {
  const stamp = { time: 1, actor: 'urn:li:corpuser:ana' };
  const aspects = Object.entries(bodies).map(([aspect, body]) => {
    assert.ok(typeof body === 'object' && body !== null && !Array.isArray(body));
    return [aspect, new Aspect(aspect, 1, '', stamp, null, body as JsonObject)] as const;
  });
  return {
    urn: name,
    type: name.split(':')[2] ?? '',
    aspects: new Map(aspects),
    exists: true,
    removed: false,
  };
}

const leaf = (property: string, operator: string, ...values: readonly (string | number)[]): JsonObject => ({
  property,
  operator,
  ...(values.length === 0 ? {} : { values }),
});

/** CPU time of the process, which other processes do not add to. */
function cpuTimeOf<Answer>(work: () => Answer): { readonly answer: Answer; readonly spent: number } {
  const before = process.cpuUsage();
  const answer = work();
  const { user, system } = process.cpuUsage(before);
  return { answer, spent: user + system };
}

/** What some millions of the simplest steps cost on this machine: about as much as the worst evaluation. */
const reference = Math.min(
  ...many(5, () => {
    const { spent, answer } = cpuTimeOf(() => {
      let sum = 0;
      for (let step = 0; step < evaluationBudget / 5; step += 1) sum = (sum * 31 + step) | 0;
      return sum;
    });
    return answer === 0 ? spent + 1 : spent;
  }),
);

type Shape = {
  readonly rules: JsonValue;
  readonly aspects: JsonObject;
  readonly others?: readonly LoadedEntity[];
};

function evaluationOf({ rules, aspects, others = [] }: Shape): Evaluation {
  const { evaluate } = compileTest(definitionOf({ on, rules }));
  const entity = entityOf(aspects);
  const facts = new Map([entity, ...others].map((each) => [each.urn, each]));
  return evaluate(entity, facts, now);
}

const name = 'datasetProperties.name';
const named = (value: string): JsonObject => ({ datasetProperties: { name: value } });
const columnsNamed = (count: number, path: (index: number) => string): JsonObject => ({
  schemaMetadata: { fields: many(count, (index) => ({ fieldPath: path(index) })) },
});
const tags = (count: number, suffix = ''): JsonObject => ({
  globalTags: { tags: many(count, (index) => ({ tag: `urn:li:tag:${suffix}${index}` })) },
});
const owners = {
  ownership: { owners: many(10_000, (index) => ({ owner: `urn:li:corpuser:u${index}` })) },
};
const users = many(10_000, (index) =>
  entityOf({ corpUserInfo: { title: 'x' } }, `urn:li:corpuser:u${index}`),
);
const anyOf = (count: number, predicate: (index: number) => JsonValue): JsonValue => [
  { or: many(count, predicate) },
];

const worst: Readonly<Record<string, () => Shape>> = {
  'a nested repetition over a long text': () => ({
    rules: anyOf(20, (index) => leaf(name, 'regex_match', `^(a+)+$|x{${index + 1}}`)),
    aspects: named(`${'a'.repeat(300_000)}!`),
  }),
  'patterns with a state for every character': () => ({
    rules: anyOf(20, (index) => leaf(name, 'regex_match', `[a-z]{1,200}[a-m]{1,200}z{${index + 1}}`)),
    aspects: named('ab'.repeat(500)),
  }),
  'patterns of counted repetitions in each other': () => ({
    rules: anyOf(20, (index) => leaf(name, 'regex_match', `(?:[a-z]{0,30}){0,30}!|x{${index + 1}}`)),
    aspects: named('a'.repeat(1_000)),
  }),
  'optional letters before the same letters': () => ({
    rules: anyOf(20, (index) =>
      leaf(name, 'regex_match', `${'a?'.repeat(100)}${'a'.repeat(100)}b{${index + 1}}`),
    ),
    aspects: named('a'.repeat(1_000)),
  }),
  'fifty patterns over 10,000 columns': () => ({
    rules: [
      {
        forEach: 'columns',
        satisfies: { not: many(50, (index) => leaf('name', 'regex_match', `(x+x+)+y${index}`)) },
      },
    ],
    aspects: columnsNamed(10_000, (index) => `xxxxxxxxxxxx${index}`),
  }),
  'a periodic text searched for its period with an error in the middle': () => ({
    rules: anyOf(3, (index) =>
      leaf(name, 'contains_str', `${'a'.repeat(30_000)}b${'a'.repeat(30_000 + index)}`),
    ),
    aspects: named('a'.repeat(1_000_000)),
  }),
  '10,000 texts searched for 10,000 texts': () => ({
    rules: [leaf('schemaMetadata.fields.fieldPath', 'contains_str', ...many(10_000, (index) => `q${index}`))],
    aspects: columnsNamed(10_000, (index) => `column_${index}`),
  }),
  '10,000 columns for each of 10,000 columns': () => ({
    rules: [
      {
        forEach: 'columns',
        satisfies: { forEach: '$root.schemaMetadata.fields', satisfies: leaf('fieldPath', 'exists') },
      },
    ],
    aspects: columnsNamed(10_000, (index) => `c${index}`),
  }),
  '199 leaves for each of 10,000 columns': () => ({
    rules: [
      {
        forEach: 'columns',
        satisfies: { and: many(199, (index) => leaf('name', 'not_equals', `x${index}`)) },
      },
    ],
    aspects: columnsNamed(10_000, (index) => `c${index}`),
  }),
  'one operand 9,000 times for each of 10,000 columns': () => ({
    rules: [{ forEach: 'columns', satisfies: leaf('name', 'contains_all', ...many(9_000, () => 'a')) }],
    aspects: columnsNamed(10_000, () => 'a'),
  }),
  'one column 3,000 times with 3,000 edits': () => ({
    rules: [{ forEach: 'columns', satisfies: leaf('tags', 'exists') }],
    aspects: {
      ...columnsNamed(3_000, () => '[version=2.0].[type=int].a'),
      editableSchemaMetadata: {
        editableSchemaFieldInfo: many(3_000, (index) => ({
          fieldPath: 'a',
          globalTags: { tags: [{ tag: `urn:li:tag:${index}` }] },
        })),
      },
    },
  }),
  'counting 10,000 encoded tags 200 times': () => ({
    rules: anyOf(200, (index) => leaf('globalTags.tags.tag', 'count_at_most', index)),
    aspects: tags(10_000, '%20%20%20%20%20%20'),
  }),
  'comparing 10,000 encoded tags 200 times': () => ({
    rules: anyOf(200, (index) => leaf('globalTags.tags.tag', 'equals', `urn:li:tag:z${index}`)),
    aspects: tags(10_000, '%20%20%20%20%20%20'),
  }),
  'a tree of empty records 200 times': () => ({
    rules: anyOf(200, () => leaf('schemaMetadata', 'exists')),
    aspects: { schemaMetadata: { fields: many(10_000, () => ({ fieldPath: ' ', a: { b: { c: '' } } })) } },
  }),
  'a map of 10,000 entries 200 times': () => ({
    rules: anyOf(200, (index) => leaf('datasetProperties.customProperties', 'contains_all', `b=${index}`)),
    aspects: {
      datasetProperties: {
        customProperties: Object.fromEntries(many(10_000, (index) => [`a${index}`, 'v'])),
      },
    },
  }),
  'looking for one of 10,000 structured properties 200 times': () => ({
    rules: anyOf(200, (index) => leaf(`structuredProperties.urn:li:structuredProperty:x${index}`, 'exists')),
    aspects: {
      structuredProperties: {
        properties: many(10_000, (index) => ({
          propertyUrn: `urn:li:structuredProperty:y${index}`,
          values: [],
        })),
      },
    },
  }),
  'a blank text of a million characters 200 times': () => ({
    rules: anyOf(200, (index) => leaf(index % 2 === 0 ? name : 'effective.description', 'exists')),
    aspects: {
      ...named(' '.repeat(1_000_000)),
      editableDatasetProperties: { description: ' '.repeat(1_000_000) },
    },
  }),
  'the length of a text in a million spaces': () => ({
    rules: anyOf(200, () => leaf(name, 'min_length', 5)),
    aspects: named(`${' '.repeat(500_000)}x${' '.repeat(500_000)}`),
  }),
  'hops to 10,000 owners, 200 times': () => ({
    rules: anyOf(200, (index) => leaf('ownership.owners.owner.corpUserInfo.title', 'equals', `t${index}`)),
    aspects: owners,
    others: users,
  }),
  'a hundred questions about each of 10,000 owners': () => ({
    rules: [
      {
        forEach: 'ownership.owners.owner',
        satisfies: { not: many(100, (index) => leaf('corpUserInfo.title', 'equals', `t${index}`)) },
      },
    ],
    aspects: owners,
    others: users,
  }),
};

describe('the budget of an evaluation', () => {
  for (const [about, shape] of Object.entries(worst)) {
    it(`bounds ${about}`, () => {
      const given = shape();
      const { answer, spent } = cpuTimeOf(() => evaluationOf(given));
      assert.notEqual(answer.verdict, 'NONE');
      // Compiling, garbage and cold code are in it; without the budget these take hundreds of times as long.
      assert.ok(spent < 12 * reference, `${spent} µs, ${answer.verdict}`);
    });
  }

  it('leaves room for ordinary tests of very large tables', () => {
    const described = {
      schemaMetadata: {
        fields: many(10_000, (index) => ({
          fieldPath: `[version=2.0].[type=int].column_name_${index}`,
          nativeDataType: 'INT',
          description: 'a description of twenty characters or so, more',
          globalTags: { tags: [{ tag: 'urn:li:tag:a' }] },
          glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:a' }] },
        })),
      },
    };
    const five = [
      leaf('name', 'exists'),
      leaf('description', 'min_length', 5),
      leaf('tags', 'contains_any', 'urn:li:tag:a'),
      leaf('terms', 'count_at_least', 1),
      leaf('nativeDataType', 'equals', 'INT'),
    ];
    const ordinary: readonly JsonValue[] = [
      [{ forEach: 'columns', satisfies: { and: five } }],
      [
        {
          forEach: 'columns',
          satisfies: { and: [...five, leaf('name', 'regex_match', '^(?:[a-z]+_)*[a-z0-9]+$')] },
        },
      ],
      [{ not: leaf('schemaMetadata.fields.fieldPath', 'regex_match', '^(.*\\.)?(tmp|test)_?[0-9]*$') }],
      [leaf('schemaFields', 'schema_fields_have_descriptions')],
    ];
    for (const rules of ordinary) {
      assert.equal(evaluationOf({ rules, aspects: described }).verdict, 'PASS', text(rules));
    }
  });

  it('gives the same verdict however often it is asked, and whatever was asked before', () => {
    for (const shape of Object.values(worst)) {
      const { rules, aspects, others = [] } = shape();
      const { evaluate } = compileTest(definitionOf({ on, rules }));
      const entity = entityOf(aspects);
      const facts = new Map([entity, ...others].map((each) => [each.urn, each]));
      const [first, ...more] = many(3, () => evaluate(entity, facts, now));
      for (const again of more) assert.deepEqual(again, first);
    }
  });

  it('decides or refuses any random hostile definition', () => {
    const piece = fc.constantFrom('a', 'a+', '(a|aa)', '(a*)*', '[a-z]{0,30}', '.*', '\\pL?', 'a?', '\\b');
    const pattern = fc
      .array(piece, { minLength: 1, maxLength: 8 })
      .chain((pieces) =>
        fc.constantFrom('+', '*', '{2,9}', '').map((times) => `(?:${pieces.join('')})${times}$`),
      );
    const hostile = fc.oneof(
      pattern.map((written) => leaf('name', 'regex_match', written)),
      fc
        .nat({ max: 5_000 })
        .map((count) => leaf('name', 'contains_str', ...many(count + 1, (index) => `z${index}`))),
      fc
        .nat({ max: 2_000 })
        .map((count) => leaf('tags', 'contains_all', ...many(count + 1, () => 'urn:li:tag:a'))),
      fc.nat({ max: 9 }).map((count) => leaf('description', 'min_length', count)),
      fc.constant(leaf('$root.globalTags.tags.tag', 'count_at_least', '9')),
    );
    const { node } = fc.letrec<{ node: JsonValue }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 5 },
        hostile,
        fc
          .tuple(fc.constantFrom('and', 'or', 'not'), fc.array(tie('node'), { minLength: 1, maxLength: 4 }))
          .map(([kind, operands]): JsonValue => ({ [kind]: operands })),
        tie('node').map((satisfies): JsonValue => ({
          forEach: '$root.schemaMetadata.fields',
          satisfies,
          quantifier: 'none',
        })),
      ),
    }));
    const aspects = {
      ...tags(3_000),
      schemaMetadata: {
        fields: many(3_000, (index) => ({
          fieldPath: 'a'.repeat(index % 50),
          description: 'd'.repeat(index % 90),
        })),
      },
    };
    const entity = entityOf(aspects);
    fc.assert(
      fc.property(node, (satisfies) => {
        const read = readTestDefinition(text({ on, rules: [{ forEach: 'columns', satisfies }] }));
        if (!read.valid) return;
        const { evaluate } = compileTest(read.definition);
        const { answer, spent } = cpuTimeOf(() => evaluate(entity, new Map([[urn, entity]]), now));
        assert.ok(answer.verdict === 'ERROR' ? answer.notes.has('BUDGET') : answer.reason === undefined);
        assert.ok(spent < 20 * reference, `${spent} µs`);
      }),
      { numRuns: 60 },
    );
  });
});

describe('reading a hostile definition', () => {
  const texts: Readonly<Record<string, () => object>> = {
    'thousands of unknown parameters beside thousands of known ones': () => ({
      params: Object.fromEntries(many(200, (index) => [`parameter_name_${index}`, 1])),
      rules: [leaf('urn', 'equals', ...many(8_000, (index) => `\${parameter_nume_${index}}`))],
    }),
    'more parameters than there may be': () => ({
      params: Object.fromEntries(many(8_000, (index) => [`parameter_name_${index}`, 1])),
      rules: [],
    }),
    'long names that nothing has': () => ({
      rules: many(199, (index) => leaf(`datasetPropertiez${index}.${'x'.repeat(1_000)}`, 'exists')),
    }),
    'a hundred patterns that grow': () => ({
      rules: [leaf('urn', 'regex_match', ...many(100, (index) => `(?:[a-z]{0,30}){0,30}|x${index}`))],
    }),
    'tens of thousands of empty rules': () => ({ rules: many(80_000, () => []) }),
    'tens of thousands of things that are no predicates': () => ({ rules: many(100_000, () => 1) }),
    'a hundred conditions against a hundred rules': () => ({
      on: {
        ...on,
        conditions: many(100, (index) => leaf('domains.domains', 'equals', `urn:li:domain:${index}`)),
      },
      rules: many(100, () =>
        leaf('domains.domains', 'equals', ...many(80, (index) => `urn:li:domain:${index}`)),
      ),
    }),
    'two hundred parameters with bindings': () => ({
      params: Object.fromEntries(many(200, (index) => [`p${index}`, { default: 'x', bindings: [] }])),
      rules: many(199, () => leaf('urn', 'equals', ...many(60, (index) => `abc${index}`))),
    }),
  };
  for (const [about, definition] of Object.entries(texts)) {
    it(`is bounded for ${about}`, () => {
      const written = text({ on, ...definition() });
      assert.ok(written.length <= 256 * 1024);
      const { answer, spent } = cpuTimeOf(() => readTestDefinition(written));
      assert.ok(answer.issues.length <= 200);
      assert.ok(spent < 60 * reference, `${spent} µs`);
    });
  }
});

describe('the search for a text', () => {
  it('finds what the built-in search finds', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '\u{1F600}'), maxLength: 400 });
    fc.assert(
      fc.property(letters, letters, fc.nat({ max: 300 }), (haystack, needle, padding) => {
        const wanted = needle + 'a'.repeat(padding);
        for (const inside of [haystack, haystack + wanted + haystack]) {
          assert.equal(compileSearch(wanted)(inside), inside.includes(wanted));
        }
      }),
      { numRuns: 500 },
    );
  });
});
