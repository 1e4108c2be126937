import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import { isInterfaceType, isObjectType } from 'graphql';
import { isJsonObject } from '../src/aspect/json.ts';
import { referredEntity } from '../src/entity/graphql-types.ts';
import { ingestRecords } from '../src/ingest/ingest-run.ts';
import { openRecordFile } from '../src/ingest/record-file.ts';
import { readSourceRecords } from '../src/ingest/record-source.ts';
import { createStoreSink } from '../src/ingest/store-sink.ts';
import { systemCaller } from '../src/auth/system-caller.ts';
import { clientFields, leftOut } from './client-fields.ts';
import { readModelSchema } from './read-model.ts';
import { startTestServer } from './server.ts';
import type { TestServer } from './server.ts';

function fieldsOf(typeName: string): ReadonlySet<string> {
  const type = readModelSchema.getType(typeName);
  return new Set(isObjectType(type) || isInterfaceType(type) ? Object.keys(type.getFields()) : []);
}

test('every field that clients name of the entities of a catalogue is in the schema', () => {
  const missing = Object.entries(clientFields).flatMap(([type, fields]) => {
    const known = fieldsOf(type);
    return fields
      .split(' ')
      .filter((field) => !known.has(field))
      .map((field) => `${type}.${field}`);
  });
  assert.deepEqual(missing, []);
});

test('what is said to be left out is left out', () => {
  for (const [field, { types, because }] of Object.entries(leftOut)) {
    assert.notEqual(because, '');
    const present = types.split(' ').filter((type) => fieldsOf(type).has(field));
    assert.deepEqual(present, [], `${field} is there now, so it belongs into the list of fields that are`);
  }
});

/** The selections that stand in several places, as the fragments that clients make of them. */
const fragments: { readonly [name: string]: readonly [on: string, selection: string] } = {
  owners: [
    'Ownership',
    `owners { type owner { ... on CorpUser { urn properties { active displayName title email }
       editableProperties { displayName title email } } ... on CorpGroup { urn name properties { displayName email }
       info { displayName email admins { urn info { active displayName title email } editableInfo { teams skills } }
         members { urn properties { active displayName } } groups } } }
     ownershipType { urn type info { name description } status { removed } } }`,
  ],
  tags: ['GlobalTags', 'tags { tag { urn properties { name description } } }'],
  terms: [
    'GlossaryTerms',
    `terms { term { urn hierarchicalName properties { name description termSource customProperties { key value } }
       ownership { ...owners } parentNodes { count nodes { urn properties { name } displayProperties { ...display } } } } actor { urn } }`,
  ],
  display: ['DisplayProperties', 'icon { name style iconLibrary }'],
  structured: [
    'StructuredProperties',
    `properties { structuredProperty { urn definition { displayName qualifiedName } }
       values { ... on StringValue { stringValue } ... on NumberValue { numberValue } } valueEntities { urn type } }`,
  ],
  aDomain: [
    'Domain',
    `urn properties { name description } parentDomains { count domains { urn type ... on Domain { properties { name description } } } }
     entities(input: {start: 0, count: 0, filters: [{field: "_entityType", negated: true, values: ["DATA_PRODUCT", "DOMAIN"]}]}) { total }
     children: relationships(input: {types: ["IsPartOf"], direction: INCOMING, start: 0, count: 0}) { total }
     displayProperties { ...display }`,
  ],
  product: [
    'Entity',
    `dataProduct: relationships(input: {types: ["DataProductContains"], direction: INCOMING, start: 0, count: 1}) {
       relationships { type entity { urn type ... on DataProduct { properties { name description } domain { domain { ...aDomain } } } } } }`,
  ],
  deprecation: ['Deprecation', 'actor deprecated note decommissionTime actorEntity { urn type }'],
  platform: ['DataPlatform', 'urn name properties { displayName datasetNameDelimiter }'],
  parameters: [
    'AssertionStdParameters',
    'value { value type } minValue { value type } maxValue { value type }',
  ],
};

const owners = 'ownership { ...owners }';
const tags = 'tags { ...tags }';
const terms = 'glossaryTerms { ...terms }';
const structured = 'structuredProperties { ...structured }';
const domain = 'domain { domain { ...aDomain } }';
const deprecation = 'deprecation { ...deprecation }';
const platform = 'platform { ...platform }';
const parameters = 'parameters { ...parameters }';
const subTypes = 'subTypes { typeNames }';
const edited = 'editableProperties { description }';
const custom = 'customProperties { key value }';
const attached = `${owners} ${tags} ${terms} ${structured} ${deprecation}`;
const asset = `${attached} ${domain} ...product health { type status message causes }`;

