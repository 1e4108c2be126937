import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { execute, Kind, parse, validate } from 'graphql';
import { openTestCatalogue } from '../../test/catalogue.ts';
import { createGraphqlAnswerer } from './answer.ts';
import { offsetInDocument, parseableText, scanDocument } from './literal-lifting.ts';
import { createRequestContext } from './request-context.ts';
import type { RequestContext } from './request-context.ts';
import type { FieldInfo, ResponsePath, Resolvers } from './resolver.ts';
import { buildGraphqlSchema } from './schema.ts';

/** Numbers that depend on nothing but the seed, so that two executions can be compared. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function pathText(path: ResponsePath): string {
  return path.previous === undefined ? `${path.key}` : `${pathText(path.previous)}/${path.key}`;
}

function hash(text: string): number {
  let value = 7;
  for (let index = 0; index < text.length; index += 1) value = (value * 31 + text.charCodeAt(index)) >>> 0;
  return value;
}

/** Changed before each run, so that every place behaves differently in every run. */
let salt = 0;
let failureRate = 8;
/**
 * Nothing answers later in such a run. In the others every list entry does: where an entry fails at once while others are
 * still under way, the library lets those others reject unheard, and the test runner calls that a failure.
 */
let isImmediate = false;

/** A resolver that, by the place it is called at, answers now or later, with a value, null or an error. */
function erratic(value: (args: Record<string, unknown>, random: (below: number) => number) => unknown) {
  return (
    _source: unknown,
    args: Record<string, unknown>,
    _context: RequestContext,
    info: FieldInfo,
  ): unknown => {
    const random = randomNumbers(hash(pathText(info.path)) + salt);
    const wrong = random(failureRate);
    const isLater = !isImmediate && random(2) === 1;
    const result =
      wrong === 0 ? new Error(`thrown at ${pathText(info.path)}`) : wrong === 1 ? null : value(args, random);
    if (!isLater) {
      if (result instanceof Error && random(2) === 1) throw result;
      return result;
    }
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        if (result instanceof Error) reject(result);
        else resolve(result);
      };
      if (random(2) === 1) setImmediate(settle);
      else queueMicrotask(settle);
    });
  };
}

type Random = (below: number) => number;
const person = (random: Random): unknown => ({
  __typename: 'Person',
  id: `p${random(9)}`,
  plain: random(4) === 0 ? null : 'a "quoted"\ntext',
  strictPlain: random(9) === 0 ? undefined : 'x',
  later: isImmediate ? random(9) : Promise.resolve(random(9)),
  called: (args: { by?: number }) => (args.by ?? 1) * 2,
  colours: ['RED', random(6) === 0 ? 'PINK' : 'GREEN'],
});
const place = (random: Random): unknown => ({
  __typename: 'Place',
  id: random(9),
  plain: 'p',
  lat: random(90) / 7,
});
const either = (random: Random): unknown => (random(2) === 0 ? person(random) : place(random));
const many = (random: Random, make: (random: Random) => unknown): unknown[] =>
  Array.from({ length: random(4) }, () => {
    const item = random(9) === 0 ? null : make(random);
    return isImmediate ? item : Promise.resolve(item);
  });

