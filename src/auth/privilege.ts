/** What a caller may be allowed to do; names as in contract section 12. */
export const privileges = [
  'EDIT_ENTITY',
  'EDIT_ENTITY_GLOSSARY_TERMS',
  'EDIT_DATASET_COL_GLOSSARY_TERMS',
  'EDIT_ENTITY_TAGS',
  'EDIT_DATASET_COL_TAGS',
  'EDIT_ENTITY_DOCS',
  'EDIT_DATASET_COL_DESCRIPTION',
  'EDIT_ENTITY_DOC_LINKS',
  'EDIT_ENTITY_OWNERS',
  'EDIT_ENTITY_STATUS',
  'EDIT_ENTITY_DEPRECATION',
  'EDIT_DOMAINS_PRIVILEGE',
  'DELETE_ENTITY',
  'MANAGE_GLOSSARIES',
  'MANAGE_TESTS',
  'VIEW_TESTS',
  'MANAGE_POLICIES',
  'GENERATE_PERSONAL_ACCESS_TOKENS',
  'MANAGE_ACCESS_TOKENS',
] as const;

export type Privilege = (typeof privileges)[number];

export type Role = 'Admin' | 'Editor' | 'Reader';

const platformManagement: ReadonlySet<Privilege> = new Set(['MANAGE_POLICIES', 'MANAGE_ACCESS_TOKENS']);

/** DataHub's three built-in roles: everything; everything but managing the platform; reading (contract section 12). */
export const rolePrivileges: Readonly<Record<Role, ReadonlySet<Privilege>>> = {
  Admin: new Set(privileges),
  Editor: new Set(privileges.filter((privilege) => !platformManagement.has(privilege))),
  Reader: new Set<Privilege>(['VIEW_TESTS', 'GENERATE_PERSONAL_ACCESS_TOKENS']),
};

export function isRole(text: string): text is Role {
  return Object.hasOwn(rolePrivileges, text);
}
