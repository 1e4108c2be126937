import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openReadModel } from '../../test/read-model.ts';
import type { ReadModel } from '../../test/read-model.ts';
import { schemaOf } from '../../test/sample-metadata.ts';
import type { JsonValue } from '../aspect/json.ts';

const term = 'urn:li:glossaryTerm:rate';
const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const terms = { terms: [{ urn: term }], auditStamp: { time: 0, actor: 'urn:li:corpuser:ana' } };

describe('relationships are read', () => {
  let model: ReadModel;

  before(async () => {
    model = await openReadModel();
    await model.seed(dataset('a'), {
      glossaryTerms: terms,
      editableSchemaMetadata: {
        editableSchemaFieldInfo: [
          { fieldPath: 'x', glossaryTerms: terms },
          { fieldPath: 'y', glossaryTerms: terms },
        ],
      },
    });
    await model.seed(dataset('b'), { glossaryTerms: terms, status: { removed: true } });
    await model.seed('urn:li:notebook:(tool,c)', { glossaryTerms: terms });
    await model.seed(term, {
      glossaryTermInfo: { definition: '', termSource: '', parentNode: 'urn:li:glossaryNode:n' },
    });
  });
  after(() => model.close());

  async function related(urn: string, input: string): Promise<JsonValue | undefined> {
    const { data, errors } = await model.ask(
      `{ entity(urn: "${urn}") { relationships(input: ${input}) {
           start count total relationships { type direction entity { urn } } } } }`,
    );
    assert.equal(errors, undefined);
    const entity = data?.['entity'];
    return typeof entity === 'object' && entity !== null && 'relationships' in entity
      ? entity['relationships']
      : undefined;
  }

  const incoming = (urn: string | null): JsonValue => ({
    type: 'TermedWith',
    direction: 'INCOMING',
    entity: urn === null ? null : { urn },
  });

  it('in the order in which they were first stored, each entity once, however many of its columns are', async () => {
    assert.deepEqual(await related(term, '{types: ["TermedWith"], direction: INCOMING}'), {
      start: 0,
      count: 3,
      total: 3,
      relationships: [incoming(dataset('a')), incoming(dataset('b')), incoming(null)],
    });
  });

  it('page by page', async () => {
    assert.deepEqual(
      await related(term, '{types: ["TermedWith"], direction: INCOMING, start: 1, count: 1}'),
      {
        start: 1,
        count: 1,
        total: 3,
        relationships: [incoming(dataset('b'))],
      },
    );
  });

  it('without entities that are marked as removed, when they are not wanted', async () => {
    const input = '{types: ["TermedWith"], direction: INCOMING, includeSoftDelete: false, start: 1}';
    assert.deepEqual(await related(term, input), {
      start: 1,
      count: 1,
      total: 2,
      relationships: [incoming(null)],
    });
  });

  it('in the direction and of the kinds that are asked for', async () => {
    assert.deepEqual(await related(term, '{types: ["IsPartOf", "IsA"], direction: OUTGOING}'), {
      start: 0,
      count: 1,
      total: 1,
      relationships: [{ type: 'IsPartOf', direction: 'OUTGOING', entity: { urn: 'urn:li:glossaryNode:n' } }],
    });
    assert.deepEqual(await related(term, '{types: [], direction: OUTGOING}'), {
      start: 0,
      count: 0,
      total: 0,
      relationships: [],
    });
  });

  it('by the names that clients have for the terms and tags of columns', async () => {
    const tag = 'urn:li:tag:named';
    const tags = { tags: [{ tag }] };
    const [ingested, edited, both] = [dataset('ingested'), dataset('edited'), dataset('both')];
    const columns = { schemaMetadata: schemaOf([{ fieldPath: 'x', globalTags: tags }]) };
    const edits = {
      editableSchemaMetadata: { editableSchemaFieldInfo: [{ fieldPath: 'x', globalTags: tags }] },
    };
    await model.seed(ingested, columns);
    await model.seed(edited, { ...edits, globalTags: tags });
    await model.seed(both, { ...columns, ...edits });
    const found = async (rest: string): Promise<JsonValue | undefined> =>
      related(tag, `{direction: INCOMING, ${rest}}`);
    const answer = (
      start: number,
      total: number,
      ...pairs: readonly (readonly [string, string])[]
    ): JsonValue => ({
      start,
      count: pairs.length,
      total,
      relationships: pairs.map(([type, urn]) => ({ type, direction: 'INCOMING', entity: { urn } })),
    });
    const [first, second] = ['SchemaFieldTaggedWith', 'EditableSchemaFieldTaggedWith'];
    assert.deepEqual(await found(`types: ["${first}"]`), answer(0, 2, [first, ingested], [first, both]));
    const all = `types: ["${second}", "TaggedWith", "${first}"]`;
    const everything = [
      ['TaggedWith', ingested],
      ['TaggedWith', edited],
      ['TaggedWith', both],
      [second, edited],
      [second, both],
      [first, ingested],
      [first, both],
    ] as const;
    assert.deepEqual(await found(all), answer(0, 7, ...everything));
    for (let start = 0; start < 8; start += 1) {
      const page = everything.slice(start, start + 2);
      assert.deepEqual(
        await found(`${all}, start: ${start}, count: 2`),
        answer(start, 7, ...page),
        `${start}`,
      );
    }
    assert.deepEqual(
      await related(term, '{direction: INCOMING, types: ["EditableSchemaFieldWithGlossaryTerm"]}'),
      {
        ...(answer(0, 1, ['EditableSchemaFieldWithGlossaryTerm', dataset('a')]) as object),
      },
    );
  });

  it('between columns, as fine-grained lineage tells them', async () => {
    const column = (name: string, path: string): string => `urn:li:schemaField:(${dataset(name)},${path})`;
    const [source, other, target] = [
      column('source', 'id'),
      column('source', 'name'),
      column('target', 'id'),
    ];
    await model.seed(dataset('source'), {
      schemaMetadata: {
        ...schemaOf(['id', 'name']),
        foreignKeys: [
          { name: 'fk', foreignFields: [target], sourceFields: [source], foreignDataset: dataset('target') },
        ],
      },
    });
    await model.seed(dataset('target'), {
      upstreamLineage: {
        upstreams: [{ dataset: dataset('source'), type: 'TRANSFORMED' }],
        fineGrainedLineages: [
          {
            upstreamType: 'FIELD_SET',
            upstreams: [source, other],
            downstreamType: 'FIELD',
            downstreams: [target],
          },
        ],
      },
    });
    const down = (direction: string, urn: string): JsonValue => ({
      type: 'DownstreamOf',
      direction,
      entity: { urn },
    });
    assert.deepEqual(await related(source, '{types: ["DownstreamOf"], direction: INCOMING}'), {
      start: 0,
      count: 1,
      total: 1,
      relationships: [down('INCOMING', target)],
    });
    assert.deepEqual(
      await related(target, '{types: ["DownstreamOf"], direction: OUTGOING, start: 1, count: 1}'),
      {
        start: 1,
        count: 1,
        total: 2,
        relationships: [down('OUTGOING', other)],
      },
    );
    const key = { type: 'ForeignKeyTo', direction: 'INCOMING', entity: { urn: dataset('source') } };
    for (const types of ['["ForeignKeyTo"]', '["DownstreamOf", "ForeignKeyTo"]']) {
      assert.deepEqual(
        await related(target, `{types: ${types}, direction: INCOMING, includeSoftDelete: false}`),
        {
          start: 0,
          count: 1,
          total: 1,
          relationships: [key],
        },
      );
    }
  });

  it('unless too much is asked for', async () => {
    for (const input of [
      '{types: ["A"], direction: INCOMING, count: 1001}',
      '{types: ["A"], direction: INCOMING, start: -1}',
    ]) {
      const { errors } = await model.ask(
        `{ entity(urn: "${term}") { relationships(input: ${input}) { total } } }`,
      );
      assert.equal(errors?.[0]?.extensions.code, 400);
    }
    const types = Array.from({ length: 101 }, (_, index) => `K${index}`);
    const { errors } = await model.ask(
      `query q($types: [String!]!) { entity(urn: "${term}") { relationships(input: {types: $types, direction: INCOMING}) { total } } }`,
      { types },
    );
    assert.match(errors?.[0]?.message ?? '', /101 types/);
  });
});
