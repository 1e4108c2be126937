import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { JsonObject } from '../../aspect/json.ts';
import { validateAspect } from '../../entity/validate-aspect.ts';
import { verdictOf } from '../../storage/contract/row-interpretation.ts';
import type { NumberedRow } from '../../storage/contract/row-interpretation.ts';
import { parseUrn, urnType } from '../../urn/urn.ts';
import type { RowPredicate, RowQuestion } from '../../verdict/row-predicate.ts';
import { listColumns, type ListColumn, type TestRow } from '../../verdict/test-row.ts';
import { compileTest } from '../compile-test.ts';
import { sourceOf } from '../conformance.fixture.ts';
import { definitionOf } from '../definition.fixture.ts';
import type { FactSource, LoadedEntity } from '../facts.ts';
import { loadFacts } from '../load-facts.ts';
import { emptyReadSet } from '../read-set.ts';
import { readTestDefinition } from '../test-definition.ts';
import type { TestDefinition } from '../predicate.ts';
import { columnsRead, compileRowQuestion } from './compile-row-question.ts';
import { randomColumnDefinition, randomDefinition } from './random-definitions.fixture.ts';
import { randomEntities, randomSchemas, randomType } from './random-entities.fixture.ts';
import { referredWorld } from './referred-world.fixture.ts';
import { rowAspects, testRowOf } from './test-row-of.ts';
import type { Dictionary } from './text-judge.ts';

type Bodies = Readonly<Record<string, JsonObject>>;

const now = 1_760_000_000_000;
const verdicts = { passing: 'PASS', failing: 'FAIL', none: 'NONE' } as const;

async function loadedForRow(source: FactSource, urn: string): Promise<LoadedEntity> {
  const readSet = emptyReadSet();
  for (const aspect of rowAspects(urnType(parseUrn(urn)))) readSet.aspects.add(aspect);
  const entity = (await loadFacts(source, parseUrn(urn), readSet)).get(urn);
  assert.ok(entity !== undefined);
  return entity;
}

/** Rows with the numbers that a store would give their texts, and the dictionaries. */
function numbered(rows: readonly TestRow[]): {
  readonly rows: readonly NumberedRow[];
  readonly dictionaries: ReadonlyMap<ListColumn, Dictionary>;
} {
  const ids = new Map(listColumns.map((column) => [column, new Map<string, number>()]));
  const idOf = (column: ListColumn, text: string): number => {
    const known = ids.get(column);
    assert.ok(known !== undefined);
    const id = known.get(text) ?? known.size + 1;
    known.set(text, id);
    return id;
  };
  const numberedRows = rows.map((row, entity) => ({
    entity,
    row,
    values: Object.fromEntries(
      listColumns.map((column) => [column, new Set(row.lists[column].map((text) => idOf(column, text)))]),
    ) as unknown as NumberedRow['values'],
  }));
  const dictionaries = new Map(
    [...ids].map(([column, texts]) => [column, [...texts].map(([text, id]) => ({ id, text }))]),
  );
  return { rows: numberedRows, dictionaries };
}

/** What rows answer for entities, beside what the closure says of each of them. */
async function compared(
  definition: TestDefinition,
  type: string,
  entities: Bodies,
): Promise<readonly { urn: string; row: string; closure: string; reason: string | undefined }[]> {
  const source = sourceOf({ ...referredWorld, ...entities });
  const rows = [];
  for (const urn of Object.keys(entities)) rows.push(testRowOf(await loadedForRow(source, urn)));
  const { rows: numberedRows, dictionaries } = numbered(rows);
  const asked = columnsRead(definition);
  const needed = new Map([...dictionaries].filter(([column]) => asked.has(column)));
  const question = await compileRowQuestion(definition, type, needed, source);
  const compiled = compileTest(definition);
  const answers = [];
  for (const row of numberedRows) {
    const { urn } = row.row;
    const facts = await loadFacts(source, urn, compiled.readSet);
    const entity = facts.get(urn);
    assert.ok(entity !== undefined);
    const answer = verdictOf(question, row);
    const { verdict, reason } = compiled.evaluate(entity, facts, now);
    answers.push({ urn, row: answer === 'unknown' ? answer : verdicts[answer], closure: verdict, reason });
  }
  return answers;
}

const pair = randomType.chain((type) =>
  fc.tuple(fc.constant(type), randomDefinition(type), randomEntities(type, 5)),
);

