import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { getIntrospectionQuery } from 'graphql';
import { openTestCatalogue } from '../../test/catalogue.ts';
import { createGraphqlAnswerer } from './answer.ts';
import type { GraphqlRequest } from './answer.ts';
import { graphqlLimits } from './document-limits.ts';
import { createRequestContext } from './request-context.ts';
import { buildGraphqlSchema } from './schema.ts';

let mutations = 0;
const input =
  'termUrns: [String!], urn: String, name: String, description: String, linkUrl: String, label: String';
const schema = buildGraphqlSchema(
  [
    `extend type Query { node(count: Int, in: In, urns: [String!]): Node, long: String }
     extend type Mutation { change(in: In, urns: [String!]): Boolean }
     input In { ${input}, count: Int, more: [In!], deep: In }
     interface Some { leaf: String } extend type Query { some: Some }
     type Node implements Some { node(count: Int, in: In): Node, leaf: String }
     type Other implements Some { leaf: String }`,
  ],
  [
    {
      Query: { some: () => null, node: () => ({ leaf: 'x', node: null }), long: () => 'x'.repeat(2000) },
      Mutation: {
        change() {
          mutations += 1;
          return true;
        },
      },
    },
  ],
);

type Refusal = { readonly message: string; readonly code: number | undefined } | undefined;

const catalogue = await openTestCatalogue();
test.after(() => catalogue.close());
const answer = createGraphqlAnswerer({ schema, logUnexpected: (cause) => assert.fail(String(cause)) });

/** What the request is refused with; `undefined` when it is executed. */
async function refusal(request: GraphqlRequest | string, ask = answer): Promise<Refusal> {
  const { editor: caller, engine, store: reader } = catalogue;
  const context = createRequestContext({
    caller,
    reader,
    execute: engine.execute,
    now: () => 0,
    services: {},
  });
  const { text } = await ask(typeof request === 'string' ? { query: request } : request, context);
  const body = JSON.parse(text) as {
    readonly errors?: readonly {
      readonly message: string;
      readonly extensions: { readonly code?: number };
    }[];
    readonly data: unknown;
  };
  const error = body.errors?.[0];
  if (error === undefined) return undefined;
  assert.equal(body.data, null);
  return { message: error.message, code: error.extensions.code };
}

const repeated = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ');

/** Fields in groups of a hundred points, because validation compares all fields of one response key with each other. */
function fieldsOfCost(cost: number): string {
  let groups = '';
  for (let rest = cost; rest > 0; rest -= 100) {
    const leaves = Math.min(rest, 100) - 1;
    groups += leaves === 0 ? 'leaf ' : `a${rest}: node { ${repeated(leaves, () => 'leaf')} } `;
  }
  return groups;
}

/** A page of 1,000 weighs five times, so that the document has fewer tokens than points. */
function documentOfCost(cost: number): string {
  const narrow = (cost - 2) % 5 || 5;
  const wide = (cost - 2 - narrow) / 5;
  return `{ wide: node(count: 1000) { ${fieldsOfCost(wide)} } node { ${repeated(narrow, () => 'leaf')} } }`;
}

/** For each limit on documents: a document that has exactly so many of what is counted. */
const documents: readonly (readonly [number, (count: number) => string, RegExp])[] = [
  // One field takes one token here, and merges with the others.
  [
    graphqlLimits.tokens,
    (count) => `{ node { ${repeated(count - 5, () => 'leaf')} } }`,
    /more than 5000 tokens/,
  ],
  [
    graphqlLimits.nesting,
    (count) => `{ node(in: ${'['.repeat(count - 2)}${']'.repeat(count - 2)}) { leaf } }`,
    /deeper than 200/,
  ],
  [
    graphqlLimits.fieldDepth,
    (count) => `{ ${'node { '.repeat(count - 1)}leaf${' }'.repeat(count)}`,
    /depth exceeded 51 > 50/,
  ],
  [
    graphqlLimits.rootAliases,
    (count) => `{ ${repeated(count, (index) => `a${index}: long`)} }`,
    /aliases of root fields: 65 > 64/,
  ],
  [
    graphqlLimits.aliases,
    (count) => `{ node { ${repeated(count, (index) => `a${index}: leaf`)} } }`,
    /aliases in the document: 251 > 250/,
  ],
  [
    graphqlLimits.directives,
    (count) => `{ node { ${repeated(count, (index) => `a${index}: leaf @skip(if: false)`)} } }`,
    /directives in the document: 51 > 50/,
  ],
  [
    graphqlLimits.fragments,
    (count) =>
      `{ ${repeated(count, (index) => `...F${index}`)} } ${repeated(count, (index) => `fragment F${index} on Query { long }`)}`,
    /fragment definitions: 201 > 200/,
  ],
  [
    graphqlLimits.spreads,
    (count) => `{ ${repeated(count, () => '...F')} } fragment F on Query { long }`,
    /fragment spreads: 501 > 500/,
  ],
  [graphqlLimits.cost, documentOfCost, /complexity exceeded 5001 > 5000/],
];

