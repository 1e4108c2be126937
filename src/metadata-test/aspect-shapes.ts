import { list, map, record, type Shape } from './shape.ts';

/*
 * What is inside the aspects that rules are written about (wire section 8.3), so that a path can be checked, typed and
 * split where it hops. Aspects that are not listed are accepted with any fields.
 */
const string: Shape = { kind: 'string' };
const number: Shape = { kind: 'number' };
const boolean: Shape = { kind: 'boolean' };
const timestamp: Shape = { kind: 'timestamp' };
const any: Shape = { kind: 'any' };
const urn = (...types: string[]): Shape => ({ kind: 'urn', types });

const actor = urn('corpuser', 'corpGroup');
const stamp = record({ time: timestamp, actor, impersonator: actor, message: string });
const timeStamp = record({ time: timestamp, actor });
const attribution = record({ time: timestamp, actor, source: urn(), sourceDetail: map(string) });
const customProperties = map(string);
const edge = (...types: string[]): Shape =>
  list(
    record({
      sourceUrn: urn(),
      destinationUrn: urn(...types),
      created: stamp,
      lastModified: stamp,
      properties: map(string),
    }),
  );
const edited = { created: stamp, lastModified: stamp, deleted: stamp, description: string };
const changeStamps = record({ created: stamp, lastModified: stamp, deleted: stamp });

const globalTags = record({
  tags: list(record({ tag: urn('tag'), context: string, attribution })),
});
const glossaryTerms = record({
  terms: list(record({ urn: urn('glossaryTerm'), actor, context: string, attribution })),
  auditStamp: stamp,
});
const testResult = list(
  record({ test: urn('test'), type: string, testDefinitionMd5: string, lastComputed: stamp }),
);
const incidents = list(
  record({
    urn: urn('incident'),
    type: string,
    createdAt: timestamp,
    resolvedAt: timestamp,
    destinationUrn: urn(),
    priority: number,
  }),
);
const assertions = list(
  record({ urn: urn('assertion'), type: string, source: string, lastResultAt: timestamp }),
);
const fineGrainedLineages = list(
  record({
    upstreamType: string,
    upstreams: list(urn('schemaField', 'dataset')),
    downstreamType: string,
    downstreams: list(urn('schemaField', 'dataset')),
    transformOperation: string,
    confidenceScore: number,
    query: urn('query'),
    matchType: string,
  }),
);
const formAssociations = list(record({ urn: urn('form'), attribution, created: stamp, lastModified: stamp }));