test('random entities are such as can be stored', () => {
  fc.assert(
    fc.property(
      randomType.chain((type) => randomEntities(type, 2)),
      (entities) => {
        for (const bodies of Object.values(entities)) {
          for (const [name, body] of Object.entries(bodies)) {
            assert.deepEqual(validateAspect(name, body ?? null), [], `${name} ${JSON.stringify(body)}`);
          }
        }
      },
    ),
    { numRuns: 300 },
  );
  for (const bodies of Object.values(referredWorld)) {
    for (const [name, body] of Object.entries(bodies)) assert.ok(body !== undefined, name);
  }
});

type Pair = readonly [type: string, definition: JsonObject, entities: Bodies];

/** Fails where a row answers, and otherwise than the closure; counts the answers. */
async function comparePairs(t: TestContext, pairs: fc.Arbitrary<Pair>, numRuns: number): Promise<Counts> {
  const count = { pairs: 0, unknown: 0, invalid: 0, PASS: 0, FAIL: 0, NONE: 0 };
  await fc.assert(
    fc.asyncProperty(pairs, async ([type, json, entities]) => {
      const read = readTestDefinition(JSON.stringify(json));
      if (!read.valid) {
        count.invalid += 1;
        return;
      }
      for (const { urn, row, closure, reason } of await compared(read.definition, type, entities)) {
        count.pairs += 1;
        if (row === 'unknown') {
          count.unknown += 1;
          continue;
        }
        if (row === 'PASS' || row === 'FAIL' || row === 'NONE') count[row] += 1;
        assert.equal(row, closure, `${urn}: the row says ${row}, the closure ${closure} ${reason ?? ''}`);
      }
    }),
    { numRuns },
  );
  t.diagnostic(JSON.stringify(count));
  assert.ok(count.invalid < numRuns / 10, `${count.invalid} definitions were not valid`);
  return count;
}

type Counts = { readonly pairs: number; readonly unknown: number };

test('what a row answers is what the closure answers', async (t) => {
  await comparePairs(t, pair, 1_000);
});

test('what a row answers about ingested and edited columns is what the closure answers', async (t) => {
  const pairs = fc.tuple(fc.constant('dataset'), randomColumnDefinition, randomSchemas(4));
  const { unknown, pairs: all } = await comparePairs(t, pairs, 1_200);
  assert.ok(unknown < all / 2, `${unknown} of ${all} answers are unknown`);
});

const dataset = 'urn:li:dataset:(urn:li:dataPlatform:kafka,NAME,PROD)';
const full: Bodies = Object.fromEntries(
  fc
    .sample(randomEntities('dataset', 5), { seed: 24, numRuns: 12 })
    .flatMap(Object.values<JsonObject>)
    .map((bodies, index) => [dataset.replace('NAME', `full${index}`), bodies]),
);

async function questionAbout(definition: TestDefinition, type: string): Promise<RowQuestion> {
  const source = sourceOf({ ...referredWorld, ...full });
  const rows = [];
  for (const urn of Object.keys(full)) rows.push(testRowOf(await loadedForRow(source, urn)));
  return await compileRowQuestion(definition, type, numbered(rows).dictionaries, source);
}

function hasUnknown(predicate: RowPredicate): boolean {
  if (predicate.kind === 'and' || predicate.kind === 'or') return predicate.operands.some(hasUnknown);
  return predicate.kind === 'not' ? hasUnknown(predicate.operand) : predicate.kind === 'unknown';
}

const isTold = ({ scope, rules }: RowQuestion): boolean => ![scope, ...rules].some(hasUnknown);

const leaf = (property: string, operator: string, ...values: readonly string[]): object =>
  values.length === 0 ? { property, operator } : { property, operator, values };
const group = 'urn:li:glossaryNode:Root';
const urnOperators = ['equals', 'not_equals', 'contains_any', 'contains_none', 'contains_all', 'subset_of'];
const urnLists = [
  ['globalTags.tags.tag', 'urn:li:tag:PII'],
  ['glossaryTerms.terms.urn', 'urn:li:glossaryTerm:Email'],
  ['ownership.owners.owner', 'urn:li:corpuser:ana'],
  ['ownership.ownerTypes.urn:li:ownershipType:__system__technical_owner', 'urn:li:corpuser:ana'],
  ['domains.domains', 'urn:li:domain:corp'],
  ['container.container', 'urn:li:container:db'],
  ['dataPlatformInstance.platform', 'urn:li:dataPlatform:snowflake'],
] as const;
const retention = 'structuredProperties.urn:li:structuredProperty:retention';
const forColumns = (satisfies: object, more: object = {}): object => ({
  forEach: 'columns',
  satisfies,
  ...more,
});
const personal = { where: leaf('tags', 'contains_any', 'urn:li:tag:PII') };