/** What is asked of an entity of any type in one document, by its object type. */
const preview: { readonly [object: string]: string } = {
  Dataset: `name ${platform} editableProperties { name description } properties { name description qualifiedName ${custom} } ${asset} ${subTypes}
    viewProperties { materialized logic language } assertions(start: 0, count: 10) { total assertions { urn
      runEvents(status: COMPLETE, limit: 1) { runEvents { timestampMillis status result { type } } } } }
    operations(limit: 1) { lastUpdatedTimestamp operationType } datasetProfiles(limit: 1) { rowCount timestampMillis }
    incidents(state: ACTIVE, start: 0, count: 10) { start count total incidents { urn incidentStatus { state message } } }
    statsSummary { queryCountLast30Days uniqueUserCountLast30Days topUsersLast30Days { urn } }
    schemaMetadata(version: 0) { createdAt datasetUrn name platformUrn cluster platformSchema { ... on TableSchema { schema }
      ... on KeyValueSchema { keySchema valueSchema } } fields { fieldPath label jsonPath nullable description nativeDataType recursive
      isPartOfKey isPartitioningKey ${tags} ${terms} schemaFieldEntity { urn ${deprecation} ${structured}
        businessAttributes { businessAttribute { businessAttribute { urn type ${owners} properties { name description kind: type
          lastModified { time } created { time } ${tags} ${terms} } } } }
        documentation { documentations { documentation attribution { sourceDetail { key value } } } } } }
      primaryKeys foreignKeys { name sourceFields { fieldPath } foreignFields { fieldPath } foreignDataset { urn name } } }
    editableSchemaMetadata { editableSchemaFieldInfo { fieldPath description ${tags} ${terms} } }`,
  CorpUser: 'username properties { active displayName email title } editableProperties { displayName title }',
  CorpGroup: `name properties { displayName description }
    memberCount: relationships(input: {types: ["IsMemberOfGroup", "IsMemberOfNativeGroup"], direction: INCOMING, start: 0, count: 1}) { total }`,
  Dashboard: `tool dashboardId properties { name description externalUrl access lastModified { time } } ${asset} ${edited} ${platform} ${subTypes}`,
  Chart: `tool chartId properties { name description externalUrl type access lastModified { time } } ${asset} ${edited} ${platform} ${subTypes}`,
  DataFlow: `orchestrator flowId cluster properties { name description project ${custom} } ${asset} ${edited} ${platform}`,
  DataJob: `dataFlow { urn orchestrator flowId cluster properties { name description project externalUrl ${custom} } ${edited} ${owners}
      ${platform} ${domain} ${deprecation} } jobId properties { name description ${custom} } ${asset} ${edited} ${subTypes}
    runs(start: 0, count: 10) { total runs { urn created { time actor } } }`,
  GlossaryTerm: `hierarchicalName properties { name description termSource sourceRef sourceUrl rawSchema ${custom} } ${owners} ${deprecation}`,
  GlossaryNode: 'properties { name description }',
  MLFeatureTable: `name description featureTableProperties { description mlFeatures { urn } mlPrimaryKeys { urn } } ${attached} ${platform}`,
  MLModel: `name description origin ${attached} ${platform}`,
  MLFeature: `name description ${attached}`,
  MLModelGroup: `name origin description ${attached} ${platform}`,
  MLPrimaryKey: 'name',
  Tag: 'properties { name description }',
  StructuredPropertyEntity: 'definition { displayName description }',
  DataPlatform: 'name properties { displayName datasetNameDelimiter }',
  Domain: '...aDomain',
  DataProduct: `properties { name description } entities(input: {start: 0, count: 20, query: "*"}) { total searchResults { entity { urn type } } }`,
  Container: `properties { name description } ${edited} ${subTypes} ${attached} ${platform}
    browsePathV2 { path { entity { urn ... on Container { properties { name } } } } }`,
  DataPlatformInstance: 'instanceId',
  Assertion: `info { type description note externalUrl entityUrn lastUpdated { time actor } source { type created { time actor } }
      datasetAssertion { datasetUrn scope aggregation operator ${parameters} fields { urn path } nativeType nativeParameters { key value } logic }
      fieldAssertion { type entityUrn fieldValuesAssertion { field { path type nativeType } operator ${parameters}
          failThreshold { type value } excludeNulls } fieldMetricAssertion { field { path type nativeType } metric operator ${parameters} } }
      volumeAssertion { type entityUrn rowCountTotal { operator ${parameters} } rowCountChange { type operator ${parameters} } }
      sqlAssertion { type entityUrn statement operator ${parameters} } } ${platform}
    runEvents(status: COMPLETE, limit: 10) { total failed succeeded runEvents { timestampMillis status
      result { type actualAggValue externalUrl nativeResults { key value } error { type displayMessage } } } }`,
  Incident: `incidentType customType title description priority startedAt created { time actor }
    assignees { ... on CorpUser { urn username } ... on CorpGroup { urn name } }
    entity { urn type ... on Dataset { name properties { name description } } } source { type source { urn type } } ${tags}`,
};