test('a document at a limit is executed or refused for another reason, and one beyond it is refused before validation', async () => {
  for (const [limit, write, message] of documents) {
    const within = await refusal(write(limit));
    assert.ok(within === undefined || !message.test(within.message), `${message}: ${within?.message}`);
    const beyond = await refusal(write(limit + 1));
    assert.match(beyond?.message ?? '', message);
    assert.equal(beyond?.code, 400);
  }
});

test('four directives may stand on one place, five may not', async () => {
  const write = (count: number): string => `{ long ${repeated(count, () => '@skip(if: false)')} }`;
  assert.match((await refusal(write(4)))?.message ?? '', /DuplicateDirectiveName/);
  assert.match((await refusal(write(5)))?.message ?? '', /directives on one place: 5 > 4/);
});

test('nesting that would overflow a parser is refused', async () => {
  for (const text of ['{ a'.repeat(100_000), `{ a(b: ${'['.repeat(100_000)}`, '('.repeat(100_000)]) {
    assert.match((await refusal(text))?.message ?? '', /tokens|nested deeper/);
  }
});

const strict = createGraphqlAnswerer({ schema, logUnexpected: () => {}, limits: { cost: 2000 } });
const refusalBeyond2000 = (request: Parameters<typeof refusal>[0]): ReturnType<typeof refusal> =>
  refusal(request, strict);

test('fragments that multiply cost what they expand to', async () => {
  const fragments = repeated(
    30,
    (index) => `fragment F${index} on Node { a: node { ...F${index + 1} } b: node { ...F${index + 1} } }`,
  );
  const query = `{ node { ...F0 } } ${fragments} fragment F30 on Node { leaf }`;
  assert.match((await refusalBeyond2000(query))?.message ?? '', /complexity exceeded \d+ > 2000/);
});

test('fields below a page weigh more the larger the page is, wherever its size is written', async () => {
  const below = `{ ${repeated(500, () => 'leaf')} }`;
  assert.equal(await refusalBeyond2000(`{ node(count: 249) ${below} }`), undefined);
  assert.equal(await refusalBeyond2000(`{ node(count: 749) ${below} }`), undefined);
  assert.match(
    (await refusalBeyond2000(`{ node(count: 1000) ${below} }`))?.message ?? '',
    /complexity exceeded 2501/,
  );
  assert.match(
    (await refusalBeyond2000(`{ node(in: {count: 5000}) ${below} }`))?.message ?? '',
    /complexity exceeded 2501/,
  );
  const query = `query ($n: Int = 1000) { node(count: $n) ${below} }`;
  assert.match((await refusalBeyond2000(query))?.message ?? '', /complexity exceeded 2501/);
  assert.equal(await refusalBeyond2000({ query, variables: { n: 10 } }), undefined);
  assert.match(
    (await refusalBeyond2000({ query, variables: { n: 1000 } }))?.message ?? '',
    /complexity exceeded 2501/,
  );
  const object = `query ($in: In) { node(in: $in) ${below} }`;
  assert.match(
    (await refusalBeyond2000({ query: object, variables: { in: { count: 1000 } } }))?.message ?? '',
    /2501/,
  );
  const urns = `query ($urns: [String!]) { node(urns: $urns) ${below} }`;
  assert.match(
    (await refusalBeyond2000({ query: urns, variables: { urns: Array(1000).fill('u') } }))?.message ?? '',
    /2501/,
  );
});

test('of fragments on different types only the dearest counts, because a value has one type', async () => {
  const leaves = `{ ${repeated(500, () => 'leaf')} }`;
  const both = (first: number, second: number): string =>
    `{ some { ${repeated(first, () => `... on Node ${leaves}`)} ${repeated(second, () => `...F`)} } } fragment F on Other ${leaves}`;
  assert.doesNotMatch((await refusalBeyond2000(both(3, 3)))?.message ?? '', /complexity/);
  assert.match((await refusalBeyond2000(both(3, 4)))?.message ?? '', /complexity exceeded 2001/);
});

test('the standard introspection query is within the limits, and costs nothing', async () => {
  assert.equal(await refusal(getIntrospectionQuery()), undefined);
  const narrow = createGraphqlAnswerer({ schema, logUnexpected: () => {}, limits: { cost: 1 } });
  assert.equal(await refusal(getIntrospectionQuery(), narrow), undefined);
});

test('at most five errors of validation are reported', async () => {
  const { editor: caller, engine, store: reader } = catalogue;
  const context = createRequestContext({
    caller,
    reader,
    execute: engine.execute,
    now: () => 0,
    services: {},
  });
  const { text } = await answer({ query: `{ ${repeated(9, (index) => `no${index}`)} }` }, context);
  assert.equal((JSON.parse(text) as { errors: unknown[] }).errors.length, 5);
});

