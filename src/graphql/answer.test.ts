import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildClientSchema, execute, getIntrospectionQuery, parse, printSchema } from 'graphql';
import type { IntrospectionQuery } from 'graphql';
import { openTestCatalogue } from '../../test/catalogue.ts';
import type { TestCatalogue } from '../../test/catalogue.ts';
import { errorCodes, PostilError } from '../errors/postil-error.ts';
import type { ErrorCode } from '../errors/postil-error.ts';
import { parseUrn } from '../urn/urn.ts';
import { createAnswerCache } from './answer-cache.ts';
import { createGraphqlAnswerer } from './answer.ts';
import type { GraphqlAnswer, GraphqlAnswererParts, GraphqlRequest } from './answer.ts';
import { createRequestContext } from './request-context.ts';
import type { Resolvers } from './resolver.ts';
import { buildGraphqlSchema } from './schema.ts';

const sdl = `
  extend type Query {
    dataset(urn: String!): Dataset
    refuse(code: String!): String
    slow: String
    time: Long
    page(start: Int, count: Int): [Dataset!]
    later(name: String!): Boolean
  }
  extend type Mutation { addTerms(input: AddTermsInput!): Boolean  wait: Boolean  later(name: String!): Boolean  create(name: String!): Dataset! }
  enum SubResourceType { DATASET_FIELD }
  input AddTermsInput { termUrns: [String!]!, resourceUrn: String!, subResourceType: SubResourceType, asOf: Long }
  type Dataset { urn: String!  description: String  terms: [Term!]  columns: [Column!]!  broken: Int! }
  type Term { urn: String! }
  type Column { path: String!  note: String }
`;
let calls = 0;
/** What began and what ended, in order. */
let events: string[] = [];
async function later(_: unknown, { name }: { readonly name: string }): Promise<boolean> {
  events.push(`${name} begins`);
  await new Promise((resolve) => setTimeout(resolve, 15));
  events.push(`${name} ends`);
  return true;
}
const resolvers: Resolvers = {
  Query: {
    dataset: (_: unknown, { urn }: { readonly urn: string }) => ({
      urn,
      columns: [{ path: 'a', note: 'resolved' }],
    }),
    refuse(_: unknown, { code }: { readonly code: string }) {
      if (code in errorCodes) throw new PostilError(code as ErrorCode, `refused: ${code}`);
      throw new TypeError('a secret');
    },
    slow: () => new Promise(() => {}),
    time: { resolve: (_source, _args, context) => context.now(), isVolatile: true },
    page: () => [],
    later,
  },
  Mutation: {
    addTerms: () => true,
    wait: () => new Promise(() => {}),
    later,
    create: () => {
      throw new PostilError('ALREADY_EXISTS', 'This Glossary Term already exists!');
    },
  },
  Dataset: {
    async description({ urn }: { readonly urn: string }, _args, context) {
      calls += 1;
      return (await context.load(parseUrn(urn), 'datasetProperties'))?.body['description'];
    },
    columns: {
      resolve: ({ columns }: { readonly columns: unknown }) => columns,
      preserialised: ({ text }) =>
        text === 'path note'
          ? ({ urn }: { readonly urn: string }) =>
              urn.includes('bare') ? undefined : '[{"path":"p","note":"spliced"}]'
          : undefined,
    },
  },
};
const schema = buildGraphqlSchema([sdl], [resolvers]);
const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)';

type Asker = (request: GraphqlRequest | string) => Promise<GraphqlAnswer>;

function asker(catalogue: TestCatalogue, parts: Partial<GraphqlAnswererParts> = {}): Asker {
  const answer = createGraphqlAnswerer({ schema, logUnexpected: () => {}, ...parts });
  return (request) => {
    const { editor: caller, engine, store: reader } = catalogue;
    const context = createRequestContext({
      caller,
      reader,
      execute: engine.execute,
      now: () => 5,
      services: {},
    });
    return answer(typeof request === 'string' ? { query: request } : request, context);
  };
}

test('a success has data and empty extensions, and nothing else', async () => {
  await using catalogue = await openTestCatalogue();
  const answer = await asker(catalogue)(`query q { dataset(urn: "${orders}") { urn __typename } }`);
  assert.deepEqual(answer, {
    text: `{"data":{"dataset":{"urn":"${orders}","__typename":"Dataset"}},"extensions":{}}`,
    operationName: 'q',
    hadErrors: false,
    isRefused: false,
  });
});

test('a refusal by a resolver has the members of contract 3.1 in their order, and the alias in its path', async () => {
  await using catalogue = await openTestCatalogue();
  const answer = await asker(catalogue)('{ x: refuse(code: "ALREADY_EXISTS") }');
  assert.equal(
    answer.text,
    '{"errors":[{"message":"refused: ALREADY_EXISTS","locations":[{"line":1,"column":3}],"path":["x"],' +
      '"extensions":{"code":400,"type":"BAD_REQUEST","classification":"DataFetchingException"}}],' +
      '"data":{"x":null},"extensions":{}}',
  );
  assert.deepEqual([answer.hadErrors, answer.isRefused], [true, false]);
});