const sdl = `
  interface Node { id: ID! plain: String name(upper: Boolean = false): String }
  union Thing = Person | Place
  enum Colour { RED GREEN }
  input Filter {
    text: String = "any", tags: [String!], colour: Colour, nested: Filter, size: Long, when: Long! = 1, grid: [[Int]]
  }
  type Person implements Node {
    id: ID! plain: String strictPlain: String! later: Int called(by: Int): Int colours: [Colour]
    name(upper: Boolean = false): String friends(count: Int): [Person!] strictFriends: [Person!]!
    best: Node things: [Thing] echo(text: String, filter: Filter, tags: [String]): String strictEcho(text: ID!): String!
  }
  type Place implements Node { id: ID! plain: String name(upper: Boolean = false): String lat: Float! near: Node! big: Long }
  type Query {
    me: Person you: Person! node(id: ID!): Node nodes: [Node]! thing: Thing things: [[Thing!]]
    echo(text: String, filter: Filter, tags: [String], needed: String! = "d", size: Long): String
  }
  type Mutation { set(text: String!): Person add(text: String): Int! echo(text: String, filter: Filter, tags: [String]): String }
`;
const echo = erratic((args) => JSON.stringify(args));
const name = erratic((args) => (args['upper'] === true ? 'NAME' : 'name'));
const resolvers: Resolvers = {
  // Some abstract values name their type in a property, the others through a resolver.
  Thing: { __resolveType: (value: { __typename: string }) => value.__typename },
  Person: {
    name,
    friends: erratic((args, random) => many(random, person).slice(0, Number(args['count'] ?? 9))),
    strictFriends: erratic((_, random) => many(random, person)),
    best: erratic((_, random) => either(random)),
    things: erratic((_, random) => new Set(many(random, either))),
    echo,
    strictEcho: echo,
  },
  Place: {
    name,
    near: erratic((_, random) => either(random)),
    big: erratic((_, random) => random(9) * 2 ** 40),
  },
  Query: {
    me: erratic((_, random) => person(random)),
    you: erratic((_, random) => person(random)),
    node: erratic((_, random) => either(random)),
    nodes: erratic((_, random) => (random(9) === 0 ? 'no list' : many(random, either))),
    thing: erratic((_, random) => (random(9) === 0 ? { __typename: 'Query' } : either(random))),
    things: erratic((_, random) => many(random, () => many(random, either))),
    echo,
  },
  Mutation: { set: erratic((_, random) => person(random)), add: erratic((_, random) => random(9)), echo },
};
const schema = buildGraphqlSchema([sdl], [resolvers]);

const fieldsByType: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  Node: [
    ['id', ''],
    ['plain', ''],
    ['name', ''],
  ],
  Thing: [],
  Person: [
    ...([
      ['id', ''],
      ['plain', ''],
      ['strictPlain', ''],
      ['later', ''],
      ['called', ''],
      ['colours', ''],
    ] as const),
    ...([
      ['name', ''],
      ['friends', 'Person'],
      ['strictFriends', 'Person'],
      ['best', 'Node'],
    ] as const),
    ...([
      ['things', 'Thing'],
      ['echo', ''],
      ['strictEcho', ''],
    ] as const),
  ],
  Place: [
    ['id', ''],
    ['plain', ''],
    ['name', ''],
    ['lat', ''],
    ['near', 'Node'],
    ['big', ''],
  ],
  Query: [
    ...([
      ['me', 'Person'],
      ['you', 'Person'],
      ['node', 'Node'],
      ['nodes', 'Node'],
    ] as const),
    ...([
      ['thing', 'Thing'],
      ['things', 'Thing'],
      ['echo', ''],
    ] as const),
  ],
  Mutation: [
    ['set', 'Person'],
    ['add', ''],
    ['echo', ''],
  ],
};

const variableDefinitions = [
  '$text: String',
  '$tags: [String]',
  '$colour: Colour = GREEN',
  '$filter: Filter',
  '$count: Int = 2',
  '$yes: Boolean!',
  '$no: Boolean = false',
  '$needed: String = "a default"',
];

