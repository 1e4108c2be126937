type PrivilegeText = {
  /** For people; as DataHub names it. */
  readonly displayName: string;
  readonly description: string;
};

/** What concerns the catalogue as a whole; a policy of the type PLATFORM grants it. Names and texts as DataHub has them. */
const platform = {
  MANAGE_POLICIES: {
    displayName: 'Manage Policies',
    description:
      'Create and remove policies and assign roles. Whoever has it can give themselves every right.',
  },
  MANAGE_USERS_AND_GROUPS: {
    displayName: 'Manage Users & Groups',
    description: 'Create, remove, and update users and groups.',
  },
  GENERATE_PERSONAL_ACCESS_TOKENS: {
    displayName: 'Generate Personal Access Tokens',
    description: 'Make access tokens for oneself.',
  },
  MANAGE_ACCESS_TOKENS: {
    displayName: 'Manage All Access Tokens',
    description: 'Make, list and revoke access tokens of others. Whoever has it can act as anybody.',
  },
  MANAGE_DOMAINS: { displayName: 'Manage Domains', description: 'Create and remove domains.' },
  CREATE_DOMAINS: { displayName: 'Create Domains', description: 'Create new domains.' },
  MANAGE_TAGS: { displayName: 'Manage Tags', description: 'Create and remove tags.' },
  CREATE_TAGS: { displayName: 'Create Tags', description: 'Create new tags.' },
  MANAGE_GLOSSARIES: {
    displayName: 'Manage Glossaries',
    description: 'Create, edit, and remove glossary terms and their groups.',
  },
  MANAGE_TESTS: { displayName: 'Manage Tests', description: 'Create and remove metadata tests.' },
  VIEW_TESTS: { displayName: 'View Tests', description: 'View metadata tests.' },
  MANAGE_GLOBAL_OWNERSHIP_TYPES: {
    displayName: 'Manage Ownership Types',
    description: 'Create, update and delete ownership types.',
  },
  MANAGE_STRUCTURED_PROPERTIES: {
    displayName: 'Manage Structured Properties',
    description: 'Create, update and delete structured properties.',
  },
  VIEW_STRUCTURED_PROPERTIES_PAGE: {
    displayName: 'View Structured Properties',
    description: 'View the list of structured properties.',
  },
} as const satisfies Readonly<Record<string, PrivilegeText>>;

/** What concerns one entity; a policy of the type METADATA grants it for the resources that the policy names. */
const resource = {
  VIEW_ENTITY_PAGE: { displayName: 'View Entity Page', description: 'View the entity.' },
  EDIT_ENTITY: {
    displayName: 'Edit Entity',
    description: 'Edit any information about an entity; all edit privileges of it in one.',
  },
  EDIT_ENTITY_TAGS: { displayName: 'Edit Tags', description: 'Add and remove tags.' },
  EDIT_ENTITY_GLOSSARY_TERMS: {
    displayName: 'Edit Glossary Terms',
    description: 'Add and remove glossary terms.',
  },
  EDIT_ENTITY_OWNERS: { displayName: 'Edit Owners', description: 'Add and remove owners.' },
  EDIT_ENTITY_DOCS: { displayName: 'Edit Description', description: 'Edit the description.' },
  EDIT_ENTITY_DOC_LINKS: { displayName: 'Edit Links', description: 'Edit the links.' },
  EDIT_ENTITY_STATUS: { displayName: 'Edit Status', description: 'Soft-delete and restore.' },
  EDIT_DOMAINS_PRIVILEGE: { displayName: 'Edit Domain', description: 'Set and unset the domain.' },
  EDIT_ENTITY_DATA_PRODUCTS: { displayName: 'Edit Data Product', description: 'Set the data product.' },
  EDIT_DEPRECATION_PRIVILEGE: {
    displayName: 'Edit Deprecation',
    description: 'Mark as deprecated, and take the mark away.',
  },
  EDIT_ENTITY_PROPERTIES: {
    displayName: 'Edit Properties',
    description: 'Edit the values of structured properties.',
  },
  EDIT_ENTITY_ASSERTIONS: { displayName: 'Edit Assertions', description: 'Add and remove assertions.' },
  EDIT_ENTITY_INCIDENTS: { displayName: 'Edit Incidents', description: 'Raise and resolve incidents.' },
  EDIT_LINEAGE: { displayName: 'Edit Lineage', description: 'Add and remove lineage.' },
  EDIT_ENTITY_EMBED: { displayName: 'Edit Embedded Content', description: 'Edit the embedded content.' },
  EDIT_ENTITY_QUERIES: { displayName: 'Edit Dataset Queries', description: 'Edit the queries of a dataset.' },
  DELETE_ENTITY: { displayName: 'Delete', description: 'Delete the entity.' },
  EDIT_DATASET_COL_TAGS: {
    displayName: 'Edit Dataset Column Tags',
    description: 'Add and remove tags of columns.',
  },
  EDIT_DATASET_COL_GLOSSARY_TERMS: {
    displayName: 'Edit Dataset Column Glossary Terms',
    description: 'Add and remove glossary terms of columns.',
  },
  EDIT_DATASET_COL_DESCRIPTION: {
    displayName: 'Edit Dataset Column Descriptions',
    description: 'Edit the descriptions of columns.',
  },
  VIEW_DATASET_USAGE: { displayName: 'View Dataset Usage', description: 'View how a dataset is used.' },
  VIEW_DATASET_PROFILE: { displayName: 'View Dataset Profile', description: 'View figures of its content.' },
  VIEW_DATASET_OPERATIONS: { displayName: 'View Dataset Operations', description: 'View what changed it.' },
  EDIT_TAG_COLOR: { displayName: 'Edit Tag Color', description: 'Change the color of a tag.' },
  EDIT_GROUP_MEMBERS: { displayName: 'Edit Group Members', description: 'Add and remove members.' },
  EDIT_USER_PROFILE: { displayName: 'Edit User Profile', description: 'Edit the profile of a user.' },
  EDIT_CONTACT_INFO: {
    displayName: 'Edit Contact Information',
    description: 'Edit e-mail and chat addresses of a user or a group.',
  },
  MANAGE_DATA_PRODUCTS: {
    displayName: 'Manage Data Products',
    description: 'Create, edit, and delete data products within a domain.',
  },
  MANAGE_GLOSSARY_CHILDREN: {
    displayName: 'Manage Direct Glossary Children',
    description: 'Create and delete what is directly in a group of terms.',
  },
  MANAGE_ALL_GLOSSARY_CHILDREN: {
    displayName: 'Manage All Glossary Children',
    description: 'Create and delete everything underneath a group of terms.',
  },
  GET_TIMELINE_PRIVILEGE: { displayName: 'Get Timeline API', description: 'Read how an entity changed.' },
} as const satisfies Readonly<Record<string, PrivilegeText>>;