test('every code of the code table has the type name of contract 3.2', async () => {
  await using catalogue = await openTestCatalogue();
  const ask = asker(catalogue);
  const names = new Map([
    [400, 'BAD_REQUEST'],
    [403, 'UNAUTHORIZED'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [500, 'SERVER_ERROR'],
    [503, 'SERVICE_UNAVAILABLE'],
  ]);
  for (const [code, { graphql }] of Object.entries(errorCodes)) {
    const { text } = await ask(`{ refuse(code: "${code}") }`);
    assert.ok(text.includes(`"extensions":{"code":${graphql},"type":"${names.get(graphql)}",`), text);
  }
});

test('what nobody expected is masked, and logged with its cause and path', async () => {
  await using catalogue = await openTestCatalogue();
  const logged: unknown[] = [];
  const ask = asker(catalogue, { logUnexpected: (cause, { path }) => void logged.push(cause, path) });
  const { text } = await ask('{ refuse(code: "no such code") }');
  assert.ok(text.startsWith('{"errors":[{"message":"An unknown error occurred.",'), text);
  assert.ok(text.includes('"code":500,"type":"SERVER_ERROR"'), text);
  assert.ok(!text.includes('secret'));
  assert.ok(logged[0] instanceof TypeError && logged[0].message === 'a secret');
  assert.deepEqual(logged[1], ['refuse']);
});

test('a failing non-null root field makes data null, a failing nullable one does not, and the next one still runs', async () => {
  await using catalogue = await openTestCatalogue();
  const ask = asker(catalogue);
  assert.match(
    (await ask('mutation { create(name: "x") { urn } }')).text,
    /"data":null,"extensions":\{\}\}$/,
  );
  const two = await ask('{ refuse(code: "FORBIDDEN") dataset(urn: "u") { urn } }');
  assert.match(two.text, /"data":\{"refuse":null,"dataset":\{"urn":"u"\}\},"extensions":\{\}\}$/);
});

test('null in a non-null field has its own classification and no code', async () => {
  await using catalogue = await openTestCatalogue();
  const { text } = await asker(catalogue)('{ dataset(urn: "u") { broken } }');
  const [error] = (JSON.parse(text) as { errors: { message: string; path: unknown; extensions: unknown }[] })
    .errors;
  assert.match(
    error?.message ?? '',
    /^The field at path '\/dataset\/broken' was declared as a non null type/,
  );
  assert.deepEqual(error?.path, ['dataset', 'broken']);
  assert.deepEqual(error?.extensions, { classification: 'NullValueInNonNullableField' });
  assert.ok(text.endsWith('"data":{"dataset":null},"extensions":{}}'));
});

test('errors of the engine have the words of graphql-java (contract 3.4), the place, and no path', async () => {
  await using catalogue = await openTestCatalogue();
  const ask = asker(catalogue);
  const add = (input: string): string => `mutation { addTerms(input: {${input}}) }`;
  const rows: readonly (readonly [string, string, number | undefined])[] = [
    [
      '{ dataset(urn: "u") { nope } }',
      "Validation error (FieldUndefined@[dataset/nope]) : Field 'nope' in type 'Dataset' is undefined",
      23,
    ],
    [
      'mutation { addTerms }',
      "Validation error (MissingFieldArgument@[addTerms]) : Missing field argument 'input'",
      12,
    ],
    [
      '{ dataset(urn: "u", x: 1) { urn } }',
      "Validation error (UnknownArgument@[dataset]) : Unknown field argument 'x'",
      21,
    ],
    [
      '{ dataset(urn: "u") }',
      "Validation error (SubselectionRequired@[dataset]) : Subselection required for type 'Dataset' of field 'dataset'",
      3,
    ],
    [
      'mutation { addTerms(input: {termUrns: [], resourceUrn: ""}) { x } }',
      "Validation error (SubselectionNotAllowed@[addTerms]) : Subselection not allowed on leaf type 'Boolean' of field 'addTerms'",
      61,
    ],
    [
      add('termUrns: "t"'),
      `Validation error (WrongType@[addTerms]) : argument 'input' with value '{termUrns: "t"}' is missing required fields '[resourceUrn]'`,
      28,
    ],
    [
      add('termUrns: "t", resourceUrn: "r", subResourceType: FOO'),
      "Validation error (WrongType@[addTerms]) : argument 'input.subResourceType' with value 'FOO' is not a valid 'SubResourceType' - Literal value not in allowable values for enum 'SubResourceType'",
      79,
    ],
    [
      add('termUrns: "t", resourceUrn: "r", subResourceTyp: FOO'),
      "Validation error (WrongType@[addTerms]) : argument 'input' contains a field not in 'AddTermsInput': 'subResourceTyp'",
      62,
    ],
    [
      add('termUrns: "t", resourceUrn: 5'),
      "Validation error (WrongType@[addTerms]) : argument 'input.resourceUrn' with value '5' is not a valid 'String' - String cannot represent a non string value: 5",
      57,
    ],
    [
      '{ dataset(urn: $x) { urn } }',
      "Validation error (UndefinedVariable@[dataset]) : Undefined variable 'x'",
      16,
    ],
    [
      'query a { time } query b { time }',
      'Must provide operation name if query contains multiple operations.',
      undefined,
    ],
    [
      'query ($u: String!) { dataset(urn: $u) { urn } }',
      "Variable 'u' has an invalid value: Variable 'u' has coerced Null value for NonNull type 'String!'",
      8,
    ],
  ];
  for (const [query, message, column] of rows) {
    const { text, isRefused } = await ask(query);
    const body = JSON.parse(text) as {
      errors: { message: string; locations?: { column: number }[] }[];
      data: unknown;
    };
    assert.equal(body.errors[0]?.message, message);
    assert.equal(body.errors[0]?.locations?.[0]?.column, column, query);
    assert.equal('path' in (body.errors[0] ?? {}), false);
    assert.ok(text.includes('"extensions":{"classification":"ValidationError"}'), text);
    assert.ok(text.endsWith('"data":null,"extensions":{}}') && isRefused, text);
  }
});