/** What the builder offers for columns and people ask of them most (specification 1.4), where ingested and where edited. */
const columnRules = ['schemaMetadata.fields', 'editableSchemaMetadata.editableSchemaFieldInfo'].flatMap(
  (path) => [
    ...['description', 'globalTags', 'glossaryTerms', 'globalTags.tags', 'glossaryTerms.terms'].flatMap(
      (member) => [leaf(`${path}.${member}`, 'exists'), leaf(`${path}.${member}`, 'is_empty')],
    ),
    ...urnOperators.flatMap((operator) => [
      leaf(`${path}.globalTags.tags.tag`, operator, 'urn:li:tag:PII', 'urn:li:tag:Tier1'),
      leaf(`${path}.glossaryTerms.terms.urn`, operator, 'urn:li:glossaryTerm:Email'),
    ]),
    leaf(path, 'exists'),
    leaf(`${path}.fieldPath`, 'exists'),
    leaf(`${path}.globalTags.tags.tag`, 'exists'),
    leaf(`${path}.globalTags.tags.tag`, 'starts_with', 'urn:li:tag:P'),
    leaf(`${path}.glossaryTerms.terms.urn`, 'within', group),
    leaf(`${path}.glossaryTerms.terms.urn.glossaryTermInfo.parentNode`, 'equals', group),
    {
      forEach: path,
      where: leaf('globalTags.tags.tag', 'contains_any', 'urn:li:tag:PII'),
      satisfies: leaf('glossaryTerms.terms.urn', 'within', group),
    },
    { forEach: path, satisfies: leaf('description', 'exists'), onEmpty: 'pass' },
  ],
);

/** Rules that rows have to tell in full, because dashboards and the rules that most people write are made of them. */
const told: readonly object[] = [
  ...columnRules,
  ...urnLists.flatMap(([path, urn]) => [
    leaf(path, 'exists'),
    leaf(path, 'is_empty'),
    ...urnOperators.map((operator) => leaf(path, operator, urn, urn.slice(0, -1))),
    leaf(path, 'starts_with', urn.slice(0, -1)),
    leaf(path, 'regex_match', '.*:a.*'),
    leaf(path, 'count_at_least', '1'),
    leaf(path, 'count_equals', '0'),
  ]),
  leaf('subTypes.typeNames', 'equals', 'View'),
  leaf('subTypes.typeNames', 'count_at_most', '1'),
  leaf('glossaryTerms.terms.urn', 'count_at_least', '2'),
  leaf('glossaryTerms.terms', 'exists'),
  leaf('ownership.owners', 'exists'),
  leaf('domains.domains', 'within', 'urn:li:domain:corp'),
  leaf('container.container', 'within', 'urn:li:container:db'),
  leaf('glossaryTerms.terms.urn', 'within', group),
  leaf('glossaryTerms.terms.urn.glossaryTermInfo.parentNode', 'equals', group),
  leaf('container.container.glossaryTerms.terms.urn.glossaryTermInfo.parentNode', 'within', group),
  leaf('ownership.owners.type', 'equals', 'TECHNICAL_OWNER'),
  leaf('deprecation.deprecated', 'is_false'),
  leaf('deprecation.deprecated', 'is_true'),
  { not: leaf('deprecation.deprecated', 'is_true') },
  leaf('status.removed', 'is_true'),
  leaf('status.removed', 'is_false'),
  leaf(retention, 'exists'),
  leaf(retention, 'equals', '30'),
  leaf(retention, 'greater_than', '0'),
  leaf(retention, 'regex_match', '^CC-[0-9]{4}$'),
  leaf('schemaFields', 'schema_fields_have_descriptions'),
  leaf('schemaFields', 'exists'),
  leaf('schemaFields.length', 'greater_than', '2'),
  leaf('schemaFields.length', 'between', '2', '30'),
  leaf('schemaMetadata.fields', 'exists'),
  leaf('schemaMetadata.fields.nativeDataType', 'equals', 'INT'),
  leaf('upstreamLineage.upstreams', 'exists'),
  leaf('upstreamLineage.upstreams', 'count_at_least', '2'),
  leaf('effective.description', 'exists'),
  leaf('effective.description', 'is_empty'),
  leaf('effective.description', 'min_length', '20'),
  leaf('effective.description', 'max_length', '20'),
  leaf('datasetProperties.description', 'exists'),
  leaf('editableDatasetProperties.description', 'regex_match', '^(?s).{20,}$'),
  leaf('datasetProperties.description', 'regex_match', '(?s).{3,19}'),
  leaf('entityType', 'equals', 'dataset'),
  forColumns(leaf('description', 'exists')),
  forColumns(leaf('description', 'exists'), { quantifier: 'atLeast', ratio: 0.9 }),
  forColumns(leaf('description', 'exists'), { quantifier: 'atLeast', count: 2 }),
  forColumns(leaf('terms', 'within', group), { ...personal, onEmpty: 'pass' }),
  forColumns(leaf('description', 'exists'), personal),
  forColumns(leaf('nativeDataType', 'starts_with', 'number'), { quantifier: 'none' }),
  { forEach: 'ownership.owners.owner', satisfies: leaf('corpUserInfo.active', 'is_true'), quantifier: 'any' },
  { forEach: 'ownership.owners', satisfies: leaf('typeUrn', 'exists') },
  { forEach: 'glossaryTerms.terms.urn', satisfies: leaf('glossaryTermInfo.parentNode', 'exists') },
];

