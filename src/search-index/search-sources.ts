/**
 * Where the values of search fields stand in aspects. A path names members; `[]` is every element of a list. Several fields take the
 * same value where DataHub knows it by several names.
 */
export type SearchSource = { readonly path: string; readonly fields: readonly string[] };

/** Members of key aspects, which bear the same names in all entity types. */
const keySources: readonly SearchSource[] = [
  ...[
    'id',
    'name',
    'username',
    'platformName',
    'guid',
    'flowId',
    'jobId',
    'chartId',
    'dashboardId',
    'notebookId',
    'assertionId',
    'instance',
    'fieldPath',
  ].map((member) => source(member, 'id')),
  source('platform', 'platform'),
  source('origin', 'origin'),
  source('orchestrator', 'orchestrator'),
  source('cluster', 'cluster'),
  source('dashboardTool', 'tool'),
  source('notebookTool', 'tool'),
  source('flow', 'dataFlow'),
  source('parent', 'parent'),
];

const description = source('description', 'description');
const editedDescription = source('description', 'editedDescription');
const name = source('name', 'name');
const titleAsName = source('title', 'name', 'title');
const createdStamp = source('created.time', 'createdAt');
const lastModifiedStamp = source('lastModified.time', 'lastModifiedAt');
/** Of aspects that have a record of stamps instead of one. */
const nestedStamps = [
  source('lastModified.created.time', 'createdAt'),
  source('lastModified.lastModified.time', 'lastModifiedAt'),
];

/** Aspects that are said of entities of many types. */
const attachments: Readonly<Record<string, readonly SearchSource[]>> = {
  status: [source('removed', 'removed')],
  deprecation: [source('deprecated', 'deprecated')],
  subTypes: [source('typeNames[]', 'typeNames')],
  globalTags: [source('tags[].tag', 'tags')],
  glossaryTerms: [source('terms[].urn', 'glossaryTerms')],
  ownership: [source('owners[].owner', 'owners'), source('owners[].typeUrn', 'ownershipTypes')],
  domains: [source('domains[]', 'domains')],
  container: [source('container', 'container')],
  dataPlatformInstance: [source('platform', 'platform'), source('instance', 'platformInstance')],
  documentation: [source('documentations[].documentation', 'documentation')],
  institutionalMemory: [
    source('elements[].url', 'links'),
    source('elements[].description', 'linkDescriptions'),
  ],
  siblings: [source('siblings[]', 'siblings')],
};

const columns: Readonly<Record<string, readonly SearchSource[]>> = {
  schemaMetadata: [
    source('fields[].fieldPath', 'fieldPaths'),
    source('fields[].label', 'fieldLabels'),
    source('fields[].description', 'fieldDescriptions'),
    source('fields[].globalTags.tags[].tag', 'fieldTags'),
    source('fields[].glossaryTerms.terms[].urn', 'fieldGlossaryTerms'),
  ],
  editableSchemaMetadata: [
    source('editableSchemaFieldInfo[].description', 'editedFieldDescriptions'),
    source('editableSchemaFieldInfo[].globalTags.tags[].tag', 'editedFieldTags'),
    source('editableSchemaFieldInfo[].glossaryTerms.terms[].urn', 'editedFieldGlossaryTerms'),
  ],
  inputFields: [
    source('fields[].schemaField.fieldPath', 'fieldPaths'),
    source('fields[].schemaField.description', 'fieldDescriptions'),
    source('fields[].schemaField.globalTags.tags[].tag', 'fieldTags'),
    source('fields[].schemaField.glossaryTerms.terms[].urn', 'fieldGlossaryTerms'),
  ],
};

const datasets: Readonly<Record<string, readonly SearchSource[]>> = {
  datasetProperties: [
    name,
    source('qualifiedName', 'qualifiedName'),
    description,
    createdStamp,
    lastModifiedStamp,
  ],
  editableDatasetProperties: [source('name', 'editedName'), editedDescription],
  viewProperties: [source('materialized', 'materialized')],
  upstreamLineage: [source('upstreams[].dataset', 'upstreams')],
  datasetProfile: [
    source('rowCount', 'rowCount'),
    source('columnCount', 'columnCount'),
    source('sizeInBytes', 'sizeInBytes'),
  ],
  operation: [source('lastUpdatedTimestamp', 'lastOperationTime')],
  containerProperties: [
    name,
    source('qualifiedName', 'qualifiedName'),
    description,
    source('env', 'origin'),
    createdStamp,
    lastModifiedStamp,
  ],
  editableContainerProperties: [editedDescription],
};

const vocabulary: Readonly<Record<string, readonly SearchSource[]>> = {
  glossaryTermInfo: [name, source('definition', 'definition'), source('parentNode', 'parentNode')],
  glossaryNodeInfo: [name, source('definition', 'definition'), source('parentNode', 'parentNode')],
  tagProperties: [name, description],
  domainProperties: [name, description, createdStamp, source('parentDomain', 'parentDomain')],
  dataProductProperties: [name, description],
  applicationProperties: [name, description],
  businessAttributeInfo: [
    name,
    description,
    source('globalTags.tags[].tag', 'tags'),
    source('glossaryTerms.terms[].urn', 'glossaryTerms'),
  ],
  ownershipTypeInfo: [name, description],
  dataPlatformInfo: [source('displayName', 'name'), name, source('type', 'type')],
  dataPlatformInstanceProperties: [name, description],
  propertyDefinition: [
    source('displayName', 'name'),
    source('qualifiedName', 'qualifiedName'),
    description,
    source('valueType', 'valueType'),
    source('entityTypes[]', 'entityTypes'),
    createdStamp,
    lastModifiedStamp,
  ],
  structuredPropertySettings: [
    'isHidden',
    'showInSearchFilters',
    'showInAssetSummary',
    'showAsAssetBadge',
    'showInColumnsTable',
  ].map((flag) => source(flag, flag)),
  dataTypeInfo: [source('displayName', 'name'), source('qualifiedName', 'qualifiedName'), description],
  entityTypeInfo: [source('displayName', 'name'), source('qualifiedName', 'qualifiedName'), description],
  formInfo: [name, description, source('type', 'type')],
  testInfo: [name, description, source('category', 'category')],
};