/** Writes one random document; two with the same seed differ in nothing but their string literals. */
function randomDocument(seed: number, literalOf: (index: number) => string): string {
  const random = randomNumbers(seed);
  const pick = (items: readonly string[]): string => items[random(items.length)] ?? '';
  let aliases = 0;
  let literals = 0;
  const fragments: string[] = [];
  const isMutation = random(6) === 0;
  const text = (): string => (random(4) === 0 ? '$text' : literalOf(literals++));
  const tags = (): string => pick([text(), `[${text()}, ${text()}]`, '$tags', '[]', 'null']);
  const filter = (depth: number): string => {
    const members = [
      `text: ${text()}`,
      `tags: ${pick(['["x"]', literalOf(literals++)])}`,
      'colour: RED',
      'colour: $colour',
    ];
    const more = ['size: 5', 'size: "77"', 'grid: [[1, 2], 3, null]', 'grid: 4', 'when: 9', 'text: null'];
    const chosen = new Map(
      [...members, ...more].filter(() => random(3) === 0).map((member) => [member.split(':')[0], member]),
    );
    if (depth < 2 && random(3) === 0)
      chosen.set('nested', `nested: ${random(3) === 0 ? '$filter' : filter(depth + 1)}`);
    return `{${[...chosen.values()].join(', ')}}`;
  };
  const argumentsOf = (field: string, type: string): string => {
    if (field === 'node') return `(id: ${literalOf(literals++)})`;
    if (field === 'set' || field === 'strictEcho') return `(text: ${literalOf(literals++)})`;
    if (field === 'called') return pick(['', '(by: 4)', '(by: $count)']);
    if (field === 'friends') return pick(['', '(count: 2)', '(count: $count)']);
    if (field === 'name') return pick(['', '(upper: true)', '(upper: $yes)']);
    if (field !== 'echo') return '';
    const needed =
      type === 'Query' ? [`needed: ${literalOf(literals++)}`, 'size: "12"', 'needed: $needed'] : [];
    const all = [`text: ${text()}`, `filter: ${filter(0)}`, 'filter: $filter', `tags: ${tags()}`, ...needed];
    const chosen = new Map(all.filter(() => random(2) === 0).map((item) => [item.split(':')[0], item]));
    return chosen.size === 0 ? '' : `(${[...chosen.values()].join(' ')})`;
  };
  const directive = (): string =>
    pick(['', '', '', '', ' @skip(if: $yes)', ' @include(if: $no)', ' @include(if: true)']);
  const selection = (type: string, depth: number): string => {
    const parts: string[] = [];
    for (let count = 1 + random(4); count > 0; count -= 1) {
      const kind = random(10);
      if (kind === 0) {
        parts.push(`__typename${directive()}`);
      } else if (kind < 3 && depth < 5) {
        const condition =
          type === 'Query' || type === 'Mutation' ? type : pick(['Person', 'Place', 'Node', type]);
        const fits = condition === 'Node' || type === 'Node' || type === 'Thing' || condition === type;
        const body = selection(fits ? condition : type, depth + 1);
        const on = fits ? ` on ${condition}` : '';
        if (kind === 1) {
          parts.push(`...${on}${directive()} ${body}`);
        } else {
          const fragment = `F${fragments.length}`;
          fragments.push(`fragment ${fragment} on ${fits ? condition : type} ${body}`);
          parts.push(`...${fragment}${directive()}`, ...(random(3) === 0 ? [`...${fragment}`] : []));
        }
      } else {
        const [field, below] = fieldsByType[type]?.[random(fieldsByType[type].length)] ?? ['__typename', ''];
        if (below !== '' && depth > 4) continue;
        const written = argumentsOf(field, type);
        const alias = written !== '' || random(4) === 0 ? `a${aliases++}: ` : '';
        parts.push(
          `${alias}${field}${written}${directive()}${below === '' ? '' : ` ${selection(below, depth + 1)}`}`,
        );
      }
    }
    return parts.length === 0 ? '{ __typename }' : `{\n${parts.join('\n')} }`;
  };
  const body = selection(isMutation ? 'Mutation' : 'Query', 0);
  const all = `${body} ${fragments.join('\n')}`;
  const definitions = variableDefinitions.filter((definition) =>
    new RegExp(`\\${definition.split(':')[0]}\\b`).test(all),
  );
  const header = definitions.length === 0 ? '' : ` q(${definitions.join(' ')})`;
  return `${isMutation ? 'mutation' : 'query'}${header} ${all}`;
}

const firstLiterals = (index: number): string => `"first ${index}"`;
/** Other lengths, other forms: what is lifted must not show in anything but values and places. */
const secondLiterals = (index: number): string =>
  [
    `"${index}"`,
    `"""\n    block ${index}\n      text"""`,
    `"a\\n\\u0041\\"${index}"`,
    `"raw\nbreak ${index}"`,
  ][index % 4] ?? '';

