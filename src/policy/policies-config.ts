import {
  platformPrivileges,
  type Privilege,
  privilegeText,
  type ResourcePrivilege,
} from '../auth/privilege.ts';
import { graphqlEntityType } from '../entity/graphql-types.ts';

/** What can be done to entities of most types. */
const usual: readonly ResourcePrivilege[] = [
  'VIEW_ENTITY_PAGE',
  'EDIT_ENTITY',
  'EDIT_ENTITY_TAGS',
  'EDIT_ENTITY_GLOSSARY_TERMS',
  'EDIT_ENTITY_OWNERS',
  'EDIT_ENTITY_DOCS',
  'EDIT_ENTITY_DOC_LINKS',
  'EDIT_ENTITY_STATUS',
  'EDIT_DOMAINS_PRIVILEGE',
  'EDIT_ENTITY_DATA_PRODUCTS',
  'EDIT_DEPRECATION_PRIVILEGE',
  'EDIT_ENTITY_PROPERTIES',
  'EDIT_ENTITY_INCIDENTS',
  'DELETE_ENTITY',
  'GET_TIMELINE_PRIVILEGE',
];

const described: readonly ResourcePrivilege[] = [
  'VIEW_ENTITY_PAGE',
  'EDIT_ENTITY',
  'EDIT_ENTITY_OWNERS',
  'EDIT_ENTITY_DOCS',
  'EDIT_ENTITY_PROPERTIES',
  'DELETE_ENTITY',
  'GET_TIMELINE_PRIVILEGE',
];

type ResourceType = { readonly title: string; readonly privileges: readonly ResourcePrivilege[] };

/** By entity type: what a policy can grant on it, as DataHub's policy editor offers it. */
const resourceTypes: Readonly<Record<string, ResourceType>> = {
  dataset: {
    title: 'Datasets',
    privileges: [
      ...usual,
      'EDIT_DATASET_COL_DESCRIPTION',
      'EDIT_DATASET_COL_TAGS',
      'EDIT_DATASET_COL_GLOSSARY_TERMS',
      'EDIT_ENTITY_ASSERTIONS',
      'EDIT_LINEAGE',
      'EDIT_ENTITY_EMBED',
      'EDIT_ENTITY_QUERIES',
      'VIEW_DATASET_USAGE',
      'VIEW_DATASET_PROFILE',
      'VIEW_DATASET_OPERATIONS',
    ],
  },
  chart: { title: 'Charts', privileges: [...usual, 'EDIT_LINEAGE', 'EDIT_ENTITY_EMBED'] },
  dashboard: { title: 'Dashboards', privileges: [...usual, 'EDIT_LINEAGE', 'EDIT_ENTITY_EMBED'] },
  dataFlow: { title: 'Data Pipelines', privileges: usual },
  dataJob: { title: 'Data Tasks', privileges: [...usual, 'EDIT_LINEAGE'] },
  notebook: { title: 'Notebook', privileges: usual },
  container: { title: 'Containers', privileges: usual },
  tag: { title: 'Tags', privileges: [...described, 'EDIT_TAG_COLOR'] },
  domain: {
    title: 'Domains',
    privileges: [...described, 'EDIT_ENTITY_DOC_LINKS', 'MANAGE_DATA_PRODUCTS'],
  },
  dataProduct: {
    title: 'Data Products',
    privileges: [
      ...described,
      'EDIT_ENTITY_DOC_LINKS',
      'EDIT_ENTITY_TAGS',
      'EDIT_ENTITY_GLOSSARY_TERMS',
      'EDIT_DOMAINS_PRIVILEGE',
    ],
  },
  glossaryTerm: {
    title: 'Glossary Terms',
    privileges: [
      ...described,
      'EDIT_ENTITY_DOC_LINKS',
      'EDIT_DEPRECATION_PRIVILEGE',
      'EDIT_DOMAINS_PRIVILEGE',
    ],
  },
  glossaryNode: {
    title: 'Glossary Term Groups',
    privileges: [
      ...described,
      'EDIT_ENTITY_DOC_LINKS',
      'EDIT_DEPRECATION_PRIVILEGE',
      'MANAGE_GLOSSARY_CHILDREN',
      'MANAGE_ALL_GLOSSARY_CHILDREN',
    ],
  },
  corpGroup: {
    title: 'Groups',
    privileges: [...described, 'EDIT_GROUP_MEMBERS', 'EDIT_CONTACT_INFO'],
  },
  corpuser: {
    title: 'Users',
    privileges: [
      'VIEW_ENTITY_PAGE',
      'EDIT_ENTITY',
      'EDIT_USER_PROFILE',
      'EDIT_CONTACT_INFO',
      'EDIT_ENTITY_PROPERTIES',
    ],
  },
  structuredProperty: {
    title: 'Structured Properties',
    privileges: ['VIEW_ENTITY_PAGE', 'EDIT_ENTITY', 'DELETE_ENTITY'],
  },
};

/** The privileges that can be had on entities of a type. */
export function privilegesOfType(entityType: string): readonly ResourcePrivilege[] {
  return (
    (Object.hasOwn(resourceTypes, entityType) ? resourceTypes[entityType]?.privileges : undefined) ?? usual
  );
}

const shown = (privilege: Privilege): object => ({ type: privilege, ...privilegeText(privilege) });

/** The GraphQL type `PoliciesConfig`: what policies can grant. Policies are always on. */
export const policiesConfig = {
  enabled: true,
  platformPrivileges: platformPrivileges.map(shown),
  resourcePrivileges: Object.entries(resourceTypes).map(([resourceType, { title, privileges }]) => ({
    resourceType,
    resourceTypeDisplayName: title,
    entityType: graphqlEntityType(resourceType),
    privileges: privileges.map(shown),
  })),
};
