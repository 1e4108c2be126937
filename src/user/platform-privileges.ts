import type { Caller } from '../auth/caller.ts';
import type { Privilege } from '../auth/privilege.ts';

/** The privilege behind each member of the GraphQL type `PlatformPrivileges`; without one, nobody has it. */
const privilegeBehind = {
  viewAnalytics: undefined,
  managePolicies: 'MANAGE_POLICIES',
  manageIdentities: 'MANAGE_USERS_AND_GROUPS',
  generatePersonalAccessTokens: 'GENERATE_PERSONAL_ACCESS_TOKENS',
  createDomains: 'CREATE_DOMAINS',
  manageDomains: 'MANAGE_DOMAINS',
  manageIngestion: undefined,
  manageSecrets: undefined,
  manageTokens: 'MANAGE_ACCESS_TOKENS',
  viewTests: 'VIEW_TESTS',
  manageTests: 'MANAGE_TESTS',
  manageGlossaries: 'MANAGE_GLOSSARIES',
  manageUserCredentials: undefined,
  createTags: 'CREATE_TAGS',
  manageTags: 'MANAGE_TAGS',
  manageGlobalViews: undefined,
  manageOwnershipTypes: 'MANAGE_GLOBAL_OWNERSHIP_TYPES',
  manageGlobalAnnouncements: undefined,
  createBusinessAttributes: undefined,
  manageBusinessAttributes: undefined,
  manageStructuredProperties: 'MANAGE_STRUCTURED_PROPERTIES',
  viewStructuredPropertiesPage: 'VIEW_STRUCTURED_PROPERTIES_PAGE',
} as const satisfies Readonly<Record<string, Privilege | undefined>>;

/** What the caller may do to the catalogue as a whole, by the names of the GraphQL type. */
export function platformPrivileges({ privileges }: Caller): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    Object.entries(privilegeBehind).map(([name, privilege]) => [
      name,
      privilege !== undefined && privileges.has(privilege),
    ]),
  );
}
