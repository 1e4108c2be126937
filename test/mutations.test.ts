import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from './server.ts';

const dataset = 'urn:li:dataset:(urn:li:dataPlatform:hive,mutations.orders,PROD)';
const other = 'urn:li:dataset:(urn:li:dataPlatform:hive,mutations.customers,PROD)';
const finance = 'urn:li:glossaryNode:finance';
const rate = 'urn:li:glossaryTerm:rate';
const revenue = 'urn:li:glossaryTerm:revenue';

/** Each row is one mutation as a client writes it, and its answer; every row builds on those before it. */
const mutations: readonly (readonly [document: string, answer: unknown])[] = [
  ['createGlossaryNode(input: {id: "finance", name: "Finance"})', finance],
  ['createGlossaryTerm(input: {id: "rate", name: "Rate", parentNode: "urn:li:glossaryNode:finance"})', rate],
  ['createGlossaryTerm(input: {id: "revenue", name: "Revenue", description: "Money"})', revenue],
  [`addTerm(input: {termUrn: "${rate}", resourceUrn: "${dataset}"})`, true],
  [`addTerms(input: {termUrns: "${revenue}", resourceUrn: "${dataset}"},)`, true],
  [
    `batchAddTerms(input: {termUrns: ["${rate}"], resources: [{resourceUrn: "${other}"},
      {resourceUrn: "${dataset}", subResourceType: DATASET_FIELD, subResource: "id"}]})`,
    true,
  ],
  [`removeTerm(input: {termUrn: "${rate}", resourceUrn: "${dataset}"})`, true],
  [`batchRemoveTerms(input: {termUrns: ["${rate}"], resources: [{resourceUrn: "${other}"}]})`, true],
  [
    `updateDescription(input: {description: "The id", resourceUrn: "${dataset}", subResource: "id",
      subResourceType: DATASET_FIELD})`,
    true,
  ],
  [`addLink(input: {linkUrl: "https://a.example", label: "A", resourceUrn: "${dataset}"})`, true],
  [
    `upsertLink(input: {linkUrl: "https://a.example", label: "A", resourceUrn: "${dataset}",
      settings: {showInAssetPreview: true}})`,
    true,
  ],
  [
    `updateLink(input: {currentUrl: "https://a.example", currentLabel: "A", linkUrl: "https://b.example",
      label: "B", resourceUrn: "${dataset}"})`,
    true,
  ],
  [`addLink(input: {linkUrl: "https://c.example", label: "C", resourceUrn: "${dataset}"})`, true],
  [`removeLink(input: {linkUrl: "https://c.example", resourceUrn: "${dataset}"})`, true],
  [
    `updateDataset(urn: "${dataset}", input: {editableProperties: {description: "Orders"},
      institutionalMemory: {elements: {author: "urn:li:corpuser:ana", url: "https://d.example"}}}) {
        editableProperties { description } }`,
    { editableProperties: { description: 'Orders' } },
  ],
  [
    `updateDatasets(input: [{urn: "${other}", update: {deprecation: {deprecated: true, note: "old"}}},
      {urn: "${dataset}", update: {editableProperties: {description: "All", name: "All orders"}}}]) {
        urn deprecation { note } editableProperties { name } }`,
    [
      { urn: other, deprecation: { note: 'old' }, editableProperties: null },
      { urn: dataset, deprecation: null, editableProperties: { name: 'All orders' } },
    ],
  ],
  [`updateName(input: {urn: "${rate}", name: "Rate of Return"})`, true],
  [`updateParentNode(input: {resourceUrn: "${revenue}", parentNode: "${finance}"})`, true],
  [`updateParentNode(input: {resourceUrn: "${rate}", parentNode: null})`, true],
  [`addRelatedTerms(input: {urn: "${rate}", termUrns: ["${revenue}"], relationshipType: isA})`, true],
  [`addRelatedTerms(input: {urn: "${rate}", termUrns: ["${revenue}"], relationshipType: hasA})`, true],
  [`removeRelatedTerms(input: {urn: "${rate}", termUrns: ["${revenue}"], relationshipType: hasA})`, true],
  [`deleteGlossaryEntity(urn: "${finance}")`, true],
];

describe('mutations through GraphQL', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    await server.ingest(other, 'datasetProperties', {});
    await server.ingest(dataset, 'schemaMetadata', {
      schemaName: 'orders',
      platform: 'urn:li:dataPlatform:hive',
      version: 0,
      hash: '',
      platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
      fields: [
        {
          fieldPath: '[version=2.0].[type=int].id',
          type: { type: { 'com.linkedin.schema.NumberType': {} } },
          nativeDataType: 'int',
        },
      ],
    });
  });
  after(() => server.close());

  it('answer what they promise, one after the other', async () => {
    for (const [document, answer] of mutations) {
      assert.deepEqual(await server.data(`mutation { answer: ${document} }`), { answer }, document);
    }
  });

  it('have done what they answered', async () => {
    const data = await server.data(
      `query read($dataset: String!, $other: String!, $rate: String!, $revenue: String!) {
        dataset(urn: $dataset) {
          glossaryTerms { terms { term { urn glossaryTermInfo { name description } } } }
          institutionalMemory { elements { url label author { urn } settings { showInAssetPreview } } }
          editableSchemaMetadata { editableSchemaFieldInfo {
            fieldPath description glossaryTerms { terms { term { urn } } }
          } }
        }
        other: dataset(urn: $other) { glossaryTerms { terms { term { urn } } } }
        rate: glossaryTerm(urn: $rate) {
          properties { name }
          relationships(input: {types: ["IsA", "HasA"], direction: OUTGOING, start: 0, count: 9}) {
            relationships { type entity { urn } }
          }
        }
        revenue: glossaryTerm(urn: $revenue) { parentNodes { count } }
      }`,
      { dataset, other, rate, revenue },
    );
    assert.deepEqual(data, {
      dataset: {
        glossaryTerms: {
          terms: [{ term: { urn: revenue, glossaryTermInfo: { name: 'Revenue', description: 'Money' } } }],
        },
        institutionalMemory: {
          elements: [
            {
              url: 'https://b.example',
              label: 'B',
              author: { urn: 'urn:li:corpuser:editor' },
              settings: { showInAssetPreview: true },
            },
            { url: 'https://d.example', label: '', author: { urn: 'urn:li:corpuser:ana' }, settings: null },
          ],
        },
        editableSchemaMetadata: {
          editableSchemaFieldInfo: [
            {
              fieldPath: '[version=2.0].[type=int].id',
              description: 'The id',
              glossaryTerms: { terms: [{ term: { urn: rate } }] },
            },
          ],
        },
      },
      other: { glossaryTerms: { terms: [] } },
      rate: {
        properties: { name: 'Rate of Return' },
        relationships: { relationships: [{ type: 'IsA', entity: { urn: revenue } }] },
      },
      revenue: { parentNodes: { count: 0 } },
    });
  });
});
