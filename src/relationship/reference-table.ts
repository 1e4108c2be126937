/**
 * Where aspects refer to other entities, and what the edge is called (wire 8.5).
 *
 * A path names members; `[]` is every element of a list, `*` every value of a map. With a reference, the element of the
 * innermost list is removed; a path that ends in `?` loses only its last member, for references that say something about
 * an element that stands without them. A kind of `undefined` is no edge, only a place to remove a reference from: derived
 * copies that DataHub keeps beside the original. `column` marks references of a column: the object that has its
 * `glossaryTerms` or `globalTags` holds the `fieldPath`.
 */
export type ReferenceRow = {
  readonly kind: string | undefined;
  readonly path: string;
  readonly column?: true;
};

/** Left out: fine-grained lineage, whose edges run between columns of two datasets, not from the aspect's entity. */
export const referenceTable: { readonly [aspect: string]: readonly ReferenceRow[] } = {
  glossaryTerms: [{ kind: 'TermedWith', path: 'terms[].urn' }],
  globalTags: [{ kind: 'TaggedWith', path: 'tags[].tag' }],
  schemaMetadata: [
    { kind: 'TermedWith', path: 'fields[].glossaryTerms.terms[].urn', column: true },
    { kind: 'TaggedWith', path: 'fields[].globalTags.tags[].tag', column: true },
    { kind: 'ForeignKeyTo', path: 'foreignKeys[].foreignFields[]' },
    { kind: 'ForeignKeyToDataset', path: 'foreignKeys[].foreignDataset' },
  ],
  editableSchemaMetadata: [
    { kind: 'TermedWith', path: 'editableSchemaFieldInfo[].glossaryTerms.terms[].urn', column: true },
    { kind: 'TaggedWith', path: 'editableSchemaFieldInfo[].globalTags.tags[].tag', column: true },
  ],
  inputFields: [
    { kind: 'TermedWith', path: 'fields[].schemaField.glossaryTerms.terms[].urn', column: true },
    { kind: 'TaggedWith', path: 'fields[].schemaField.globalTags.tags[].tag', column: true },
  ],
  businessAttributeInfo: [
    { kind: 'TermedWith', path: 'glossaryTerms.terms[].urn' },
    { kind: 'TaggedWith', path: 'globalTags.tags[].tag' },
  ],
  ownership: [
    { kind: 'OwnedBy', path: 'owners[].owner' },
    { kind: 'ownershipType', path: 'owners[].typeUrn?' },
    { kind: undefined, path: 'ownerTypes.*[]' },
  ],
  domains: [
    { kind: 'AssociatedWith', path: 'domains[]' },
    { kind: undefined, path: 'domainAssociations[].domain' },
  ],
  container: [{ kind: 'IsPartOf', path: 'container' }],
  glossaryTermInfo: [{ kind: 'IsPartOf', path: 'parentNode' }],
  glossaryNodeInfo: [{ kind: 'IsPartOf', path: 'parentNode' }],
  domainProperties: [{ kind: 'IsPartOf', path: 'parentDomain' }],
  glossaryRelatedTerms: [
    { kind: 'IsA', path: 'isRelatedTerms[]' },
    { kind: 'HasA', path: 'hasRelatedTerms[]' },
    { kind: 'HasValue', path: 'values[]' },
    { kind: 'IsRelatedTo', path: 'relatedTerms[]' },
  ],
  upstreamLineage: [{ kind: 'DownstreamOf', path: 'upstreams[].dataset' }],
  dataJobInputOutput: [
    { kind: 'Consumes', path: 'inputDatasets[]' },
    { kind: 'Consumes', path: 'inputDatasetEdges[].destinationUrn' },
    { kind: 'Consumes', path: 'inputDatasetFields[]' },
    { kind: 'Produces', path: 'outputDatasets[]' },
    { kind: 'Produces', path: 'outputDatasetEdges[].destinationUrn' },
    { kind: 'Produces', path: 'outputDatasetFields[]' },
    { kind: 'DownstreamOf', path: 'inputDatajobs[]' },
    { kind: 'DownstreamOf', path: 'inputDatajobEdges[].destinationUrn' },
  ],
  dataProcessInstanceInput: [
    { kind: 'Consumes', path: 'inputs[]' },
    { kind: 'Consumes', path: 'inputEdges[].destinationUrn' },
  ],
  dataProcessInstanceOutput: [
    { kind: 'Produces', path: 'outputs[]' },
    { kind: 'Produces', path: 'outputEdges[].destinationUrn' },
  ],
  dataProcessInstanceRelationships: [
    { kind: 'InstanceOf', path: 'parentTemplate' },
    { kind: 'ChildOf', path: 'parentInstance' },
    { kind: 'UpstreamOf', path: 'upstreamInstances[]' },
  ],
  dataJobInfo: [{ kind: 'IsPartOf', path: 'flowUrn' }],
  mlModelProperties: [
    { kind: 'Consumes', path: 'mlFeatures[]' },
    { kind: 'MemberOf', path: 'groups[]' },
  ],
  mlFeatureProperties: [{ kind: 'DerivedFrom', path: 'sources[]' }],
  mlPrimaryKeyProperties: [{ kind: 'DerivedFrom', path: 'sources[]' }],
  mlFeatureTableProperties: [
    { kind: 'Contains', path: 'mlFeatures[]' },
    { kind: 'KeyedBy', path: 'mlPrimaryKeys[]' },
  ],
  querySubjects: [{ kind: 'IsAssociatedWith', path: 'subjects[].entity' }],
  chartInfo: [
    { kind: 'Consumes', path: 'inputs[]' },
    { kind: 'Consumes', path: 'inputs[].string' },
    { kind: 'Consumes', path: 'inputEdges[].destinationUrn' },
  ],
  dashboardInfo: [
    { kind: 'Contains', path: 'charts[]' },
    { kind: 'Contains', path: 'chartEdges[].destinationUrn' },
    { kind: 'Consumes', path: 'datasets[]' },
    { kind: 'Consumes', path: 'datasetEdges[].destinationUrn' },
    { kind: 'DashboardContainsDashboard', path: 'dashboards[].destinationUrn' },
  ],
  dataProductProperties: [{ kind: 'DataProductContains', path: 'assets[].destinationUrn' }],
  testResults: [
    { kind: 'IsFailing', path: 'failing[].test' },
    { kind: 'IsPassing', path: 'passing[].test' },
  ],
  // Ours: a definition that is deleted takes its values along, so they have to be found.
  structuredProperties: [{ kind: 'HasStructuredProperty', path: 'properties[].propertyUrn' }],
  // Ours as well: when what is to be used instead is deleted, nobody is sent to it any more.
  deprecation: [{ kind: 'ReplacedBy', path: 'replacement' }],
  siblings: [{ kind: 'SiblingOf', path: 'siblings[]' }],
  assertionInfo: [
    { kind: 'Asserts', path: 'datasetAssertion.dataset' },
    { kind: 'Asserts', path: 'datasetAssertion.fields[]' },
    { kind: 'Asserts', path: 'customAssertion.entity' },
    { kind: 'Asserts', path: 'customAssertion.field' },
    { kind: 'Asserts', path: 'freshnessAssertion.entity' },
    { kind: 'Asserts', path: 'volumeAssertion.entity' },
    { kind: 'Asserts', path: 'sqlAssertion.entity' },
    { kind: 'Asserts', path: 'fieldAssertion.entity' },
    { kind: 'Asserts', path: 'schemaAssertion.entity' },
  ],
  incidentInfo: [{ kind: 'IncidentOn', path: 'entities[]' }],
  corpUserInfo: [{ kind: 'ReportsTo', path: 'managerUrn' }],
  dataHubPolicyInfo: [
    { kind: 'IsAssociatedWithUser', path: 'actors.users[]' },
    { kind: 'IsAssociatedWithGroup', path: 'actors.groups[]' },
    { kind: 'IsAssociatedWithRole', path: 'actors.roles[]' },
  ],
  groupMembership: [{ kind: 'IsMemberOfGroup', path: 'groups[]' }],
  nativeGroupMembership: [{ kind: 'IsMemberOfNativeGroup', path: 'nativeGroups[]' }],
  roleMembership: [{ kind: 'IsMemberOfRole', path: 'roles[]' }],
  versionProperties: [{ kind: 'VersionOf', path: 'versionSet' }],
};