test('a syntax error names the offending token and where it is, in the text as it was sent', async () => {
  await using catalogue = await openTestCatalogue();
  const { text } = await asker(catalogue)('{ dataset(urn: "a\nb") { urn } } }');
  assert.ok(text.includes(`"message":"Invalid syntax with offending token '}' at line 2 column 15`), text);
  assert.ok(
    text.includes('"locations":[{"line":2,"column":15}],"extensions":{"classification":"InvalidSyntax"}'),
    text,
  );
});

test('a value of a variable that does not fit is refused without suggestions', async () => {
  await using catalogue = await openTestCatalogue();
  const query = 'mutation ($input: AddTermsInput!) { addTerms(input: $input) }';
  const input = { termUrns: ['t'], resourceUrn: 'r', subResourceType: 'DATASET_FIELDS' };
  const { text } = await asker(catalogue)({ query, variables: { input } });
  assert.ok(text.includes(`"message":"Variable 'input' has an invalid value: `), text);
  assert.ok(!/did you mean/i.test(text), text);
});

test('a literal that does not fit is refused even where the same document was good with another one', async () => {
  await using catalogue = await openTestCatalogue();
  const ask = asker(catalogue);
  const query = (asOf: string): string =>
    `mutation { addTerms(input: {termUrns: "t", resourceUrn: "r", asOf: "${asOf}"}) }`;
  assert.ok((await ask(query('12'))).text.includes('"addTerms":true'));
  assert.ok(
    (await ask(query('12a'))).text.includes("'input.asOf' with value '\\\"12a\\\"' is not a valid 'Long'"),
  );
  assert.ok((await ask(query('13'))).text.includes('"addTerms":true'));
});

test('of several operations the named one is executed, and only that', async () => {
  await using catalogue = await openTestCatalogue();
  const ask = asker(catalogue);
  const query = 'query a { time } query b($skip: Boolean!) { dataset(urn: "u") { urn @skip(if: $skip) } }';
  assert.equal((await ask({ query, operationName: 'a' })).text, '{"data":{"time":5},"extensions":{}}');
  const second = await ask({ query, operationName: 'b', variables: { skip: true } });
  assert.equal(second.text, '{"data":{"dataset":{}},"extensions":{}}');
  assert.ok((await ask({ query, operationName: 'c' })).text.includes("Unknown operation named 'c'."));
});

test('a pre-serialised piece is spliced in where the selection fits and the piece is there', async () => {
  await using catalogue = await openTestCatalogue();
  const ask = asker(catalogue);
  const columns = async (urn: string, selection: string): Promise<string> =>
    (await ask(`{ dataset(urn: "${urn}") { columns { ${selection} } } }`)).text.slice(30, -18);
  assert.equal(await columns('u', 'path note'), '[{"path":"p","note":"spliced"}]}');
  assert.equal(await columns('u', '...{ path } note'), '[{"path":"p","note":"spliced"}]}');
  assert.equal(await columns('bare', 'path note'), '[{"path":"a","note":"resolved"}]}');
  assert.equal(await columns('u', 'path n: note'), '[{"path":"a","n":"resolved"}]}');
});

