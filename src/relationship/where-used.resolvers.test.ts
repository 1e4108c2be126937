import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openReadModel } from '../../test/read-model.ts';
import type { ReadModel } from '../../test/read-model.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';

const term = 'urn:li:glossaryTerm:rate';
const tag = 'urn:li:tag:pii';
const ana = 'urn:li:corpuser:ana';
const team = 'urn:li:corpGroup:team';
const domain = 'urn:li:domain:sales';
const property = 'urn:li:structuredProperty:io.shop.days';
const way = 'urn:li:ownershipType:steward';
const product = 'urn:li:dataProduct:orders';
const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const stamp = { time: 0, actor: ana };
const terms = { terms: [{ urn: term }], auditStamp: stamp };
const tags = { tags: [{ tag }] };

function columns(...paths: readonly string[]): JsonObject {
  return {
    editableSchemaFieldInfo: paths.map((fieldPath) => ({
      fieldPath,
      glossaryTerms: terms,
      globalTags: tags,
    })),
  };
}

describe('where something is used', () => {
  let model: ReadModel;

  before(async () => {
    model = await openReadModel();
    await model.seed(dataset('a'), {
      glossaryTerms: terms,
      editableSchemaMetadata: columns('x', 'y'),
      globalTags: tags,
      ownership: { owners: [ana, team].map((owner) => ({ owner, type: 'CUSTOM', typeUrn: way })) },
      domains: { domains: [domain] },
      structuredProperties: { properties: [{ propertyUrn: property, values: [{ double: 90 }] }] },
    });
    await model.seed(dataset('b'), { editableSchemaMetadata: columns('x'), status: { removed: true } });
    await model.seed('urn:li:chart:(looker,c)', { glossaryTerms: terms, globalTags: tags });
    await model.seed('urn:li:glossaryTerm:child', { glossaryRelatedTerms: { isRelatedTerms: [term] } });
    await model.seed(term, { glossaryTermInfo: { definition: '', termSource: '' } });
    await model.seed(product, {
      dataProductProperties: {
        name: 'Orders',
        assets: [{ destinationUrn: dataset('a') }, { destinationUrn: dataset('b') }],
      },
    });
  });
  after(() => model.close());

  async function used(input: string, selection: string): Promise<JsonValue | undefined> {
    const { data, errors } = await model.ask(`{ whereUsed(input: {${input}}) { ${selection} } }`);
    assert.equal(errors, undefined);
    return data?.['whereUsed'];
  }

  it('is told by one question: entities and columns, which aspect says so, and counts of all', async () => {
    const counts = { entities: 2, columns: 2, total: 4 };
    const via = ['editableSchemaMetadata'];
    const rest = { relationship: 'TermedWith' };
    assert.deepEqual(
      await used(
        `urn: "${term}"`,
        `start count total counts { entities columns total } countsByKind { relationship entities columns total }
         uses { urn entity { urn type } fieldPath relationship via }`,
      ),
      {
        start: 0,
        count: 4,
        total: 4,
        counts,
        countsByKind: [{ relationship: 'TermedWith', ...counts }],
        uses: [
          {
            urn: dataset('a'),
            entity: { urn: dataset('a'), type: 'DATASET' },
            fieldPath: null,
            ...rest,
            via: ['glossaryTerms'],
          },
          { urn: dataset('a'), entity: { urn: dataset('a'), type: 'DATASET' }, fieldPath: 'x', ...rest, via },
          { urn: dataset('a'), entity: { urn: dataset('a'), type: 'DATASET' }, fieldPath: 'y', ...rest, via },
          {
            urn: 'urn:li:chart:(looker,c)',
            entity: { urn: 'urn:li:chart:(looker,c)', type: 'CHART' },
            fieldPath: null,
            ...rest,
            via: ['glossaryTerms'],
          },
        ],
      },
    );
  });

  it('comes in pages', async () => {
    assert.deepEqual(
      await used(`urn: "${term}", start: 2, count: 1`, 'start count total uses { fieldPath }'),
      {
        start: 2,
        count: 1,
        total: 4,
        uses: [{ fieldPath: 'y' }],
      },
    );
  });

  it('counts what is marked as removed only when it is wanted', async () => {
    const selection = 'counts { entities columns total }';
    assert.deepEqual(await used(`urn: "${term}", includeSoftDeleted: true`, selection), {
      counts: { entities: 3, columns: 3, total: 5 },
    });
    await model.seed(dataset('b'), { status: { removed: false } });
    assert.deepEqual(await used(`urn: "${term}"`, selection), {
      counts: { entities: 3, columns: 3, total: 5 },
    });
    await model.seed(dataset('b'), { status: { removed: true } });
    assert.deepEqual(await used(`urn: "${term}"`, selection), {
      counts: { entities: 2, columns: 2, total: 4 },
    });
  });

  it('counts edges of the kinds that are asked for', async () => {
    assert.deepEqual(await used(`urn: "${term}", kinds: ["IsA"]`, 'uses { urn relationship }'), {
      uses: [{ urn: 'urn:li:glossaryTerm:child', relationship: 'IsA' }],
    });
    assert.deepEqual(await used(`urn: "${term}", kinds: []`, 'total uses { urn }'), { total: 0, uses: [] });
    assert.deepEqual(await used(`urn: "${dataset('a')}", kinds: ["DataProductContains"]`, 'uses { urn }'), {
      uses: [{ urn: product }],
    });
  });

  it('is told of tags, owners, ways of owning, domains, structured properties and data products', async () => {
    for (const [urn, entities, uses] of [
      [tag, 2, 4],
      [ana, 1, 1],
      [team, 1, 1],
      [way, 1, 1],
      [domain, 1, 1],
      [property, 1, 1],
      [product, 1, 1],
      ['urn:li:glossaryTerm:never.made', 0, 0],
    ] as const) {
      assert.deepEqual(
        await used(`urn: "${urn}"`, 'counts { entities total }'),
        { counts: { entities, total: uses } },
        urn,
      );
    }
  });

  it('is a field of what can be used', async () => {
    const usage = 'usage { entities columns total }';
    const { data, errors } = await model.ask(
      `{ glossaryTerm(urn: "${term}") { ${usage} } tag(urn: "${tag}") { ${usage} } corpUser(urn: "${ana}") { ${usage} }
         entity(urn: "${domain}") { ... on Domain { ${usage} } } }`,
    );
    assert.equal(errors, undefined);
    assert.deepEqual(data, {
      glossaryTerm: { usage: { entities: 2, columns: 2, total: 4 } },
      tag: { usage: { entities: 2, columns: 2, total: 4 } },
      corpUser: { usage: { entities: 1, columns: 0, total: 1 } },
      entity: { usage: { entities: 1, columns: 0, total: 1 } },
    });
  });

  it('agrees with a change as soon as it is answered', async () => {
    await model.seed(dataset('c'), { editableSchemaMetadata: columns('z') });
    assert.deepEqual(await used(`urn: "${term}"`, 'total'), { total: 5 });
    await model.seed(dataset('c'), { editableSchemaMetadata: columns() });
    assert.deepEqual(await used(`urn: "${term}"`, 'total'), { total: 4 });
  });

  it('is refused for what nothing is attached to, for what is no URN, and for too much', async () => {
    for (const [input, message] of [
      [`urn: "${dataset('a')}"`, /name the kinds of edges/],
      ['urn: "rate"', /Invalid urn/],
      [`urn: "${term}", count: 1001`, /1001/],
      [`urn: "${term}", start: -1`, /negative/],
      [
        `urn: "${term}", kinds: [${Array.from({ length: 101 }, (_, at) => `"K${at}"`).join(', ')}]`,
        /101 kinds/,
      ],
    ] as const) {
      const { errors } = await model.ask(`{ whereUsed(input: {${input}}) { total } }`);
      assert.match(errors?.[0]?.message ?? '', message);
      assert.equal(errors?.[0]?.extensions.code, 400);
    }
  });
});