/** Aspects by name; also the three that DataHub derives from statistics, read as ordinary aspects when stored. */
export const aspectShapes: { readonly [aspect: string]: Shape | undefined } = {
  globalTags,
  glossaryTerms,
  ownership: record({
    owners: list(
      record({
        owner: urn('corpuser', 'corpGroup'),
        type: string,
        typeUrn: urn('ownershipType'),
        source: record({ type: string, url: string }),
        attribution,
      }),
    ),
    lastModified: stamp,
  }),
  domains: record({
    domains: list(urn('domain')),
    domainAssociations: list(record({ domain: urn('domain'), attribution })),
  }),
  deprecation: record({
    deprecated: boolean,
    decommissionTime: timestamp,
    note: string,
    actor,
    replacement: urn(),
  }),
  status: record({ removed: boolean, lifecycleStage: urn('lifecycleStageType'), lifecycleLastUpdated: stamp }),
  subTypes: record({ typeNames: list(string) }),
  container: record({ container: urn('container') }),
  containerProperties: record({
    name: string,
    qualifiedName: string,
    description: string,
    env: string,
    externalUrl: string,
    created: timeStamp,
    lastModified: timeStamp,
    customProperties,
  }),
  editableContainerProperties: record({ description: string }),
  dataPlatformInstance: record({ platform: urn('dataPlatform'), instance: urn('dataPlatformInstance') }),
  browsePaths: record({ paths: list(string) }),
  browsePathsV2: record({ path: list(record({ id: string, urn: urn() })) }),
  institutionalMemory: record({
    elements: list(
      record({ url: string, description: string, createStamp: stamp, updateStamp: stamp, settings: any }),
    ),
  }),
  documentation: record({ documentations: list(record({ documentation: string, attribution })) }),
  siblings: record({ siblings: list(urn()), primary: boolean }),
  embed: record({ renderUrl: string }),
  testResults: record({ failing: testResult, passing: testResult }),
  incidentsSummary: record({
    activeIncidents: list(urn('incident')),
    resolvedIncidents: list(urn('incident')),
    activeIncidentDetails: incidents,
    resolvedIncidentDetails: incidents,
  }),
  forms: record({
    incompleteForms: formAssociations,
    completedForms: formAssociations,
    verifications: list(record({ form: urn('form'), lastModified: stamp })),
  }),
  datasetProperties: record({
    customProperties,
    externalUrl: string,
    name: string,
    qualifiedName: string,
    description: string,
    uri: string,
    created: timeStamp,
    lastModified: timeStamp,
    tags: list(string),
  }),
  editableDatasetProperties: record({ ...edited, name: string }),
  schemaMetadata: record({
    schemaName: string,
    platform: urn('dataPlatform'),
    version: number,
    hash: string,
    created: stamp,
    lastModified: stamp,
    deleted: stamp,
    dataset: urn('dataset'),
    cluster: string,
    platformSchema: any,
    primaryKeys: list(string),
    foreignKeys: list(
      record({
        name: string,
        foreignFields: list(urn('schemaField')),
        sourceFields: list(urn('schemaField')),
        foreignDataset: urn('dataset'),
      }),
    ),
    foreignKeysSpecs: any,
    fields: list(
      record({
        fieldPath: string,
        jsonPath: string,
        nullable: boolean,
        description: string,
        label: string,
        created: stamp,
        lastModified: stamp,
        type: any,
        nativeDataType: string,
        recursive: boolean,
        globalTags,
        glossaryTerms,
        isPartOfKey: boolean,
        isPartitioningKey: boolean,
        jsonProps: string,
      }),
    ),
  }),
  editableSchemaMetadata: record({
    created: stamp,
    lastModified: stamp,
    deleted: stamp,
    editableSchemaFieldInfo: list(
      record({ fieldPath: string, description: string, globalTags, glossaryTerms }),
    ),
  }),
  upstreamLineage: record({
    upstreams: list(
      record({
        auditStamp: stamp,
        created: stamp,
        dataset: urn('dataset'),
        type: string,
        properties: map(string),
        query: urn('query'),
      }),
    ),
    fineGrainedLineages,
  }),
  viewProperties: record({
    materialized: boolean,
    viewLogic: string,
    viewLanguage: string,
    formattedViewLogic: string,
  }),
  operation: record({
    timestampMillis: timestamp,
    eventGranularity: any,
    partitionSpec: any,
    messageId: string,
    operationType: string,
    lastUpdatedTimestamp: timestamp,
    actor: urn(),
    customOperationType: string,
    numAffectedRows: number,
    affectedDatasets: list(urn('dataset')),
    sourceType: string,
    customProperties,
    queries: list(urn('query')),
  }),
  dashboardInfo: record({
    customProperties,
    externalUrl: string,
    title: string,
    description: string,
    charts: list(urn('chart')),
    chartEdges: edge('chart'),
    datasets: list(urn('dataset')),
    datasetEdges: edge('dataset'),
    dashboards: edge('dashboard'),
    lastModified: changeStamps,
    dashboardUrl: string,
    access: string,
    lastRefreshed: timestamp,
  }),
  editableDashboardProperties: record(edited),
  chartInfo: record({
    customProperties,
    externalUrl: string,
    title: string,
    description: string,
    lastModified: changeStamps,
    chartUrl: string,
    inputs: list(any),
    inputEdges: edge('dataset', 'chart'),
    type: string,
    access: string,
    lastRefreshed: timestamp,
  }),
  editableChartProperties: record(edited),
  dataJobInfo: record({
    customProperties,
    externalUrl: string,
    name: string,
    description: string,
    type: any,
    flowUrn: urn('dataFlow'),
    created: timeStamp,
    lastModified: timeStamp,
    status: string,
    env: string,
  }),
  editableDataJobProperties: record(edited),
  dataJobInputOutput: record({
    inputDatasets: list(urn('dataset')),
    inputDatasetEdges: edge('dataset'),
    outputDatasets: list(urn('dataset')),
    outputDatasetEdges: edge('dataset'),
    inputDatajobs: list(urn('dataJob')),
    inputDatajobEdges: edge('dataJob'),
    inputDatasetFields: list(urn('schemaField')),
    outputDatasetFields: list(urn('schemaField')),
    fineGrainedLineages,
  }),
  dataFlowInfo: record({
    customProperties,
    externalUrl: string,
    name: string,
    description: string,
    project: string,
    created: timeStamp,
    lastModified: timeStamp,
    env: string,
  }),
  editableDataFlowProperties: record(edited),
  glossaryTermInfo: record({
    customProperties,
    id: string,
    name: string,
    definition: string,
    parentNode: urn('glossaryNode'),
    termSource: string,
    sourceRef: string,
    sourceUrl: string,
    rawSchema: string,
  }),
  glossaryNodeInfo: record({
    customProperties,
    definition: string,
    parentNode: urn('glossaryNode'),
    name: string,
    id: string,
  }),
  glossaryRelatedTerms: record({
    isRelatedTerms: list(urn('glossaryTerm')),
    hasRelatedTerms: list(urn('glossaryTerm')),
    values: list(urn('glossaryTerm')),
    relatedTerms: list(urn('glossaryTerm')),
  }),
  domainProperties: record({
    customProperties,
    name: string,
    description: string,
    created: stamp,
    parentDomain: urn('domain'),
  }),
  dataProductProperties: record({
    customProperties,
    externalUrl: string,
    name: string,
    description: string,
    assets: list(
      record({
        destinationUrn: urn(),
        sourceUrn: urn(),
        created: stamp,
        lastModified: stamp,
        outputPort: boolean,
        properties: map(string),
      }),
    ),
  }),
  dataContractStatus: record({ customProperties, state: string }),
  tagProperties: record({ name: string, description: string, colorHex: string }),
  corpUserInfo: record({
    customProperties,
    active: boolean,
    displayName: string,
    email: string,
    title: string,
    managerUrn: urn('corpuser'),
    departmentId: number,
    departmentName: string,
    firstName: string,
    lastName: string,
    fullName: string,
    countryCode: string,
    system: boolean,
  }),
  corpUserStatus: record({ status: string, lastModified: stamp, suspended: boolean }),
  corpGroupInfo: record({
    displayName: string,
    email: string,
    admins: list(urn('corpuser')),
    members: list(urn('corpuser')),
    groups: list(urn('corpGroup')),
    description: string,
    slack: string,
    created: stamp,
  }),
  dataPlatformInfo: record({
    name: string,
    displayName: string,
    type: string,
    datasetNameDelimiter: string,
    logoUrl: string,
  }),
  usageFeatures: record({
    queryCountLast30Days: number,
    uniqueUserCountLast30Days: number,
    queryCountPercentileLast30Days: number,
    writeCountLast30Days: number,
    writeCountPercentileLast30Days: number,
    uniqueUserPercentileLast30Days: number,
    viewCountTotal: number,
    viewCountLast30Days: number,
    viewCountPercentileLast30Days: number,
  }),
  storageFeatures: record({
    rowCount: number,
    sizeInBytes: number,
    rowCountPercentile: number,
    sizeInBytesPercentile: number,
  }),
  assertionsSummary: record({
    passingAssertions: list(urn('assertion')),
    failingAssertions: list(urn('assertion')),
    passingAssertionDetails: assertions,
    failingAssertionDetails: assertions,
  }),
};