export type PlatformPrivilege = keyof typeof platform;
export type ResourcePrivilege = keyof typeof resource;
/** What a caller may be allowed to do (contract section 12). */
export type Privilege = PlatformPrivilege | ResourcePrivilege;

const texts: Readonly<Record<Privilege, PrivilegeText>> = { ...platform, ...resource };

export const platformPrivileges: readonly PlatformPrivilege[] = Object.keys(platform).filter(
  (name): name is PlatformPrivilege => Object.hasOwn(platform, name),
);

export const resourcePrivileges: readonly ResourcePrivilege[] = Object.keys(resource).filter(
  (name): name is ResourcePrivilege => Object.hasOwn(resource, name),
);

export const privileges: readonly Privilege[] = [...platformPrivileges, ...resourcePrivileges];

/** What a privilege is called and what it is for. */
export function privilegeText(privilege: Privilege): PrivilegeText {
  return texts[privilege];
}

/** Other names that are met for a privilege, in the contract and in older policies. */
const otherNames: Readonly<Record<string, Privilege>> = {
  EDIT_ENTITY_DEPRECATION: 'EDIT_DEPRECATION_PRIVILEGE',
  MANAGE_OWNERSHIP_TYPES: 'MANAGE_GLOBAL_OWNERSHIP_TYPES',
  EDIT_QUERIES: 'EDIT_ENTITY_QUERIES',
};

/** The privilege that a policy names so; `undefined` for one that is of no consequence here. */
export function privilegeNamed(name: string): Privilege | undefined {
  if (Object.hasOwn(otherNames, name)) return otherNames[name];
  return isPrivilege(name) ? name : undefined;
}

function isPrivilege(name: string): name is Privilege {
  return Object.hasOwn(texts, name);
}

export type Role = 'Admin' | 'Editor' | 'Reader';

/** What makes others able to do things, or concerns who they are: not for who edits metadata. */
const platformManagement: ReadonlySet<Privilege> = new Set<Privilege>([
  'MANAGE_POLICIES',
  'MANAGE_ACCESS_TOKENS',
  'MANAGE_USERS_AND_GROUPS',
  'EDIT_GROUP_MEMBERS',
  'EDIT_USER_PROFILE',
  'EDIT_CONTACT_INFO',
]);

/** DataHub's three built-in roles: everything; everything but managing the platform; reading (contract section 12). */
export const rolePrivileges: Readonly<Record<Role, ReadonlySet<Privilege>>> = {
  Admin: new Set(privileges),
  Editor: new Set(privileges.filter((privilege) => !platformManagement.has(privilege))),
  Reader: new Set<Privilege>([
    'VIEW_TESTS',
    'GENERATE_PERSONAL_ACCESS_TOKENS',
    'VIEW_STRUCTURED_PROPERTIES_PAGE',
    'VIEW_ENTITY_PAGE',
    'VIEW_DATASET_USAGE',
    'VIEW_DATASET_PROFILE',
    'VIEW_DATASET_OPERATIONS',
    'GET_TIMELINE_PRIVILEGE',
  ]),
};

export function isRole(text: string): text is Role {
  return Object.hasOwn(rolePrivileges, text);
}
