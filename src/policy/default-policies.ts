import type { JsonObject } from '../aspect/json.ts';
import { platformPrivileges, resourcePrivileges, type Role, rolePrivileges } from '../auth/privilege.ts';
import { formatUrn, type Urn } from '../urn/urn.ts';

/** A policy that a fresh catalogue has; `info` is its aspect `dataHubPolicyInfo`. */
export type DefaultPolicy = { readonly urn: Urn; readonly info: JsonObject };

type Parts = {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
  readonly type: 'PLATFORM' | 'METADATA';
  readonly privileges: readonly string[];
  readonly actors: JsonObject;
  /** Whether people may change and delete it. */
  readonly editable: boolean;
};

const nobody = { users: [], groups: [], roles: [], resourceOwners: false, allUsers: false, allGroups: false };
const root = { ...nobody, users: ['urn:li:corpuser:datahub'] };
const everybody = { ...nobody, allUsers: true };

const ownerPrivileges = [
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
  'EDIT_ENTITY_ASSERTIONS',
  'EDIT_DATASET_COL_TAGS',
  'EDIT_DATASET_COL_GLOSSARY_TERMS',
  'EDIT_DATASET_COL_DESCRIPTION',
  'VIEW_DATASET_USAGE',
  'VIEW_DATASET_PROFILE',
  'EDIT_TAG_COLOR',
  'EDIT_GROUP_MEMBERS',
  'EDIT_USER_PROFILE',
  'EDIT_CONTACT_INFO',
  'EDIT_LINEAGE',
  'EDIT_ENTITY_QUERIES',
  'GET_TIMELINE_PRIVILEGE',
  'MANAGE_DATA_PRODUCTS',
];

/** What a built-in role grants anyway, written down as DataHub does: the roles hold also without these policies. */
function ofRole(role: Role, title: string): readonly Parts[] {
  const actors = { ...nobody, roles: [formatUrn('dataHubRole', [role])] };
  const granted = rolePrivileges[role];
  const id = role.toLowerCase();
  return [
    {
      id: `${id}-platform-policy`,
      displayName: `${title} - Platform Policy`,
      description: `What ${title.toLowerCase()} may do to the catalogue as a whole.`,
      type: 'PLATFORM',
      privileges: platformPrivileges.filter((privilege) => granted.has(privilege)),
      actors,
      editable: false,
    },
    {
      id: `${id}-metadata-policy`,
      displayName: `${title} - Metadata Policy`,
      description: `What ${title.toLowerCase()} may do to everything in the catalogue.`,
      type: 'METADATA',
      privileges: resourcePrivileges.filter((privilege) => granted.has(privilege)),
      actors,
      editable: false,
    },
  ];
}

const parts: readonly Parts[] = [
  {
    id: '0',
    displayName: 'Root User - All Platform Privileges',
    description: 'Grants all platform privileges to root user.',
    type: 'PLATFORM',
    privileges: platformPrivileges,
    actors: root,
    editable: false,
  },
  {
    id: '1',
    displayName: 'Root User - Edit and View All Resources',
    description: 'Grants all edit and view privileges for all resources to root user.',
    type: 'METADATA',
    privileges: resourcePrivileges,
    actors: root,
    editable: false,
  },
  {
    id: '7',
    displayName: 'All Users - Base Platform Privileges',
    description: 'Grants base platform privileges to ALL users. Change this policy to alter that behavior.',
    type: 'PLATFORM',
    privileges: ['GENERATE_PERSONAL_ACCESS_TOKENS'],
    actors: everybody,
    editable: true,
  },
  {
    id: 'view-entity-page-all',
    displayName: 'All Users - View Entity Page',
    description: 'Grants entity view to all users',
    type: 'METADATA',
    privileges: ['VIEW_ENTITY_PAGE', 'GET_TIMELINE_PRIVILEGE'],
    actors: everybody,
    editable: true,
  },
  {
    id: 'view-dataset-sensitive',
    displayName: 'All Users - View Dataset Sensitive Information',
    description: 'Grants viewing privileges of usage and profile information of all datasets for all users',
    type: 'METADATA',
    privileges: ['VIEW_DATASET_USAGE', 'VIEW_DATASET_PROFILE'],
    actors: everybody,
    editable: true,
  },
  ...ofRole('Admin', 'Admins'),
  ...ofRole('Editor', 'Editors'),
  ...ofRole('Reader', 'Readers'),
  {
    id: 'asset-owners-metadata-policy',
    displayName: 'Asset Owners - Metadata Policy',
    description: 'Asset Owners have all metadata privileges ONLY for assets they own.',
    type: 'METADATA',
    privileges: ownerPrivileges,
    actors: { ...nobody, resourceOwners: true },
    editable: true,
  },
];

/** DataHub's default policies, as far as they mean something here (wire 8.1); no role can do more or less by them. */
export const defaultPolicies: readonly DefaultPolicy[] = parts.map(({ id, privileges, ...info }) => ({
  urn: formatUrn('dataHubPolicy', [id]),
  info: { ...info, privileges: [...privileges], state: 'ACTIVE', lastUpdatedTimestamp: 0 },
}));
