import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { buildSchema, printSchema, validateSchema } from 'graphql';
import { longScalar } from './long.ts';
import { buildGraphqlSchema, printMergedSchema, resolverOf } from './schema.ts';

const glossary = 'extend type Query { term: Term } type Term { urn: String! created: Long }';
const links = 'extend type Mutation { addLink: Boolean } extend type Term { links: [String!] }';
const term = { Query: { term: () => ({}) } };
const addLink = { Mutation: { addLink: () => true } };

describe('the schema', () => {
  test('is merged from the SDL of the slices, which only extend Query, Mutation and each other', () => {
    const schema = buildGraphqlSchema([links, glossary], [term, addLink]);
    const merged = printMergedSchema(schema);
    assert.equal(merged, printMergedSchema(buildGraphqlSchema([glossary, links], [addLink, term])));
    assert.ok(merged.includes('type Term {\n  created: Long\n  links: [String!]\n  urn: String!\n}'));
    assert.equal(`${printSchema(buildSchema(merged))}\n`, merged, 'the printed text is a schema of its own');
  });

  test('may declare its roots and Long itself', () => {
    const declared = '"Whole." scalar Long type Query { term: Long }';
    const schema = buildGraphqlSchema(
      [declared, 'extend type Query { more: Long }'],
      [{ Query: { term: () => 1, more: () => 2 } }],
    );
    assert.ok(printMergedSchema(schema).startsWith('"""Whole."""\nscalar Long'));
    assert.equal(schema.getType('Long')?.toString(), 'Long');
  });

  test('refuses a resolver for a field or type that is not in the SDL', () => {
    for (const extra of [
      { Term: { nope: () => 1 } },
      { Nope: { urn: () => 1 } },
      { Term: { __resolveType: () => 'x' } },
    ]) {
      assert.throws(() => buildGraphqlSchema([glossary], [term, extra]), /has a resolver but is not a field/);
    }
  });

  test('refuses two resolvers for one field', () => {
    assert.throws(() => buildGraphqlSchema([glossary], [term, term]), /Query\.term has two resolvers/);
  });

  test('refuses a root field without a resolver', () => {
    assert.throws(() => buildGraphqlSchema([glossary], []), /Query\.term has no resolver/);
    assert.throws(() => buildGraphqlSchema([glossary, links], [term]), /Mutation\.addLink has no resolver/);
  });

  test('refuses SDL that is not valid', () => {
    assert.throws(
      () => buildGraphqlSchema(['extend type Query { a: Nope }'], [{ Query: { a: () => 1 } }]),
      /Nope/,
    );
    assert.throws(() => buildGraphqlSchema(['extend type Nope { a: Int }', glossary], [term]), /Nope/);
    assert.throws(() => buildGraphqlSchema([glossary, 'type Term { urn: String }'], [term]), /Term/);
  });

  test('is not checked again where it is known to be valid, and is the same schema', () => {
    const checked = buildGraphqlSchema([links, glossary], [term, addLink]);
    const known = buildGraphqlSchema([links, glossary], [term, addLink], { isKnownValid: true });
    assert.equal(printMergedSchema(known), printMergedSchema(checked));
    const lacksFields = 'extend type Query { term: Term } type Term';
    const unchecked = buildGraphqlSchema([lacksFields], [term], { isKnownValid: true });
    assert.deepEqual(validateSchema(unchecked), [], 'the library asks no more');
    assert.equal(validateSchema(buildGraphqlSchema([lacksFields], [term])).length, 1);
  });

  test('that is published is valid, which a server that starts takes for granted', () => {
    const published = readFileSync(new URL('../../api/schema.graphql', import.meta.url), 'utf8');
    assert.deepEqual(validateSchema(buildSchema(published)), []);
  });

  test('tells the resolver of a field, and none for a property', () => {
    const schema = buildGraphqlSchema(
      [glossary],
      [{ Query: { term: { resolve: () => 1, isVolatile: true } } }],
    );
    const field = schema.getQueryType()?.getFields()['term'];
    assert.equal(field && resolverOf(field)?.isVolatile, true);
    const type = schema.getType('Term');
    const urn = type && 'getFields' in type ? type.getFields()['urn'] : undefined;
    assert.equal(urn && 'args' in urn ? resolverOf(urn) : 'no field', undefined);
  });
});

describe('a Long', () => {
  test('is a whole number within the safe integers, given as a number or as text', () => {
    for (const value of [0, -1, 1_790_000_000_000, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      assert.equal(longScalar.parseValue(value), value);
      assert.equal(longScalar.parseValue(String(value)), value);
      assert.equal(longScalar.serialize(value), value);
    }
    assert.equal(Object.is(longScalar.parseValue('-0'), 0), true);
  });

  test('is nothing else', () => {
    const values = [
      1.5,
      2 ** 53,
      '9007199254740993',
      '1e3',
      '1.0',
      '',
      ' 1',
      '0x1',
      true,
      null,
      [],
      Number.NaN,
      {},
    ];
    for (const value of values) assert.throws(() => longScalar.parseValue(value), /Long cannot represent/);
  });
});
