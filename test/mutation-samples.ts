/** What the samples name; whoever runs them may store it, so that they do something. */
export const sampleDataset = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
export const sampleTerm = 'urn:li:glossaryTerm:Order';

const orders = sampleDataset;
const term = sampleTerm;
const tag = 'urn:li:tag:pii';
const domain = 'urn:li:domain:sales';
const user = 'urn:li:corpuser:ana';

const policyInput =
  'type: METADATA, name: "n", state: INACTIVE, privileges: [], actors: {resourceOwners: false, allUsers: false, allGroups: false}';

/** One well-formed call of every mutation; what it names need not exist, since rights are asked for first. */
export const mutationSamples: Readonly<Record<string, string>> = {
  approveTestActions: 'approveTestActions(urn: "urn:li:test:a", runId: "r") { id }',
  rejectTestActions: 'rejectTestActions(urn: "urn:li:test:a", runId: "r") { id }',
  undoChange: 'undoChange(sequence: 1) { urn }',
  undoTestActions: 'undoTestActions(urn: "urn:li:test:a", runId: "r") { undone }',
  releaseTestActions: 'releaseTestActions(urn: "urn:li:test:a")',
  reevaluateTests: 'reevaluateTests',
  addTerms: `addTerms(input: {termUrns: ["${term}"], resourceUrn: "${orders}"})`,
  addTerm: `addTerm(input: {termUrn: "${term}", resourceUrn: "${orders}"})`,
  batchAddTerms: `batchAddTerms(input: {termUrns: ["${term}"], resources: [{resourceUrn: "${orders}"}]})`,
  removeTerm: `removeTerm(input: {termUrn: "${term}", resourceUrn: "${orders}"})`,
  batchRemoveTerms: `batchRemoveTerms(input: {termUrns: ["${term}"], resources: [{resourceUrn: "${orders}"}]})`,
  addOwner: `addOwner(input: {ownerUrn: "${user}", ownerEntityType: CORP_USER, resourceUrn: "${orders}"})`,
  addOwners: `addOwners(input: {owners: [{ownerUrn: "${user}", ownerEntityType: CORP_USER}], resourceUrn: "${orders}"})`,
  batchAddOwners: `batchAddOwners(input: {owners: [{ownerUrn: "${user}", ownerEntityType: CORP_USER}], resources: [{resourceUrn: "${orders}"}]})`,
  removeOwner: `removeOwner(input: {ownerUrn: "${user}", resourceUrn: "${orders}"})`,
  batchRemoveOwners: `batchRemoveOwners(input: {ownerUrns: ["${user}"], resources: [{resourceUrn: "${orders}"}]})`,
  createOwnershipType: 'createOwnershipType(input: {name: "n"}) { urn }',
  updateOwnershipType: 'updateOwnershipType(urn: "urn:li:ownershipType:t", input: {name: "n"}) { urn }',
  deleteOwnershipType: 'deleteOwnershipType(urn: "urn:li:ownershipType:t")',
  createTag: 'createTag(input: {name: "n"})',
  updateTag: `updateTag(urn: "${tag}", input: {urn: "${tag}", name: "n"}) { urn }`,
  deleteTag: `deleteTag(urn: "${tag}")`,
  setTagColor: `setTagColor(urn: "${tag}", colorHex: "#000")`,
  addTag: `addTag(input: {tagUrn: "${tag}", resourceUrn: "${orders}"})`,
  addTags: `addTags(input: {tagUrns: ["${tag}"], resourceUrn: "${orders}"})`,
  batchAddTags: `batchAddTags(input: {tagUrns: ["${tag}"], resources: [{resourceUrn: "${orders}"}]})`,
  removeTag: `removeTag(input: {tagUrn: "${tag}", resourceUrn: "${orders}"})`,
  batchRemoveTags: `batchRemoveTags(input: {tagUrns: ["${tag}"], resources: [{resourceUrn: "${orders}"}]})`,
  updateDeprecation: `updateDeprecation(input: {urn: "${orders}", deprecated: true})`,
  batchUpdateDeprecation: `batchUpdateDeprecation(input: {deprecated: true, resources: [{resourceUrn: "${orders}"}]})`,
  batchUpdateSoftDeleted: `batchUpdateSoftDeleted(input: {urns: ["${orders}"], deleted: true})`,
  createDomain: 'createDomain(input: {name: "n"})',
  moveDomain: `moveDomain(input: {resourceUrn: "${domain}"})`,
  deleteDomain: `deleteDomain(urn: "${domain}")`,
  setDomain: `setDomain(entityUrn: "${orders}", domainUrn: "${domain}")`,
  unsetDomain: `unsetDomain(entityUrn: "${orders}")`,
  batchSetDomain: `batchSetDomain(input: {domainUrn: "${domain}", resources: [{resourceUrn: "${orders}"}]})`,
  createPolicy: `createPolicy(input: {${policyInput}})`,
  updatePolicy: `updatePolicy(urn: "urn:li:dataHubPolicy:none", input: {${policyInput}})`,
  deletePolicy: 'deletePolicy(urn: "urn:li:dataHubPolicy:none")',
  createGlossaryTerm: 'createGlossaryTerm(input: {name: "n"})',
  createGlossaryNode: 'createGlossaryNode(input: {name: "n"})',
  updateParentNode: `updateParentNode(input: {resourceUrn: "${term}"})`,
  deleteGlossaryEntity: `deleteGlossaryEntity(urn: "${term}")`,
  updateName: `updateName(input: {urn: "${term}", name: "n"})`,
  addRelatedTerms: `addRelatedTerms(input: {urn: "${term}", termUrns: ["urn:li:glossaryTerm:b"], relationshipType: isA})`,
  removeRelatedTerms: `removeRelatedTerms(input: {urn: "${term}", termUrns: ["urn:li:glossaryTerm:b"], relationshipType: isA})`,
  updateDataset: `updateDataset(urn: "${orders}", input: {editableProperties: {description: "d"}}) { urn }`,
  updateDatasets: `updateDatasets(input: [{urn: "${orders}", update: {editableProperties: {description: "d"}}}]) { urn }`,
  updateDescription: `updateDescription(input: {description: "d", resourceUrn: "${orders}"})`,
  addLink: `addLink(input: {linkUrl: "https://example.com", label: "l", resourceUrn: "${orders}"})`,
  upsertLink: `upsertLink(input: {linkUrl: "https://example.com", label: "l", resourceUrn: "${orders}"})`,
  updateLink: `updateLink(input: {currentUrl: "https://a.example", currentLabel: "a", linkUrl: "https://b.example", label: "b", resourceUrn: "${orders}"})`,
  removeLink: `removeLink(input: {linkUrl: "https://example.com", resourceUrn: "${orders}"})`,
  createTest: 'createTest(input: {name: "n", category: "c", definition: {json: "{}"}})',
  updateTest: 'updateTest(urn: "urn:li:test:t", input: {name: "n", category: "c", definition: {json: "{}"}})',
  deleteTest: 'deleteTest(urn: "urn:li:test:t")',
  requestTestExemption: `requestTestExemption(input: {testUrn: "urn:li:test:t", entityUrn: "${orders}", reason: "r", expires: 99999999999999})`,
  createTestExemption:
    'createTestExemption(input: {testUrn: "urn:li:test:t", filter: "[]", reason: "r", expires: 99999999999999})',
  approveTestExemption: 'approveTestExemption(testUrn: "urn:li:test:t", id: "e")',
  rejectTestExemption: 'rejectTestExemption(testUrn: "urn:li:test:t", id: "e")',
  removeTestExemption: 'removeTestExemption(testUrn: "urn:li:test:t", id: "e")',
  runTestDefinition: `runTestDefinition(urn: "${orders}", test: {json: "{\\"on\\":{\\"types\\":[]},\\"rules\\":[]}"}, mode: DEFAULT) { status }`,
  runTests: `runTests(urn: "${orders}")`,
};