const selections = Object.entries(preview).map(([object, fields]) => `... on ${object} { ${fields} }`);
const definitions = Object.entries({ ...fragments, preview: ['Entity', `urn type ${selections.join('\n')}`] })
  .map(([name, [on, selection]]) => `fragment ${name} on ${on} { ${selection} }`)
  .join('\n');

/** Not a part of what is asked of entities of every kind: what others require is optional in a query. */
const queryFragment = `fragment query on QueryEntity { urn platform { ...platform } properties { name description source statement { value language } lastModified { actor } }
    subjects { dataset { urn type name } schemaField { urn type fieldPath } } }`;

describe('what clients ask of entities of every kind in one document is answered', () => {
  let server: TestServer;

  before(async () => {
    server = await startTestServer({ keepsVerdicts: false });
    const sink = createStoreSink(server.catalogue.engine.execute, systemCaller);
    const file = await openRecordFile(join(import.meta.dirname, 'data', 'bootstrap_mce.json'));
    const problems: string[] = [];
    await ingestRecords(readSourceRecords(file), sink, {
      onProblem: ({ message }) => problems.push(message),
    });
    assert.deepEqual(problems, []);
  });
  after(() => server.close());

  /** URNs of stored entities of one type. */
  async function stored(type: string): Promise<readonly string[]> {
    const { items } = await server.catalogue.store.entities({ type, start: 0, count: 1000 });
    return items;
  }

  it('for everything that the sample of ingested metadata has', async () => {
    const types =
      'dataset container chart dashboard dataFlow dataJob assertion mlModel mlFeature mlFeatureTable mlPrimaryKey tag glossaryTerm glossaryNode corpuser corpGroup dataPlatform'.split(
        ' ',
      );
    for (const type of types) {
      const urns = await stored(type);
      assert.ok(urns.length > 0, type);
      const { entities } = await server.data(
        `query q($urns: [String!]!) { entities(urns: $urns) { ...preview } } ${definitions}`,
        {
          urns: urns.slice(0, 20),
        },
      );
      assert.ok(Array.isArray(entities));
      assert.deepEqual(
        entities.map((entity) => isJsonObject(entity) && entity['urn']),
        urns.slice(0, 20),
      );
    }
  });

  it('for entities that were never stored', async () => {
    const urns = [
      'urn:li:incident:none',
      'urn:li:dataProduct:none',
      'urn:li:domain:none',
      'urn:li:structuredProperty:none',
      'urn:li:dataPlatformInstance:(urn:li:dataPlatform:hive,none)',
      'urn:li:mlModelGroup:(urn:li:dataPlatform:mlflow,none,PROD)',
      'urn:li:dashboard:(looker,none)',
      'urn:li:assertion:none',
    ];
    const { entities } = await server.data(
      `query q($urns: [String!]!) { entities(urns: $urns) { ...preview } } ${definitions}`,
      { urns },
    );
    assert.ok(Array.isArray(entities));
    assert.deepEqual(
      entities.map((entity) => isJsonObject(entity) && entity['type']),
      urns.map((urn) => referredEntity(urn)?.type),
    );
  });

  it('where they search, follow lineage and list queries', async () => {
    const [dataset] = await stored('dataset');
    const data = await server.data(
      `query q($urn: String!) {
         searchAcrossEntities(input: {query: "*", start: 0, count: 50}) { start count total searchResults { entity { ...preview } }
           facets { field displayName aggregations { value count displayName entity { urn } } } }
         searchAcrossLineage(input: {urn: $urn, direction: DOWNSTREAM, query: "*", start: 0, count: 10}) { total
           searchResults { entity { ...preview } paths { path { urn type ... on SchemaFieldEntity { fieldPath parent { urn type } } } } degree } }
         listQueries(input: {start: 0, count: 10}) { start total count queries { ...query } } } ${definitions} ${queryFragment}`,
      { urn: dataset },
    );
    const { searchAcrossEntities, listQueries } = data;
    assert.ok(isJsonObject(searchAcrossEntities) && isJsonObject(listQueries));
    assert.equal(searchAcrossEntities['count'], 50);
    assert.equal(listQueries['total'], 1);
  });
});