const people: Readonly<Record<string, readonly SearchSource[]>> = {
  corpUserInfo: [
    source('displayName', 'name'),
    source('fullName', 'name'),
    source('email', 'email'),
    source('title', 'title'),
    source('active', 'active'),
  ],
  corpUserEditableInfo: [
    source('displayName', 'name'),
    source('title', 'title'),
    source('email', 'email'),
    source('aboutMe', 'editedDescription'),
    source('teams[]', 'teams'),
    source('skills[]', 'skills'),
  ],
  corpGroupInfo: [source('displayName', 'name'), description, source('email', 'email')],
  corpGroupEditableInfo: [editedDescription, source('email', 'email')],
};

const flows: Readonly<Record<string, readonly SearchSource[]>> = {
  dataFlowInfo: [
    name,
    description,
    source('project', 'project'),
    source('env', 'origin'),
    createdStamp,
    lastModifiedStamp,
  ],
  editableDataFlowProperties: [editedDescription],
  dataJobInfo: [
    name,
    description,
    source('type', 'type'),
    source('type.string', 'type'),
    source('env', 'origin'),
    createdStamp,
    lastModifiedStamp,
  ],
  editableDataJobProperties: [editedDescription],
  dataJobInputOutput: [
    source('inputDatasets[]', 'inputs'),
    source('inputDatasetEdges[].destinationUrn', 'inputs'),
    source('outputDatasets[]', 'outputs'),
    source('outputDatasetEdges[].destinationUrn', 'outputs'),
  ],
  dataProcessInfo: [source('inputs[]', 'inputs'), source('outputs[]', 'outputs')],
  dataProcessInstanceProperties: [name, source('type', 'type'), createdStamp],
  dataProcessInstanceInput: [source('inputs[]', 'inputs'), source('inputEdges[].destinationUrn', 'inputs')],
  dataProcessInstanceOutput: [
    source('outputs[]', 'outputs'),
    source('outputEdges[].destinationUrn', 'outputs'),
  ],
  chartInfo: [
    titleAsName,
    description,
    source('type', 'type'),
    source('inputs[]', 'inputs'),
    source('inputs[].string', 'inputs'),
    source('inputEdges[].destinationUrn', 'inputs'),
    ...nestedStamps,
  ],
  editableChartProperties: [editedDescription],
  dashboardInfo: [titleAsName, description, ...nestedStamps],
  editableDashboardProperties: [editedDescription],
  notebookInfo: [titleAsName, description],
  editableNotebookProperties: [editedDescription],
  queryProperties: [
    name,
    description,
    source('statement.value', 'statement'),
    source('source', 'source'),
    createdStamp,
    lastModifiedStamp,
  ],
  querySubjects: [source('subjects[].entity', 'entities')],
  assertionInfo: [description, source('type', 'type')],
  incidentInfo: [
    titleAsName,
    description,
    source('type', 'type'),
    source('status.state', 'state'),
    source('entities[]', 'entities'),
    createdStamp,
  ],
  documentInfo: [titleAsName, source('contents.text', 'description'), createdStamp, lastModifiedStamp],
  postInfo: [source('content.title', 'name', 'title'), source('content.description', 'description')],
};

const models: Readonly<Record<string, readonly SearchSource[]>> = {
  mlModelProperties: [name, description, source('type', 'type')],
  mlModelGroupProperties: [name, description],
  mlModelDeploymentProperties: [description],
  mlFeatureTableProperties: [description],
  mlFeatureProperties: [description],
  mlPrimaryKeyProperties: [description],
  editableMlModelProperties: [editedDescription],
  editableMlModelGroupProperties: [editedDescription],
  editableMlFeatureTableProperties: [editedDescription],
  editableMlFeatureProperties: [editedDescription],
  editableMlPrimaryKeyProperties: [editedDescription],
  erModelRelationshipProperties: [name, source('source', 'inputs'), source('destination', 'outputs')],
  editableERModelRelationshipProperties: [editedDescription],
};

const byAspect: ReadonlyMap<string, readonly SearchSource[]> = new Map(
  Object.entries({ ...attachments, ...columns, ...datasets, ...vocabulary, ...people, ...flows, ...models }),
);

/** Where an aspect has values of search fields; none for aspects that nobody searches. */
export function searchSourcesOf(aspect: string): readonly SearchSource[] {
  return byAspect.get(aspect) ?? [];
}

/** The same for key aspects. */
export function keySearchSources(): readonly SearchSource[] {
  return keySources;
}

/** All aspects with sources, for what has to be told of every one of them. */
export function searchSources(): ReadonlyMap<string, readonly SearchSource[]> {
  return byAspect;
}

function source(path: string, ...fields: readonly string[]): SearchSource {
  return { path, fields };
}