test('introspection is what the library makes of the schema', async () => {
  await using catalogue = await openTestCatalogue();
  const query = getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true, oneOf: true });
  const { text } = await asker(catalogue)(query);
  const { data } = JSON.parse(text) as { data: IntrospectionQuery };
  const expected = await execute({ schema, document: parse(query) });
  assert.equal(JSON.stringify(data), JSON.stringify(expected.data));
  assert.equal(printSchema(buildClientSchema(data)), printSchema(schema));
  const type = await asker(catalogue)(
    '{ __type(name: "AddTermsInput") { inputFields { name } possibleTypes { name } } }',
  );
  assert.ok(type.text.startsWith('{"data":{"__type":{"inputFields":[{"name":"termUrns"},'), type.text);
});

test('an answer that is asked for again is kept until what it read changes, unless something volatile is in it', async () => {
  await using catalogue = await openTestCatalogue();
  await catalogue.seed(orders, { datasetProperties: { description: 'first', customProperties: {} } });
  const answerCache = createAnswerCache();
  const ask = asker(catalogue, { answerCache });
  const query = `{ dataset(urn: "${orders}") { description } }`;
  calls = 0;
  const first = await ask(query);
  assert.ok(first.text.includes('first'));
  for (let times = 0; times < 3; times += 1) assert.deepEqual(await ask(query), first);
  assert.equal(calls, 2);
  assert.ok((await ask(query.replace('orders', 'others'))).text.includes('"description":null'));
  assert.equal(calls, 3);
  await catalogue.seed(orders, { datasetProperties: { description: 'second', customProperties: {} } });
  answerCache.invalidate([parseUrn(orders)]);
  assert.ok((await ask(query)).text.includes('second'));
  await ask(`{ time dataset(urn: "${orders}") { description } }`);
  await ask(`{ time dataset(urn: "${orders}") { description } }`);
  assert.equal(calls, 6);
});

test('an answer with errors is not kept', async () => {
  await using catalogue = await openTestCatalogue();
  const answerCache = createAnswerCache();
  const ask = asker(catalogue, { answerCache });
  for (let times = 0; times < 3; times += 1) await ask('{ refuse(code: "OVERLOADED") }');
  assert.equal(answerCache.size, 0);
});

test('a request that takes too long is answered TIMED_OUT, and no further resolver is called', async () => {
  await using catalogue = await openTestCatalogue();
  const ask = asker(catalogue, { limits: { queryMs: 5, mutationMs: 5 } });
  const query = await ask('{ slow }');
  assert.ok(
    query.text.includes('"code":503,"type":"SERVICE_UNAVAILABLE","classification":"ExecutionAborted"'),
    query.text,
  );
  assert.ok(query.text.includes('took longer than 5 milliseconds'), query.text);
  assert.match((await ask('mutation { wait }')).text, /may be stored all the same/);
  events = [];
  await ask('mutation { a: later(name: "a") b: later(name: "b") }');
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.deepEqual(events, ['a begins', 'a ends']);
});

test('root fields of a mutation are executed one after another, those of a query together', async () => {
  await using catalogue = await openTestCatalogue();
  const ask = asker(catalogue);
  const fields = '{ a: later(name: "a") b: later(name: "b") }';
  events = [];
  assert.equal((await ask(`mutation ${fields}`)).text, '{"data":{"a":true,"b":true},"extensions":{}}');
  assert.deepEqual(events, ['a begins', 'a ends', 'b begins', 'b ends']);
  events = [];
  assert.equal((await ask(`query ${fields}`)).text, '{"data":{"a":true,"b":true},"extensions":{}}');
  assert.deepEqual(events.slice(0, 2), ['a begins', 'b begins']);
});

test('a document is compiled anew for other values of its conditions', async () => {
  await using catalogue = await openTestCatalogue();
  const ask = asker(catalogue);
  const query =
    'query ($a: Boolean!, $b: Boolean!) { dataset(urn: "u") { urn @skip(if: $a) terms @include(if: $b) { urn } } }';
  const data = async (a: boolean, b: boolean): Promise<string> =>
    (await ask({ query, variables: { a, b } })).text.slice(8, -18);
  assert.equal(await data(false, false), '{"dataset":{"urn":"u"}');
  assert.equal(await data(true, false), '{"dataset":{}');
  assert.equal(await data(true, true), '{"dataset":{"terms":null}');
  assert.equal(await data(false, false), '{"dataset":{"urn":"u"}');
});

test('the key of a document is not a document', async () => {
  await using catalogue = await openTestCatalogue();
  const ask = asker(catalogue);
  assert.ok((await ask('{ dataset(urn: "u") { urn } }')).text.startsWith('{"data":'));
  assert.ok((await ask('{ dataset(urn: \u00000\u0000) { urn } }')).text.includes('InvalidSyntax'));
});
