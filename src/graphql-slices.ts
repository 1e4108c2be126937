import { accessTokenResolvers } from './access-token/access-token.resolvers.ts';
import { appConfigResolvers } from './app/app-config.resolvers.ts';
import { assertionRunResolvers } from './assertion/assertion-run.resolvers.ts';
import { assertionResolvers } from './assertion/assertion.resolvers.ts';
import { browseResolvers } from './browse/browse.resolvers.ts';
import { displayResolvers } from './browse/display.resolvers.ts';
import { healthResolvers } from './browse/health.resolvers.ts';
import { businessAttributeResolvers } from './business-attribute/business-attribute.resolvers.ts';
import { containerResolvers } from './container/container.resolvers.ts';
import { dataProductResolvers } from './data-product/data-product.resolvers.ts';
import { dashboardUsageResolvers } from './dashboard/dashboard-usage.resolvers.ts';
import { dashboardResolvers } from './dashboard/dashboard.resolvers.ts';
import { datasetSeriesResolvers } from './dataset/dataset-series.resolvers.ts';
import { datasetResolvers } from './dataset/dataset.resolvers.ts';
import { erModelRelationshipResolvers } from './dataset/er-model-relationship.resolvers.ts';
import { schemaResolvers } from './dataset/schema.resolvers.ts';
import { updateDatasetResolvers } from './dataset/update-dataset.resolvers.ts';
import { descriptionResolvers } from './description/description.resolvers.ts';
import { changeDomainResolvers } from './domain/change-domain.resolvers.ts';
import { documentationResolvers } from './description/documentation.resolvers.ts';
import { domainResolvers } from './domain/domain.resolvers.ts';
import { entityResolvers } from './entity/entity.resolvers.ts';
import { changeGlossaryResolvers } from './glossary/change-glossary.resolvers.ts';
import { glossaryResolvers } from './glossary/glossary.resolvers.ts';
import { groupResolvers } from './group/group.resolvers.ts';
import type { Resolvers } from './graphql/resolver.ts';
import { historyResolvers } from './history/history.resolvers.ts';
import { changeLifecycleResolvers } from './lifecycle/change-lifecycle.resolvers.ts';
import { lifecycleResolvers } from './lifecycle/lifecycle.resolvers.ts';
import { embedResolvers } from './link/embed.resolvers.ts';
import { incidentResolvers } from './incident/incident.resolvers.ts';
import { institutionalMemoryResolvers } from './link/institutional-memory.resolvers.ts';
import { linkResolvers } from './link/link.resolvers.ts';
import { testActionResolvers } from './metadata-test/action/test-action.resolvers.ts';
import { exemptionResolvers } from './metadata-test/exemption/exemption.resolvers.ts';
import { resultResolvers } from './metadata-test/history/result.resolvers.ts';
import { keeperResolvers } from './metadata-test/keeping/keeper.resolvers.ts';
import { metadataTestResolvers } from './metadata-test/metadata-test.resolvers.ts';
import { scoreResolvers } from './metadata-test/score/score.resolvers.ts';
import { accessResolvers } from './policy/access.resolvers.ts';
import { policyResolvers } from './policy/policy.resolvers.ts';
import { previewResolvers } from './metadata-test/preview/preview.resolvers.ts';
import { changeOwnersResolvers } from './ownership/change-owners.resolvers.ts';
import { mlModelResolvers } from './ml-model/ml-model.resolvers.ts';
import { ownershipResolvers } from './ownership/ownership.resolvers.ts';
import { dataProcessInstanceResolvers } from './pipeline/data-process-instance.resolvers.ts';
import { pipelineResolvers } from './pipeline/pipeline.resolvers.ts';
import { runsResolvers } from './pipeline/runs.resolvers.ts';
import { platformResolvers } from './platform/platform.resolvers.ts';
import { queryResolvers } from './query/query.resolvers.ts';
import { relationshipResolvers } from './relationship/relationship.resolvers.ts';
import { whereUsedResolvers } from './relationship/where-used.resolvers.ts';
import { structuredPropertiesResolvers } from './structured-property/structured-properties.resolvers.ts';
import { structuredPropertyResolvers } from './structured-property/structured-property.resolvers.ts';
import { completionResolvers } from './search/completion.resolvers.ts';
import { folderResolvers } from './search/folders/folders.resolvers.ts';
import { entityLineageResolvers } from './search/lineage/entity-lineage.resolvers.ts';
import { lineageSearchResolvers } from './search/lineage/lineage.resolvers.ts';
import { listResolvers } from './search/lists/lists.resolvers.ts';
import { memberResolvers } from './search/lists/members.resolvers.ts';
import { searchResolvers } from './search/search.resolvers.ts';
import { changeTagResolvers } from './tag/change-tag.resolvers.ts';
import { tagResolvers } from './tag/tag.resolvers.ts';
import { glossaryTermsResolvers } from './term/glossary-terms.resolvers.ts';
import { termResolvers } from './term/term.resolvers.ts';
import { changeUserResolvers } from './user/change-user.resolvers.ts';
import { entityPrivilegesResolvers } from './user/entity-privileges.resolvers.ts';
import { userResolvers } from './user/user.resolvers.ts';

/** Every slice that plugs into GraphQL. A slice that is not listed here has fields without resolvers, and a test fails. */
export const resolvers: readonly Resolvers[] = [
  accessResolvers,
  accessTokenResolvers,
  appConfigResolvers,
  assertionResolvers,
  assertionRunResolvers,
  browseResolvers,
  changeDomainResolvers,
  changeGlossaryResolvers,
  changeUserResolvers,
  changeLifecycleResolvers,
  changeOwnersResolvers,
  changeTagResolvers,
  completionResolvers,
  businessAttributeResolvers,
  containerResolvers,
  dataProductResolvers,
  dashboardUsageResolvers,
  dashboardResolvers,
  dataProcessInstanceResolvers,
  datasetResolvers,
  datasetSeriesResolvers,
  descriptionResolvers,
  displayResolvers,
  documentationResolvers,
  domainResolvers,
  entityLineageResolvers,
  embedResolvers,
  entityPrivilegesResolvers,
  entityResolvers,
  erModelRelationshipResolvers,
  exemptionResolvers,
  folderResolvers,
  glossaryResolvers,
  glossaryTermsResolvers,
  groupResolvers,
  historyResolvers,
  healthResolvers,
  incidentResolvers,
  institutionalMemoryResolvers,
  lifecycleResolvers,
  lineageSearchResolvers,
  linkResolvers,
  keeperResolvers,
  listResolvers,
  memberResolvers,
  metadataTestResolvers,
  mlModelResolvers,
  ownershipResolvers,
  pipelineResolvers,
  platformResolvers,
  policyResolvers,
  previewResolvers,
  queryResolvers,
  relationshipResolvers,
  resultResolvers,
  runsResolvers,
  schemaResolvers,
  scoreResolvers,
  structuredPropertiesResolvers,
  structuredPropertyResolvers,
  searchResolvers,
  tagResolvers,
  termResolvers,
  testActionResolvers,
  updateDatasetResolvers,
  userResolvers,
  whereUsedResolvers,
];