test('texts may be as long as the name of their argument or member allows, in UTF-8 bytes, as variables and as literals', async () => {
  const members: readonly (readonly [string, number])[] = [
    ['urn', graphqlLimits.urnBytes],
    ['termUrns', graphqlLimits.urnBytes],
    ['name', graphqlLimits.nameBytes],
    ['description', graphqlLimits.descriptionBytes],
    ['linkUrl', graphqlLimits.urlBytes],
  ];
  for (const [member, limit] of members) {
    const request = (text: string): GraphqlRequest => ({
      query: 'mutation ($in: In) { change(in: $in) }',
      variables: { in: { deep: { [member]: text } } },
    });
    const single = (text: string): GraphqlRequest => ({
      query: `mutation ($v: String!) { change(in: {${member}: ${member === 'termUrns' ? '[$v]' : '$v'}}) }`,
      variables: { v: text },
    });
    const literal = (text: string): string => `mutation { change(in: {deep: {${member}: "${text}"}}) }`;
    const most = `${'x'.repeat(limit - 2)}ä`;
    for (const write of [request, single, literal]) {
      assert.equal(await refusal(write(most)), undefined, member);
      const before = mutations;
      const refused = await refusal(write(`${most}x`));
      assert.equal(refused?.message, `'${member}' has ${limit + 1} bytes; it may have ${limit}`);
      assert.equal(mutations, before);
    }
  }
  assert.equal(await refusal(`mutation { change(in: {label: "${'x'.repeat(300_000)}"}) }`), undefined);
});

test('a list of a mutation may have 1,000 entries, and all lists of a request 10,000', async () => {
  const query = 'mutation ($urns: [String!], $in: In) { change(urns: $urns, in: $in) }';
  const list = (count: number): string[] => Array<string>(count).fill('u');
  assert.equal(await refusal({ query, variables: { urns: list(1000) } }), undefined);
  const beyond = await refusal({ query, variables: { urns: list(1001) } });
  assert.equal(beyond?.message, "'urns' has 1001 entries; a list of a mutation may have 1000");
  const lists = (count: number): GraphqlRequest => ({
    query,
    variables: { in: { more: Array(10).fill({ termUrns: list(count) }) } },
  });
  assert.equal(await refusal(lists(999)), undefined);
  assert.match((await refusal(lists(1000)))?.message ?? '', /more than 10000 entries together/);
  const reading = 'query ($urns: [String!]) { node(urns: $urns) { leaf } }';
  assert.equal(await refusal({ query: reading, variables: { urns: list(10_000) } }), undefined);
  assert.match(
    (await refusal({ query: reading, variables: { urns: list(10_001) } }))?.message ?? '',
    /10000/,
  );
  assert.match(
    (await refusal(`mutation { change(urns: [${repeated(1001, () => '"u"')}]) }`))?.message ?? '',
    /1001 entries/,
  );
});

test('values of variables may be nested 200 levels deep', async () => {
  let value: unknown = {};
  for (let depth = 0; depth < 5000; depth += 1) value = { deep: value };
  const refused = await refusal({
    query: 'mutation ($in: In) { change(in: $in) }',
    variables: { in: value },
  });
  assert.equal(refused?.message, "'deep' is nested deeper than 200 levels");
});

test('a refusal quotes only the beginning of what was sent', async () => {
  const long = 'y'.repeat(100_000);
  for (const request of [
    { query: 'query q($in: In!) { node(in: $in) { leaf } }', variables: { in: { label: 5, nope: long } } },
    { query: `{ node(count: "${long}") { leaf } }` },
    { query: `{ node(in: { label: "${long}", nope: 1 }) { leaf } }` },
  ]) {
    const { message = '' } = (await refusal(request)) ?? {};
    assert.ok(message.length > 20 && message.length < 1_100, `${message.length} characters`);
  }
});

test('an answer that is too large is refused', async () => {
  const narrow = createGraphqlAnswerer({ schema, logUnexpected: () => {}, limits: { answerBytes: 1000 } });
  assert.match((await refusal('{ long }', narrow))?.message ?? '', /more than 1000 bytes/);
});

test('an answer that grows beyond its limit is given up while it is made', async () => {
  for (const isLater of [false, true]) {
    let made = 0;
    const leaf = (): unknown => {
      made += 1;
      return isLater ? Promise.resolve('x'.repeat(10)) : 'x'.repeat(10);
    };
    const wide = buildGraphqlSchema(
      [`extend type Query { nodes: [Wide] } type Wide { leaf: String, below: [Wide] }`],
      [{ Query: { nodes: () => Array.from({ length: 10_000 }, () => ({ below: [{}] })) }, Wide: { leaf } }],
    );
    const narrow = createGraphqlAnswerer({
      schema: wide,
      logUnexpected: (cause) => assert.fail(String(cause)),
      limits: { answerBytes: 10_000 },
    });
    const query = isLater ? '{ nodes { below { leaf } } }' : '{ nodes { leaf below { a: leaf } } }';
    assert.match((await refusal(query, narrow))?.message ?? '', /more than 10000 bytes/);
    assert.ok(isLater || made < 1_000, `${made} leaves were made of an answer that could hold 400`);
  }
});

test('the reference page has every limit with its number, and no other', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/graphql-limits.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| ([\d,]+) \|/gm)].map(([, name, number]) => [
    name,
    Number(number?.replaceAll(',', '')),
  ]);
  assert.deepEqual(Object.fromEntries(rows), graphqlLimits);
  assert.equal(rows.length, Object.keys(graphqlLimits).length);
});