function variablesFor(seed: number): Record<string, unknown> {
  const random = randomNumbers(seed ^ 0x55);
  const all: Record<string, unknown> = {
    yes: random(2) === 0,
    no: random(2) === 0,
    text: 'a variable',
    tags: ['t', null],
  };
  Object.assign(all, {
    colour: 'RED',
    filter: { text: 'f', nested: { tags: 'one' } },
    count: 1,
    needed: 'n',
  });
  for (const optional of ['text', 'tags', 'colour', 'filter', 'count', 'no', 'needed']) {
    if (random(3) === 0) delete all[optional];
  }
  if (random(8) === 0) all['needed'] = null;
  return all;
}

type Shown = { readonly path?: readonly (string | number)[]; readonly locations?: unknown };

/** Whether the answer has a null at the error's own place; else the null went further up, and errors there may vary. */
function isAtItsPlace(data: unknown, path: readonly (string | number)[]): boolean {
  let value: unknown = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return false;
    value = Reflect.get(value, key);
  }
  return value === null;
}

function comparable(
  data: unknown,
  errors: readonly Shown[],
): { readonly here: unknown[]; readonly above: Set<string> } {
  const above = new Set<string>();
  const here: string[] = [];
  for (const { path = [], locations } of errors) {
    if (isAtItsPlace(data, path)) here.push(JSON.stringify({ path, locations }));
    else above.add(nullPlace(data, path));
  }
  return { here: here.sort(), above };
}

function nullPlace(data: unknown, path: readonly (string | number)[]): string {
  const upTo = path.findIndex((_, index) => isAtItsPlace(data, path.slice(0, index)));
  return JSON.stringify(path.slice(0, Math.max(upTo, 0)));
}

/** The random documents are larger than what clients may send. */
const unlimited = { cost: 1e6, directives: 1e6, aliases: 1e6, rootAliases: 1e6 };

test('random documents are answered as the library answers them, also where the document was compiled from another text', async () => {
  await using catalogue = await openTestCatalogue();
  const { store: reader, editor: caller, engine } = catalogue;
  const contextOf = (): RequestContext =>
    createRequestContext({ caller, reader, execute: engine.execute, now: () => 0, services: {} });
  let valid = 0;
  let shared = 0;
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0 }), fc.constantFrom(6, 12, 400), async (seed, rate) => {
      const query = randomDocument(seed, secondLiterals);
      const scanned = scanDocument(query);
      const document = parse(parseableText(scanned));
      runs += 1;
      if (validate(schema, document).length > 0) return;
      valid += 1;
      salt = seed;
      failureRate = rate;
      isImmediate = seed % 3 === 0;
      const variables = variablesFor(seed);
      const expected = await execute({ schema, document, variableValues: variables });
      const answer = createGraphqlAnswerer({ schema, logUnexpected: () => {}, limits: unlimited });
      const other = randomDocument(seed, firstLiterals);
      if (other !== query && scanDocument(other).key === scanned.key) shared += 1;
      await answer({ query: other, variables }, contextOf());
      const { text } = await answer({ query, variables }, contextOf());
      const body = JSON.parse(text) as { data: unknown; errors?: Shown[]; extensions: unknown };
      const ours = JSON.stringify(body.data);
      assert.equal(ours, JSON.stringify(expected.data ?? null));
      const errors = (expected.errors ?? []).map(({ path, nodes }) => ({
        path: path ?? [],
        // The library blames an argument at its value; here, as graphql-java does, the field is blamed.
        locations: nodes?.every(({ kind }) => kind === Kind.FIELD)
          ? nodes.map(({ loc }) => placeIn(query, offsetInDocument(scanned, loc?.start ?? 0)))
          : body.errors?.find((error) => isDeepStrictEqual(error.path, path))?.locations,
      }));
      assert.deepEqual(
        comparable(body.data, body.errors ?? []),
        comparable(body.data, errors),
        `${query}\n${text}`,
      );
    }),
    { numRuns: 800 },
  );
  assert.ok(valid > runs * 0.6, `${valid} of ${runs} random documents were valid`);
  assert.ok(shared > valid * 0.4, `${shared} of ${valid} documents came from another text`);
});

function placeIn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split(/\r\n|[\n\r]/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