test('what most rules are made of is told by rows in full', async (t) => {
  for (const rule of told) {
    const definition = definitionOf({ on: { types: ['dataset'] }, rules: [rule] });
    const question = await questionAbout(definition, 'dataset');
    assert.ok(isTold(question), `${JSON.stringify(rule)} became ${JSON.stringify(question.rules)}`);
    for (const { urn, row, closure } of await compared(definition, 'dataset', full)) {
      assert.equal(row, closure, `${JSON.stringify(rule)} about ${urn}`);
    }
  }
  t.diagnostic(`${told.length} rules`);
});

test('a column with a blank path has its edits, and an edit with a blank path its column', async () => {
  const tagged = { globalTags: { tags: [{ tag: 'urn:li:tag:PII' }] } };
  const edited = (column: string, edit: string): JsonObject => ({
    schemaMetadata: { fields: [{ fieldPath: column, nativeDataType: 'INT' }] },
    editableSchemaMetadata: { editableSchemaFieldInfo: [{ fieldPath: edit, ...tagged }] },
  });
  const entities: Bodies = {
    [dataset.replace('NAME', 'blankColumn')]: edited(' ', '[version=2.0]. '),
    [dataset.replace('NAME', 'blankEdit')]: edited('[version=2.0]. ', ' '),
  };
  const isTagged = forColumns(leaf('tags', 'contains_any', 'urn:li:tag:PII'));
  const definition = definitionOf({ on: { types: ['dataset'] }, rules: [isTagged] });
  for (const { row, closure } of await compared(definition, 'dataset', entities)) {
    assert.deepEqual([row, closure], ['PASS', 'PASS']);
  }
});

test('most of the rules that come with the catalogue are told by rows', async (t) => {
  const folder = new URL('../../../rules/governance/', import.meta.url);
  const tests = readdirSync(folder)
    .filter((name) => name.startsWith('GO'))
    .map(
      (name) =>
        parse(readFileSync(new URL(name, folder), 'utf8')) as {
          readonly urn: string;
          readonly definition: object;
        },
    );
  const open: string[] = [];
  for (const { urn, definition } of tests) {
    const read = definitionOf(definition);
    for (const type of read.types) {
      if (!isTold(await questionAbout(read, type))) open.push(`${urn.slice('urn:li:test:'.length)} ${type}`);
    }
  }
  t.diagnostic(`${tests.length} tests; not told in full: ${open.join(', ')}`);
  assert.ok(open.length <= 12);
  assert.ok(!open.includes('GO008 dataset'), 'a condition about ingested or edited columns');
});

test('without texts or entities to read, a row tells less and nothing else', async () => {
  const definition = definitionOf({
    on: { types: ['dataset'] },
    rules: [
      leaf('globalTags.tags.tag', 'equals', 'urn:li:tag:PII'),
      leaf('domains.domains', 'within', 'urn:li:domain:corp'),
    ],
  });
  const blind = await compileRowQuestion(definition, 'dataset', new Map());
  assert.deepEqual(blind.rules, [
    { kind: 'and', operands: [{ kind: 'some', column: 'tags' }, { kind: 'unknown' }] },
    { kind: 'and', operands: [{ kind: 'some', column: 'domains' }, { kind: 'unknown' }] },
  ]);
});

test('a test that merges siblings is not told by the row of one of them', async () => {
  const definition = definitionOf({
    on: { types: ['dataset', 'tag'] },
    rules: [leaf('globalTags.tags.tag', 'exists')],
    siblings: 'merge',
  });
  assert.deepEqual(await questionAbout(definition, 'dataset'), {
    scope: { kind: 'unknown' },
    rules: [{ kind: 'unknown' }],
  });
});

test('a test is no question about rows of types that it does not name', async () => {
  const definition = definitionOf({ on: { types: ['dataset'] }, rules: [] });
  assert.deepEqual(await questionAbout(definition, 'chart'), {
    scope: { kind: 'known', value: false },
    rules: [],
  });
});
